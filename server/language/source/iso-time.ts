/**
 * Returns whether bytes are a date or a timestamp in ISO 8601 with a valid day. No other form counts as a
 * date: `05/06/2024` is ambiguous and stays text.
 */
import { seen } from './json-shape.ts'

const zero = 48
const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Returns `seen.date`, `seen.timestamp`, `seen.timestampWithZone` or `seen.text`. */
export function classifyText(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start
  if (length < 10 || length > 32 || bytes[start + 4] !== 45 || bytes[start + 7] !== 45) return seen.text
  if (!isDay(bytes, start)) return seen.text
  if (length === 10) return seen.date
  const separator = bytes[start + 10]
  if ((separator !== 84 && separator !== 32) || length < 16) return seen.text
  const hour = twoDigits(bytes, start + 11)
  const minute = twoDigits(bytes, start + 14)
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || bytes[start + 13] !== 58) return seen.text
  return classifyRest(bytes, start + 16, end)
}

/**
 * Reads seconds, fraction and offset. A fraction of more than six digits would be cut off, so it stays text.
 */
function classifyRest(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  if (at < end && bytes[at] === 58) {
    const second = twoDigits(bytes, at + 1)
    if (at + 3 > end || second < 0 || second > 59) return seen.text
    at += 3
    if (at < end && bytes[at] === 46) {
      const first = ++at
      while (at < end && isDigit(bytes[at])) at++
      if (at === first || at - first > 6) return seen.text
    }
  }
  if (at === end) return seen.timestamp
  if (bytes[at] === 90) return at + 1 === end ? seen.timestampWithZone : seen.text
  return isOffset(bytes, at, end) ? seen.timestampWithZone : seen.text
}

/** Reads an offset: `+02:00`, `-0530` or `+02`. */
function isOffset(bytes: Uint8Array, at: number, end: number): boolean {
  const length = end - at
  if (bytes[at] !== 43 && bytes[at] !== 45) return false
  const hours = twoDigits(bytes, at + 1)
  if (hours < 0 || hours > 15) return false
  if (length === 3) return true
  const minutes = length === 6 && bytes[at + 3] === 58 ? at + 4 : length === 5 ? at + 3 : -1
  return minutes > 0 && isBelowSixty(twoDigits(bytes, minutes))
}

function isBelowSixty(value: number): boolean {
  return value >= 0 && value < 60
}

function isDay(bytes: Uint8Array, start: number): boolean {
  const century = twoDigits(bytes, start)
  const rest = twoDigits(bytes, start + 2)
  const month = twoDigits(bytes, start + 5)
  const day = twoDigits(bytes, start + 8)
  if (century < 0 || rest < 0 || month < 1 || month > 12 || day < 1) return false
  const year = century * 100 + rest
  if (year === 0) return false
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (daysInMonth[month - 1] as number) + (leap ? 1 : 0)
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - zero
  const ones = (bytes[at + 1] as number) - zero
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= 57
}
