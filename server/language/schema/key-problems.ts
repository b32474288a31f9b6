/**
 * Reports problems with the keys of a mapping: unknown, missing, too many, not implemented. It reads no
 * values.
 */
import type { MapNode, ScalarNode } from '../syntax/node.ts'
import { mostProblems } from '../text/most-problems.ts'
import { nearestNames } from '../text/nearest-names.ts'
import type { Range } from '../text/range.ts'
import { type Reading, refuse, shown } from './read-scalar.ts'
import { isBuilt, type Key, type ObjectShape, type OneOf, type Shape } from './shape.ts'

export function notBuiltYet(reading: Reading, key: ScalarNode, at: string): void {
  const name = String(key.value)
  const message = `"${at === '' ? name : `${at}.${name}`}" is not built yet`
  refuse(reading, key, message, 'Remove the key.', 'not-built-yet')
}

export function unknownKey(
  reading: Reading,
  { keys, beside = [], example }: Pick<ObjectShape, 'keys' | 'beside' | 'example'>,
  key: ScalarNode,
  at: string,
): void {
  if (reading.problems.length > mostProblems) return
  const name = String(key.value)
  const names = keys.filter(isBuilt).map(each => each.name)
  const suggestions = nearestNames(name, names)
  const nearest = suggestions[0]
  const home = keys.find(each => isBuilt(each) && keysBelow(each.shape).includes(name))?.name
  const isBeside = beside.includes(name)
  const hint = isBeside
    ? `"${name}" stands beside "${at.split('.')[1] ?? at}", not in it.`
    : home !== undefined
      ? `"${name}" belongs under "${home}".`
      : nearest !== undefined
        ? `did you mean "${nearest}"?`
        : `${example === undefined ? '' : `Write it as ${example}. `}Keys here: ${names.join(', ')}.`
  reading.problems.push({
    code: 'unknown-key',
    range: key.range,
    message: `unknown key "${shown(name)}"${at === '' ? '' : ` in "${at}"`}`,
    hint,
    ...(!isBeside && home === undefined && nearest !== undefined
      ? { suggestions, replacement: nearest }
      : {}),
  })
}

/** Reports a key that counts for other kinds, and that this one would pass over. */
export function idleKey(reading: Reading, { keys, idle }: ObjectShape, key: ScalarNode, at: string): void {
  const message = `"${at}.${shown(String(key.value))}" means nothing here: ${idle?.why ?? ''}`
  const hint = `Take it out. What counts: ${keys.map(({ name }) => name).join(', ')}.`
  refuse(reading, key, message, hint, 'unknown-key')
}

/** Reports keys that mean nothing with what stands under another key. What a variable says is not known. */
export function checkOnlyFor(reading: Reading, keys: readonly Key[], node: MapNode, at: string): void {
  for (const { name, onlyFor } of keys) {
    const written = onlyFor && node.entries.find(({ key }) => key.value === name)
    const other = onlyFor && node.entries.find(({ key }) => key.value === onlyFor.key)?.value
    if (written === undefined || onlyFor === undefined || other?.kind !== 'scalar') continue
    const text = String(other.value ?? '')
    if (text === '' || /^env:/.test(text) || onlyFor.pattern.test(text)) continue
    const message = `"${at}.${name}" means nothing here: it is for ${onlyFor.what}`
    refuse(reading, written.key, message, `Take it out, or check ${onlyFor.key}.`, 'unknown-key')
  }
}

function keysBelow(shape: Shape): readonly string[] {
  if (shape.kind === 'object') return shape.keys.map(key => key.name)
  if (shape.kind === 'variants') return shape.variants.flatMap(variant => variant.keys.map(key => key.name))
  return shape.kind === 'shorthand' ? keysBelow(shape.of) : []
}

export function missingKey(reading: Reading, node: MapNode, key: Key, at: string): void {
  reading.problems.push({
    code: 'missing-key',
    range: placeOfMissingKey(reading, node),
    message: at === '' ? `"${key.name}" is missing` : `"${at}" has no "${key.name}"`,
    hint: key.doc,
    missing: key.name,
    facts: { at, key: key.name },
  })
}

export function checkExactlyOne(
  reading: Reading,
  shape: Pick<ObjectShape, 'keys'>,
  node: MapNode,
  { keys, what, two, hint }: OneOf,
): void {
  const present = node.entries.filter(entry => keys.includes(String(entry.key.value)))
  const [first, second] = present
  if (first !== undefined && second !== undefined && first.key.value !== second.key.value) {
    refuse(reading, second.key, `"${first.key.value}" and "${second.key.value}" ${two}`, hint)
  }
  if (first !== undefined) return
  const names = shape.keys.map(key => key.name)
  if (node.entries.some(entry => !names.includes(String(entry.key.value)))) return
  const built = shape.keys.filter(key => keys.includes(key.name) && isBuilt(key)).map(key => key.name)
  reading.problems.push({
    code: 'missing-key',
    range: placeOfMissingKey(reading, node),
    message: `there is no ${what}`,
    hint: `Add one of ${built.join(', ')}.`,
  })
}

export function checkAtLeastOne(
  reading: Reading,
  names: readonly string[],
  node: MapNode,
  what: string,
): void {
  if (node.entries.some(entry => names.includes(String(entry.key.value)))) return
  const message = `${what} needs ${names.map(name => `"${name}"`).join(' or ')}`
  reading.problems.push({ code: 'missing-key', range: placeOfMissingKey(reading, node), message })
}

export function hasKey(node: MapNode, name: string): boolean {
  return node.entries.some(entry => entry.key.value === name)
}

/** Returns the first line of the mapping: marking all of it would hide the other problems in it. */
export function placeOfMissingKey(reading: Reading, node: MapNode): Range {
  const { start, end } = node.range
  const lineEnd = reading.text.slice(start, end).search(/[\r\n]/)
  return { start, end: lineEnd < 0 ? end : start + lineEnd }
}
