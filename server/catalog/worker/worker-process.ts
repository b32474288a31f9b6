/**
 * A process with a database in it, as its parent sees it: calls go in, answers come out. A native call cannot be ended
 * from within Node, a process can: who goes over a limit takes this one with it and nothing else.
 */
import type { ChildProcess } from 'node:child_process'
import { BinderLost, type BudgetLimit, type Limits } from '../limits.ts'
import { frameOf, frameReader } from './frames.ts'
import type { Answer, Request, WorkerOptions } from './messages.ts'
import { keepAlive, takeChild } from './worker-child.ts'
import { workerFile } from './worker-file.ts'

export interface WorkerProcess {
  /** Rejects with `BinderLost` where the process ends before it has answered. */
  call(method: string, input: readonly unknown[], limits: Limits): Promise<unknown>
  /** What runs now fails as soon as DuckDB listens. */
  interrupt(): void
  /** Ends it at once. */
  kill(): void
  /** It has ended, whoever ended it: nothing can be asked of it any more. */
  readonly isLost: boolean
  readonly pid: number | undefined
}

interface Call {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** The process measures itself. Only one that is not even able to do that is ended from outside, after so many times. */
const silenceFactor = 15
/** Until it measures: a busy machine needs long to begin. */
const beginningMs = 30_000

export function startWorker(options: WorkerOptions): WorkerProcess {
  return new Worker(options)
}

class Worker implements WorkerProcess {
  readonly #child: ChildProcess = takeChild()
  readonly #calls = new Map<number, Call>()
  #calledTimes = 0
  /** The engine of its database, for people; undefined: it has not begun. */
  #engine: string | undefined
  #over: BudgetLimit | undefined
  #lost: Error | undefined
  #complaint = ''

  constructor(options: WorkerOptions) {
    this.#child.stdout?.on(
      'data',
      frameReader(answer => this.#take(answer as Answer)),
    )
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.#engine === undefined) this.#complaint = (this.#complaint + text).slice(-2000)
    })
    this.#child.on('error', error => this.#end(error.message))
    this.#child.on('close', (code, signal) => this.#end(signal ?? `exit code ${code}`))
    this.#send({ open: options })
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  call(method: string, input: readonly unknown[], limits: Limits): Promise<unknown> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost)
    this.#calledTimes += 1
    const id = this.#calledTimes
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#endSilent(), limits.timeMs * silenceFactor + beginningMs)
      timer.unref()
      if (this.#calls.size === 0) keepAlive(this.#child, true)
      this.#calls.set(id, { resolve, reject, timer })
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
    else {
      const call = this.#calls.get(answer.id)
      this.#calls.delete(answer.id)
      if (this.#calls.size === 0) keepAlive(this.#child, false)
      if (call === undefined) return
      clearTimeout(call.timer)
      if ('value' in answer) call.resolve(answer.value)
      else call.reject(new Error(answer.failure))
    }
  }

  #endSilent(): void {
    this.#over ??= 'time'
    this.#child.kill('SIGKILL')
  }

  #end(how: string): void {
    this.#lost ??=
      this.#engine === undefined
        ? new Error(
            `the process in which SQL is bound does not start (${how}): ${this.#complaint.trim() || workerFile()}`,
          )
        : new BinderLost(this.#over ?? 'crash', `${this.#engine}'s process ended (${this.#over ?? how})`)
    for (const { reject, timer } of this.#calls.values()) {
      clearTimeout(timer)
      reject(this.#lost)
    }
    this.#calls.clear()
  }
}
