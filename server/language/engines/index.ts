/** Lists the engines that the language knows, one line each. */
import { duckdb } from './duckdb/duckdb.ts'
import type { Engine } from './engine.ts'
import { postgres } from './postgres/postgres.ts'

export const engines: readonly [Engine, ...Engine[]] = [duckdb, postgres]

/** The engine that reads files and records of services, whatever the warehouse is: types of sources are in its words. */
export const readingEngine: Engine = duckdb

/** The engine of files that name none. */
export const usualEngine: Engine = engines[0]

/** The warehouse of a new project. */
export const usualWarehouse: string = engines[0].address.example

/**
 * Returns the engine by the address of the warehouse. For an address in a variable, and for an unknown kind
 * (which is reported elsewhere), it is the first engine.
 */
export function engineOf(warehouse: string): Engine {
  return knownEngine(warehouse) ?? engines[0]
}

/** Returns the engine of an address; undefined for one in a variable, and for an unknown kind. */
export function knownEngine(warehouse: string): Engine | undefined {
  const scheme = schemeOf(warehouse)
  if (scheme === undefined) return undefined
  return engines.find(({ kind, address }) => kind === scheme || address.otherSchemes.includes(scheme))
}

/** Returns the kind of engine of an address, or else its scheme; undefined if it has none. */
export function kindOf(warehouse: string): string | undefined {
  return knownEngine(warehouse)?.kind ?? schemeOf(warehouse)
}

function schemeOf(warehouse: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(warehouse)?.[1]?.toLowerCase()
}
