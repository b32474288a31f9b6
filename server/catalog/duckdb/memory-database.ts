/** An in-memory DuckDB that reaches neither files nor the network, once its extensions are loaded. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { withNativePart } from './native-part.ts'
import { readWholeTexts } from './whole-texts.ts'

let library: Promise<typeof import('@duckdb/node-api')> | undefined

/**
 * Loads the library once, also where that fails for want of memory: the second time a bundle returns a module that never ran,
 * and the reason would be lost. Throws EngineMissing.
 */
export function loadDuckdb(): Promise<typeof import('@duckdb/node-api')> {
  library ??= withNativePart(async () => readWholeTexts(await import('@duckdb/node-api')))
  return library
}

/** `load`: statements that load extensions. `setUp`: what is to be run before anybody asks. */
export async function openMemoryDatabase(
  memoryBytes: number,
  load: readonly string[],
  setUp: readonly string[],
): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await loadDuckdb()
  const instance = await DuckDBInstance.create(':memory:', {
    // A statement that does not fit into memory is over the limit and must not spill to disk. This cannot be
    // set after external access is disabled.
    temp_directory: '',
    threads: '1',
    // An extension is a file: the engine can read it only with access to files.
    enable_external_access: load.length > 0 ? 'true' : 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    memory_limit: databaseMemory(memoryBytes),
  })
  const connection = await instance.connect()
  const closed = load.length > 0 ? ['SET enable_external_access = false'] : []
  for (const sql of [...load, ...closed, ...setUp]) await connection.run(sql)
  return connection
}

const leastMemoryBytes = 64_000_000

/** Returns DuckDB's memory setting, with a minimum: with less DuckDB cannot even start. */
export function databaseMemory(bytes: number): string {
  return `${Math.ceil(Math.max(bytes, leastMemoryBytes) / 1e6)}MB`
}
