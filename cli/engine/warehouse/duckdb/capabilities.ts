/** The capabilities of DuckDB, computed without opening it. */
import { availableParallelism } from 'node:os'
import type { Capabilities } from '../warehouse.ts'

export function duckdbCapabilities(): Capabilities {
  return { transactionalDdl: true, parallelBuilds: parallelBuilds(), sharedCommits: true }
}

/**
 * A build occupies a connection, which occupies a thread of Node's pool; one thread is left free, so that
 * files can still be read.
 */
function parallelBuilds(): number {
  const given = Number(process.env['UV_THREADPOOL_SIZE'])
  const poolThreads = Number.isInteger(given) && given > 0 ? given : 4
  return Math.max(1, Math.min(availableParallelism(), poolThreads - 1))
}
