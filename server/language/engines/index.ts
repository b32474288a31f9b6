/** The engines that the language knows: a line for each. */
import { duckdb } from './duckdb/duckdb.ts'
import type { Engine, EngineAddress } from './engine.ts'

export const engines: readonly [Engine, ...Engine[]] = [duckdb]

/** Kinds of warehouse that are announced and not built yet. */
export const announced: readonly Pick<EngineAddress, 'pattern' | 'form'>[] = [
  { pattern: 'postgres(ql)?:\\/\\/.+', form: 'postgres://…' },
]

/** Where a new project keeps its data. */
export const usualWarehouse: string = engines[0].address.example

/**
 * The engine of a project, by the address of its warehouse. An address that a variable holds says nothing of its kind,
 * and one of an unknown kind is a problem of its own: then it is the first of the engines.
 */
export function engineOf(warehouse: string): Engine {
  const kind = kindOf(warehouse)
  return engines.find(engine => engine.kind === kind) ?? engines[0]
}

/** The scheme of an address; undefined: it has none. */
export function kindOf(warehouse: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(warehouse)?.[1]?.toLowerCase()
}
