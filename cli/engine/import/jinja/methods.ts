/** The methods of texts, lists and mappings that templates use, as Python has them. */
import { bound, listArgument, numberArgument, one, textArgument } from './arguments.ts'
import { limitedList, limitedText } from './budget.ts'
import { contains, itemsOf } from './iterate.ts'
import { CallProblem } from './problem.ts'
import {
  type Arguments,
  compare,
  Dict,
  equal,
  fn,
  growing,
  isList,
  keyOf,
  toText,
  type Value,
} from './values.ts'

type Method<T> = (self: T, given: Arguments) => Value

const characters = (set: string | undefined) => (char: string) =>
  set === undefined ? /\s/.test(char) : set.includes(char)

export function stripped(text: string, set: Value | undefined, sides: 'both' | 'left' | 'right'): string {
  const isOff = characters(set === undefined || set === null ? undefined : toText(set))
  let [start, end] = [0, text.length]
  if (sides !== 'right') while (start < end && isOff(text[start] ?? '')) start++
  if (sides !== 'left') while (end > start && isOff(text[end - 1] ?? '')) end--
  return text.slice(start, end)
}

function split(text: string, given: Arguments): Value {
  const [separator, most] = bound(given, ['sep', 'maxsplit'], 'split')
  const limit = numberArgument(most, -1)
  const parts =
    separator === undefined || separator === null
      ? text.trim().split(/\s+/).filter(Boolean)
      : text.split(textArgument(separator, 'split'))
  if (limit < 0 || parts.length <= limit + 1) return limitedList(parts)
  const glue = separator === undefined || separator === null ? ' ' : toText(separator)
  return [...parts.slice(0, limit), parts.slice(limit).join(glue)]
}

export function replaced(text: string, given: Arguments): string {
  const [from, to, count] = bound(given, ['old', 'new', 'count'], 'replace')
  const [old, other] = [textArgument(from, 'replace'), textArgument(to, 'replace')]
  const most = numberArgument(count, -1)
  if (old === '' && text.length > 0) throw new CallProblem('replace takes a text that is not empty')
  const parts = text.split(old)
  limitedText(text.length + parts.length * other.length)
  if (most < 0) return parts.join(other)
  const head = parts.slice(0, most + 1).join(other)
  return [head, ...parts.slice(most + 1)].join(old)
}

/** `'{} of {}'.format(a, b)`. */
function formatted(text: string, given: Arguments): string {
  let index = 0
  return text.replace(/\{\{|\}\}|\{(\w*)\}/g, (whole, name: string | undefined) => {
    if (whole === '{{' || whole === '}}') return whole[0] ?? ''
    const key = name ?? ''
    const value = /^\d*$/.test(key)
      ? given.positional[key === '' ? index++ : Number(key)]
      : given.named.get(key)
    if (value === undefined) throw new CallProblem(`format has no value for {${key}}`)
    return toText(value)
  })
}

export const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()
export const titled = (text: string) => text.replace(/\p{L}+/gu, capital)
const startsOrEnds = (given: Arguments, name: string, holds: (part: string) => boolean): boolean => {
  const value = one(given, name)
  return (isList(value) ? value : [value]).some(each => holds(textArgument(each, name)))
}

const textMethods = new Map<string, Method<string>>([
  ['upper', text => text.toUpperCase()],
  ['lower', text => text.toLowerCase()],
  ['title', titled],
  ['capitalize', capital],
  ['strip', (text, given) => stripped(text, bound(given, ['chars'], 'strip')[0], 'both')],
  ['lstrip', (text, given) => stripped(text, bound(given, ['chars'], 'lstrip')[0], 'left')],
  ['rstrip', (text, given) => stripped(text, bound(given, ['chars'], 'rstrip')[0], 'right')],
  ['split', split],
  ['splitlines', text => text.split(/\r?\n/)],
  ['replace', replaced],
  ['format', formatted],
  ['startswith', (text, given) => startsOrEnds(given, 'startswith', part => text.startsWith(part))],
  ['endswith', (text, given) => startsOrEnds(given, 'endswith', part => text.endsWith(part))],
  ['join', (text, given) => joined(listArgument(one(given, 'join'), 'join'), text)],
  ['find', (text, given) => text.indexOf(textArgument(one(given, 'find'), 'find'))],
  ['index', (text, given) => text.indexOf(textArgument(one(given, 'index'), 'index'))],
  ['count', (text, given) => text.split(textArgument(one(given, 'count'), 'count')).length - 1],
  ['isdigit', text => /^\d+$/.test(text)],
  ['isnumeric', text => /^\d+$/.test(text)],
  ['isalpha', text => /^\p{L}+$/u.test(text)],
  ['isupper', text => /\p{Lu}/u.test(text) && text === text.toUpperCase()],
  ['islower', text => /\p{Ll}/u.test(text) && text === text.toLowerCase()],
  ['zfill', (text, given) => text.padStart(Math.min(numberArgument(one(given, 'zfill'), 0), 1000), '0')],
  [
    'removeprefix',
    (text, given) => {
      const part = textArgument(one(given, 'removeprefix'), 'removeprefix')
      return text.startsWith(part) ? text.slice(part.length) : text
    },
  ],
  [
    'removesuffix',
    (text, given) => {
      const part = textArgument(one(given, 'removesuffix'), 'removesuffix')
      return text.endsWith(part) ? text.slice(0, text.length - part.length) : text
    },
  ],
])

export function joined(items: readonly Value[], glue: string): string {
  const parts = items.map(toText)
  limitedText(parts.reduce((sum, part) => sum + part.length + glue.length, 0))
  return parts.join(glue)
}

const listMethods = new Map<string, Method<readonly Value[]>>([
  ['append', (list, given) => changed(list, self => self.push(one(given, 'append')))],
  [
    'extend',
    (list, given) => changed(list, self => self.push(...limitedList([...itemsOf(one(given, 'extend'))]))),
  ],
  [
    'insert',
    (list, given) => {
      const [at, value] = bound(given, ['index', 'value'], 'insert')
      return changed(list, self => self.splice(numberArgument(at, 0), 0, value ?? null))
    },
  ],
  ['pop', (list, given) => popped(growing(list), numberArgument(bound(given, ['index'], 'pop')[0], -1))],
  [
    'remove',
    (list, given) => {
      const value = one(given, 'remove')
      const at = list.findIndex(each => equal(each, value))
      if (at === -1) throw new CallProblem('the list does not have that value')
      return changed(list, self => self.splice(at, 1))
    },
  ],
  ['index', (list, given) => list.findIndex(each => equal(each, one(given, 'index')))],
  ['count', (list, given) => list.filter(each => equal(each, one(given, 'count'))).length],
  ['copy', list => [...list]],
  ['clear', list => changed(list, self => self.splice(0))],
  ['reverse', list => changed(list, self => self.reverse())],
  ['sort', list => changed(list, self => self.sort(compare))],
  // A set of Python is a list without repetitions here.
  ['add', (list, given) => changed(list, self => addNew(self, [one(given, 'add')]))],
  ['union', (list, given) => addNew([...list], itemsOf(one(given, 'union')))],
  ['intersection', (list, given) => list.filter(each => contains(one(given, 'intersection'), each))],
  ['difference', (list, given) => list.filter(each => !contains(one(given, 'difference'), each))],
])

export function addNew(self: Value[], items: readonly Value[]): Value[] {
  for (const item of items) if (!self.some(each => equal(each, item))) self.push(item)
  return self
}

function changed(list: readonly Value[], change: (self: Value[]) => unknown): null {
  change(growing(list))
  limitedList(growing(list))
  return null
}

function popped(list: Value[], at: number): Value {
  const [value] = list.splice(at, 1)
  if (value === undefined) throw new CallProblem('the list has nothing to pop')
  return value
}

const dictMethods = new Map<string, Method<Dict>>([
  ['keys', dict => [...dict.entries.keys()]],
  ['values', dict => [...dict.entries.values()]],
  ['items', dict => [...dict.entries].map(([key, value]) => [key, value])],
  [
    'get',
    (dict, given) => {
      const [key, otherwise] = bound(given, ['key', 'default'], 'get')
      const value = dict.entries.get(keyOf(key ?? null))
      return value === undefined ? (otherwise ?? null) : value
    },
  ],
  [
    'pop',
    (dict, given) => {
      const [key, otherwise] = bound(given, ['key', 'default'], 'pop')
      const value = dict.entries.get(keyOf(key ?? null))
      dict.entries.delete(keyOf(key ?? null))
      if (value !== undefined) return value
      if (otherwise !== undefined) return otherwise
      throw new CallProblem(`the mapping has no ${toText(key ?? null)} to pop`)
    },
  ],
  ['update', updated],
  [
    'setdefault',
    (dict, given) => {
      const [key, usual] = bound(given, ['key', 'default'], 'setdefault')
      const name = keyOf(key ?? null)
      const before = dict.entries.get(name)
      const value = before === undefined ? (usual ?? null) : before
      dict.entries.set(name, value)
      return value
    },
  ],
  ['copy', dict => new Dict(dict.entries)],
])

function updated(dict: Dict, { positional: [other], named }: Arguments): null {
  if (other instanceof Dict) for (const [key, value] of other.entries) dict.entries.set(key, value)
  else if (other !== undefined) throw new CallProblem('update takes a mapping')
  for (const [key, value] of named) dict.entries.set(key, value)
  if (dict.entries.size > 100_000) throw new CallProblem('the mapping is too large')
  return null
}

/** Returns the method of a value, bound to it; undefined if it has none of that name. */
export function methodOf(value: Value, name: string): Value | undefined {
  if (typeof value === 'string') return bind(textMethods.get(name), value, name)
  if (isList(value)) return bind(listMethods.get(name), value, name)
  return value instanceof Dict ? bind(dictMethods.get(name), value, name) : undefined
}

function bind<T>(method: Method<T> | undefined, self: T, name: string): Value | undefined {
  return method === undefined ? undefined : fn(name, given => method(self, given))
}
