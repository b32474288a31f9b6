/**
 * The one scheduler of a run: several steps at a time, each as soon as what it waits for is done. Knows neither what a
 * step is nor what executes it.
 */
import { type Ordered, stepGraph } from './step-graph.ts'

export interface Schedule<Step> {
  /** So many steps are executed at the same time. */
  readonly threads: number
  /** Once aborted, nothing new begins. */
  readonly signal?: AbortSignal | undefined
  /**
   * Executes `step`, and with it what it takes from the queue. Resolves when all of that has ended; rejects for what no
   * step is to blame for: nothing new begins then, and the scheduler rejects when everything that runs has ended.
   */
  readonly execute: (step: Step, queue: Queue<Step>) => Promise<void>
}

export interface Queue<Step> {
  /** A further step that can begin now. */
  take(): Step | undefined
  /** A step is done: what waited for it may begin. A step that failed is never done. */
  done(step: Step): void
}

export function executeSteps<Step extends Ordered>(
  steps: readonly Step[],
  schedule: Schedule<Step>,
): Promise<void> {
  const graph = stepGraph(steps)
  return executeQueue(graph.start(), { ...schedule, next: graph.done })
}

/** `next`: what becomes ready now that a step is done. */
export async function executeQueue<Step>(
  first: readonly Step[],
  { threads, signal, execute, next }: Schedule<Step> & { readonly next: (done: Step) => readonly Step[] },
): Promise<void> {
  const ready = [...first]
  const running = new Set<Promise<void>>()
  let broken: { readonly error: unknown } | undefined

  const queue: Queue<Step> = {
    take: () => (broken === undefined && signal?.aborted !== true ? ready.shift() : undefined),
    done(step) {
      ready.push(...next(step))
      fill()
    },
  }

  function fill(): void {
    while (running.size < threads) {
      const step = queue.take()
      if (step === undefined) return
      start(step)
    }
  }

  function start(step: Step): void {
    const job = executed(step).finally(() => {
      running.delete(job)
      fill()
    })
    running.add(job)
  }

  async function executed(step: Step): Promise<void> {
    // It counts as running before it can say that it is done.
    await Promise.resolve()
    try {
      await execute(step, queue)
    } catch (error) {
      broken ??= { error }
    }
  }

  fill()
  while (running.size > 0) await Promise.race(running)
  if (broken !== undefined) throw broken.error
}
