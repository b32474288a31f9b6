/** Lists the engines that the language knows, one line each. */
import { duckdb } from './duckdb/duckdb.ts'
import type { Engine, EngineAddress } from './engine.ts'
import { postgres } from './postgres/postgres.ts'

export const engines: readonly [Engine, ...Engine[]] = [duckdb, postgres]

/** The engine that reads files and records of services, whatever the warehouse is: types of sources are in its words. */
export const readingEngine: Engine = duckdb

/** Kinds of warehouse that are announced and not implemented yet. */
export const announced: readonly Pick<EngineAddress, 'pattern'>[] = []

/** The warehouse of a new project. */
export const usualWarehouse: string = engines[0].address.example

/**
 * Returns the engine by the address of the warehouse. For an address in a variable, and for an unknown kind
 * (which is reported elsewhere), it is the first engine.
 */
export function engineOf(warehouse: string): Engine {
  const kind = kindOf(warehouse)
  return engines.find(engine => engine.kind === (kind === 'postgresql' ? 'postgres' : kind)) ?? engines[0]
}

/** Returns the scheme of an address; undefined if it has none. */
export function kindOf(warehouse: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(warehouse)?.[1]?.toLowerCase()
}
