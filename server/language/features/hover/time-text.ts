/** Formats an ISO 8601 time as `2026-05-01 10:00 UTC`. */
export function timeText(iso: string): string {
  return iso.replace('T', ' ').replace(/:\d\d(\.\d+)?Z$/, ' UTC')
}

/** Formats a duration: `40 ms`, `0.4 s`, `12 s`, `3 min 5 s`. */
export function secondsText(seconds: number): string {
  if (seconds < 0.0995) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} min${whole % 60 === 0 ? '' : ` ${whole % 60} s`}`
}
