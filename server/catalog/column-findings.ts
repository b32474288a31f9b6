/** Columns, struct fields and qualifiers that nothing in sight has, or that two have. */
import { findRelation, mayHave, type Relation, type Scope } from '../language/lineage/scope.ts'
import type { Expression, TableNode } from '../language/lineage/sql-tree.ts'
import { nearestNames } from '../language/text/nearest-names.ts'
import type { BindError } from './bind-error.ts'
import type { Treatment } from './diagnose.ts'
import type { Finding, Found } from './findings.ts'
import {
  didYouMean,
  has,
  joined,
  offerColumns,
  offerColumnsOf,
  offerQualifiers,
  relationsInSight,
} from './names-in-sight.ts'
import { firstLocation, partRange } from './node-ranges.ts'
import { quotedIn } from './phrases.ts'
import { nameSql } from './quoting.ts'
import { restsOnUnknown } from './rests-on-unknown.ts'

export function columnFinding(treatment: Treatment, error: BindError, node: Expression & TableNode): Found {
  const { message } = error
  if (/^Referenced table/.test(message)) return unknownQualifier(treatment, node)
  if (isUnknownColumn(message)) return unknownColumn(treatment, node)
  if (/^Ambiguous reference to column/.test(message)) return ambiguousColumn(treatment, error, node)
  if (/^Could not find key|^Cannot extract field/.test(message)) return unknownField(treatment, error, node)
  if (/side of join|in (EXCLUDE|REPLACE|RENAME) list not found/.test(message))
    return listedColumn(treatment, error, node)
  if (/referenced in UNPIVOT/.test(message)) return listedColumn(treatment, error, node)
  return undefined
}

function isUnknownColumn(message: string): boolean {
  return /^Referenced column|does not have a column named/.test(message)
}

/** From inside a subquery the binder says that there is no such table, although only the column is missing. */
function unknownQualifier(treatment: Treatment, node: Expression): Found {
  const scope = treatment.resolution.trace?.scopes.get(node)
  if (node.column_names && relationCalled(scope, node.column_names)) return unknownColumn(treatment, node)
  return qualifierFinding(treatment, node.relation_name ?? node.column_names?.[0] ?? '', node)
}

function qualifierFinding(treatment: Treatment, name: string, node: Expression): Finding {
  const offer = offerQualifiers(treatment, name, node)
  const range = partRange(treatment, node, 0)
  const [best] = offer.suggestions
  const edit = best === undefined ? undefined : { range, text: nameSql(best), title: `Change to "${best}"` }
  return { code: 'sql-unknown-table', message: `unknown table "${name}"`, ...offer, range, edit }
}

/** `a.b` where nothing is called `a`: a table or a column with fields; what is nearer decides. */
function isNearQualifier(treatment: Treatment, name: string, node: Expression): boolean {
  return offerQualifiers(treatment, name, node).suggestions.length > 0
}

export function unknownColumn(treatment: Treatment, node: Expression): Found {
  const names = node.column_names ?? []
  const scope = treatment.resolution.trace?.scopes.get(node)
  const relation = names.length > 1 ? relationCalled(scope, names) : undefined
  const part = relation ? (findRelation(scope as Scope, names[0] ?? '') === relation ? 1 : 2) : 0
  const name = names[part] ?? names[0] ?? ''
  if (relation ? mayHave(relation, name) : mayBeHad(scope, name)) return 'silent'
  if (!relation && names.length > 1 && isNearQualifier(treatment, name, node))
    return qualifierFinding(treatment, name, node)
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

function mayBeHad(scope: Scope | undefined, name: string): boolean {
  for (let level = scope; level; level = level.parent) {
    if (level.relations.some(relation => !relation.hidden && mayHave(relation, name))) return true
  }
  return false
}

function ambiguousColumn(treatment: Treatment, error: BindError, node: Expression): Finding {
  const name = node.column_names?.at(-1) ?? ''
  const choices = [...error.message.matchAll(/"([^"]+\.[^"]+)"/g)].map(match => match[1] ?? '')
  return {
    code: 'sql-ambiguous-column',
    message: `column "${name}" is in more than one table`,
    hint: choices.length > 0 ? `Write ${choices.join(' or ')}.` : undefined,
    suggestions: choices,
    range: partRange(treatment, node, 0),
  }
}

function unknownField(treatment: Treatment, error: BindError, node: Expression): Found {
  if (restsOnUnknown(treatment, node)) return 'silent'
  if (isColumnOfRelation(treatment, node)) return unknownColumn(treatment, node)
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

/** `band.x` where `band` is a table and a column too: the table was meant. */
function isColumnOfRelation(treatment: Treatment, node: Expression): boolean {
  const names = node.column_names ?? []
  const relation =
    names.length === 2 ? relationCalled(treatment.resolution.trace?.scopes.get(node), names) : undefined
  return relation !== undefined
}

/** A column named in USING, EXCLUDE, REPLACE, RENAME or UNPIVOT. */
function listedColumn(treatment: Treatment, error: BindError, node: Expression & TableNode): Found {
  const name = quotedIn(error.message)[0] ?? ''
  const trace = treatment.resolution.trace
  const scope = trace?.scopes.get(node) ?? trace?.tables.get(node.source ?? node)
  if (mayBeHad(scope, name)) return 'silent'
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
