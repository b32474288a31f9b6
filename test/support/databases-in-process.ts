/**
 * The databases of the catalogue within the process of the tests: hundreds of tests open one, and a process for each would
 * take more time than all that they ask. Where the process itself matters (its limits, its end), a test says
 * `vi.unmock('…/worker-process.ts')`; whatever runs the built command or the language server has real ones.
 */
import { vi } from 'vitest'
import { BinderLost } from '../../server/catalog/limits.ts'
import type { WorkerOptions } from '../../server/catalog/worker/messages.ts'
import type { WorkerProcess } from '../../server/catalog/worker/worker-process.ts'

vi.mock('../../server/catalog/worker/worker-process.ts', () => ({ startWorker: startInProcess }))

function startInProcess(options: WorkerOptions): WorkerProcess {
  const opening = import('../../server/catalog/worker/databases.ts').then(each => each.openDatabase(options))
  // Who asks is told; nobody may ask.
  opening.catch(() => undefined)
  const queues = new Map<string, Promise<unknown>>()
  let isClosed = false
  let isLost = false
  return {
    pid: undefined,
    get isLost() {
      return isClosed || isLost
    },
    async call(method, input, _limits, onTime) {
      const database = await opening
      if (isClosed) throw new Error('the database is closed')
      const connection = database.connectionOf(method)
      const answer = (queues.get(connection) ?? Promise.resolve()).then(async () => {
        const started = performance.now()
        try {
          return await database.call(method, input)
        } finally {
          onTime?.(performance.now() - started)
        }
      })
      queues.set(
        connection,
        answer.catch(error => {
          // Its process would have ended with it.
          isLost ||= error instanceof BinderLost
        }),
      )
      // On its way through a pipe every value is copied.
      return structuredClone(await answer)
    },
    interrupt: () => void opening.then(database => database.interrupt()),
    kill: () => {
      isClosed = true
    },
  }
}
