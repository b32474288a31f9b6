/**
 * Finds where the columns and child tables of a load come from, by the definition that it was made with. The lock does not tell
 * it: it may be of another environment, or of a branch, whose loads have other names already.
 */
import {
  type Engine,
  listStep,
  promisedKeys,
  promisedOf,
  type RawTable,
  type StoredSource,
  type TablePromises,
  toSnakeCase,
  withoutLists,
} from '@svc/server/language'
import { overlaid } from '../reading-types.ts'
import type { LoadBase } from './base.ts'

/** Returns tables under the names that the definition of before gave to them and to their columns. */
export function namedBefore(tables: readonly RawTable[], earlier: StoredSource): readonly RawTable[] {
  const { ingest, contract } = earlier
  const stepName = (step: string) => (ingest['naming'] === 'source' ? step : toSnakeCase(step))
  const promises: TablePromises = { columns: {}, tables: {}, ...(contract as Partial<TablePromises>) }
  return tables.map(table => {
    const child = table.child && (placeOf(table)?.map(stepName).join('__') ?? table.child)
    const keyOf = promisedKeys(promisedOf(promises, child).columns)
    const columns = table.columns.map(column => {
      if (column.system) return column
      const steps = column.path.slice(column.path.lastIndexOf(listStep) + 1)
      const name = steps.map(stepName).join('__')
      return { ...column, name: keyOf(name, steps.join('.')) ?? name }
    })
    return { ...table, child, columns }
  })
}

/** The steps to a list at the source; undefined where no column tells them. */
function placeOf({ columns }: RawTable): readonly string[] | undefined {
  const path = columns.find(({ system, path }) => !system && path.includes(listStep))?.path
  return path && withoutLists(path.slice(0, path.lastIndexOf(listStep)))
}

/** Returns the lookup of paths at the source by names of columns in a load. */
export function pathsBefore(
  tables: readonly (RawTable | undefined)[],
  engine: Engine,
): (name: string) => readonly string[] | undefined {
  const paths = new Map<string, readonly string[]>()
  for (const { name, path, system } of tables.flatMap(table => table?.columns ?? [])) {
    const key = engine.fold(name)
    if (!system && !paths.has(key)) paths.set(key, path)
  }
  return name => paths.get(engine.fold(name))
}

/** Returns a base whose load has its child tables under their names of now. */
export function withNamesOfNow(base: LoadBase, tables: readonly RawTable[]): LoadBase {
  const { load, earlier } = base
  if (earlier === undefined) return base
  const before = namedBefore(tables, earlier)
  const children = { ...load.children }
  for (const [index, { child }] of tables.entries()) {
    const gathered = load.children[before[index]?.child ?? '']
    if (child !== undefined && gathered !== undefined) children[child] ??= gathered
  }
  return { ...base, load: overlaid(load, { children }) }
}
