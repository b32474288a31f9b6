/**
 * Patterns of `include` and `exclude`: a source name or a path `a.b`, with `*` for any characters within one name. A
 * pattern that names a container covers everything in it. Lists take no step of their own: `lines.sku`.
 */
import { wildcards } from '../text/wildcards.ts'

export interface PathPattern {
  readonly text: string
  /** The value at `path`, or something that holds it, is meant. */
  covers(path: readonly string[]): boolean
  /** Something inside `path` is meant, but not all of it. */
  reachesInto(path: readonly string[]): boolean
}

export function pathPattern(text: string): PathPattern {
  const steps = text.split('.').map(stepPattern)
  const startsLike = (path: readonly string[], length: number) =>
    steps.slice(0, length).every((step, index) => step(path[index] ?? ''))
  // A name at the source may hold dots itself; the whole pattern is then compared with the whole name.
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
