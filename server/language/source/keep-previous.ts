/** Joins the tables that a source has now with those of its earlier loads, so that nothing that was loaded is lost. */
import type { Engine } from '../engines/engine.ts'
import type { Ingest, NoIngest } from '../schema/definition.ts'
import { widenType } from './column-type.ts'
import { keepsHistory, withValidity } from './history.ts'
import { listStep } from './list-step.ts'
import { type PathPattern, pathPattern } from './path-pattern.ts'
import { withoutLists } from './raw-tables.ts'
import type { RawTable } from './source-shape.ts'

type LoadedIngest = Exclude<Ingest, NoIngest>

/**
 * Keeps earlier columns: types only widen, and columns or child tables that the source lacks this time stay,
 * empty. Those that the definition now excludes, renames or flattens in another way are dropped.
 */
export function keepPrevious(
  tables: readonly RawTable[],
  previous: readonly RawTable[],
  ingest: LoadedIngest,
  engine: Engine,
): readonly RawTable[] {
  const before = new Map(previous.map(table => [table.child ?? '', table]))
  const isFree = freePaths(tables, ingest)
  const merged = tables.map(table => mergeTable(table, before.get(table.child ?? ''), isFree, engine))
  const names = new Set(tables.map(table => table.child ?? ''))
  const gone = previous.flatMap(table => {
    if (table.child === undefined || keepsHistory(ingest) || names.has(table.child)) return []
    const columns = table.columns.filter(column => isFree(column.path))
    // What has only columns of ours left is loaded under another name now, or left out.
    const isElsewhere = hasOwn(table) && !hasOwn({ columns })
    return columns.some(column => column.name === '_svc_idx') && !isElsewhere ? [{ ...table, columns }] : []
  })
  if (gone.length === 0 || merged[0] === undefined) return withValidity(merged, ingest, engine)
  return [withKey(merged[0], previous), ...merged.slice(1), ...gone]
}

function hasOwn({ columns }: Pick<RawTable, 'columns'>): boolean {
  return columns.some(({ system }) => !system)
}

/** Adds the key of the parent to child tables that are kept. */
function withKey(table: RawTable, previous: readonly RawTable[]): RawTable {
  if (table.columns.some(column => column.system && column.name === '_svc_id')) return table
  const key = previous[0]?.columns.find(column => column.system && column.name === '_svc_id')
  return key === undefined ? table : { ...table, columns: [key, ...table.columns] }
}

/** Returns a function that tells whether a path may have a column of its own: not left out, nor taken. */
function freePaths(tables: readonly RawTable[], ingest: LoadedIngest): (path: readonly string[]) => boolean {
  const isLeftOut = leavesOut(ingest)
  const taken = tables.flatMap(table =>
    table.columns.filter(column => !column.system).map(column => column.path),
  )
  return path => {
    if (path.length === 0) return true
    if (isLeftOut(path)) return false
    const isList = path.at(-1) === listStep
    return !taken.some(other => startsWith(path, other) || (!isList && startsWith(other, path)))
  }
}

/** Returns a function that tells whether `include` and `exclude` leave out the value at a path. */
export function leavesOut({ include, exclude, naming }: LoadedIngest): (path: readonly string[]) => boolean {
  const [kept, left] = [include, exclude].map(list => list.map(pattern => pathPattern(pattern, naming)))
  return path => {
    const place = withoutLists(path)
    const asked = (pattern: PathPattern) => pattern.covers(place) || pattern.reachesInto(place)
    return (
      left?.some(pattern => pattern.covers(place)) === true ||
      (include.length > 0 && kept?.some(asked) !== true)
    )
  }
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.length <= path.length && start.every((step, index) => step === path[index])
}

function mergeTable(
  table: RawTable,
  before: RawTable | undefined,
  isFree: (path: readonly string[]) => boolean,
  { fold, types }: Engine,
): RawTable {
  if (before === undefined) return table
  const old = new Map(before.columns.map(column => [fold(column.name), column]))
  const columns = table.columns.map(column => {
    const match = old.get(fold(column.name))
    return match === undefined || column.system || match.masked !== column.masked
      ? column
      : { ...column, type: widenType(match.type, column.type, types) }
  })
  const names = new Set(table.columns.map(column => fold(column.name)))
  const gone = before.columns.filter(
    column => !column.system && !names.has(fold(column.name)) && isFree(column.path),
  )
  return { ...table, columns: [...columns, ...gone] }
}
