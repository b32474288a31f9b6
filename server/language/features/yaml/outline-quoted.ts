/** Reads a quoted scalar of YAML, closed or not. */
import type { OutlineScalar } from './outline.ts'

/** Reads from the quote at `at`; `limit` is the latest possible end. */
export function readQuoted(text: string, at: number, limit: number, quote: string): OutlineScalar {
  let end = at + 1
  let closed = false
  while (end < limit && !closed) {
    if (quote === '"' && text[end] === '\\') end += 2
    else if (text[end] !== quote) end++
    else if (quote === "'" && text[end + 1] === "'") end += 2
    else closed = true
  }
  const line = text.slice(at, limit).search(/[\r\n]/)
  // An unclosed quote ends with its line.
  const stop = closed ? end : line < 0 ? limit : at + line
  return {
    kind: 'scalar',
    style: quote === "'" ? 'single' : 'double',
    range: { start: at, end: closed ? stop + 1 : stop },
    body: { start: at + 1, end: Math.max(at + 1, stop) },
  }
}
