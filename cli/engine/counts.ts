/** Counts in words, always in English, whatever the machine's locale. */

/** `3,000,000` */
export function formatCount(value: number): string {
  // The first call of `toLocaleString` costs as much as reading a thousand files.
  if (Number.isSafeInteger(value)) return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
  return value.toLocaleString('en-US')
}

/** `1 row`, `3,000,000 rows` */
export function countOf(value: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(value)} ${value === 1 ? singular : plural}`
}
