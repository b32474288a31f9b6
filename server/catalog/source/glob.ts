/**
 * Globs over names of files: `**` matches any folders, `*` and `?` match characters of one name, `{a,b}` matches one of
 * several. Names with a leading dot must be given.
 */
import { wildcards } from '../../language/text/wildcards.ts'

export type Glob = ReturnType<typeof globOf>

export function globOf(text: string) {
  const steps = stepsOf(text)
  const matchers = steps.map(step => (step === '**' ? undefined : stepMatcher(step)))
  const literal = steps.findIndex(step => /[*?{]/.test(step))
  const plain = literal < 0 ? steps : steps.slice(0, literal)
  const next = literal < 0 ? '' : (/^[^*?{]*/.exec(steps[literal] ?? '')?.[0] ?? '')
  const folders = plain.map(step => `${step}/`).join('')
  return {
    /** The beginning of every name that matches: only names with it need be asked for. */
    prefix: literal < 0 ? plain.join('/') : `${folders}${next}`,
    /** Whether no name that matches has a folder beyond those of the prefix. */
    isFlat: literal < 0 || (literal === steps.length - 1 && steps[literal] !== '**'),
    /** Returns whether a name with `/` between its folders matches. */
    matches: (name: string) => fits(matchers, namesOf(name), false),
    /** Returns whether a name below this folder can match. */
    reaches: (folder: string) => fits(matchers, namesOf(folder), true),
  }
}

export function stepsOf(glob: string): string[] {
  return glob
    .replaceAll('\\', '/')
    .split('/')
    .filter(step => step !== '' && step !== '.')
}

function namesOf(path: string): readonly string[] {
  return path.split('/').filter(name => name !== '')
}

type Matcher = ((name: string) => boolean) | undefined

/** `isStart`: the names are only the first ones. */
function fits(matchers: readonly Matcher[], names: readonly string[], isStart: boolean): boolean {
  // Every place of the pattern that the names so far can have led to.
  let places = closed(new Set([0]), matchers)
  for (const [index, name] of names.entries()) {
    const next = new Set<number>()
    const isLast = index === names.length - 1 && !isStart
    for (const place of places) {
      if (place >= matchers.length) continue
      const matcher = matchers[place]
      const isHidden = name.startsWith('.')
      if (matcher?.(name) === true) next.add(place + 1)
      if (matcher === undefined && !isHidden) next.add(place)
      // `**` at the end stands for files, too.
      if (matcher === undefined && !isHidden && isLast && place === matchers.length - 1) next.add(place + 1)
    }
    places = closed(next, matchers)
  }
  return isStart ? [...places].some(place => place < matchers.length) : places.has(matchers.length)
}

function closed(places: Set<number>, matchers: readonly Matcher[]): ReadonlySet<number> {
  for (const place of places) {
    // A set that grows while it is walked through is walked to its end.
    if (place < matchers.length - 1 && matchers[place] === undefined) places.add(place + 1)
  }
  return places
}

/** Returns a matcher for one path segment. A pattern with an unclosed brace is a plain name. */
export function stepMatcher(step: string): (name: string) => boolean {
  let open = 0
  for (const character of step) {
    if (character === '{') open++
    if (character === '}' && open > 0) open--
  }
  if (open > 0) return name => name === step
  const matches = wildcards(step, { hasBraces: true })
  return name => (step.startsWith('.') || !name.startsWith('.')) && matches(name)
}
