/** The entry point of the worker thread for one large pack: it calls the methods of a `PackJob`. */
import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type Failure, failureOf } from '../../http/failure.ts'
import { createPackJob, type PackJob } from './pack-job.ts'

/** `arguments` are those of the method, in order. */
export interface WorkerCall {
  readonly id: number
  readonly method: keyof PackJob
  readonly arguments: readonly unknown[]
}

export interface WorkerAnswer {
  readonly id: number
  readonly value?: unknown
  readonly failure?: Failure
}

// On Linux it is the priority of this thread alone: requests are answered first when there are too few cores.
if (process.platform === 'linux') setPriority(Math.min(getPriority() + 10, constants.priority.PRIORITY_LOW))

const job = createPackJob() as unknown as Record<string, (...given: readonly unknown[]) => Promise<unknown>>

parentPort?.on('message', ({ id, method, arguments: given }: WorkerCall) => {
  const answer = (rest: Omit<WorkerAnswer, 'id'>) =>
    parentPort?.postMessage({ id, ...rest } satisfies WorkerAnswer)
  job[method]?.(...given).then(
    value => answer({ value }),
    error => answer({ failure: failureOf(error) }),
  )
})
