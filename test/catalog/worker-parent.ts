/** Starts a process with a database, prints its id, and is busy with a query, waits, or ends by having nothing to do. */
import { startWorker } from '../../server/catalog/worker/worker-process.ts'
import { engine } from '../support/engine.ts'

const limits = { timeMs: 600_000, memoryBytes: 1_000_000_000 }
const [what, sql] = process.argv.slice(2)
const worker = startWorker({ engine: engine.kind, kind: 'binder', memoryBytes: limits.memoryBytes, load: [] })
void main()

async function main(): Promise<void> {
  await worker.call('rows', ['SELECT 1'], limits)
  process.stdout.write(`${worker.pid}\n`)
  if (what === 'busy') await worker.call('rows', [sql], limits)
  if (what === 'waiting') setInterval(() => undefined, 1000)
}
