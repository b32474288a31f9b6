/**
 * What a contract promises of each table of a source: of that of `{{ source }}` under `contract`, of a child table
 * under `contract.tables.<name>`. Whoever asks about a column of a source asks here, so that both are the same.
 */
import { warehouseSpellings } from '../names/resolve-name.ts'
import { oncePer } from '../once.ts'
import type { Contract, ContractColumn, TableContract } from '../schema/definition.ts'
import type { NodePath } from '../syntax/node.ts'

/** A table as a contract writes it; `child` is undefined for the table of `{{ source }}`. */
export interface PromisedTable extends TableContract {
  readonly child: string | undefined
  /** Where the contract says it. */
  readonly at: readonly string[]
}

export type TablePromises = Pick<Contract, 'columns' | 'tables'> & Partial<Pick<Contract, 'requiredColumns'>>

const nothing: TableContract = { columns: {}, requiredColumns: [] }

/** Returns what is promised of a table; nothing if the contract does not name it. */
export function promisedOf(contract: TablePromises | undefined, child: string | undefined): TableContract {
  if (contract === undefined) return nothing
  if (child === undefined || child === '') return { requiredColumns: [], ...contract }
  return contract.tables[tableKey(contract, child) ?? ''] ?? nothing
}

/** Returns the lookup of the first entry of a contract that is about a column, by its name and by its name at the source. */
export const promisedKeys = oncePer((columns: TableContract['columns']) => {
  const keys = Object.keys(columns)
  const places = new Map<string, number>()
  const bySource = new Map<string, number>()
  for (const [place, key] of keys.entries()) {
    const from = columns[key]?.from
    if (from === undefined) places.set(key, place)
    else if (!bySource.has(from)) bySource.set(from, place)
  }
  return (name: string, source: string): string | undefined => {
    const found = [places.get(name), places.get(source), bySource.get(source)].flatMap(place => place ?? [])
    return found.length === 0 ? undefined : keys[Math.min(...found)]
  }
})

/**
 * Returns how a contract spells a child table: as the warehouse has it, or in a way that becomes it; undefined if it does not
 * name it.
 */
export function tableKey({ tables }: Pick<Contract, 'tables'>, child: string): string | undefined {
  return Object.hasOwn(tables, child) ? child : keysBySpelling(tables).get(child)
}

const keysBySpelling = oncePer((tables: Contract['tables']): ReadonlyMap<string, string> => {
  const keys = new Map<string, string>()
  for (const key of Object.keys(tables))
    for (const spelling of warehouseSpellings(key)) if (!keys.has(spelling)) keys.set(spelling, key)
  return keys
})

/** Returns whether a table is the one that an entry of a contract is about. */
export function isTableOf(
  contract: Pick<Contract, 'tables'> | undefined,
  child: string | undefined,
  promised: Pick<PromisedTable, 'child'>,
): boolean {
  if (child === undefined || promised.child === undefined || contract === undefined)
    return child === promised.child
  return tableKey(contract, child) === promised.child
}

/** Returns the columns without which a table is refused. */
export function indispensableColumns({ requiredColumns, columns }: TableContract): readonly string[] {
  const filled = Object.entries(columns).filter(([, column]) => !column.nullable)
  return [...requiredColumns, ...filled.map(([name]) => name)]
}

/** Returns every table of a contract, that of `{{ source }}` first. */
export function promisedTables(contract: TablePromises | undefined): readonly PromisedTable[] {
  if (contract === undefined) return []
  const children = Object.entries(contract.tables)
  return [
    { ...promisedOf(contract, undefined), child: undefined, at: ['contract'] },
    ...children.map(([child, table]) => ({ ...table, child, at: ['contract', 'tables', child] })),
  ]
}

/** Returns the promised type of a column, as it is written; undefined if the type is inferred. */
export function promisedType(
  contract: TablePromises | undefined,
  child: string | undefined,
  column: string,
): string | undefined {
  return promisedColumn(contract, child, column)?.type
}

export function promisedColumn(
  contract: TablePromises | undefined,
  child: string | undefined,
  column: string,
): ContractColumn | undefined {
  const { columns } = promisedOf(contract, child)
  return Object.hasOwn(columns, column) ? columns[column] : undefined
}

/** Splits the keys below `contract` into the child table that they are about, if any, and the keys of a table. */
export function splitPromisePath(path: NodePath): {
  readonly child: string | undefined
  readonly rest: NodePath
} {
  const [, first, child, ...rest] = path
  return first === 'tables' && typeof child === 'string'
    ? { child, rest }
    : { child: undefined, rest: path.slice(1) }
}

/** Returns where a contract names a column. */
export function promisePath(child: string | undefined, column: string): NodePath {
  const table = child === undefined || child === '' ? ['contract'] : ['contract', 'tables', child]
  return [...table, 'columns', column]
}
