/** Whether two texts are the same value: how a source writes it, and how a warehouse or a target does. */

export type Family =
  | 'text'
  | 'number'
  /** Whole numbers, and binary fractions, which have a point or an exponent. */
  | 'dynamic'
  | 'float'
  | 'float32'
  | 'bytes'
  | 'time'
  /** A moment, in UTC where the source does not say it. */
  | 'moment'
  /** A moment with its offset, which may be told in UTC, or else a text. */
  | 'instant'
  | 'interval'
  | 'json'
  | 'boolean'

type Form = (text: string) => string

const forms: Readonly<Record<Family, Form>> = {
  text: text => text,
  number: exactNumber,
  dynamic: exactNumber,
  float: text => floatOf(text, value => value),
  float32: text => floatOf(text, Math.fround),
  bytes: text => text.replace(/^\\x/, '').toLowerCase(),
  time: timeForm,
  instant: instantForm,
  // Without its zone first: a midnight with one is not told from a date otherwise.
  moment: text => timeForm(text.replace(/[+]00(?=$| [(]?BC)/, '')).replace(/[+]00$/, ''),
  interval,
  json: text => jsonForm(text),
  boolean: text =>
    ({ t: 'true', '1': 'true', f: 'false', '0': 'false' })[text.toLowerCase()] ?? text.toLowerCase(),
}

export function isSame(family: Family, source: string | null, found: string | null): boolean {
  if (source === null || found === null) return source === found
  if (forms[family](source) === forms[family](found)) return true
  return family === 'dynamic' && isSameBinary(source, found)
}

/** A decimal of more digits than a binary fraction has is the same only where it is that number to the last digit. */
function isSameBinary(source: string, found: string): boolean {
  if (!/[.e]/i.test(source) || Number(source) !== Number(found)) return false
  return !/^-?[0-9]{17,}(\.0*)?$/.test(found) || BigInt(found.replace(/\..*$/, '')) === BigInt(Number(source))
}

const words: Readonly<Record<string, string>> = {
  nan: 'NaN',
  inf: 'Infinity',
  infinity: 'Infinity',
  '-inf': '-Infinity',
  '-infinity': '-Infinity',
}

/** A decimal number of any size without zeros at its ends. */
function exactNumber(text: string): string {
  const bare = text.trim().replace(/^\+/, '')
  const word = words[bare.toLowerCase()]
  if (word !== undefined) return word
  const parts = /^(-?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(bare)
  if (parts === null) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const digits = (whole + fraction).replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  if (trimmed === '') return '0'
  return `${sign}${trimmed}e${Number(exponent) - fraction.length + digits.length - trimmed.length}`
}

function floatOf(text: string, width: (value: number) => number): string {
  const word = words[text.toLowerCase()]
  if (word !== undefined) return word
  const value = width(Number(text))
  return Object.is(value, -0) ? '-0' : String(value)
}

function timeForm(text: string): string {
  const isBefore = / \(?BC\)?/.test(text)
  const bare = text
    .replace(/ \(?BC\)?/, '')
    .replace('T', ' ')
    .replace(/Z$/, '+00')
    .replace(/(\.\d*?)0+(?=$|[-+])/, '$1')
    .replace(/\.(?=$|[-+])/, '')
    .replace(/([-+]\d\d)(:00)+$/, '$1')
  const clock = /^\d\d:\d\d$/.test(bare) ? `${bare}:00` : bare
  // A date and its midnight are one moment, and a year may have zeros in front.
  const full = clock.replace(/ 00:00:00$/, '').replace(/^(-?)0*(\d)/, '$1$2')
  if (full.startsWith('0-')) return `-1${full.slice(1)}`
  return `${isBefore ? '-' : ''}${full}`
}

/** In UTC, with all digits of the seconds. */
function instantForm(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(?:([-+])(\d\d):?(\d\d)?:?(\d\d)?|Z)?$/.exec(
    text,
  )
  if (parts === null) return timeForm(text)
  const [, day = '', clock = '', fraction = '', sign = '+', hours = '0', minutes = '0', seconds = '0'] = parts
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  const at = Date.parse(`${day}T${clock}Z`) - (sign === '-' ? -offset : offset) * 1000
  if (Number.isNaN(at)) return timeForm(text)
  return timeForm(new Date(at).toISOString().slice(0, 19) + fraction)
}

/** Months, days and microseconds. */
function interval(text: string): string {
  let [months, days, micros] = [0n, 0n, 0n]
  for (const [, amount = '0', unit = ''] of text.matchAll(/([-+]?\d+) (year|mon|day)/g)) {
    if (unit === 'year') months += BigInt(amount) * 12n
    else if (unit === 'mon') months += BigInt(amount)
    else days += BigInt(amount)
  }
  const clock = /([-+]?)(\d+):(\d\d):(\d\d)(?:\.(\d+))?$/.exec(text)
  if (clock !== null) {
    const [, sign, hours = '0', minutes = '0', seconds = '0', fraction = ''] = clock
    const whole = (BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)
    const size = whole * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
    micros = sign === '-' ? -size : size
  }
  return `${months} ${days} ${micros}`
}

/** JSON with sorted keys, the number of its members and exact numbers; a text that is none stays itself. */
function jsonForm(text: string): string {
  try {
    let members = 0
    const token = /"(?:[^"\\]|\\.)*"|:|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|-?\b(?:NaN|Infinity)\b/g
    const marked = text.replace(token, found => {
      if (found === ':') members++
      if (found === ':' || found.startsWith('"')) return found
      return JSON.stringify(words[found.toLowerCase()] ?? `\u0000${exactNumber(found)}`)
    })
    return `${members} ${JSON.stringify(sorted(JSON.parse(marked)))}`
  } catch {
    return text
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value === 'string') return textForm(value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}

/** Days before the first year and bytes, as each database writes them inside of lists. */
function textForm(text: string): string {
  if (/^\d{4,}-\d\d-\d\d.* \(?BC\)?/.test(text)) return timeForm(text)
  // Numbers of so many digits are texts for readers of JSON that would round them.
  if (/^-?\d{17,}(\.\d+)?$/.test(text)) return `\u0000${exactNumber(text)}`
  return /^(\\x[0-9a-f]{2,})+$/i.test(text) ? text.replaceAll('\\x', '').toLowerCase() : (words[text] ?? text)
}
