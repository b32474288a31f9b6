/** The methods of texts, lists and mappings that templates use, as Python has them. */
import { bound, listArgument, numberArgument, one, optionalText, textArgument } from './arguments.ts'
import { limitedList, limitedText } from './budget.ts'
import { contains, itemsOf } from './iterate.ts'
import { CallProblem } from './problem.ts'
import { braceFormatted } from './python-format.ts'
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
  tupleOf,
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

/** The pieces at the last separators. */
function splitFromRight(text: string, given: Arguments): Value {
  const [separator, most] = bound(given, ['sep', 'maxsplit'], 'rsplit')
  const limit = numberArgument(most, -1)
  if (separator === undefined || separator === null || limit < 0) return split(text, given)
  const glue = textArgument(separator, 'rsplit')
  const parts = text.split(glue)
  const head = Math.max(1, parts.length - limit)
  return limitedList([parts.slice(0, head).join(glue), ...parts.slice(head)])
}

/** What is before a separator, the separator, and what is after it. */
function parted(text: string, given: Arguments, isLast: boolean): Value {
  const separator = textArgument(one(given, 'partition'), 'partition')
  const at = isLast ? text.lastIndexOf(separator) : text.indexOf(separator)
  if (at === -1) return tupleOf(isLast ? ['', '', text] : [text, '', ''])
  return tupleOf([text.slice(0, at), separator, text.slice(at + separator.length)])
}

/** Python puts the odd space to the left where the text has an odd length, else to the right. */
export function centred(text: string, width: number, fill = ' '): string {
  limitedText(width)
  const missing = Math.max(0, width - text.length)
  const left = Math.floor(missing / 2) + (missing & width & 1)
  return fill.repeat(left) + text + fill.repeat(missing - left)
}

function filled(text: string, given: Arguments, name: 'ljust' | 'rjust' | 'center'): string {
  const [width, fill] = bound(given, ['width', 'fillchar'], name)
  const count = Math.min(numberArgument(width, 0), 10_000)
  const char = optionalText(fill, ' ')
  if (name === 'center') return centred(text, count, char)
  return name === 'ljust' ? text.padEnd(count, char) : text.padStart(count, char)
}

const swapped = (text: string) =>
  text.replace(/\p{L}/gu, each => (each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase()))

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
  ['format', (text, { positional, named }) => braceFormatted(text, positional, named)],
  ['swapcase', swapped],
  ['casefold', text => text.toLowerCase()],
  ['rsplit', splitFromRight],
  ['partition', (text, given) => parted(text, given, false)],
  ['rpartition', (text, given) => parted(text, given, true)],
  ['ljust', (text, given) => filled(text, given, 'ljust')],
  ['rjust', (text, given) => filled(text, given, 'rjust')],
  ['center', (text, given) => filled(text, given, 'center')],
  ['rfind', (text, given) => text.lastIndexOf(textArgument(one(given, 'rfind'), 'rfind'))],
  ['isalnum', text => /^[\p{L}\p{N}]+$/u.test(text)],
  ['isspace', text => /^\s+$/.test(text)],
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
  ['items', dict => [...dict.entries].map(([key, value]) => tupleOf([key, value]))],
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
