/**
 * The columns of sources that other environments have live. `schemas.lock.json` is one file for all of them: what one promotes, or
 * rolls back, takes no column from it that the files of another still read.
 */
import { columnNamed, type Engine, groupBy, type RawTable, type SourceShapes } from '@svc/server/language'
import { loadedTables } from '../plan/last-load.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'

/** Returns the tables behind the live builds of an asset in the other environments, of each apart. */
export type LiveElsewhere = (asset: string) => readonly (readonly RawTable[])[]

export async function liveElsewhere(
  { state: reader }: Pick<WarehouseSession, 'state'>,
  state: StateSnapshot,
): Promise<LiveElsewhere> {
  const others = (await reader.liveKeys()).filter(({ environment }) => environment !== state.environment)
  const builds = [...new Set(others.map(({ build_key }) => build_key))].flatMap(
    key => state.builds.get(key) ?? [],
  )
  const byAsset = groupBy(builds, ({ asset }) => asset)
  return asset =>
    (byAsset.get(asset) ?? []).flatMap(({ build_key }) => [loadedTables(state, build_key) ?? []])
}

/**
 * Returns the tables with the columns of the others. `before`: what the lock has, whose order stays, so that two environments do
 * not write it by turns.
 */
export function withElsewhere(
  tables: readonly RawTable[],
  others: readonly (readonly RawTable[])[],
  before: readonly RawTable[] = [],
  engine: Engine,
): readonly RawTable[] {
  return others.reduce((all, each) => united(all, each, before, engine), tables)
}

/** Returns the shapes of a promotion with what the other environments have live. */
export function shapesWithElsewhere(
  shapes: SourceShapes,
  elsewhere: LiveElsewhere,
  before: SourceShapes,
  engine: Engine,
): SourceShapes {
  return new Map(
    [...shapes].map(([name, tables]) => [
      name,
      withElsewhere(tables, elsewhere(name), before.get(name), engine),
    ]),
  )
}

function united(
  tables: readonly RawTable[],
  others: readonly RawTable[],
  before: readonly RawTable[],
  engine: Engine,
): readonly RawTable[] {
  const known = (child: string | undefined) => before.find(table => table.child === child)?.columns ?? []
  const merged = tables.map(table => {
    const other = others.find(({ child }) => child === table.child)
    const more = (other?.columns ?? [])
      .filter(({ name }) => columnNamed(table.columns, name, engine) === undefined)
      // A load does not record all that the lock knows of a column.
      .map(column => columnNamed(known(table.child), column.name, engine) ?? column)
    if (more.length === 0) return table
    const place = new Map(known(table.child).map(({ name }, index) => [engine.fold(name), index]))
    const placeOf = ({ name }: { readonly name: string }) => place.get(engine.fold(name)) ?? place.size
    return {
      ...table,
      columns: [...table.columns, ...more].toSorted((one, other) => placeOf(one) - placeOf(other)),
    }
  })
  const children = new Set(tables.map(({ child }) => child))
  const added = others
    .filter(({ child }) => !children.has(child))
    .map(table => before.find(({ child }) => child === table.child) ?? table)
  return [...merged, ...added]
}
