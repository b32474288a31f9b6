/** The binder's errors in the user's words: code, message, hint, names offered, and the place in the SQL. */
import type { Diagnostic } from '../language/index.ts'
import { findRelation, type Relation, type Scope } from '../language/lineage/scope.ts'
import {
  type Expression,
  forEachExpression,
  locationOf,
  type TableNode,
} from '../language/lineage/sql-tree.ts'
import { nearestNames } from '../language/text/nearest-names.ts'
import type { Range } from '../language/text/range.ts'
import type { BindError } from './bind-error.ts'
import { callFinding } from './call-findings.ts'
import type { Treatment } from './diagnose.ts'
import {
  cteNames,
  didYouMean,
  has,
  joined,
  offerColumns,
  offerColumnsOf,
  offerQualifiers,
  relationsInSight,
  tableSuggestions,
} from './names-in-sight.ts'
import { quotedIn, sentence } from './phrases.ts'
import type { Statement } from './statement.ts'
import { invalidTagName } from './statement.ts'
import type { PlacedNode, TreeNode } from './tree-paths.ts'

export interface Finding {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly suggestions?: readonly string[]
  /** In the statement's SQL. */
  readonly range: Range
}

/** No finding: the error rests on something unknown, on something mended, or is reported by others. */
export async function findingOf(
  treatment: Treatment,
  error: BindError,
  culprit: PlacedNode | undefined,
): Promise<Finding[]> {
  if (!culprit) return [otherFinding(treatment, error, undefined)]
  const node = culprit.node as unknown as Expression & TableNode
  const finding =
    missingFinding(treatment, error, node) ??
    columnFinding(treatment, error, node) ??
    callFinding(treatment, error, node) ??
    clauseFinding(treatment, error, node) ??
    otherFinding(treatment, error, node)
  const resolved = await finding
  return resolved === 'silent' ? [] : [resolved]
}

export type Found = Finding | 'silent' | undefined

export function findingsToDiagnostics(findings: readonly Finding[], statement: Statement): Diagnostic[] {
  const seen = new Set<string>()
  const diagnostics: Diagnostic[] = []
  for (const { code, message, hint, suggestions, range } of findings) {
    const key = `${code} ${range.start} ${range.end}`
    if (seen.has(key) || isInvalidTag(statement, range)) continue
    seen.add(key)
    diagnostics.push({
      code,
      severity: 'error',
      message,
      path: statement.path,
      range: statement.toFile.rangeToOriginal(range),
      ...(hint === undefined ? {} : { hint }),
      ...(suggestions === undefined || suggestions.length === 0 ? {} : { suggestions }),
    })
  }
  return diagnostics.sort((a, b) => a.range.start - b.range.start)
}

function isInvalidTag(statement: Statement, range: Range): boolean {
  return statement.hasInvalidTags && statement.sql.slice(range.start, range.end) === invalidTagName
}

// ---------------------------------------------------------------- what the catalogue does not have

function missingFinding(treatment: Treatment, error: BindError, node: Expression & TableNode) {
  if (error.missing === undefined) return undefined
  if (error.missing === 'Table' || error.missing === 'View') return unknownTable(treatment, node)
  if (error.missing === 'Type') return unknownType(treatment, error, node)
  if (error.missing.includes('Function')) return unknownFunction(treatment, error, node)
  return undefined
}

async function unknownTable(treatment: Treatment, node: TableNode): Promise<Finding> {
  const name = node.table_name ?? ''
  const suggestions = await tableSuggestions(treatment, node)
  const [first] = suggestions
  const isCte = first !== undefined && cteNames(treatment.resolution.trace?.tables.get(node)).includes(first)
  const meant = first === undefined || isCte ? didYouMean(suggestions) : `did you mean {{ ref('${first}') }}?`
  const rule =
    first === undefined
      ? "SQL reads other assets through {{ ref('name') }} and its own source through {{ source }}."
      : undefined
  const count = node.schema_name ? 2 : 1
  const parts = treatment.places.nameParts(locationOf(node) ?? 0, count)
  return {
    code: 'sql-unknown-table',
    message: `unknown table "${name}"`,
    hint: joined(meant, rule),
    suggestions,
    range: parts.at(-1) ?? treatment.places.tokenAt(locationOf(node) ?? 0),
  }
}

function unknownType(treatment: Treatment, error: BindError, node: Expression): Finding {
  const name = error.name ?? ''
  const suggestions = nearestNames(name, typeNames)
  const location = locationOf(node) ?? 0
  return {
    code: 'sql-unknown-type',
    message: `unknown type "${name}"`,
    hint: didYouMean(suggestions),
    suggestions,
    range: treatment.places.findName(name, location) ?? treatment.places.tokenAt(location),
  }
}

const typeNames = [
  'BIGINT',
  'BLOB',
  'BOOLEAN',
  'DATE',
  'DECIMAL',
  'DOUBLE',
  'FLOAT',
  'HUGEINT',
  'INTEGER',
  'INTERVAL',
  'JSON',
  'NUMERIC',
  'REAL',
  'SMALLINT',
  'TEXT',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMPTZ',
  'TINYINT',
  'UUID',
  'VARCHAR',
]

async function unknownFunction(
  treatment: Treatment,
  error: BindError,
  node: Expression & TableNode,
): Promise<Finding> {
  const name = error.name ?? ''
  const suggestions = nearestNames(name, await treatment.names.functions())
  const location = locationOf(node) ?? locationOf(node.function ?? {}) ?? 0
  const parts = treatment.places.nameParts(location, 3)
  return {
    code: 'sql-unknown-function',
    message: `unknown function "${name}"`,
    hint: suggestions[0] === undefined ? undefined : `did you mean "${suggestions[0]}"?`,
    suggestions,
    range: treatment.places.findName(name, location) ?? parts.at(-1) ?? treatment.places.tokenAt(location),
  }
}

// ---------------------------------------------------------------- columns

function columnFinding(treatment: Treatment, error: BindError, node: Expression & TableNode): Found {
  const { message } = error
  if (/^Referenced table/.test(message)) return unknownQualifier(treatment, node)
  if (/^Referenced column|^Table ".*" does not have a column/.test(message))
    return unknownColumn(treatment, node)
  if (/^Ambiguous reference to column/.test(message)) return ambiguousColumn(treatment, error, node)
  if (/^Could not find key|^Cannot extract field/.test(message)) return unknownField(treatment, error, node)
  if (/side of join|in (EXCLUDE|REPLACE|RENAME) list not found/.test(message))
    return listedColumn(treatment, error, node)
  if (/referenced in UNPIVOT/.test(message)) return listedColumn(treatment, error, node)
  return undefined
}

function unknownQualifier(treatment: Treatment, node: Expression): Finding {
  const name = node.relation_name ?? node.column_names?.[0] ?? ''
  const offer = offerQualifiers(treatment, name, node)
  const range = partRange(treatment, node, 0)
  return { code: 'sql-unknown-table', message: `unknown table "${name}"`, ...offer, range }
}

function unknownColumn(treatment: Treatment, node: Expression): Found {
  const names = node.column_names ?? []
  const scope = treatment.resolution.trace?.scopes.get(node)
  const relation = names.length > 1 ? relationCalled(scope, names) : undefined
  if (relation ? relation.ask : isOpen(scope)) return 'silent'
  const part = relation ? (findRelation(scope as Scope, names[0] ?? '') === relation ? 1 : 2) : 0
  const name = names[part] ?? names[0] ?? ''
  const offer = relation ? offerColumnsOf(treatment, name, relation) : offerColumns(treatment, name, node)
  return {
    code: 'sql-unknown-column',
    message: `unknown column "${name}"`,
    ...offer,
    range: partRange(treatment, node, part),
  }
}

function relationCalled(scope: Scope | undefined, names: readonly string[]): Relation | undefined {
  for (let level = scope; level; level = level.parent) {
    const found = findRelation(level, names[0] ?? '') ?? findRelation(level, names[1] ?? '', names[0])
    if (found) return found
  }
  return undefined
}

function isOpen(scope: Scope | undefined): boolean {
  for (let level = scope; level; level = level.parent) {
    if (level.relations.some(relation => relation.ask && !relation.hidden)) return true
  }
  return false
}

function ambiguousColumn(treatment: Treatment, error: BindError, node: Expression): Finding {
  const name = node.column_names?.at(-1) ?? ''
  const choices = [...error.message.matchAll(/"([^"]+\.[^"]+)"/g)].map(match => match[1] ?? '')
  return {
    code: 'sql-ambiguous-column',
    message: `column "${name}" is in more than one table`,
    hint: choices.length > 0 ? `write ${choices.join(' or ')}.` : undefined,
    suggestions: choices,
    range: partRange(treatment, node, 0),
  }
}

function unknownField(treatment: Treatment, error: BindError, node: Expression): Found {
  if (restsOnUnknown(treatment, node)) return 'silent'
  const name = /"((?:[^"]|"")*)"|field '([^']*)'/.exec(error.message)
  const field = name?.[1] ?? name?.[2] ?? ''
  const candidates = quotedIn(error.message.split('\n').slice(1).join('\n'))
  const suggestions = nearestNames(field, candidates)
  const part = (node.column_names ?? []).findLastIndex(each => each.toLowerCase() === field.toLowerCase())
  const location = firstLocation(node)
  return {
    code: 'sql-unknown-column',
    message: `unknown field "${field}"`,
    hint: joined(didYouMean(suggestions), has('it', candidates)),
    suggestions,
    range:
      part > 0
        ? partRange(treatment, node, part)
        : (treatment.places.findName(field, location) ?? treatment.places.tokenAt(location)),
  }
}

/** A column named in USING, EXCLUDE, REPLACE, RENAME or UNPIVOT. */
function listedColumn(treatment: Treatment, error: BindError, node: Expression & TableNode): Found {
  const name = quotedIn(error.message)[0] ?? ''
  const trace = treatment.resolution.trace
  const scope = trace?.scopes.get(node) ?? trace?.tables.get(node)
  if (isOpen(scope)) return 'silent'
  const columns = relationsInSight(scope).flatMap(relation =>
    relation.columns.flatMap(column => column.name ?? []),
  )
  const suggestions = nearestNames(name, columns)
  const side = /does not exist on (left|right) side/.exec(error.message)?.[1]
  const location = firstLocation(node)
  return {
    code: 'sql-unknown-column',
    message: side ? `column "${name}" is not on the ${side} side of the join` : `unknown column "${name}"`,
    hint: didYouMean(suggestions),
    suggestions,
    range: treatment.places.findName(name, location) ?? treatment.places.tokenAt(location),
  }
}

export function partRange(treatment: Treatment, node: Expression, part: number): Range {
  const location = locationOf(node) ?? 0
  const parts = treatment.places.nameParts(location, part + 1)
  return parts[part] ?? treatment.places.tokenAt(location)
}

// ---------------------------------------------------------------- clauses

function clauseFinding(treatment: Treatment, error: BindError, node: Expression & TableNode): Found {
  const name = quotedIn(error.message)[0] ?? /^column (\S+) must/.exec(error.message)?.[1]
  if (/must appear in the GROUP BY|must be a grouping column/.test(error.message)) {
    if (isGroupByMended(treatment) || isInMendedCall(treatment, node)) return 'silent'
    return {
      code: 'sql-group-by',
      message: `"${name}" must be in GROUP BY or inside an aggregate`,
      hint: `add it to GROUP BY, or write any_value(${name}).`,
      range: node.type === 'COLUMN_REF' ? nameRange(treatment, node) : tokenRange(treatment, node),
    }
  }
  if (/cannot contain aggregates|cannot be nested|GROUP BY term out of range/.test(error.message))
    return { code: 'sql-group-by', message: sentence(error.message), range: tokenRange(treatment, node) }
  if (
    !/^(Cannot|Could not|Subquery returns|UNNEST|Conversion|Set operations)/i.test(error.message) &&
    error.kind !== 'conversion'
  )
    return undefined
  if (!/^(Subquery returns|Set operations)/.test(error.message) && restsOnUnknown(treatment, node))
    return 'silent'
  return {
    code: /^Set operations/.test(error.message) ? 'sql-other' : 'sql-type',
    message: sentence(error.message),
    hint: /explicit cast is required/.test(error.message)
      ? 'cast one side, such as CAST(x AS VARCHAR).'
      : undefined,
    range: tokenRange(treatment, node),
  }
}

function nameRange(treatment: Treatment, node: Expression): Range {
  const parts = treatment.places.nameParts(locationOf(node) ?? 0, node.column_names?.length ?? 1)
  const first = parts[0]
  const last = parts.at(-1)
  return first && last ? { start: first.start, end: last.end } : tokenRange(treatment, node)
}

/** An unknown function may be an aggregate. */
function isInMendedCall(treatment: Treatment, node: object): boolean {
  const isInside = (value: object): boolean =>
    value === node ||
    Object.values(value).some(child => typeof child === 'object' && child !== null && isInside(child))
  return [...treatment.mendedCalls].some(isInside)
}

/** A grouping key put out of the way makes every other column look ungrouped. */
function isGroupByMended(treatment: Treatment): boolean {
  return JSON.stringify(treatment.tree, (key, value: unknown) =>
    key === 'group_expressions' &&
    Array.isArray(value) &&
    value.some(each => treatment.mended.has(each as object))
      ? 'svc mended group'
      : value,
  ).includes('svc mended group')
}

// ---------------------------------------------------------------- the rest

function otherFinding(
  treatment: Treatment,
  error: BindError,
  node: (Expression & TableNode) | undefined,
): Finding {
  if (error.kind === 'permission') return fileFinding(treatment, error, node)
  return {
    code: 'sql-other',
    message: sentence(error.message),
    range: node ? tokenRange(treatment, node) : wholeRange(treatment),
  }
}

function fileFinding(treatment: Treatment, error: BindError, node: Expression | undefined): Finding {
  const file = quotedIn(error.message)[0] ?? ''
  return {
    code: 'sql-other',
    message: `SQL cannot read "${file}"`,
    hint: 'files are read by an asset with ingest.type "file", and its rows through {{ source }}.',
    range: node ? tokenRange(treatment, node) : wholeRange(treatment),
  }
}

export function tokenRange(treatment: Treatment, node: Expression & TableNode): Range {
  return treatment.places.tokenAt(firstLocation(node))
}

/** Where a node begins; for one without a place, the first place inside it. */
function firstLocation(node: object): number {
  const own = locationOf(node as Expression)
  if (own !== undefined) return own
  const places: number[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const place = locationOf(value as Expression)
    if (place !== undefined) places.push(place)
    for (const child of Object.values(value)) visit(child)
  }
  visit(node)
  return places.length === 0 ? 0 : Math.min(...places)
}

function wholeRange(treatment: Treatment): Range {
  const { sql } = treatment.patient
  const start = sql.length - sql.trimStart().length
  const end = sql.trimEnd().length
  return { start, end: Math.max(start, end) }
}

/** Whether the type of an expression rests on an unknown column or on something mended, with no cast between. */
export function restsOnUnknown(treatment: Treatment, node: Expression | TreeNode): boolean {
  const values = treatment.resolution.trace?.values
  const visit = (expression: Expression): boolean => {
    if (expression.type === 'OPERATOR_CAST') return false
    if (expression.type === 'COLUMN_REF') return values?.get(expression)?.unknown === true
    if (treatment.mended.has(expression)) return true
    let rests = false
    forEachExpression(expression, child => {
      rests ||= visit(child)
    })
    return rests
  }
  return visit(node as Expression)
}
