/**
 * Decides which tables and columns of a delivery a contract accepts (decisions 1, `evolution`). Tables and
 * columns from earlier loads or from the contract are known; all others are new. Pure: it reads no value. A
 * new child table is accepted or refused as a whole, and the first load of a table accepts everything.
 */
import {
  type Contract,
  canonicalType,
  columnNamed,
  type Engine,
  type Evolution,
  promisedOf,
  promisedType,
  type RawColumn,
  type RawTable,
  type SourceType,
  tableKey,
} from '@svc/server/language'
import { ownColumns } from './source-drift.ts'
import { knownFields, newFields } from './struct-fields.ts'
import { listPath } from './table-sql.ts'

/** A new table or column that the contract does not accept. */
export interface Newcomer {
  readonly mode: Exclude<Evolution, 'evolve'>
  /**
   * The child table itself, or the table that the column belongs to; undefined for the table of `{{ source
   * }}`.
   */
  readonly child: string | undefined
  /** Undefined if the whole child table is new. */
  readonly column: RawColumn | undefined
  /** The path to the value, or to the elements of the list. */
  readonly path: readonly string[]
  /** The column is a field inside of a column of structs. */
  readonly isField?: true
}

export interface JudgedTables {
  /** The tables that are loaded. */
  readonly tables: readonly RawTable[]
  readonly newcomers: readonly Newcomer[]
  /** The types that columns keep whatever values arrive, by `columnKey`. */
  readonly pinned: ReadonlyMap<string, string>
}

export function columnKey(child: string | undefined, column: Pick<RawColumn, 'name'>): string {
  return `${child ?? ''}\n${column.name}`
}

/** @param recordType what the source has, by its own names */
export function judgeTables(
  read: readonly RawTable[],
  known: readonly RawTable[] | undefined,
  contract: Contract | undefined,
  engine: Engine,
  recordType: SourceType,
): JudgedTables {
  const before = new Map(known?.map(table => [table.child, table]))
  const newcomers =
    contract === undefined || before.size === 0
      ? []
      : read.flatMap(table => newIn(table, { before, contract, engine, recordType }))
  const out = outermost(newcomers)
  const kept = out.some(({ isField }) => isField === true) ? withoutFields(read, before, engine) : read
  const tables = withoutIdleKeys(withoutNewcomers(kept, out))
  const pinned = pinnedTypes(tables, before, contract, engine)
  return { tables: tables.map(table => withTypes(table, pinned)), newcomers: out, pinned }
}

/** Returns the table with the types that its own columns have in a map by `columnKey`. */
export function withTypes(table: RawTable, types: ReadonlyMap<string, string>): RawTable {
  const columns = table.columns.map(column =>
    column.system ? column : withType(column, types.get(columnKey(table.child, column))),
  )
  return { ...table, columns }
}

/** Returns the column with the type; an undefined type changes nothing. */
function withType(column: RawColumn, type: string | undefined): RawColumn {
  return type === undefined || column.type === type ? column : { ...column, type }
}

interface ShapeFacts {
  readonly before: ReadonlyMap<string | undefined, RawTable>
  readonly contract: Contract
  readonly engine: Engine
  readonly recordType: SourceType
}

function newIn(table: RawTable, { before, contract, engine, recordType }: ShapeFacts): readonly Newcomer[] {
  const { child } = table
  const { evolution } = contract
  const old = before.get(child)
  const declared = promisedOf(contract, child).columns
  if (old === undefined && child !== undefined && tableKey(contract, child) === undefined) {
    const path = listPath(table) ?? []
    return evolution.tables === 'evolve' ? [] : [{ mode: evolution.tables, child, column: undefined, path }]
  }
  const mode = evolution.columns
  if (mode === 'evolve' || old === undefined) return []
  const known = ({ name }: RawColumn) => columnNamed(ownColumns(old), name, engine)
  const fresh = ownColumns(table)
    .filter(column => known(column) === undefined && !Object.hasOwn(declared, column.name))
    .map(column => ({ mode, child, column, path: column.path }))
  // New fields of columns that were there before are new columns of the table to a contract.
  const fields = ownColumns(table)
    .filter(({ name }) => promisedType(contract, child, name) === undefined)
    .flatMap(column => newFields(column, known(column), recordType, engine.types))
    .map((field): Newcomer => ({ mode, child, column: field, path: field.path, isField: true }))
  return [...fresh, ...fields]
}

function withoutFields(
  read: readonly RawTable[],
  before: ReadonlyMap<string | undefined, RawTable>,
  engine: Engine,
): readonly RawTable[] {
  const { types } = engine
  return read.map(table => {
    const known = ownColumns(before.get(table.child) ?? { ...table, columns: [] })
    const columns = table.columns.map(column => {
      const old = column.system ? undefined : columnNamed(known, column.name, engine)?.type
      if (old === undefined || column.type === undefined) return column
      return withType(column, types.print(knownFields(types.parse(column.type), types.parse(old))))
    })
    return { ...table, columns }
  })
}

/** Drops new tables and columns inside a table that is itself new, because they share its outcome. */
function outermost(newcomers: readonly Newcomer[]): Newcomer[] {
  const tables = newcomers.filter(({ column }) => column === undefined)
  return newcomers.filter(
    each =>
      each.column !== undefined || !tables.some(other => other !== each && isBelow(each.path, other.path)),
  )
}

function isBelow(path: readonly string[], above: readonly string[]): boolean {
  return path.length > above.length && above.every((step, index) => step === path[index])
}

function withoutNewcomers(read: readonly RawTable[], newcomers: readonly Newcomer[]): RawTable[] {
  const columns = new Set(
    newcomers.flatMap(({ child, column, isField }) =>
      column && isField !== true ? [columnKey(child, column)] : [],
    ),
  )
  const lists = newcomers.filter(({ column }) => column === undefined).map(({ path }) => path)
  return read
    .filter(table => {
      const path = listPath(table)
      return path === undefined || !lists.some(list => isBelow([...path, ''], list))
    })
    .map(table => ({
      ...table,
      columns: table.columns.filter(column => column.system || !columns.has(columnKey(table.child, column))),
    }))
}

/** Removes record keys from tables without child tables, which nothing would join on. */
function withoutIdleKeys(tables: readonly RawTable[]): RawTable[] {
  return tables.map(table => {
    const path = listPath(table) ?? []
    const hasChildren = tables.some(other => isBelow(listPath(other) ?? [], path))
    if (hasChildren) return table
    return {
      ...table,
      columns: table.columns.filter(column => !(column.system && column.name === '_svc_id')),
    }
  })
}

/** Returns the fixed types of columns: the declared types, and with a mode for types also the known ones. */
function pinnedTypes(
  tables: readonly RawTable[],
  before: ReadonlyMap<string | undefined, RawTable>,
  contract: Contract | undefined,
  engine: Engine,
): Map<string, string> {
  const pinned = new Map<string, string>()
  if (contract === undefined) return pinned
  const keepsKnown = contract.evolution.types !== 'evolve'
  for (const { child, columns } of tables) {
    const old = before.get(child)
    for (const column of columns.filter(each => !each.system)) {
      const promised = promisedType(contract, child, column.name)
      const known = old === undefined ? undefined : columnNamed(ownColumns(old), column.name, engine)?.type
      const type = promised === undefined ? known : canonicalType(promised, engine.types)
      const isKept = keepsKnown || promised !== undefined
      if (isKept && type !== undefined) pinned.set(columnKey(child, column), type)
    }
  }
  return pinned
}
