/**
 * Writes wide tables to the file while a run goes on. A table that is not in the file yet takes 16 KB of memory a column, and a
 * checkpoint as much as a block for each column of a table: what several wide tables need at once is most of the memory of a run.
 */
import type { BuildResult, BuildTask } from '../warehouse.ts'
import { isViewTask } from '../warehouse.ts'
import type { Connections } from './connections.ts'

/** A table with fewer columns takes no memory to speak of, and a checkpoint for each of a thousand tables would cost more. */
const fewestColumns = 500
/** So many columns are written at once, and with more in the file more: a checkpoint costs time for every column in it. */
const fewestAtOnce = 1500
const leastShare = 1 / 8

/**
 * Memory that a checkpoint has used goes back to the system, and not only after the usual 512 and 128 MB: else the next one takes
 * new memory beside it. Only for who has wide tables, because to take memory anew costs time too.
 */
const statements = `SET GLOBAL allocator_bulk_deallocation_flush_threshold = '16MB';
  SET GLOBAL allocator_flush_threshold = '16MB';
  SET GLOBAL max_vacuum_tasks = 0;
  CHECKPOINT`

type Built = readonly { readonly task: BuildTask; readonly result: BuildResult }[]

/** Returns what is called after builds of a session, and resolves when as much is written as pays. */
export function wideTables(connections: Connections): (built: Built) => Promise<void> {
  let waiting = 0
  let written = 0
  return async built => {
    for (const { task, result } of built)
      if (!isViewTask(task) && result.columns.length >= fewestColumns) waiting += result.columns.length
    if (waiting < Math.max(fewestAtOnce, written * leastShare)) return
    const begun = waiting
    waiting = 0
    try {
      await connections.use(connection => connection.run(statements))
      written += begun
    } catch {
      // Beside another transaction that writes there is no checkpoint: the next table is another chance.
      waiting += begun
    }
  }
}
