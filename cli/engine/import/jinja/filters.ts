/** The filters of Jinja and dbt: `{{ names | join(', ') }}`. */
import { bound, numberArgument, one, optionalText, textArgument } from './arguments.ts'
import { limitedList, limitedText } from './budget.ts'
import { itemsOf, lengthOf } from './iterate.ts'
import { capital, centred, joined, replaced, stripped, titled } from './methods.ts'
import { CallProblem } from './problem.ts'
import { percentFormatted } from './python-format.ts'
import {
  type Arguments,
  compare,
  Dict,
  equal,
  Float,
  isList,
  isNumber,
  isTrue,
  keyOf,
  numberOf,
  orUndefined,
  toData,
  toNumber,
  toText,
  tupleOf,
  Undefined,
  type Value,
} from './values.ts'

/** What a filter asks of who calls it. */
export interface Asking {
  member(of: Value, name: string): Value
  filter(name: string, value: Value, given: Arguments): Value
  test(name: string, value: Value, given: Arguments): boolean
}

export type Filter = (value: Value, given: Arguments, asking: Asking) => Value

const text =
  (change: (text: string) => string): Filter =>
  value =>
    change(toText(value))
const attribute = (given: Arguments) => given.named.get('attribute')

/** `attribute='a.b'`, or the place in a list. */
function picked(value: Value, path: Value, asking: Asking): Value {
  if (typeof path === 'number') return orUndefined(itemsOf(value)[path], String(path))
  return toText(path)
    .split('.')
    .reduce((each: Value, name) => asking.member(each, name), value)
}

function sorted(items: readonly Value[], given: Arguments, asking: Asking): Value {
  const [reverse, caseSensitive, by] = bound(given, ['reverse', 'case_sensitive', 'attribute'], 'sort')
  const keyFor = (value: Value): Value => {
    const key = by === undefined || by === null ? value : picked(value, by, asking)
    return typeof key === 'string' && !isTrue(caseSensitive ?? false) ? key.toLowerCase() : key
  }
  const order = isTrue(reverse ?? false) ? -1 : 1
  return [...items].sort((a, b) => order * compare(keyFor(a), keyFor(b)))
}

function unique(items: readonly Value[]): Value {
  const folded = (value: Value) => (typeof value === 'string' ? value.toLowerCase() : value)
  return items.filter((each, index) => items.findIndex(other => equal(folded(each), folded(other))) === index)
}

function mapped(items: readonly Value[], given: Arguments, asking: Asking): Value {
  const by = attribute(given)
  if (by !== undefined) {
    const usual = given.named.get('default')
    return items.map(each => {
      const value = picked(each, by, asking)
      return value instanceof Undefined && usual !== undefined ? usual : value
    })
  }
  const [name, ...rest] = given.positional
  const filter = textArgument(name, 'map')
  return items.map(each => asking.filter(filter, each, { positional: rest, named: given.named }))
}

/** select, reject, selectattr and rejectattr. */
function chosen(isKept: boolean, hasAttribute: boolean): Filter {
  return (value, given, asking) => {
    const [first, second, ...rest] = given.positional
    const name = hasAttribute ? second : first
    const others = hasAttribute ? rest : given.positional.slice(1)
    return itemsOf(value).filter(each => {
      const subject = hasAttribute ? picked(each, first ?? null, asking) : each
      const passes =
        name === undefined
          ? isTrue(subject)
          : asking.test(toText(name), subject, { positional: others, named: given.named })
      return passes === isKept
    })
  }
}

function rounded(value: Value, given: Arguments): Value {
  const [digits, method] = bound(given, ['precision', 'method'], 'round')
  const factor = 10 ** numberArgument(digits, 0)
  const how = optionalText(method, 'common')
  const change = how === 'ceil' ? Math.ceil : how === 'floor' ? Math.floor : halfEven
  return new Float(change(numberOf(value) * factor) / factor)
}

/** As Python rounds: a half goes to the even neighbour. */
function halfEven(value: number): number {
  const low = Math.floor(value)
  if (value - low !== 0.5) return Math.round(value)
  return low % 2 === 0 ? low : low + 1
}

function integer(value: Value, given: Arguments): Value {
  const [otherwise] = bound(given, ['default', 'base'], 'int')
  const number = isNumber(value) ? numberOf(value) : Number.parseFloat(toText(value))
  return Number.isNaN(number) ? (otherwise === undefined ? 0 : otherwise) : Math.trunc(number)
}

function decimal(value: Value, given: Arguments): Value {
  const [otherwise] = bound(given, ['default'], 'float')
  const number = isNumber(value) ? numberOf(value) : Number(toText(value))
  if (!Number.isNaN(number)) return new Float(number)
  return otherwise === undefined ? new Float(0) : otherwise
}

function total(value: Value, given: Arguments, asking: Asking): Value {
  const [by, start] = bound(given, ['attribute', 'start'], 'sum')
  const picks =
    by === undefined || by === null ? itemsOf(value) : itemsOf(value).map(each => picked(each, by, asking))
  const items = start === undefined ? picks : [start, ...picks]
  const isFloat = items.some(each => each instanceof Float)
  return toNumber(
    items.reduce((sum: number, each) => sum + numberOf(each), 0),
    isFloat,
  )
}

function extreme(sign: 1 | -1): Filter {
  return (value, given, asking) => {
    const by = attribute(given)
    const keyFor = (each: Value) => (by === undefined ? each : picked(each, by, asking))
    const [first, ...rest] = itemsOf(value)
    if (first === undefined) return new Undefined('the smallest or largest of an empty list')
    return rest.reduce((best, each) => (sign * compare(keyFor(each), keyFor(best)) > 0 ? each : best), first)
  }
}

function indented(value: Value, given: Arguments): string {
  const [width, first, blank] = bound(given, ['width', 'first', 'blank'], 'indent')
  const space = typeof width === 'string' ? width : ' '.repeat(Math.min(numberArgument(width, 4), 200))
  const lines = toText(value).split('\n')
  limitedText(toText(value).length + lines.length * space.length)
  return lines
    .map((line, index) => {
      const isFirst = index === 0
      if (isFirst ? !isTrue(first ?? false) : line === '' && !isTrue(blank ?? false)) return line
      return space + line
    })
    .join('\n')
}

function byKeys(value: Value, given: Arguments): Value {
  const [, by] = bound(given, ['case_sensitive', 'by', 'reverse'], 'dictsort')
  if (!(value instanceof Dict)) throw new CallProblem('dictsort takes a mapping')
  const at = by === 'value' ? 1 : 0
  return [...value.entries].sort((a, b) => compare(a[at], b[at])).map(([key, each]) => tupleOf([key, each]))
}

function grouped(value: Value, given: Arguments, asking: Asking): Value {
  const [by] = bound(given, ['attribute', 'default'], 'groupby')
  const groups = new Map<ReturnType<typeof keyOf>, Value[]>()
  for (const each of itemsOf(value)) {
    const key = keyOf(picked(each, by ?? null, asking))
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups].sort((a, b) => compare(a[0], b[0])).map(([key, items]) => tupleOf([key, items]))
}

function batched(value: Value, given: Arguments): Value {
  const [size, fill] = bound(given, ['linecount', 'fill_with'], 'batch')
  const count = Math.max(1, numberArgument(size, 1))
  const items = itemsOf(value)
  const batches: Value[] = []
  for (let at = 0; at < items.length; at += count) {
    const batch = items.slice(at, at + count)
    while (fill !== undefined && batch.length < count && count < 10_000) batch.push(fill)
    batches.push(batch)
  }
  return batches
}

/** Columns of nearly the same length, the longer ones first. */
function sliced(value: Value, given: Arguments): Value {
  const [count, fill] = bound(given, ['slices', 'fill_with'], 'slice')
  const slices = Math.max(1, numberArgument(count, 1))
  const items = itemsOf(value)
  const [least, longer] = [Math.floor(items.length / slices), items.length % slices]
  return limitedList(
    Array.from({ length: Math.min(slices, 10_000) }, (_, index) => {
      const start = index * least + Math.min(index, longer)
      const part: Value[] = items.slice(start, start + least + (index < longer ? 1 : 0))
      if (fill !== undefined && longer > 0 && index >= longer) part.push(fill)
      return part
    }),
  )
}

function usual(value: Value, given: Arguments): Value {
  const [otherwise, isAlsoForFalse] = bound(given, ['default_value', 'boolean'], 'default')
  const isMissing = value instanceof Undefined || (isTrue(isAlsoForFalse ?? false) && !isTrue(value))
  return isMissing ? (otherwise === undefined ? '' : otherwise) : value
}

function reversed(value: Value): Value {
  return typeof value === 'string' ? [...value].reverse().join('') : [...itemsOf(value)].reverse()
}

const unsafe: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  "'": '\\u0027',
}

/** The filter sorts the keys, and escapes what HTML would read; the function of dbt does neither. */
function safeJson(value: Value): string {
  return jsonText(sortedKeys(value)).replace(/[<>&']/g, each => unsafe[each] ?? each)
}

function sortedKeys(value: Value): Value {
  if (isList(value)) return value.map(sortedKeys)
  if (!(value instanceof Dict)) return value
  const entries = [...value.entries].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return new Dict(entries.map(([key, each]) => [key, sortedKeys(each)]))
}

export function jsonText(value: Value): string {
  return JSON.stringify(toData(value), undefined, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/([[{]) | (?=[\]}])/g, '$1')
}

const same: Filter = value => value

export const filters = new Map<string, Filter>([
  ['trim', (value, given) => stripped(toText(value), bound(given, ['chars'], 'trim')[0], 'both')],
  ['upper', text(each => each.toUpperCase())],
  ['lower', text(each => each.toLowerCase())],
  ['title', text(titled)],
  ['capitalize', text(capital)],
  ['string', text(each => each)],
  ['replace', (value, given) => replaced(toText(value), given)],
  ['length', lengthOf],
  ['count', lengthOf],
  ['default', usual],
  ['d', usual],
  ['first', value => orUndefined(itemsOf(value)[0], 'the first of an empty list')],
  ['last', value => orUndefined(itemsOf(value).at(-1), 'the last of an empty list')],
  ['list', value => [...itemsOf(value)]],
  ['join', joinedItems],
  ['sort', (value, given, asking) => sorted(itemsOf(value), given, asking)],
  ['unique', value => unique(itemsOf(value))],
  ['reverse', reversed],
  ['map', (value, given, asking) => mapped(itemsOf(value), given, asking)],
  ['select', chosen(true, false)],
  ['reject', chosen(false, false)],
  ['selectattr', chosen(true, true)],
  ['rejectattr', chosen(false, true)],
  ['round', rounded],
  ['int', integer],
  ['float', decimal],
  ['abs', value => toNumber(Math.abs(numberOf(value)), value instanceof Float)],
  ['sum', total],
  ['min', extreme(-1)],
  ['max', extreme(1)],
  ['indent', indented],
  ['dictsort', byKeys],
  ['attr', (value, given, asking) => asking.member(value, toText(one(given, 'attr')))],
  [
    'center',
    (value, given) => centred(toText(value), numberArgument(bound(given, ['width'], 'center')[0], 80)),
  ],
  ['slice', sliced],
  ['urlencode', value => encodeURIComponent(toText(value)).replaceAll('%2F', '/')],
  [
    'striptags',
    value =>
      toText(value)
        .replace(/<!--.*?-->|<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
  ],
  [
    'items',
    value => (value instanceof Dict ? [...value.entries].map(([key, each]) => tupleOf([key, each])) : []),
  ],
  ['groupby', grouped],
  ['batch', batched],
  ['format', (value, { positional }) => percentFormatted(toText(value), positional)],
  ['tojson', value => safeJson(value)],
  ['wordcount', value => toText(value).split(/\s+/).filter(Boolean).length],
  ['safe', same],
  ['as_text', text(each => each)],
  ['as_bool', same],
  ['as_native', same],
  ['as_number', same],
])

function joinedItems(value: Value, given: Arguments, asking: Asking): Value {
  const [glue, by] = bound(given, ['d', 'attribute'], 'join')
  const items =
    by === undefined || by === null ? itemsOf(value) : itemsOf(value).map(each => picked(each, by, asking))
  return joined(limitedList([...items]), optionalText(glue, ''))
}
