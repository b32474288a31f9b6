/** Starts the work on a pack: here for a small one, in a thread for a large one, so that nobody waits for it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Problem } from '../../http/problems.ts'
import { createPackJob, type PackJob } from './pack-job.ts'
import type { WorkerAnswer, WorkerCall } from './pack-worker.ts'

/** Bytes of a pack that takes less time than a thread takes to start. */
const smallPack = 256 * 1024
/** Megabytes: objects of a pack take about ten times its bytes. */
const mostMemory = 1536
/** More at a time would only take each other's processor and memory. */
const mostThreads = 2

/** Beside the bundle, or where the bundles are built; undefined: there is no thread to be had. */
function workerFile(): string | undefined {
  const places = [join(__dirname, 'pack-worker.cjs'), join(__dirname, '..', '..', 'dist', 'pack-worker.cjs')]
  return places.find(place => existsSync(place))
}

export interface JobOptions {
  /** The bundle of `pack-worker.ts`; found by itself where it is left out. */
  readonly workerFile?: string
  /** Bytes from which on a pack gets a thread. */
  readonly threadFrom?: number
}

/** @param bytes size of the pack. The job has to be ended. */
export async function startJob(bytes: number, options: JobOptions = {}): Promise<PackJob> {
  const file = options.workerFile ?? workerFile()
  if (bytes < (options.threadFrom ?? smallPack) || file === undefined) return createPackJob()
  await takePlace()
  try {
    return threadJob(new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: mostMemory } }))
  } catch (error) {
    givePlace()
    throw error
  }
}

function threadJob(worker: Worker): PackJob {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  let count = 0
  let ended: unknown
  worker.on('message', ({ id, value, error }: WorkerAnswer) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(value)
    else call?.reject(new Error(error))
  })
  const fail = (error: unknown) => {
    ended = error
    for (const call of waiting.values()) call.reject(error)
    waiting.clear()
  }
  worker.on('error', error => fail(failureOf(error)))
  worker.on('exit', code => {
    fail(new Error(`the thread of a pack ended with ${code}`))
    givePlace()
  })
  const call = <T>(method: keyof PackJob, ...given: readonly unknown[]): Promise<T> => {
    if (ended !== undefined) return Promise.reject(ended)
    return new Promise<T>((resolve, reject) => {
      const id = ++count
      waiting.set(id, { resolve: value => resolve(value as T), reject })
      const message: WorkerCall = { id, method, arguments: given }
      worker.postMessage(message)
    })
  }
  return {
    read: input => call('read', input),
    know: nodes => call('know', nodes),
    compare: at => call('compare', at),
    columnChanges: before => call('columnChanges', before),
    breaches: policies => call('breaches', policies),
    graph: () => call('graph'),
    slice: () => call('slice'),
    end: async () => {
      await worker.terminate()
    },
  }
}

function failureOf(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code ?? '')
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return new Problem('too_large', `The pack needs more than ${mostMemory} MB of memory.`)
}

let busy = 0
const queue: (() => void)[] = []

async function takePlace(): Promise<void> {
  if (busy < mostThreads) {
    busy++
    return
  }
  await new Promise<void>(resolve => queue.push(resolve))
}

/** The place goes to whoever waits the longest. */
function givePlace(): void {
  const next = queue.shift()
  if (next === undefined) busy--
  else next()
}
