/**
 * The databases of the catalogue within the process of the tests: hundreds of tests open one, and a process for each would
 * take more time than all that they ask. Where the process itself matters (its limits, its end), a test says
 * `startWorkersBy(startProcess)`; whatever runs the built command or the language server has real ones. Run before each file.
 */
import { leaveAllOpen } from '../../cli/engine/warehouse/duckdb/open-instances.ts'
import { limitThreads } from '../../server/catalog/duckdb/threads.ts'
import { BinderLost } from '../../server/catalog/limits.ts'
import type { OpenDatabase } from '../../server/catalog/worker/databases.ts'
import type { WorkerOptions } from '../../server/catalog/worker/messages.ts'
import { startWorkersBy, type WorkerProcess } from '../../server/catalog/worker/worker-process.ts'
import { isLong } from './long.ts'

startWorkersBy(startInProcess)
// Opening a file costs more than most sessions ask of it.
leaveAllOpen()
// A thread that waits for another one asks without pause, and the data of tests are too small to share.
if (!isLong) limitThreads(1)

async function open(options: WorkerOptions): Promise<OpenDatabase> {
  const { takeDatabase } = await import('./spare-databases.ts')
  return takeDatabase(options)
}

/** Once its last answer is there, another catalogue may have it. */
async function giveBack(
  options: WorkerOptions,
  opening: Promise<OpenDatabase>,
  lastAnswer: Promise<unknown>,
): Promise<void> {
  await lastAnswer
  const { giveBackDatabase } = await import('./spare-databases.ts')
  await giveBackDatabase(options, await opening)
}

function startInProcess(options: WorkerOptions): WorkerProcess {
  // A command that finds its answers kept asks nothing, and an open database costs as much as many answers.
  let opening: Promise<OpenDatabase> | undefined
  let lastCall: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let isLost = false
  return {
    pid: undefined,
    get isLost() {
      return isClosed || isLost
    },
    async call(method, input, _limits, onTime) {
      opening ??= open(options)
      const database = await opening
      if (isClosed) throw new Error('the database is closed')
      const answer = lastCall.then(async () => {
        const started = performance.now()
        try {
          return await database.call(method, input)
        } finally {
          onTime?.(performance.now() - started)
        }
      })
      lastCall = answer.catch(error => {
        // Its process would have ended with it.
        isLost ||= error instanceof BinderLost
      })
      // On its way through a pipe every value is copied.
      return structuredClone(await answer)
    },
    // After its end the database may be somebody else's.
    interrupt: () => {
      const interrupt = (database: OpenDatabase) => isClosed || database.interrupt()
      opening?.then(interrupt).catch(() => undefined)
    },
    kill: () => {
      if (isClosed) return
      isClosed = true
      if (opening === undefined || isLost) return
      giveBack(options, opening, lastCall).catch(() => undefined)
    },
  }
}
