/** What DuckDB says of a CSV line that it cannot read, in the words of svc where it has better ones. */

/** A quote that is never closed swallows all lines behind it, which no mode may discard as one. */
const openQuote = {
  reason: 'a quote is not closed, and the lines behind it cannot be told apart',
  hint: 'Close the quote, or say how values are quoted with ingest.options.quote.',
}

const notUtf8 = {
  reason: 'the text is not UTF-8',
  hint: 'Say how it is written with ingest.options.encoding (latin-1, utf-16), or save the file as UTF-8.',
}

/** Returns what DuckDB says of a file that it cannot read: its first line; of CSV the line, what is wrong and the file. */
export function fileReason(message: string): string {
  const csv = csvReason(message)
  if (csv === undefined) return (message.replace(/^[A-Z][A-Za-z ]+ Error: /, '').split('\n')[0] ?? '').trim()
  return `line ${csv.line}: ${csv.reason}${csv.file === undefined ? '' : ` (${csv.file})`}`
}

/**
 * Returns undefined for a message that is not about a line of CSV.
 * `hint`: what to do; undefined where that depends on the file.
 */
export function csvReason(message: string) {
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1]
  if (line === undefined) return undefined
  const file = /^ *file = (.*)$/m.exec(message)?.[1]
  // The original line may have several lines itself, so the reason is looked for from behind.
  if (/^Value with unterminated quote found/m.test(message)) return { line, file, ...openQuote }
  if (/^Invalid unicode/m.test(message)) return { line, file, ...notUtf8 }
  const said = /\n([^\n]+)\n\s*Possible fixes:/.exec(message)?.[1]
  const after = /CSV Error on Line: \d+\n(?:Original Line:[^\n]*\n)?([^\n]*)/.exec(message)?.[1]
  return { line, file, reason: (said ?? after ?? '').trim(), hint: undefined }
}
