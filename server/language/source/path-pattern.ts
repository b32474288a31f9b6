/**
 * Patterns of `include` and `exclude`: a name or a path `a.b`, with `*` for any characters within one name. A
 * name is that of the source (`US Gross`) or of the column that is made of it (`us_gross`, `customer__city`).
 * A pattern for a container matches everything in it. Lists are no step of their own: `lines.sku`.
 */
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

/** Returns a function that gives those of the patterns that cover a path: a table of thousands of columns may have as many. */
export function patternsThatCover(patterns: readonly PathPattern[], naming: 'snake' | 'source') {
  const plain = new Map(patterns.flatMap(each => (isPlain(each) ? [[each.text, each] as const] : [])))
  const others = patterns.filter(each => !isPlain(each))
  return (path: readonly string[]): readonly PathPattern[] => {
    const [name = ''] = path
    const found = [plain.get(name), plain.get(naming === 'snake' ? toSnakeCase(name) : name)]
    return [...new Set(found.filter(each => each !== undefined)), ...others.filter(each => each.covers(path))]
  }
}

/** One whole name, which covers what begins with it. */
function isPlain({ text }: PathPattern): boolean {
  return text !== '' && !/[.*]|__/.test(text)
}

function stepPattern(step: string, columnName: (name: string) => string): (name: string) => boolean {
  const matches = step.includes('*') ? wildcards(step, { isStarOnly: true }) : (name: string) => name === step
  return name => matches(name) || matches(columnName(name))
}
