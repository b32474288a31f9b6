/**
 * Formats figures for people: thousands separators, units, ages. Always in English, whatever the machine's
 * locale.
 */

import { countOf, formatCount } from '../engine/counts.ts'

export { countOf, formatCount }

/** `9 ms`, `0.31 s`, `3.1 s`, `2 min 5 s`, `1 h 4 min` */
export function formatSeconds(seconds: number): string {
  if (seconds < 0.0995) return `${Math.max(0, Math.round(seconds * 1000))} ms`
  if (seconds < 0.995) return `${seconds.toFixed(2)} s`
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

const byteUnits = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** Formats with decimal units: `812 bytes`, `12 MB`, `1.4 GB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${byteUnits[unit]}`
}

/**
 * Formats `2.1 M rows/s`, `45 k rows/s`, `120 rows/s`; returns undefined if the time is too short for a
 * meaningful rate.
 */
export function formatRate(rows: number, seconds: number): string | undefined {
  if (seconds < 0.05 || rows < 1000) return undefined
  const perSecond = rows / seconds
  if (perSecond >= 999_500) return `${(perSecond / 1e6).toFixed(1)} M rows/s`
  if (perSecond >= 999.5) return `${Math.round(perSecond / 1000)} k rows/s`
  return `${Math.round(perSecond)} rows/s`
}

const ageUnits: readonly (readonly [seconds: number, name: string])[] = [
  [86_400 * 365, 'year'],
  [86_400 * 30, 'month'],
  [86_400 * 7, 'week'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]

/** `just now`, `2 hours ago` */
export function formatAge(seconds: number): string {
  if (seconds < 60) return 'just now'
  return `${formatSpan(seconds)} ago`
}

/** Formats `45 seconds`, `2 hours`, `3 days` with the largest unit that fits. */
export function formatSpan(seconds: number): string {
  for (const [size, name] of ageUnits) {
    if (seconds >= size) return countOf(Math.floor(seconds / size), name)
  }
  return countOf(Math.max(0, Math.floor(seconds)), 'second')
}

/** Formats ISO 8601 UTC as the contract's tables show it: `2026-11-20 16:40:12`. */
export function formatTimestamp(iso: string): string {
  return new Date(iso).toISOString().slice(0, 19).replace('T', ' ')
}

/** Rounds seconds for JSON to a tenth of a millisecond, to remove floating-point noise. */
export function roundSeconds(seconds: number): number {
  return Math.round(seconds * 10_000) / 10_000
}

/** Returns what there is any of: `3 inserted, 1 deleted`. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.map(([words, count]) => `${formatCount(count)} ${words}`).join(', ')
}
