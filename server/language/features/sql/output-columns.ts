/**
 * Which columns the parts of a query have, worked out from select lists alone: no binder, so that a text which is
 * broken right now still has them. Types are those that pass through or are plain to see; others are undefined.
 */

import type { ColumnOrigin } from '../../analysis.ts'
import { sameName } from '../../checks/columns.ts'
import { boundedPattern } from '../../text/bounded-pattern.ts'
import type { Range } from '../../text/range.ts'
import { ctesInSight } from './ctes-in-sight.ts'
import type { Core, Expression, FromTable, Name, Query, StarItem } from './query-tree.ts'

export interface SqlColumn {
  readonly name: string
  readonly type: string | undefined
  /** The column of an asset or raw table that it is, passed through; undefined: made by an expression. */
  readonly origin: ColumnOrigin | undefined
  /** Where the SQL gives it its name: an alias, or the column in a select list. Undefined: not in this text. */
  readonly definedAt: Range | undefined
  /** The item of a select list in this text that makes it, alias included; absent: none does. */
  readonly madeBy?: Range
}

export interface Columns {
  readonly columns: readonly SqlColumn[]
  /** False: there may be more. */
  readonly complete: boolean
}

export const noColumns: Columns = { columns: [], complete: false }

export interface SqlRelation extends Columns {
  readonly kind: 'asset' | 'source' | 'this' | 'cte' | 'query' | 'values' | 'function' | 'unknown'
  /** As a qualifier would call it; '' where it has no name. */
  readonly name: string
  /** Of the asset, or of the child of the source. */
  readonly target: string | undefined
  readonly table: FromTable
  /** 0: of the query's own FROM; 1: of the one around it. */
  readonly depth: number
}

/** Stands for a table that is in sight without being written anywhere. */
export function tableCalled(name: string): FromTable {
  const nowhere = { start: 0, end: 0 }
  return {
    kind: 'unknown',
    range: nowhere,
    nameRange: nowhere,
    name,
    alias: undefined,
    columnNames: [],
    query: undefined,
    valuesWidth: undefined,
    pivoted: false,
    join: undefined,
  }
}

/** A tag of a FROM clause, resolved. */
export interface TaggedTable extends Columns {
  readonly kind: 'asset' | 'source' | 'this' | 'unknown'
  readonly name: string
  readonly target: string | undefined
}

/** What lies outside the text. */
export interface SqlWorld {
  /** `tag`: its text, brackets included. */
  table(tag: string): TaggedTable
  /** What a function gives whatever its arguments are; undefined: that depends. */
  returnType(name: string): string | undefined
}

export interface OutputReader {
  relation(query: Query, core: Core, table: FromTable, depth: number): SqlRelation
  /** Output columns of a query; those that DuckDB would name by their text have the name ''. */
  output(query: Query): Columns
  /** Of one SELECT of it. */
  coreOutput(query: Query, core: Core): Columns
  /** The CTE that a name means in a query. */
  cte(query: Query, name: string): FoundCte | undefined
}

export interface FoundCte {
  readonly query: Query
  readonly index: number
}

export function outputReader(text: string, world: SqlWorld): OutputReader {
  const outputs = new Map<Query, Columns>()
  const open = new Set<Query>()

  const output = (query: Query): Columns => {
    const known = outputs.get(query)
    if (known !== undefined) return known
    if (open.has(query)) return noColumns
    open.add(query)
    const [first, ...rest] = query.cores
    const found = first === undefined ? noColumns : coreOutput(query, first)
    // A recursive part reads what the first one gave.
    outputs.set(query, found)
    open.delete(query)
    const named = rest.filter(core => core.byName)
    if (named.length === 0) return found
    const whole = named.reduce((all, core) => union(all, coreOutput(query, core)), found)
    outputs.set(query, whole)
    return whole
  }

  const coreOutput = (query: Query, core: Core): Columns => {
    if (core.valuesWidth !== undefined) return valuesColumns(core.valuesWidth)
    const relations = core.tables.map(table => relation(query, core, table, 0))
    if (!core.clauses.some(clause => clause.kind === 'select')) return allOf(core, relations)
    let complete = true
    const columns: SqlColumn[] = []
    for (const item of core.items) {
      if (item.kind === 'star') {
        const expanded = expandStar(item, core, relations, expression => typeOf(expression, relations))
        columns.push(...expanded.columns)
        complete &&= expanded.complete
        continue
      }
      const value = columnMeant(item.expression, relations)
      columns.push({
        name: item.name ?? '',
        type: value?.type ?? typeOf(item.expression, relations),
        origin: value?.origin,
        definedAt: item.nameRange,
        madeBy: item.range,
      })
    }
    return { columns, complete }
  }

  const typeOf = (expression: Expression, relations: readonly SqlRelation[]): string | undefined => {
    if (expression.kind === 'cast' || expression.kind === 'literal') return expression.type
    if (expression.kind === 'call') return world.returnType(expression.name)
    return expression.kind === 'column' ? columnMeant(expression, relations)?.type : undefined
  }

  const cte = (query: Query, name: string): FoundCte | undefined => {
    for (const place of ctesInSight(query)) if (sameName(place.cte.name, name)) return place
    return undefined
  }

  const relation = (query: Query, _core: Core, table: FromTable, depth: number): SqlRelation => {
    const found = tableOf(query, table)
    const name = table.alias?.name ?? found.name
    const columns = table.pivoted ? noColumns : namedOnly(renamedBy(found, table.columnNames))
    return { ...found, ...columns, name, table, depth }
  }

  const tableOf = (query: Query, table: FromTable): Omit<SqlRelation, 'table' | 'depth'> => {
    const nothing = { ...noColumns, kind: 'unknown', name: table.name, target: undefined } as const
    if (table.kind === 'tag') return world.table(text.slice(table.nameRange.start, table.nameRange.end))
    if (table.kind === 'function') return { ...nothing, kind: 'function' }
    if (table.kind === 'query' && table.query) return { ...nothing, ...output(table.query), kind: 'query' }
    if (table.kind === 'values')
      return { ...nothing, ...valuesColumns(table.valuesWidth ?? 0), kind: 'values' }
    if (table.kind !== 'name') return nothing
    const found = cte(query, table.name)
    const declared = found?.query.ctes[found.index]
    if (declared?.query === undefined) return nothing
    const columns = renamedBy(output(declared.query), declared.columnNames)
    return { kind: 'cte', name: declared.name, target: undefined, ...columns }
  }

  return { relation, output, coreOutput, cte }
}

// ---------------------------------------------------------------- columns of parts

function valuesColumns(width: number): Columns {
  const columns = Array.from({ length: width }, (_, index) => unnamed(`col${index}`))
  return { columns, complete: true }
}

function unnamed(name: string): SqlColumn {
  return { name, type: undefined, origin: undefined, definedAt: undefined }
}

function union(all: Columns, more: Columns): Columns {
  const added = more.columns.filter(({ name }) => !all.columns.some(column => sameName(column.name, name)))
  return { columns: [...all.columns, ...added], complete: all.complete && more.complete }
}

/** `AS t(x, y)`: the first columns are called so. */
export function renamedBy(found: Columns, names: readonly Name[]): Columns {
  if (names.length === 0) return { columns: found.columns, complete: found.complete }
  const count = Math.max(found.columns.length, names.length)
  const columns = Array.from({ length: count }, (_, index): SqlColumn => {
    const column = found.columns[index] ?? unnamed('')
    const name = names[index]
    return name === undefined ? column : { ...column, name: name.name, definedAt: name.range }
  })
  return { columns, complete: found.complete }
}

/** Columns without a name of their own keep the others in place until they are asked for by name. */
export function namedOnly(found: Columns): Columns {
  if (found.columns.every(column => column.name !== '')) return found
  return { columns: found.columns.filter(column => column.name !== ''), complete: found.complete }
}

/** Columns in USING, and those that a natural join finds on both sides, come once. */
export function mergedNames(core: Core, relations: readonly SqlRelation[]): ReadonlySet<string> {
  const merged = new Set<string>()
  for (const [index, table] of core.tables.entries()) {
    for (const { name } of table.join?.using ?? []) merged.add(name.toLowerCase())
    if (table.join?.natural !== true) continue
    const before = new Set(
      relations.slice(0, index).flatMap(each => each.columns.map(({ name }) => name.toLowerCase())),
    )
    for (const { name } of relations[index]?.columns ?? []) {
      if (before.has(name.toLowerCase())) merged.add(name.toLowerCase())
    }
  }
  return merged
}

function allOf(core: Core, relations: readonly SqlRelation[]): Columns {
  const merged = mergedNames(core, relations)
  const seen = new Set<string>()
  const columns = relations.flatMap(relation =>
    relation.columns.filter(column => {
      const key = column.name.toLowerCase()
      if (!merged.has(key)) return true
      return seen.has(key) ? false : seen.add(key) !== undefined
    }),
  )
  const semi = core.tables.some(table => /\b(SEMI|ANTI)\b/.test(table.join?.words ?? ''))
  const kept = semi ? columns.filter(column => relations[0]?.columns.includes(column) === true) : columns
  return { columns: kept, complete: relations.length > 0 && relations.every(relation => relation.complete) }
}

/** What a star stands for, in order. */
export function expandStar(
  item: StarItem,
  core: Core,
  relations: readonly SqlRelation[],
  typeOf: (expression: Expression) => string | undefined,
): Columns {
  const { qualifier, exclude, replace, rename, pattern } = item
  const found =
    qualifier === undefined
      ? allOf(core, relations)
      : (relations.find(relation => sameName(relation.name, qualifier)) ?? noColumns)
  const columns = found.columns.flatMap((column): readonly SqlColumn[] => {
    const key = column.name.toLowerCase()
    if (exclude.has(key) || !matches(pattern, column.name)) return []
    const expression = replace.get(key)
    if (expression !== undefined)
      return [{ name: column.name, type: typeOf(expression), origin: undefined, definedAt: item.starRange }]
    const renamed = rename.get(key)
    return [renamed === undefined ? column : { ...column, name: renamed.name, definedAt: renamed.range }]
  })
  return { columns, complete: found.complete }
}

function matches(pattern: string | undefined, name: string): boolean {
  // A pattern that is being typed matches everything.
  return pattern === undefined || boundedPattern(pattern)?.(name) !== false
}

/** The column that an expression names, where it is nothing but a name. */
function columnMeant(expression: Expression, relations: readonly SqlRelation[]): SqlColumn | undefined {
  if (expression.kind !== 'column') return undefined
  const { qualifier, column } = expression
  return findColumn(relations, qualifier, column.name)?.column
}

export function findColumn(
  relations: readonly SqlRelation[],
  qualifier: string | undefined,
  name: string,
): { readonly relation: SqlRelation; readonly column: SqlColumn } | undefined {
  for (const relation of relations) {
    if (qualifier !== undefined && !sameName(relation.name, qualifier)) continue
    const column = relation.columns.find(each => sameName(each.name, name))
    if (column !== undefined) return { relation, column }
  }
  return undefined
}
