/** Patterns of names, as `applies_to` of a policy has them: `*` is any text, `?` one character, case does not matter. */

import { firstIndex } from '../text/first-index.ts'

/** Returns a test of names: whether one of the patterns matches. */
export function anyOf(patterns: readonly string[]): (name: string) => boolean {
  const folded = patterns.map(pattern => pattern.toLowerCase())
  const names = new Set(folded.filter(pattern => !/[*?]/.test(pattern)))
  const tests = folded.filter(pattern => !names.has(pattern)).map(matcherOf)
  return name => {
    const own = name.toLowerCase()
    return names.has(own) || tests.some(test => test(own))
  }
}

export function matches(pattern: string, name: string): boolean {
  return anyOf([pattern])(name)
}

/**
 * Returns a test of patterns: whether one of the names matches. Only names that begin as the pattern does are looked at, so that
 * thousands of patterns are not compared with thousands of names each.
 */
export function whetherOneMatches(names: Iterable<string>): (pattern: string) => boolean {
  const sorted = [...new Set(Array.from(names, name => name.toLowerCase()))].sort()
  return pattern => {
    const written = pattern.toLowerCase()
    const wild = written.search(/[*?]/)
    const start = wild < 0 ? written : written.slice(0, wild)
    const isMatch = anyOf([written])
    for (let at = firstIndex(sorted, name => name >= start); at < sorted.length; at++) {
      const name = sorted[at] ?? ''
      if (!name.startsWith(start)) return false
      if (isMatch(name)) return true
      if (wild < 0) return false
    }
    return false
  }
}

/** The texts between the stars have to come one after the other, the first at the start and the last at the end. */
function matcherOf(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*')
  if (pattern.includes('?')) return name => matchesParts(parts, name, indexOfPart)
  return name => matchesParts(parts, name, (text, part, from) => text.indexOf(part, from))
}

type Find = (text: string, part: string, from: number) => number

function matchesParts(parts: readonly string[], name: string, find: Find): boolean {
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1) return name.length === first.length && find(name, first, 0) === 0
  const end = name.length - last.length
  if (end < first.length || find(name.slice(0, first.length), first, 0) !== 0) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = find(name, part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= end && find(name.slice(end), last, 0) === 0
}

/** `indexOf` for a part with question marks. */
function indexOfPart(text: string, part: string, from: number): number {
  for (let start = from; start + part.length <= text.length; start++) {
    let length = 0
    while (length < part.length && (part[length] === '?' || part[length] === text[start + length])) length++
    if (length === part.length) return start
  }
  return -1
}
