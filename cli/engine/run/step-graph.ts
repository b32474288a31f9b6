/**
 * The dependency graph of steps: which steps can start now, and which become ready when one ends. It runs
 * nothing.
 */

import { groupBy } from '@svc/server/language'

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
  const edges = steps.flatMap(step => step.after.flatMap(id => (known.has(id) ? [{ id, step }] : [])))
  const dependents = groupBy(edges, ({ id }) => id)
  const waiting = new Map(steps.map(({ id }) => [id, 0]))
  for (const { step } of edges) waiting.set(step.id, (waiting.get(step.id) ?? 0) + 1)
  return {
    start: () => steps.filter(({ id }) => waiting.get(id) === 0),
    done: ({ id }) =>
      (dependents.get(id) ?? []).flatMap(({ step }) => {
        const left = (waiting.get(step.id) ?? 0) - 1
        waiting.set(step.id, left)
        return left === 0 ? [step] : []
      }),
  }
}
