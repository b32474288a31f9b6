/** Days, moments and spans of time as Python's `datetime` has them, for templates that reckon with the time. */
import { bound, textArgument } from './arguments.ts'
import { CallProblem } from './problem.ts'
import { fn, isNumber, JinjaObject, numberOf, toText, type Value } from './values.ts'

/** The wall clock in microseconds, as if it were in UTC, and how far it is ahead of it; one without a zone has no offset. */
interface Moment {
  readonly micros: number
  readonly offset: number | undefined
  readonly isDay: boolean
}

const moments = new WeakMap<JinjaObject, Moment>()
const spans = new WeakMap<JinjaObject, number>()
const zones = new WeakMap<JinjaObject, string>()

const second = 1_000_000
const day = 86_400 * second

const dateOf = ({ micros }: Moment) => new Date(Math.floor(micros / 1000))
const inUtc = ({ micros, offset = 0 }: Moment) => micros - offset * 60 * second
const twoDigits = (number: number) => String(number).padStart(2, '0')
const restOf = (micros: number, unit: number) => ((micros % unit) + unit) % unit

function microsOf(parts: readonly number[]): number {
  const [year = 1970, month = 1, dayOfMonth = 1, hour = 0, minute = 0, seconds = 0, micro = 0] = parts
  const millis = Date.UTC(year, month - 1, dayOfMonth, hour, minute, seconds)
  const made = new Date(millis)
  const isThere = made.getUTCMonth() === month - 1 && made.getUTCDate() === dayOfMonth
  if (!isThere || hour > 23 || minute > 59 || seconds > 59)
    throw new CallProblem(`there is no such day or time: ${parts.join(', ')}`)
  return millis * 1000 + micro
}

function offsetText(offset: number | undefined, separator: string): string {
  if (offset === undefined) return ''
  const size = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}${separator}${twoDigits(size % 60)}`
}

function isoText(moment: Moment, separator: string): string {
  const [date = '', time = ''] = dateOf(moment).toISOString().split('T')
  if (moment.isDay) return date
  const micros = restOf(moment.micros, second)
  const fraction = micros === 0 ? '' : `.${String(micros).padStart(6, '0')}`
  return `${date}${separator}${time.slice(0, 8)}${fraction}${offsetText(moment.offset, ':')}`
}

// ---------------------------------------------------------------- values

const fields: readonly string[] = ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond']

function numbersOf(moment: Moment): readonly number[] {
  const date = dateOf(moment)
  return [
    ...[date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()],
    ...[date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()],
    restOf(moment.micros, second),
  ]
}

function momentValue(moment: Moment): JinjaObject {
  const value: JinjaObject = new JinjaObject({
    name: moment.isDay ? 'a day' : 'a moment',
    text: () => isoText(moment, ' '),
    member: name => momentMember(moment, name),
    operate: (sign, other, isRight) => calculated(moment, sign, other, isRight),
  })
  moments.set(value, moment)
  return value
}

function momentMember(moment: Moment, name: string): Value | undefined {
  const at = fields.indexOf(name)
  if (at !== -1) return moment.isDay && at > 2 ? undefined : (numbersOf(moment)[at] ?? null)
  const weekday = (dateOf(moment).getUTCDay() + 6) % 7
  switch (name) {
    case 'strftime':
      return fn(name, given => formatted(moment, textArgument(bound(given, ['format'], name)[0], name)))
    case 'isoformat':
      return fn(name, given => isoText(moment, toText(bound(given, ['sep'], name)[0] ?? 'T')))
    case 'weekday':
      return fn(name, () => weekday)
    case 'isoweekday':
      return fn(name, () => weekday + 1)
    case 'date':
      return fn(name, () =>
        momentValue({ micros: moment.micros - restOf(moment.micros, day), offset: undefined, isDay: true }),
      )
    case 'replace':
      return fn(name, given => {
        const changes = bound(given, [...fields, 'tzinfo'], name)
        const parts = numbersOf(moment).map((usual, index) => {
          const change = changes[index]
          return change === undefined ? usual : numberOf(change)
        })
        const zone = changes[fields.length]
        const micros = microsOf(parts)
        return momentValue({
          ...moment,
          micros,
          offset: zone === undefined ? moment.offset : offsetIn(zone, micros, true),
        })
      })
    case 'astimezone':
      return fn(name, given => {
        const utc = inUtc(moment)
        const offset = offsetIn(bound(given, ['tz'], name)[0] ?? null, utc, false) ?? 0
        return momentValue({ micros: utc + offset * 60 * second, offset, isDay: false })
      })
    default:
      return undefined
  }
}

function spanValue(micros: number): JinjaObject {
  const value: JinjaObject = new JinjaObject({
    name: 'a span of time',
    text: () => {
      const days = Math.floor(micros / day)
      const clock = new Date(restOf(micros, day) / 1000).toISOString().slice(11, 19).replace(/^0/, '')
      return days === 0 ? clock : `${days} day${Math.abs(days) === 1 ? '' : 's'}, ${clock}`
    },
    member: name => {
      if (name === 'days') return Math.floor(micros / day)
      if (name === 'seconds') return Math.floor(restOf(micros, day) / second)
      return name === 'total_seconds' ? fn(name, () => micros / second) : undefined
    },
    operate: (sign, other, isRight) => {
      if (sign === '*' && isNumber(other)) return spanValue(micros * numberOf(other))
      const span = other instanceof JinjaObject ? spans.get(other) : undefined
      if (span === undefined || isRight) return undefined
      if (sign === '+' || sign === '-') return spanValue(sign === '+' ? micros + span : micros - span)
      return compared(sign, micros, span)
    },
  })
  spans.set(value, micros)
  return value
}

function calculated(moment: Moment, sign: string, other: Value, isRight: boolean): Value | undefined {
  if (!(other instanceof JinjaObject)) return undefined
  const span = spans.get(other)
  if (span !== undefined && (sign === '+' || (sign === '-' && !isRight))) {
    const moved = moment.isDay ? Math.floor(span / day) * day : span
    return momentValue({ ...moment, micros: moment.micros + (sign === '+' ? moved : -moved) })
  }
  const later = moments.get(other)
  if (later === undefined || isRight) return undefined
  return sign === '-' ? spanValue(inUtc(moment) - inUtc(later)) : compared(sign, inUtc(moment), inUtc(later))
}

function compared(sign: string, a: number, b: number): Value | undefined {
  const results: Readonly<Record<string, boolean>> = {
    ...{ '==': a === b, '!=': a !== b, '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b },
  }
  return Object.hasOwn(results, sign) ? (results[sign] ?? false) : undefined
}

// ---------------------------------------------------------------- zones

function zoneValue(name: string): JinjaObject {
  const value = new JinjaObject({ name: 'a time zone', text: () => name })
  zones.set(value, name)
  return value
}

/** Returns the minutes that a zone is ahead of UTC at a moment, which is that of its own clock or of UTC; undefined without a zone. */
function offsetIn(zone: Value, micros: number, isOwn: boolean): number | undefined {
  if (zone === null) return undefined
  const name = zone instanceof JinjaObject ? zones.get(zone) : undefined
  if (name === undefined)
    throw new CallProblem('a time zone is given as modules.pytz.timezone("Europe/Berlin")')
  const guess = zoneOffset(name, micros)
  return isOwn ? zoneOffset(name, micros - guess * 60 * second) : guess
}

function zoneOffset(name: string, micros: number): number {
  const options = { timeZone: name, timeZoneName: 'longOffset' } as const
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(new Date(micros / 1000))
  const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

// ---------------------------------------------------------------- texts

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
const days = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

function formatted(moment: Moment, format: string): string {
  const [year = 0, month = 1, dayOfMonth = 1, hour = 0, minute = 0, seconds = 0, micro = 0] =
    numbersOf(moment)
  const weekday = (dateOf(moment).getUTCDay() + 6) % 7
  const dayOfYear = Math.floor((moment.micros - microsOf([year])) / day) + 1
  const monthName = months[month - 1] ?? ''
  const dayName = days[weekday] ?? ''
  const texts: Readonly<Record<string, string>> = {
    ...{
      Y: String(year).padStart(4, '0'),
      y: twoDigits(year % 100),
      m: twoDigits(month),
      d: twoDigits(dayOfMonth),
    },
    ...{
      H: twoDigits(hour),
      I: twoDigits(((hour + 11) % 12) + 1),
      M: twoDigits(minute),
      S: twoDigits(seconds),
    },
    ...{
      f: String(micro).padStart(6, '0'),
      j: String(dayOfYear).padStart(3, '0'),
      p: hour < 12 ? 'AM' : 'PM',
    },
    ...{ B: monthName, b: monthName.slice(0, 3), A: dayName, a: dayName.slice(0, 3), '%': '%' },
    ...{ u: String(weekday + 1), w: String((weekday + 1) % 7), z: offsetText(moment.offset, '') },
    ...{ F: isoText({ ...moment, isDay: true }, ''), T: [hour, minute, seconds].map(twoDigits).join(':') },
    Z: moment.offset === 0 ? 'UTC' : '',
  }
  return format.replace(/%(-?)(.)/g, (_, dash: string, letter: string) => {
    const text = Object.hasOwn(texts, letter) ? texts[letter] : undefined
    if (text === undefined) throw new CallProblem(`%${dash}${letter} is no part of a time that is known here`)
    return dash === '' ? text : text.replace(/^0+(?=\d)/, '')
  })
}

const patterns: Readonly<Record<string, string>> = {
  ...{
    Y: '(?<Y>\\d{4})',
    m: '(?<m>\\d{1,2})',
    d: '(?<d>\\d{1,2})',
    H: '(?<H>\\d{1,2})',
    M: '(?<M>\\d{1,2})',
  },
  ...{ S: '(?<S>\\d{1,2})', f: '(?<f>\\d{1,6})', z: '(?<z>Z|[+-]\\d{2}:?\\d{2})', '%': '%' },
  ...{ b: '(?<b>[A-Za-z]{3})', B: '(?<b>[A-Za-z]+)' },
}

function parsed(text: string, format: string): Moment {
  const pattern = format.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%(.)/g, (_, letter: string) => {
    const part = Object.hasOwn(patterns, letter) ? patterns[letter] : undefined
    if (part === undefined) throw new CallProblem(`%${letter} is no part of a time that is read here`)
    return part
  })
  const found = new RegExp(`^${pattern}$`).exec(text)?.groups
  if (found === undefined) throw new CallProblem(`the time "${text}" is not of the form "${format}"`)
  const { Y = '1900', m, d = '1', H = '0', M = '0', S = '0', f = '', z, b } = found
  const named = months.findIndex(each => each.slice(0, 3).toLowerCase() === b?.slice(0, 3).toLowerCase()) + 1
  const month = m ?? (named > 0 ? named : 1)
  const micros = microsOf([Y, month, d, H, M, S, f.padEnd(6, '0')].map(Number))
  const [, sign = '', hours = '', minutes = ''] = /^([+-])(\d{2}):?(\d{2})$/.exec(z ?? '') ?? []
  const offset = sign === '' ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  return { micros, offset: z === undefined ? undefined : offset, isDay: false }
}

const isoForms = [
  '%Y-%m-%d',
  '%Y-%m-%d %H:%M:%S.%f%z',
  '%Y-%m-%d %H:%M:%S%z',
  '%Y-%m-%d %H:%M:%S.%f',
  '%Y-%m-%d %H:%M:%S',
  '%Y-%m-%d %H:%M',
]

function ofIsoText(text: string, isDay: boolean): JinjaObject {
  const plain = text.replace('T', ' ')
  for (const form of isoForms) {
    try {
      return momentValue({ ...parsed(plain, form), isDay })
    } catch (error) {
      if (!(error instanceof CallProblem)) throw error
    }
  }
  throw new CallProblem(`"${text}" is no time in the form of ISO 8601`)
}

// ---------------------------------------------------------------- what templates see

/** `now` is asked for the time in milliseconds. */
export function momentNow(now: () => number): JinjaObject {
  return momentValue({ micros: now() * 1000, offset: 0, isDay: false })
}

const numbers = (values: readonly (Value | undefined)[]) =>
  values.map((each, index) => (each === undefined ? (index < 3 ? 1 : 0) : numberOf(each)))

/** `modules.datetime` and `modules.pytz`. */
export function timeModules(now: () => number): ReadonlyMap<string, JinjaObject> {
  const utc = zoneValue('UTC')
  const datetime = { datetime: datetimeClass(now), date: dateClass(now), timedelta }
  const zone = fn('pytz.timezone', given => {
    const name = textArgument(bound(given, ['zone'], 'timezone')[0], 'timezone')
    if (!isZone(name)) throw new CallProblem(`no time zone is called "${name}"`)
    return zoneValue(name)
  })
  return new Map([
    [
      'datetime',
      members('modules.datetime', { ...datetime, timezone: members('datetime.timezone', { utc }) }),
    ],
    ['pytz', members('modules.pytz', { timezone: zone, utc, UTC: utc })],
  ])
}

function datetimeClass(now: () => number): JinjaObject {
  const present = (zone: Value | undefined): Value => {
    const micros = now() * 1000
    const offset = offsetIn(zone ?? null, micros, false)
    return momentValue({ micros: micros + (offset ?? 0) * 60 * second, offset, isDay: false })
  }
  const strptime = fn('strptime', given => {
    const [text, format] = bound(given, ['date_string', 'format'], 'strptime')
    return momentValue(parsed(textArgument(text, 'strptime'), textArgument(format, 'strptime')))
  })
  const all = {
    now: fn('now', given => present(bound(given, ['tz'], 'now')[0])),
    ...{ utcnow: fn('utcnow', () => present(undefined)), today: fn('today', () => present(undefined)) },
    ...{ strptime, fromisoformat: ofIso(false) },
  }
  return members('datetime.datetime', all, given => {
    const values = bound(given, [...fields, 'tzinfo'], 'datetime')
    const micros = microsOf(numbers(values.slice(0, fields.length)))
    const offset = offsetIn(values[fields.length] ?? null, micros, true)
    return momentValue({ micros, offset, isDay: false })
  })
}

function dateClass(now: () => number): JinjaObject {
  const dayValue = (micros: number) =>
    momentValue({ micros: Math.floor(micros / day) * day, offset: undefined, isDay: true })
  const all = { today: fn('today', () => dayValue(now() * 1000)), fromisoformat: ofIso(true) }
  return members('datetime.date', all, given =>
    dayValue(microsOf(numbers(bound(given, ['year', 'month', 'day'], 'date')))),
  )
}

function ofIso(isDay: boolean): JinjaObject {
  const name = 'fromisoformat'
  return fn(name, given => ofIsoText(textArgument(bound(given, ['text'], name)[0], name), isDay))
}

/** In the order in which Python takes them. */
const units: ReadonlyMap<string, number> = new Map([
  ...([
    ['days', day],
    ['seconds', second],
    ['microseconds', 1],
    ['milliseconds', 1000],
  ] as const),
  ...([
    ['minutes', 60 * second],
    ['hours', 3600 * second],
    ['weeks', 7 * day],
  ] as const),
])

const timedelta = fn('datetime.timedelta', given => {
  const values = bound(given, [...units.keys()], 'timedelta')
  const sizes = [...units.values()]
  const parts = values.map((each, at) => (each === undefined ? 0 : numberOf(each) * (sizes[at] ?? 0)))
  return spanValue(parts.reduce((sum, each) => sum + each, 0))
})

function members(
  name: string,
  all: Readonly<Record<string, Value>>,
  call?: (given: Parameters<typeof bound>[0]) => Value,
): JinjaObject {
  const member = (each: string) => (Object.hasOwn(all, each) ? all[each] : undefined)
  return new JinjaObject({ name, member, ...(call !== undefined && { call }) })
}
