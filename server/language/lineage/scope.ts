/** Which names an expression sees. Answers look-ups; never reports: whether a name is wrong is the binder's to say. */
import type { Expression, TableNode } from './sql-tree.ts'
import { constantValue, derivedFrom, type OutputColumn, type Value } from './values.ts'

export interface Relation {
  readonly alias: string
  readonly schema?: string
  readonly columns: readonly OutputColumn[]
  /** Set where any name is accepted; gives the column of that name. */
  readonly ask?: ((name: string, hasFields?: boolean) => OutputColumn) | undefined
  /** Columns that a mended query would have: not in stars, but no error when named. */
  readonly also?: readonly OutputColumn[]
  /** The table that brought it, for messages. */
  readonly node?: TableNode
  /** The right side of a semi join: seen by its condition only. */
  hidden?: boolean
}

/** A column that USING or NATURAL made one of several. */
export interface MergedColumn {
  readonly column: OutputColumn
  readonly members: readonly Relation[]
}

export interface Scope {
  readonly parent: Scope | undefined
  readonly relations: Relation[]
  readonly merged: Map<string, MergedColumn>
  /** Aliases of the select list, by lower-case name. */
  aliases: ReadonlyMap<string, Expression> | undefined
  /** What they were found to be. */
  readonly aliasValues: Map<Expression, Value>
  /** Lambda parameters, by lower-case name. */
  readonly params: ReadonlyMap<string, Value> | undefined
  readonly ctes: Ctes | undefined
}

/** CTEs in sight, nearest first. */
export interface Ctes {
  readonly name: string
  readonly columns: readonly OutputColumn[]
  readonly ask?: Relation['ask']
  readonly also?: readonly OutputColumn[]
  readonly parent: Ctes | undefined
}

export function newScope(parent: Scope | undefined, ctes: Ctes | undefined): Scope {
  const [merged, aliasValues] = [new Map(), new Map()]
  return { parent, relations: [], merged, aliases: undefined, aliasValues, params: undefined, ctes }
}

export function findCte(ctes: Ctes | undefined, name: string): Ctes | undefined {
  const wanted = name.toLowerCase()
  for (let cte = ctes; cte; cte = cte.parent) if (cte.name.toLowerCase() === wanted) return cte
  return undefined
}

export function findRelation(scope: Scope, alias: string, schema?: string): Relation | undefined {
  const wanted = alias.toLowerCase()
  return scope.relations.find(
    relation =>
      relation.alias.toLowerCase() === wanted &&
      (schema === undefined || relation.schema?.toLowerCase() === schema.toLowerCase()),
  )
}

/** The column called `name`; columns without a name of their own answer to any name that no other has. */
export function findColumn(relation: Relation, name: string): OutputColumn | undefined {
  const index = indexOf(relation.columns)
  const found = index.byName.get(name.toLowerCase())
  if (found) return found
  if (index.nameless.length > 0) return { name, ...derivedFrom(index.nameless) }
  return relation.also && indexOf(relation.also).byName.get(name.toLowerCase())
}

interface ColumnIndex {
  readonly byName: ReadonlyMap<string, OutputColumn>
  readonly nameless: readonly OutputColumn[]
}

/** Indexes live as long as their list of columns: the one of an asset serves all its readers. */
const indexes = new WeakMap<readonly OutputColumn[], ColumnIndex>()

function indexOf(columns: readonly OutputColumn[]): ColumnIndex {
  const known = indexes.get(columns)
  if (known) return known
  const byName = new Map<string, OutputColumn>()
  for (const column of columns) {
    const key = column.name?.toLowerCase()
    if (key !== undefined && !byName.has(key)) byName.set(key, column)
  }
  const index = { byName, nameless: columns.filter(column => column.name === undefined || column.spread) }
  indexes.set(columns, index)
  return index
}

export function alsoOf(
  source: { readonly also?: readonly OutputColumn[] } | undefined,
): Pick<Relation, 'also'> {
  return source?.also && source.also.length > 0 ? { also: source.also } : {}
}

/** Whether nobody can say that the relation lacks a column of this name. */
export function mayHave(relation: Relation, name: string): boolean {
  return (
    relation.ask !== undefined ||
    relation.also?.some(each => each.name?.toLowerCase() === name.toLowerCase()) === true
  )
}

/** A name without qualifier among the relations of one scope (not of those around it). */
export function findUnqualified(scope: Scope, name: string): OutputColumn | undefined {
  const merged = scope.merged.get(name.toLowerCase())
  if (merged) return merged.column
  for (const relation of scope.relations) {
    const column = relation.hidden ? undefined : findColumn(relation, name)
    if (column) return column
  }
  return undefined
}

/** Every column of the scope in star order; a merged one comes once. */
export function starColumns(scope: Scope, relationName?: string): OutputColumn[] {
  if (relationName) return [...(findRelation(scope, relationName)?.columns ?? [])]
  const seen = new Set<MergedColumn>()
  const columns: OutputColumn[] = []
  for (const relation of scope.relations) {
    if (relation.hidden) continue
    for (const column of relation.columns) {
      const merged = column.name === undefined ? undefined : scope.merged.get(column.name.toLowerCase())
      if (!merged?.members.includes(relation)) columns.push(column)
      else if (!seen.has(merged)) {
        seen.add(merged)
        columns.push(merged.column)
      }
    }
  }
  return columns
}

/** The row of a relation as one value: `SELECT t FROM t`. */
export function rowValue(relation: Relation): Value {
  return relation.columns.length === 0 ? constantValue : { ...derivedFrom(relation.columns), direct: false }
}
