/**
 * Compares what a source delivers with its last load. Pure: it compares shapes and reads no value. The
 * contract decides whether a difference is allowed.
 */
import type { DriftChange } from '@svc/server/contract'
import {
  type Contract,
  columnNamed,
  type Engine,
  listStep,
  oncePer,
  type PageChange,
  promisedType,
  type RawColumn,
  type RawTable,
} from '@svc/server/language'

/** Returns the differences; none for a source that was never loaded. */
export function sourceDrift(
  known: readonly RawTable[] | undefined,
  delivered: readonly RawTable[],
  contract: Contract | undefined,
  engine: Engine,
): DriftChange[] {
  if (known === undefined || known.length === 0) return []
  const before = new Map(known.map(table => [table.child, table]))
  const now = new Map(delivered.map(table => [table.child, table]))
  const changed = delivered.flatMap(table => {
    const old = before.get(table.child)
    if (old !== undefined) return [...added(old, table, engine), ...retyped(old, table, contract, engine)]
    return [{ kind: 'added', child: table.child, column: undefined } as const]
  })
  const gone = known.flatMap(table => vanished(table, now.get(table.child), engine))
  return [...changed, ...gone]
}

/** Returns the columns with the source's own values. */
export function ownColumns({ columns }: RawTable): readonly RawColumn[] {
  return ownOf(columns)
}

/** The same list for each call, so that its names are folded once for all questions about a table of thousands of columns. */
const ownOf = oncePer((columns: readonly RawColumn[]): readonly RawColumn[] =>
  columns.filter(column => !column.system),
)

function added(old: RawTable, table: RawTable, engine: Engine): DriftChange[] {
  return ownColumns(table)
    .filter(column => sameColumn(old, column, engine) === undefined)
    .map(({ name, type }) => ({ kind: 'added', child: table.child, column: name, to: type }))
}

/**
 * Returns the columns whose type changed. A narrower type is not a change, because the column keeps its wider
 * type; one that the contract declares is what the column becomes, whatever it was.
 */
function retyped(
  old: RawTable,
  table: RawTable,
  contract: Contract | undefined,
  engine: Engine,
): DriftChange[] {
  return ownColumns(table).flatMap(column => {
    const before = sameColumn(old, column, engine)
    const from = before?.type
    // A mask that is new or gone is a change of the file, not of the source.
    if (before?.masked !== column.masked) return []
    if (from === undefined || column.type === undefined) return []
    const { types } = engine
    const narrow = types.parse(from)
    const wide = types.widen(narrow, types.parse(column.type))
    const change = { kind: 'retyped', child: table.child, column: column.name, from } as const
    const promised = promisedType(contract, table.child, column.name)
    if (promised !== undefined) {
      const type = types.parse(promised)
      if (types.same(narrow, type)) return []
      const to = types.print(type)
      return [types.same(wide, type) ? { ...change, to } : { ...change, to, declared: true }]
    }
    if (types.same(narrow, wide)) return []
    return [{ ...change, to: types.print(wide) }]
  })
}

/**
 * Returns the columns that are missing now. A column that was absent at the last load too is not reported
 * again.
 */
function vanished(old: RawTable, table: RawTable | undefined, engine: Engine): DriftChange[] {
  const present = ownColumns(old).filter(column => column.absent !== true)
  if (table === undefined) {
    if (old.child === undefined || (present.length === 0 && ownColumns(old).length > 0)) return []
    return [{ kind: 'vanished', child: old.child, column: undefined }]
  }
  return present
    .filter(column => sameColumn(table, column, engine) === undefined)
    .map(({ name, type }) => ({ kind: 'vanished', child: old.child, column: name, from: type }))
}

function sameColumn(table: RawTable, column: RawColumn, engine: Engine): RawColumn | undefined {
  return columnNamed(ownColumns(table), column.name, engine)
}

/**
 * Returns the changes between the pages of one fetch, with the names of the raw tables. Changes that the last
 * load already had are not reported again: a column that some records lack appears late in every fetch.
 */
export function pageDrift(
  changes: readonly PageChange[],
  tables: readonly RawTable[],
  known: readonly RawTable[] | undefined,
  engine: Engine,
): DriftChange[] {
  return changes.flatMap((change): DriftChange[] => {
    const place = placeOf(change.path, tables)
    if (place === undefined || isKnown(change, place, known ?? [], engine)) return []
    const { kind, page, from, to } = change
    const { child, column } = place
    // A few values of another type changed nothing: they are rejects.
    if (kind === 'retyped' && (column?.type === from || column?.masked !== undefined)) return []
    if (column === undefined) return kind === 'retyped' ? [] : [{ kind, child, column: undefined, page }]
    const types = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
    return [{ kind, child, column: column.name, ...types, page }]
  })
}

interface Place {
  readonly child: string | undefined
  /** Undefined if the whole child table is meant. */
  readonly column: RawColumn | undefined
}

/**
 * Returns the place of a change; undefined if it is left out, or part of a value that is loaded as a whole.
 */
function placeOf(path: readonly string[], tables: readonly RawTable[]): Place | undefined {
  const key = JSON.stringify(path)
  const list = path.at(-1) === listStep ? JSON.stringify(path.slice(0, -1)) : key
  for (const { child, columns } of tables) {
    if (columns.some(({ name, path: way }) => name === '_svc_idx' && JSON.stringify(way) === key))
      return { child, column: undefined }
    const column = ownByPath(columns).get(list)
    if (column !== undefined) return { child, column }
  }
  return undefined
}

const ownByPath = oncePer(
  (columns: readonly RawColumn[]) =>
    new Map([...ownOf(columns)].reverse().map(column => [JSON.stringify(column.path), column])),
)

function isKnown(
  { kind }: PageChange,
  { child, column }: Place,
  known: readonly RawTable[],
  engine: Engine,
): boolean {
  const table = known.find(each => each.child === child)
  if (kind === 'vanished' || table === undefined) return false
  if (column === undefined) return true
  const before = columnNamed(ownColumns(table), column.name, engine)
  if (before === undefined || kind === 'added') return before !== undefined
  // Returns false if the column already has the type that it now needs.
  if (before.type === undefined) return false
  const { types } = engine
  const type = types.parse(before.type)
  return column.type === undefined || types.same(type, types.widen(type, types.parse(column.type)))
}

/**
 * Returns a change as text: `column discount VARCHAR is new`, `child table lines is gone`, `column amount of
 * lines became VARCHAR from BIGINT`; between pages with the page: `column discount VARCHAR is new on page 3`.
 */
export function driftText({ kind, child, column, from, to, page, declared }: DriftChange): string {
  const table = child ? ` of ${child}` : ''
  const name = column ? `column ${column}${table}` : `child table ${child ?? ''}`
  const type = to ? ` ${to}` : ''
  if (kind === 'added') return `${name}${type} is new${page === undefined ? '' : ` on page ${page}`}`
  if (kind === 'vanished') return `${name} is gone${page === undefined ? '' : ` from page ${page} on`}`
  if (declared === true)
    return `${name} is ${to} by its contract, and was ${from}: values that do not fit are refused`
  if (page === undefined) return `${name} became ${to} from ${from}`
  return `${name} is ${to} from page ${page} on, ${from} before`
}
