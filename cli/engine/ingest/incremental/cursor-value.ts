/** Values of a cursor as texts: which comes first, and which is one step further. */
import type { Step } from '@svc/server/language'
import { SvcError } from '../../errors.ts'

const timePattern = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i
const dayMs = 86_400_000

/** Returns milliseconds of a date or a time, which is in UTC where it has no zone; undefined for other texts. */
export function timeOf(text: string): number | undefined {
  const match = timePattern.exec(text.trim())
  if (match === null) return undefined
  const [, date = '', time = '00:00', zone = 'Z'] = match
  // Digits beyond milliseconds count for nothing here.
  const short = time.replace(/(\.\d{3})\d+$/, '$1')
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const ms = Date.parse(`${date}T${short}${offset.toUpperCase()}`)
  return Number.isNaN(ms) ? undefined : ms
}

/** Returns the value one step on, written as the value is. Throws `invalid-project` where the step does not suit it. */
export function oneStepOn(value: string, step: Step): string {
  return step.unit === 'number' ? nextNumber(value, step) : nextTime(value, step)
}

function nextNumber(value: string, step: Step): string {
  const whole = /^(-?\d+)(\.\d+)?$/.exec(value.trim())?.[1]
  if (whole === undefined) throw unsuited('a number', 'of numbers', 'a duration, such as 7d')
  return String(BigInt(whole) + BigInt(step.value))
}

function nextTime(value: string, step: Step): string {
  const ms = timeOf(value)
  if (ms === undefined) throw unsuited('a duration', 'of time', 'a whole number')
  const iso = new Date(ms + step.value).toISOString().replace('.000Z', 'Z')
  if (/^\d{4}-\d\d-\d\d$/.test(value.trim()) && step.value % dayMs === 0) return iso.slice(0, 10)
  if (value.includes('T')) return iso
  // What a database writes with a zone, it compares with one.
  const zone = /\d[+-]\d\d(:?\d\d)?$/.test(value.slice(10)) ? '+00' : ''
  return `${iso.slice(0, 10)} ${iso.slice(11, -1)}${zone}`
}

function unsuited(what: string, kind: string, other: string): SvcError {
  return new SvcError('invalid-project', `incremental.window is ${what}, and the cursor is none ${kind}`, {
    hint: `Write ${other}, or choose another cursor.`,
  })
}

/** Returns whether a value is behind another one; times are compared to the millisecond. */
export function isBehind(value: string, other: string, { unit }: Pick<Step, 'unit'>): boolean {
  if (unit === 'number') return Number(value) > Number(other)
  return (timeOf(value) ?? Number.NaN) > (timeOf(other) ?? Number.NaN)
}
