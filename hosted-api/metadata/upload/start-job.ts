/**
 * Starts the work on a pack: directly for a small one, in a thread for a large one, so that other requests do
 * not wait.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { errorOf } from '../../http/failure.ts'
import { Problem } from '../../http/problems.ts'
import { createPackJob, type PackJob } from './pack-job.ts'
import type { WorkerAnswer, WorkerCall } from './pack-worker.ts'

/** Packs below this size in bytes take less time than starting a thread. */
const smallPack = 256 * 1024
/** The memory limit in megabytes; the objects of a pack take about ten times its bytes. */
const mostMemory = 1536
/** More threads would only compete for CPU and memory. */
const mostThreads = 2

/** Returns the path beside the bundle, or where bundles are built; undefined if there is none. */
function workerFile(): string | undefined {
  const places = [join(__dirname, 'pack-worker.cjs'), join(__dirname, '..', '..', 'dist', 'pack-worker.cjs')]
  return places.find(place => existsSync(place))
}

export interface JobOptions {
  /** The bundle of `pack-worker.ts`; found automatically if it is left out. */
  readonly workerFile?: string
  /** The size in bytes from which a pack gets a thread. */
  readonly threadFrom?: number
  /** The token of the upload, which gets one thread at a time. */
  readonly owner?: number
}

/** @param bytes size of the pack. The caller has to end the job. */
export async function startJob(bytes: number, options: JobOptions = {}): Promise<PackJob> {
  const file = options.workerFile ?? workerFile()
  if (bytes < (options.threadFrom ?? smallPack) || file === undefined) return createPackJob()
  const owner = options.owner ?? 0
  await takePlace(owner)
  try {
    return threadJob(new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: mostMemory } }), owner)
  } catch (error) {
    givePlace(owner)
    throw error
  }
}

function threadJob(worker: Worker, owner: number): PackJob {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  let count = 0
  let ended: unknown
  worker.on('message', ({ id, value, failure }: WorkerAnswer) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (failure === undefined) call?.resolve(value)
    else call?.reject(errorOf(failure))
  })
  const fail = (error: unknown) => {
    ended = error
    for (const call of waiting.values()) call.reject(error)
    waiting.clear()
  }
  worker.on('error', error => fail(failureOf(error)))
  worker.on('exit', code => {
    fail(new Error(`the thread of a pack ended with ${code}`))
    givePlace(owner)
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
    compare: () => call('compare'),
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

/** The owners of the threads that run; 0 may have several. */
const running: number[] = []
const queue: { readonly owner: number; start(): void }[] = []

function hasPlace(owner: number): boolean {
  return running.length < mostThreads && (owner === 0 || !running.includes(owner))
}

async function takePlace(owner: number): Promise<void> {
  if (hasPlace(owner)) {
    running.push(owner)
    return
  }
  await new Promise<void>(start => queue.push({ owner, start }))
}

/** Passes the thread to the upload that has waited longest, of a token that has none. */
function givePlace(owner: number): void {
  running.splice(running.indexOf(owner), 1)
  const next = queue.findIndex(waiting => hasPlace(waiting.owner))
  const [waiting] = next < 0 ? [] : queue.splice(next, 1)
  if (waiting === undefined) return
  running.push(waiting.owner)
  waiting.start()
}
