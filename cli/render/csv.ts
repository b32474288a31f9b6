/** Renders rows as CSV for other programs, as RFC 4180 says. */

/** NULL is an empty field, an empty text is in quotes. */
export function csvText(titles: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [titles, ...rows].map(row => `${row.map(field).join(',')}\r\n`).join('')
}

function field(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
