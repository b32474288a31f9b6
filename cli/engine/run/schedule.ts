/**
 * The scheduler of a run: executes several steps concurrently, each as soon as the steps that it waits for
 * are done. It knows neither what a step is nor how it is executed.
 */
import { type Ordered, stepGraph } from './step-graph.ts'

export interface Schedule<Step> {
  /** The number of steps that are executed concurrently. */
  readonly threads: number
  /** Once aborted, no new step starts. */
  readonly signal?: AbortSignal | undefined
  /**
   * Executes `step` and the steps that it takes from the queue. Resolves when all of them have ended. Rejects
   * for errors that no step caused: no new step starts then, and the scheduler rejects when all running steps
   * have ended.
   */
  readonly execute: (step: Step, queue: Queue<Step>) => Promise<void>
}

export interface Queue<Step> {
  /** Returns another step that can start now. */
  take(): Step | undefined
  /**
   * Marks a step as done, so that steps that waited for it may start. A failed step is never marked as done.
   */
  done(step: Step): void
}

export function executeSteps<Step extends Ordered>(
  steps: readonly Step[],
  schedule: Schedule<Step>,
): Promise<void> {
  const graph = stepGraph(steps)
  return executeQueue(graph.start(), { ...schedule, next: graph.done })
}

/** Executes the steps; `next` returns the steps that become ready when a step is done. */
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
    // The step must count as running before it can report that it is done.
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
