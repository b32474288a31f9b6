/**
 * Patterns of `include` and `exclude`: a source name or a path `a.b`, with `*` for any characters within one
 * name. A pattern for a container matches everything in it. Lists are no step of their own: `lines.sku`.
 */
import { wildcards } from '../text/wildcards.ts'

export interface PathPattern {
  readonly text: string
  /** Returns whether the value at `path`, or something that contains it, matches. */
  covers(path: readonly string[]): boolean
  /** Returns whether a part of the value at `path` matches, but not all of it. */
  reachesInto(path: readonly string[]): boolean
}

export function pathPattern(text: string): PathPattern {
  const steps = text.split('.').map(stepPattern)
  const startsLike = (path: readonly string[], length: number) =>
    steps.slice(0, length).every((step, index) => step(path[index] ?? ''))
  // A source name may contain dots itself, so the whole pattern is also compared with the whole name.
  const whole = stepPattern(text)
  return {
    text,
    covers: path =>
      (path.length >= steps.length && startsLike(path, steps.length)) ||
      (path[0] !== undefined && whole(path[0])),
    reachesInto: path => path.length < steps.length && startsLike(path, path.length),
  }
}

function stepPattern(step: string): (name: string) => boolean {
  if (!step.includes('*')) return name => name === step
  return wildcards(step, { isStarOnly: true })
}
