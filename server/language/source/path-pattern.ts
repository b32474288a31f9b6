/**
 * Patterns of `include` and `exclude`: a name or a path `a.b`, with `*` for any characters within one name. A
 * name is that of the source (`US Gross`) or of the column that is made of it (`us_gross`, `customer__city`).
 * A pattern for a container matches everything in it. Lists are no step of their own: `lines.sku`.
 */
import { getOrInsertComputed } from '../get-or-insert.ts'
import { wildcards } from '../text/wildcards.ts'
import { toSnakeCase } from './snake-case.ts'

export type PathPattern = ReturnType<typeof pathPattern>

/** `naming`: how names of the source become names of columns. */
export function pathPattern(text: string, naming: 'snake' | 'source' = 'snake') {
  const columnName = naming === 'snake' ? toSnakeCase : (name: string) => name
  const steps = text.split('.').map(step => stepPattern(step, columnName))
  const startsLike = (path: readonly string[], length: number) =>
    steps.slice(0, length).every((step, index) => step(path[index] ?? ''))
  // A source name may contain dots itself, so the whole pattern is also compared with the whole name.
  const whole = stepPattern(text, columnName)
  const isFlat = /[^_]__[^_]/.test(text)
  const flat = (path: readonly string[]) => path.map(columnName).join('__')
  const coversFlat = (path: readonly string[]) =>
    isFlat && path.some((_, last) => last > 0 && whole(flat(path.slice(0, last + 1))))
  const reachesFlat = (path: readonly string[]) => isFlat && text.startsWith(`${flat(path)}__`)
  return {
    text,
    /** Returns whether the value at `path`, or something that contains it, matches. */
    covers: (path: readonly string[]) =>
      (path.length >= steps.length && startsLike(path, steps.length)) ||
      (path[0] !== undefined && whole(path[0])) ||
      coversFlat(path),
    /** Returns whether a part of the value at `path` matches, but not all of it. */
    reachesInto: (path: readonly string[]) =>
      (path.length < steps.length && startsLike(path, path.length)) || reachesFlat(path),
  }
}

export type PatternsLike = (path: readonly string[]) => readonly PathPattern[]

/**
 * Returns, for a path, the patterns that may cover it or reach into it, in their order: those that begin like it, and those that
 * cannot be told apart by their beginning. A thousand columns may have a thousand patterns.
 */
export function patternsLike(patterns: readonly PathPattern[], naming: 'snake' | 'source'): PatternsLike {
  const columnName = naming === 'snake' ? toSnakeCase : (name: string) => name
  const anywhere: number[] = []
  const byFirst = new Map<string, number[]>()
  for (const [place, { text }] of patterns.entries()) {
    if (text.includes('*') || text.includes('__')) {
      anywhere.push(place)
      continue
    }
    for (const key of new Set([text, text.split('.')[0] ?? text]))
      getOrInsertComputed(byFirst, key, () => []).push(place)
  }
  return path => {
    const [first] = path
    if (first === undefined) return patterns
    const places = [first, columnName(first)].flatMap(name => byFirst.get(name) ?? [])
    const all = [...new Set([...anywhere, ...places])].sort((a, b) => a - b)
    return all.flatMap(place => patterns[place] ?? [])
  }
}

function stepPattern(step: string, columnName: (name: string) => string): (name: string) => boolean {
  const matches = step.includes('*') ? wildcards(step, { isStarOnly: true }) : (name: string) => name === step
  return name => matches(name) || matches(columnName(name))
}
