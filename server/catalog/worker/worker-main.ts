/**
 * The worker process, in which SQL of users is bound and run: a crash of DuckDB ends only this process. It
 * communicates over stdin and stdout and ends when stdin closes, so that it never outlives its parent.
 */
import { EngineMissing } from '../../language/engines/engine-missing.ts'
import { BinderLost, type BudgetLimit } from '../limits.ts'
import { watchBudget } from './budget.ts'
import { loadEngine, type OpenDatabase, openDatabase } from './databases.ts'
import { frameOf, frameReader } from './frames.ts'
import type { Answer, Call, Request, WorkerOptions } from './messages.ts'

// DuckDB's queries block threads of Node's thread pool.
process.env['UV_THREADPOOL_SIZE'] ??= '8'
// Ctrl-C signals all processes of a terminal; the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const budget = watchBudget(endOver)
let opening: Promise<OpenDatabase> | undefined
// The parent may not know yet which database of the engine it wants.
loadEngine(process.argv[2] ?? '')

process.stdin.on(
  'data',
  frameReader(value => void take(value as Request)),
)
process.stdin.on('end', endNow)
process.stdin.on('error', endNow)
process.stdout.on('error', endNow)

/** Calls are queued, and the time of each is measured from its start. */
let lastCall: Promise<unknown> = Promise.resolve()

async function take(request: Request): Promise<void> {
  if ('open' in request) return open(request.open)
  const database = await opening
  if (database === undefined) return
  if ('interrupt' in request) return database.interrupt()
  lastCall = lastCall.then(async () => {
    const answer = await answerTo(database, request)
    if (answer !== undefined) tell(answer)
  })
}

function open(options: WorkerOptions): void {
  opening = openDatabase(options)
  opening.then(
    ({ engine }) => tell({ ready: engine }),
    (error: unknown) => {
      if (error instanceof EngineMissing)
        process.stdout.write(frameOf({ missing: error.message, hint: error.hint } satisfies Answer), endNow)
      else
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () =>
          process.exit(1),
        )
    },
  )
}

/** Undefined: this process ends. */
async function answerTo(
  database: OpenDatabase,
  { id, method, input, limits }: Call,
): Promise<Answer | undefined> {
  const end = budget.begin(limits)
  const started = performance.now()
  try {
    const value = await database.call(method, input)
    return { id, ms: performance.now() - started, value }
  } catch (error) {
    if (error instanceof BinderLost) return endLost(error)
    const failure = error instanceof Error ? error.message : String(error)
    return { id, ms: performance.now() - started, failure }
  } finally {
    end()
  }
}

function tell(answer: Answer): void {
  process.stdout.write(frameOf(answer))
}

function endLost({ reason }: BinderLost): undefined {
  endOver(reason === 'ended' ? 'crash' : reason)
}

/** Reports the reason before exiting: a running DuckDB statement cannot be stopped in any other way. */
function endOver(over: BudgetLimit | 'crash'): void {
  process.stdout.write(frameOf({ over } satisfies Answer), endNow)
}

function endNow(): void {
  process.kill(process.pid, 'SIGKILL')
}
