/**
 * The dependency graph of steps: which steps can start now, and which become ready when one ends. It runs
 * nothing.
 */

export interface Ordered {
  readonly id: string
  /** The ids of the steps that must be done first; unknown ids count as done. */
  readonly after: readonly string[]
}

export interface StepGraph<Step extends Ordered> {
  /** Returns the steps without dependencies. */
  start(): Step[]
  /** Returns the steps that become ready now that this one is done. */
  done(step: Step): Step[]
}

export function stepGraph<Step extends Ordered>(steps: readonly Step[]): StepGraph<Step> {
  const known = new Set(steps.map(({ id }) => id))
  const waiting = new Map<string, number>()
  const dependents = new Map<string, Step[]>()
  for (const step of steps) {
    const before = step.after.filter(id => known.has(id))
    waiting.set(step.id, before.length)
    for (const id of before) append(dependents, id, step)
  }
  return {
    start: () => steps.filter(({ id }) => waiting.get(id) === 0),
    done: ({ id }) =>
      (dependents.get(id) ?? []).filter(dependent => {
        const left = (waiting.get(dependent.id) ?? 0) - 1
        waiting.set(dependent.id, left)
        return left === 0
      }),
  }
}

function append<Step>(lists: Map<string, Step[]>, id: string, step: Step): void {
  const list = lists.get(id)
  if (list === undefined) lists.set(id, [step])
  else list.push(step)
}
