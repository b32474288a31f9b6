/** Formats times, counts and sizes for the dashboard. Pure: the present time is an argument. */

const units: readonly (readonly [seconds: number, word: string])[] = [
  [365 * 86_400, 'year'],
  [30 * 86_400, 'month'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]

/** Returns `2 hours ago`, `in 5 minutes`, `just now`; an invalid time is returned as it is written. */
export function agoOf(iso: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(iso)) / 1000
  if (Number.isNaN(seconds)) return iso
  const unit = units.find(([length]) => Math.abs(seconds) >= length)
  if (unit === undefined) return 'just now'
  const amount = Math.floor(Math.abs(seconds) / unit[0])
  const words = `${amount} ${unit[1]}${amount === 1 ? '' : 's'}`
  return seconds < 0 ? `in ${words}` : `${words} ago`
}

/** `9 ms`, `1.2 s`, `3 min 5 s`. */
export function durationOf(seconds: number): string {
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** Returns a threshold as it was most likely written: `12 h`, `2 days`, `90 s`. */
export function spanOf(seconds: number): string {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? '1 day' : `${seconds / 86_400} days`
  if (seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

export function countOf(count: number, one: string): string {
  return `${numberOf(count)} ${one}${count === 1 ? '' : 's'}`
}

/** Returns `26,412`, the same in every locale, like the command line. */
export function numberOf(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

/** Returns a fraction as a percentage that never rounds up to 100% or down to 0%. */
export function percentOf(fraction: number): string {
  const percent = Math.round(fraction * 100)
  if (percent === 100 && fraction < 1) return '99%'
  return percent === 0 && fraction > 0 ? '1%' : `${percent}%`
}
