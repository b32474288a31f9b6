/**
 * The names in scope at a place of SQL, for the editor: tables with their columns, CTEs, aliases, parameters.
 */
import type { ColumnOrigin } from '../../analysis.ts'
import type { BoundCte, BoundParameter, BoundTable, Column, Relation, Scope } from '../../sql/binder/model.ts'
import type { TableExpression } from '../../sql/tree.ts'
import { isWithin } from '../../text/range.ts'
import type { SqlScope } from './scope-at.ts'
import { readTagText } from './sql-world.ts'

export interface TableInSight {
  /** The name as a qualifier; '' if it has none. */
  readonly name: string
  readonly kind: 'asset' | 'source' | 'this' | 'cte' | 'query' | 'values' | 'function' | 'unknown'
  /** The columns that can be named. */
  readonly columns: readonly Column[]
  /** The asset of the table. */
  readonly asset: string | undefined
  /** The child table of the source. */
  readonly child: string | undefined
  /** 0 for the query's own FROM, 1 for the query around it, and so on. */
  readonly depth: number
  /** Undefined if it is not in the text. */
  readonly bound: BoundTable | undefined
  /** The scope that may merge some of its columns with those of other tables (USING). */
  readonly scope: Scope | undefined
}

/**
 * Returns the query's own tables first, then those of outer queries. In a FROM clause, only tables before the
 * place count.
 */
export function tablesAt(scope: SqlScope): readonly TableInSight[] {
  const tables: TableInSight[] = []
  let depth = 0
  for (let level = scope.names; level !== undefined; level = level.parent) {
    for (const table of level.tables)
      if (isSeen(scope, table, level)) tables.push(tableInSight(scope, table, depth, level))
    if (level === scope.own || level.tables.length > 0) depth++
  }
  return tables
}

/** Returns false for the place of a table that is still to be written. */
function isThere({ node, name }: BoundTable): boolean {
  return node.kind !== 'missing-table' || name !== ''
}

function isSeen(scope: SqlScope, table: BoundTable, level: Scope): boolean {
  const { join } = scope
  if (!isThere(table)) return false
  if (table.hidden && (join === undefined || !isPart(table, join.right))) return false
  return scope.clauseKind !== 'from' || level !== scope.own || table.node.end <= scope.before
}

export function isPart(table: BoundTable, node: TableExpression): boolean {
  return node.start <= table.node.start && table.node.end <= node.end
}

/**
 * Returns all tables of the SELECT, including those after the place, without the right sides of semi joins.
 */
export function ownTables(scope: SqlScope): readonly TableInSight[] {
  const { own } = scope
  return (own?.tables ?? []).flatMap(table =>
    table.hidden || !isThere(table) ? [] : tableInSight(scope, table, 0, own),
  )
}

export function tableInSight(
  { bound }: Pick<SqlScope, 'bound'>,
  table: BoundTable,
  depth = 0,
  scope?: Scope,
): TableInSight {
  const { name, node, tag } = table
  const isSource = tag?.kind === 'source' && node.kind === 'tag-table'
  return {
    name,
    kind: kindOf(table),
    columns: namedColumns(table.columns),
    asset: tag?.asset,
    child: isSource ? readTagText(bound.text.slice(node.tag.start, node.tag.end))?.argument : undefined,
    depth,
    bound: table,
    scope,
  }
}

function kindOf({ cte, tag, node }: BoundTable): TableInSight['kind'] {
  if (cte !== undefined) return 'cte'
  if (tag?.kind === 'asset' || tag?.kind === 'source' || tag?.kind === 'this') return tag.kind
  switch (node.kind) {
    case 'subquery-table':
    case 'pivot':
    case 'unpivot':
    case 'join':
      return 'query'
    case 'values-table':
      return 'values'
    case 'function-table':
      return 'function'
    default:
      return 'unknown'
  }
}

/** Returns the columns that can be named; a column that may stand for several is replaced by those. */
export function namedColumns(columns: readonly Column[]): readonly Column[] {
  if (columns.every(isNamed)) return columns
  return columns.flatMap(column => {
    if (column.spread !== undefined) return (column.spread.candidates ?? []).filter(isNamed)
    return isNamed(column) ? [column] : []
  })
}

function isNamed({ name, spread, misspelt }: Column): boolean {
  return name !== '' && spread === undefined && misspelt !== true
}

/** Makes a table for a relation that is not in the text yet. */
export function likelyTable(
  relation: Relation & { readonly name: string },
  about: Partial<TableInSight>,
): TableInSight {
  return {
    name: relation.name,
    kind: 'unknown',
    columns: namedColumns(relation.columns),
    asset: undefined,
    child: undefined,
    depth: 0,
    bound: undefined,
    scope: undefined,
    ...about,
  }
}

/** Returns the column of an asset or a source that is passed through. */
export function originOf({ value }: Pick<Column, 'value'>): ColumnOrigin | undefined {
  return value.direct && value.origins.length === 1 ? value.origins[0] : undefined
}

// ---------------------------------------------------------------- CTEs, aliases, parameters

/** Returns the CTEs, nearest first. */
export function ctesAt({ names }: SqlScope): readonly BoundCte[] {
  const ctes = new Map<string, BoundCte>()
  for (let link = names?.ctes; link !== undefined; link = link.parent) {
    const name = link.cte.cte.name.text
    if (name !== '' && !ctes.has(name)) ctes.set(name, link.cte)
  }
  return [...ctes.values()]
}

/** Returns the aliases in scope: a select item sees those before it, later clauses see all. */
export function aliasesAt(scope: SqlScope): readonly Column[] {
  const { clauseKind, own, names, offset, around } = scope
  if (clauseKind === 'from' || clauseKind === 'limit') return []
  if (own === undefined) return [...(names?.first.values() ?? [])]
  const item = clauseKind === 'select' ? around.find(node => node.kind === 'item') : undefined
  const end = clauseKind === 'select' ? (item?.start ?? offset) : Number.POSITIVE_INFINITY
  return [...own.aliases.values()].filter(({ maker }) => maker.kind === 'named' && maker.at.end <= end)
}

/** Returns the parameters, innermost first. */
export function parametersAt({ names, own }: SqlScope): readonly BoundParameter[] {
  const parameters: BoundParameter[] = []
  for (let level = names; level !== undefined && level !== own; level = level.parent)
    parameters.push(...[...level.parameters.values()].filter(({ name }) => name.text !== ''))
  return parameters
}

/** Returns whether the place is inside the brackets of USING. */
export function isInUsing({ join, offset }: SqlScope): boolean {
  return join?.usingSpan !== undefined && isWithin(join.usingSpan, offset)
}
