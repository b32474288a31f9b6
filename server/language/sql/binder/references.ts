/** Binds `a`, `a.b` and `a.b.c`: columns with qualifiers and fields, rows, aliases, parameters. */
import type { Name, Reference, Span } from '../tree.ts'
import { bindFields, fieldsOf } from './fields.ts'
import type { BoundTable, Column, Scope } from './model.ts'
import {
  findColumn,
  findTable,
  findTableAround,
  findTagged,
  findUnnamed,
  mergedOf,
  visibleTables,
} from './scope.ts'
import { misspeltTable, unresolved } from './unresolved.ts'
import { constantValue, derivedFrom, type Value } from './values.ts'
import { mention, report, type Work } from './work.ts'

export interface Resolved {
  readonly value: Value
  /** The column, if no field of it is read. */
  readonly column: Column | undefined
  /** The column that replaces a misspelt one. */
  readonly meant?: Column | undefined
}

/** The meaning of the first `length` names of a path. */
interface Resolution {
  readonly value: Value
  readonly column: Column | undefined
  readonly length: number
}

/** What replaces a reference to something unknown, so that the engine says something of the rest. */
export interface Replacement {
  readonly text: string
  /** Whether the column with the nearest name is preferred to the text. */
  readonly takesNearest?: boolean
  /** Returns what follows the nearest column. */
  readonly after?: (nearest: Column) => string
}

/** Binds a reference, which `replacement` replaces if it is unknown. */
export function bindReference(
  work: Work,
  node: Reference,
  scope: Scope,
  replacement: Replacement = { text: '(NULL)' },
): Resolved {
  const resolved = lookUp(work, node, scope)
  if (resolved === undefined) return unresolved(work, node, scope, replacement)
  const rest = node.path.slice(resolved.length)
  if (rest.length === 0) return { value: resolved.value, column: resolved.column }
  if (isMisspeltOfTable(work, node, resolved, scope)) return unresolved(work, node, scope, replacement)
  const repair = { start: node.start, end: node.end, text: replacement.text }
  return {
    value: bindFields(work, resolved.value, rest, { scope, repair, of: resolved.column }),
    column: undefined,
  }
}

/**
 * Returns whether `place.rgion` means a column of the table `place`, if there is also a column `place`
 * without fields.
 */
function isMisspeltOfTable(
  work: Work,
  { path }: Reference,
  { value, length }: Resolution,
  scope: Scope,
): boolean {
  const [first, second] = path
  if (first === undefined || second === undefined || second.text === '' || length !== 1) return false
  if (fieldsOf(work, value)?.length !== 0) return false
  const table = findTableAround(scope, first.text, work.dialect) ?? misspeltTable(work, first.text, scope)
  return table !== undefined
}

/** Binds a reference like `bindReference`, but does not report an unknown one. */
export function lookUp(work: Work, node: Reference, scope: Scope): Resolution | undefined {
  if (node.tag !== undefined) return ofTag(work, node, node.tag, scope)
  const unsure: Column[] = []
  for (let level: Scope | undefined = scope; level; level = level.parent) {
    const resolved = atLevel(work, node.path, level)
    if (resolved !== undefined) return unsure.length === 0 ? resolved : withUnsure(resolved, unsure)
    const [name] = node.path
    for (const table of visibleTables(level))
      unsure.push(...onlyOne(name && findUnnamed(table, name.text, work.dialect)))
  }
  const [first] = unsure
  if (first !== undefined) return withUnsure({ value: first.value, column: first, length: 1 }, unsure)
  return asked(work, node.path, scope) ?? word(work, node.path)
}

function onlyOne<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value]
}

/** Adds the values of columns without a known name, which the name may mean too. */
function withUnsure(resolved: Resolution, unsure: readonly Column[]): Resolution {
  const value = derivedFrom([resolved.value, ...unsure.map(column => column.value)])
  return { ...resolved, value: { ...value, unknown: true } }
}

// ---------------------------------------------------------------- one level

function atLevel(work: Work, path: readonly Name[], scope: Scope): Resolution | undefined {
  const [first] = path
  if (first === undefined) return undefined
  const key = work.dialect.fold(first.text)
  const parameter = scope.parameters.get(key)
  if (parameter !== undefined) {
    mention(work, first, parameter, 'read')
    return { value: parameter.value, column: undefined, length: 1 }
  }
  return qualified(work, path, scope) ?? unqualified(work, path, first, key, scope)
}

/** Binds `alias.column` and `schema.table.column`, with fields after them. */
function qualified(work: Work, path: readonly Name[], scope: Scope): Resolution | undefined {
  const [first, second, third] = path
  if (first === undefined || second === undefined) return undefined
  const table = findTable(scope, first.text, work.dialect)
  if (table !== undefined) return ofTable(work, table, [first], second)
  if (third === undefined) return undefined
  const inSchema = findTable(scope, second.text, work.dialect, first.text)
  return inSchema && ofTable(work, inSchema, [first, second], third)
}

function ofTable(work: Work, table: BoundTable, before: readonly Name[], name: Name): Resolution | undefined {
  const column =
    findColumn(table, name.text, work.dialect) ??
    findUnnamed(table, name.text, work.dialect) ??
    table.open?.(name.text, false)
  const isPseudo = work.dialect.pseudoColumns.has(work.dialect.fold(name.text))
  if (column === undefined && !isPseudo) return undefined
  const qualifier = before.at(-1)
  if (qualifier !== undefined) mention(work, qualifier, table, 'read')
  if (qualifier !== undefined && table.problem !== undefined && table.alias === undefined) {
    const span = { start: qualifier.start, end: qualifier.end }
    const { problem } = table
    report(work, {
      kind: 'unknown-table',
      name: qualifier.text,
      whole: span,
      span,
      repair: [],
      scope: problem.scope,
      because: problem,
    })
  }
  if (column === undefined) return { value: constantValue, column: undefined, length: before.length + 1 }
  mention(work, name, { kind: 'column', column }, 'read', { qualified: true })
  callAsRepaired(work, name, column)
  return { value: column.value, column, length: before.length + 1 }
}

function unqualified(
  work: Work,
  path: readonly Name[],
  first: Name,
  key: string,
  scope: Scope,
): Resolution | undefined {
  const apart = scope.first.get(key) ?? scope.merged.get(key)
  if (apart !== undefined) return columnFound(work, first, apart, [])
  const holders = visibleTables(scope).filter(
    table => findColumn(table, first.text, work.dialect) !== undefined,
  )
  const [holder] = holders
  if (holder !== undefined) {
    const column = findColumn(holder, first.text, work.dialect)
    if (column !== undefined) {
      if (holders.length > 1) reportAmbiguous(work, first, holders, scope)
      return columnFound(work, first, column, holders)
    }
  }
  const alias = scope.aliases.get(key)
  if (alias !== undefined) return columnFound(work, first, alias, [])
  return path.length === 1 ? row(work, first, scope) : undefined
}

function columnFound(work: Work, name: Name, column: Column, holders: readonly BoundTable[]): Resolution {
  const [table, ...more] = holders
  mention(
    work,
    name,
    { kind: 'column', column },
    'read',
    table === undefined ? undefined : more.length > 0 ? { table, ambiguous: true } : { table },
  )
  callAsRepaired(work, name, column)
  return { value: column.value, column, length: 1 }
}

/** Replaces a use of a misspelt column by its repaired name, so that a mistake is reported once. */
function callAsRepaired(work: Work, { start, end }: Name, { repairedAs }: Column): void {
  if (repairedAs === undefined || work.quiet > 0) return
  work.repairs.push({ start, end, text: work.dialect.quote(repairedAs) })
}

/** Binds the row of a table as one value: `SELECT t FROM t`. */
function row(work: Work, name: Name, scope: Scope): Resolution | undefined {
  const table = findTable(scope, name.text, work.dialect)
  if (table === undefined) return undefined
  mention(work, name, table, 'read', { row: true })
  for (const column of table.columns) work.reads.push(...column.value.origins)
  return { value: rowValue(table), column: undefined, length: 1 }
}

export function rowValue(table: Pick<BoundTable, 'columns' | 'open'>): Value {
  const all = derivedFrom(table.columns.map(column => column.value))
  const isKnown = table.open === undefined && !table.columns.some(column => column.spread)
  if (!isKnown) return { ...all, unknown: true, few: false }
  return { ...all, few: false, fields: table.columns.map(({ name, value }) => ({ name, value })) }
}

// ---------------------------------------------------------------- tags, unknown relations, words

/** Binds `{{ ref('x') }}.column`. */
function ofTag(work: Work, node: Reference, tag: Span, scope: Scope): Resolution | undefined {
  const table = findTagged(work, tag, scope)
  if (table === undefined) return undefined
  const [name] = node.path
  if (name === undefined) return { value: rowValue(table), column: undefined, length: 0 }
  return ofTable(work, table, [], name)
}

/** Binds an unknown name to the nearest relation whose columns are not all known. */
function asked(work: Work, path: readonly Name[], scope: Scope): Resolution | undefined {
  const [first] = path
  if (first === undefined) return undefined
  if (path.length === 1 && isWord(work, first)) return undefined
  if (path.length > 1 && findTableAround(scope, first.text, work.dialect) !== undefined) return undefined
  for (let level: Scope | undefined = scope; level; level = level.parent) {
    const table = visibleTables(level).find(each => each.open !== undefined)
    const column = table?.open?.(first.text, path.length > 1)
    if (table !== undefined && column !== undefined) return columnFound(work, first, column, [])
  }
  return undefined
}

function isWord(work: Work, name: Name): boolean {
  const key = work.dialect.fold(name.text)
  return !name.quoted && (work.dialect.valueWords.has(key) || work.dialect.pseudoColumns.has(key))
}

function word(work: Work, path: readonly Name[]): Resolution | undefined {
  const [first] = path
  if (first === undefined || path.length > 1 || !isWord(work, first)) return undefined
  const key = work.dialect.fold(first.text)
  if (work.dialect.isVolatile(key, 0)) work.volatile = true
  return { value: constantValue, column: undefined, length: 1 }
}

// ---------------------------------------------------------------- what is wrong

function reportAmbiguous(work: Work, name: Name, holders: readonly BoundTable[], scope: Scope): void {
  const [first] = holders
  // Two views of one merged column are not ambiguous.
  if (first !== undefined && sameMerged(work, name, holders, scope)) return
  report(work, {
    kind: 'ambiguous-column',
    name: name.text,
    tables: holders.map(table => table.name),
    span: { start: name.start, end: name.end },
    repair: [{ start: name.start, end: name.end, text: 'NULL' }],
    scope,
  })
}

function sameMerged(work: Work, name: Name, holders: readonly BoundTable[], scope: Scope): boolean {
  const merged = holders.map(table => {
    const column = findColumn(table, name.text, work.dialect)
    return column && mergedOf(scope, column, work.dialect)
  })
  return merged[0] !== undefined && merged.every(each => each === merged[0])
}
