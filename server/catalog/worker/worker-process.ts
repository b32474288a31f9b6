/**
 * The parent's handle of a worker process with a database: sends calls and receives answers. A native call
 * cannot be stopped from within Node but a process can be ended: a statement that exceeds a limit takes only
 * this process with it.
 */
import type { ChildProcess } from 'node:child_process'
import { EngineMissing } from '../../language/engines/engine-missing.ts'
import { BinderLost, type BudgetLimit, type Limits } from '../limits.ts'
import { frameOf, frameReader } from './frames.ts'
import type { Answer, Request, WorkerOptions } from './messages.ts'
import { keepAlive, takeChild } from './worker-child.ts'
import { workerFile } from './worker-file.ts'

export interface WorkerProcess {
  /**
   * Rejects with `BinderLost` if the process ends before it has answered. `onTime` is called before the answer with the
   * milliseconds that the call took in the process, without the calls before it.
   */
  call(
    method: string,
    input: readonly unknown[],
    limits: Limits,
    onTime?: (ms: number) => void,
  ): Promise<unknown>
  /** Cancels the running statement; it fails when DuckDB next checks for interrupts. */
  interrupt(): void
  /** Ends the process at once. */
  kill(): void
  /** True once the process has ended for whatever reason: no more calls are possible. */
  readonly isLost: boolean
  readonly pid: number | undefined
}

interface Call {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
  readonly onTime: ((ms: number) => void) | undefined
}

/**
 * The process measures itself. It is ended from outside only if it cannot do even that, after so many times
 * its limit.
 */
const silenceFactor = 15
/** What the system sends to a process for its own mistakes; any other signal comes from somebody else. */
const crashSignals: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
  'SIGSYS',
])

/** The time until the process must have started; a busy machine takes long. */
const beginningMs = 30_000

export function startProcess(options: WorkerOptions): WorkerProcess {
  return new Worker(options)
}

let starter = startProcess

export function startWorker(options: WorkerOptions): WorkerProcess {
  return starter(options)
}

/** Has workers started in another way from now on: most tests have their databases in their own process. */
export function startWorkersBy(other: typeof startProcess): void {
  starter = other
}

class Worker implements WorkerProcess {
  readonly #child: ChildProcess
  readonly #calls = new Map<number, Call>()
  #calledTimes = 0
  /** The display name of its database engine; undefined until it has started. */
  #engine: string | undefined
  #over: BudgetLimit | 'crash' | undefined
  #lost: Error | undefined
  #complaint = ''

  constructor(options: WorkerOptions) {
    this.#child = takeChild(options.engine)
    this.#child.stdout?.on(
      'data',
      frameReader(answer => this.#take(answer as Answer)),
    )
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.#engine === undefined) this.#complaint = (this.#complaint + text).slice(-2000)
    })
    this.#child.on('error', error => this.#end(error.message, error))
    this.#child.on('close', (code, signal) => {
      const how = signal ?? `exit code ${code}`
      const wasEnded = signal !== null && !crashSignals.has(signal)
      if (this.#over === undefined && wasEnded)
        this.#lost ??= new BinderLost('ended', `the process that checks SQL was ended (${how})`)
      this.#end(how)
    })
    this.#send({ open: options })
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  call(
    method: string,
    input: readonly unknown[],
    limits: Limits,
    onTime?: (ms: number) => void,
  ): Promise<unknown> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost)
    this.#calledTimes += 1
    const id = this.#calledTimes
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#endSilent(), limits.timeMs * silenceFactor + beginningMs)
      timer.unref()
      if (this.#calls.size === 0) keepAlive(this.#child, true)
      this.#calls.set(id, { resolve, reject, timer, onTime })
      this.#send({ id, method, input, limits })
    })
  }

  interrupt(): void {
    if (this.#lost === undefined) this.#send({ interrupt: true })
  }

  kill(): void {
    this.#lost ??= new Error('the database is closed')
    this.#child.kill('SIGKILL')
  }

  #send(request: Request): void {
    this.#child.stdin?.write(frameOf(request))
  }

  #take(answer: Answer): void {
    if ('ready' in answer) this.#engine = answer.ready
    else if ('over' in answer) this.#over = answer.over
    else if ('missing' in answer) this.#lost ??= new EngineMissing(answer.missing, answer.hint)
    else {
      const call = this.#calls.get(answer.id)
      this.#calls.delete(answer.id)
      if (this.#calls.size === 0) keepAlive(this.#child, false)
      if (call === undefined) return
      clearTimeout(call.timer)
      call.onTime?.(answer.ms)
      if ('value' in answer) call.resolve(answer.value)
      else call.reject(new Error(answer.failure))
    }
  }

  #endSilent(): void {
    this.#over ??= 'time'
    this.#child.kill('SIGKILL')
  }

  /** `cause`: why the system did not start the process. */
  #end(how: string, cause?: Error): void {
    this.#lost ??=
      cause ??
      (this.#engine === undefined
        ? new Error(
            `the process in which SQL is bound does not start (${how}): ${this.#complaint.trim() || workerFile()}`,
          )
        : new BinderLost(this.#over ?? 'crash', `${this.#engine}'s process ended (${this.#over ?? how})`))
    for (const { reject, timer } of this.#calls.values()) {
      clearTimeout(timer)
      reject(this.#lost)
    }
    this.#calls.clear()
  }
}
