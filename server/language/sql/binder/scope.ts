/** Looks up tables, columns and CTEs in the scope of a place. It never reports. */
import type { Span } from '../tree.ts'
import type { BinderDialect } from './dialect.ts'
import type { BoundCte, BoundTable, Column, CteChain, Relation, Scope } from './model.ts'
import { derivedFrom } from './values.ts'
import { spanText, type Work } from './work.ts'

const noColumns: Scope['first'] = new Map()
const noParameters: Scope['parameters'] = new Map()

export function newScope(parent: Scope | undefined, ctes: CteChain | undefined): Scope {
  return {
    parent,
    tables: [],
    merged: new Map(),
    first: noColumns,
    aliases: new Map(),
    parameters: noParameters,
    windows: new Map(),
    later: new Set(),
    ctes,
  }
}

/** Returns the scope of an expression nested in another one of the same SELECT. */
export function innerScope(scope: Scope, more: Partial<Scope>): Scope {
  return { ...newScope(scope, scope.ctes), windows: scope.windows, ...more }
}

/** Returns the scope of a query or function in FROM: the tables before it. */
export function lateralScope(scope: Scope): Scope {
  return { ...newScope(scope.parent, scope.ctes), tables: [...scope.tables], merged: new Map(scope.merged) }
}

export function findCte(
  chain: CteChain | undefined,
  name: string,
  dialect: BinderDialect,
): BoundCte | undefined {
  const wanted = dialect.fold(name)
  for (let each = chain; each; each = each.parent)
    if (dialect.fold(each.cte.cte.name.text) === wanted) return each.cte
  return undefined
}

export function cteNames(chain: CteChain | undefined): string[] {
  const names: string[] = []
  for (let each = chain; each; each = each.parent) names.push(each.cte.cte.name.text)
  return names
}

export function findTable(
  scope: Scope,
  name: string,
  dialect: BinderDialect,
  schema?: string,
): BoundTable | undefined {
  const wanted = dialect.fold(name)
  return scope.tables.find(
    table =>
      table.name !== '' &&
      dialect.fold(table.name) === wanted &&
      (schema === undefined || dialect.fold(table.schema) === dialect.fold(schema)),
  )
}

/** Returns what the nearest scope gives, of this one and those around it. */
export function nearest<T>(scope: Scope, find: (level: Scope) => T | undefined): T | undefined {
  for (let level: Scope | undefined = scope; level; level = level.parent) {
    const found = find(level)
    if (found !== undefined) return found
  }
  return undefined
}

/** Finds a table in the scope and in outer ones, nearest first. */
export function findTableAround(scope: Scope, name: string, dialect: BinderDialect): BoundTable | undefined {
  return nearest(scope, level => findTable(level, name, dialect))
}

/** Finds the table of `{{ ref('x') }}`, which is written like this. */
export function findTagged(work: Work, tag: Span, scope: Scope): BoundTable | undefined {
  const text = spanText(work, tag)
  return nearest(scope, level =>
    level.tables.find(({ node }) => node.kind === 'tag-table' && spanText(work, node.tag) === text),
  )
}

/**
 * Finds the column of that name: first among certain columns; of a spread only a candidate with that name.
 */
export function findColumn(relation: Relation, name: string, dialect: BinderDialect): Column | undefined {
  const key = dialect.fold(name)
  const index = indexOf(relation.columns, dialect)
  return (
    index.byName.get(key) ??
    index.spreads.flatMap(column => candidateCalled(column, key, dialect) ?? [])[0] ??
    relation.also?.find(column => dialect.fold(column.name) === key)
  )
}

function candidateCalled(column: Column, key: string, dialect: BinderDialect): Column | undefined {
  return column.spread?.candidates?.find(each => dialect.fold(each.name) === key)
}

/**
 * Finds a column that the name may mean although its own name is unknown: a spread, or the result of an
 * expression.
 */
export function findUnnamed(relation: Relation, name: string, dialect: BinderDialect): Column | undefined {
  const { unknown, unnamed } = indexOf(relation.columns, dialect)
  return isWord(name) ? unknown : unnamed
}

/** Returns a column with the values of all, because any of them may be meant. */
function anyOne(columns: readonly Column[]): Column | undefined {
  const [first, ...more] = columns
  if (first === undefined || more.length === 0) return first
  const value = { ...derivedFrom(columns.map(column => column.value)), unknown: true, few: false }
  return { id: `${first.id}|`, name: '', maker: { kind: 'opaque' }, value }
}

/** Returns whether the name is a plain word; a name that an engine derives from an expression never is. */
function isWord(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)
}

interface ColumnIndex {
  readonly byName: ReadonlyMap<string, Column>
  readonly spreads: readonly Column[]
  /** Represents all spreads without known candidates. */
  readonly unknown: Column | undefined
  /** Represents also columns whose names the engine derives. */
  readonly unnamed: Column | undefined
}

/** Indexes are cached by the list of columns: that of an asset serves all its readers. */
const indexes = new WeakMap<readonly Column[], ColumnIndex>()

function indexOf(columns: readonly Column[], dialect: BinderDialect): ColumnIndex {
  const known = indexes.get(columns)
  if (known !== undefined) return known
  const byName = new Map<string, Column>()
  for (const column of columns) {
    if (column.name === '' || column.spread) continue
    const key = dialect.fold(column.name)
    if (!byName.has(key)) byName.set(key, column)
  }
  const spreads = columns.filter(column => column.spread !== undefined)
  const unknown = spreads.filter(column => column.spread?.candidates === undefined)
  const nameless = columns.filter(column => column.name === '' && !column.spread)
  const index = { byName, spreads, unknown: anyOne(unknown), unnamed: anyOne([...unknown, ...nameless]) }
  indexes.set(columns, index)
  return index
}

export function byName(columns: readonly Column[], dialect: BinderDialect): ReadonlyMap<string, Column> {
  return indexOf(columns, dialect).byName
}

/** Returns the tables that may have an unqualified column. */
export function visibleTables(scope: Scope): readonly BoundTable[] {
  return scope.tables.some(table => table.hidden) ? scope.tables.filter(table => !table.hidden) : scope.tables
}

/** Returns the visible tables of the scope and of those around it, nearest first. */
export function tablesAround(scope: Scope): readonly BoundTable[] {
  const tables: BoundTable[] = []
  for (let level: Scope | undefined = scope; level; level = level.parent) tables.push(...visibleTables(level))
  return tables
}

/** Returns the merged column of a table's column, made by USING or NATURAL. */
export function mergedOf(scope: Scope, column: Column, dialect: BinderDialect): Column | undefined {
  if (scope.merged.size === 0) return undefined
  const merged = scope.merged.get(dialect.fold(column.name))
  return merged?.maker.kind === 'merged' && merged.maker.members.includes(column) ? merged : undefined
}

const nothing: ReadonlySet<Column> = new Set()

/** Returns every column of the tables in scope in star order; merged ones once. */
export function starColumns(
  scope: Scope,
  tables: readonly BoundTable[],
  isWhole: boolean,
  dialect: BinderDialect,
  without: ReadonlySet<Column> = nothing,
): readonly Column[] {
  const [only] = tables
  const isPlain = tables.length === 1 && scope.merged.size === 0 && without.size === 0
  if (only !== undefined && isPlain) return only.columns
  const seen = new Set<Column>()
  const columns: Column[] = []
  for (const table of tables) {
    for (const column of table.columns) {
      if (without.has(column)) continue
      const merged = isWhole ? mergedOf(scope, column, dialect) : undefined
      if (merged !== undefined && seen.has(merged)) continue
      if (merged !== undefined) seen.add(merged)
      columns.push(merged ?? column)
    }
  }
  return columns
}
