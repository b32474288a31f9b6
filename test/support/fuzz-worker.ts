/** Tries texts in a thread of its own, so that its parent notices when one of them never ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { fuzzProject, problemWith } from './fuzz-language.ts'
import { fuzzSeeds } from './fuzz-seeds.ts'
import { fuzzTexts } from './fuzz-texts.ts'

interface Work {
  readonly root: string
  readonly count: number
  readonly seed: number
  /** [0]: number of texts done. */
  readonly progress: Int32Array
}

const slowMs = 1000

function tryTexts({ root, count, seed, progress }: Work): void {
  const project = fuzzProject()
  let slowestMs = 0
  let failures = 0
  for (const text of fuzzTexts(count, seed, fuzzSeeds(root))) {
    // Of the processor: on a busy machine the clock says nothing. The parent thread sleeps meanwhile.
    const start = process.cpuUsage()
    const problem = outcome(() => problemWith(project, text))
    const { user, system } = process.cpuUsage(start)
    const ms = (user + system) / 1000
    slowestMs = Math.max(slowestMs, ms)
    const wrong = problem ?? (ms > slowMs ? `took ${Math.round(ms)} ms` : undefined)
    if (wrong !== undefined) {
      failures++
      parentPort?.postMessage({ kind: 'failure', text, problem: wrong })
    }
    Atomics.add(progress, 0, 1)
  }
  parentPort?.postMessage({ kind: 'end', failures, slowestMs })
}

function outcome(run: () => string | undefined): string | undefined {
  try {
    return run()
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}

tryTexts(workerData as Work)
