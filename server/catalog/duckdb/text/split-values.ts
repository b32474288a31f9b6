/** The values of one record of a text file, without their quotes. */
import type { Dialect } from './scan-lines.ts'

/** Returns the values as texts. `text`: the record without its line end. */
export function splitValues(text: string, { delimiter, quote, escape: mark }: Dialect): readonly string[] {
  if (quote === '' || !text.includes(quote)) return delimiter === '' ? [text] : text.split(delimiter)
  const values: string[] = []
  let at = 0
  for (;;) {
    const { value, end } = valueAt(text, at, { delimiter, quote, escape: mark === '' ? quote : mark })
    values.push(value)
    if (end >= text.length) return values
    at = end + delimiter.length
  }
}

type Marks = Pick<Dialect, 'delimiter' | 'quote' | 'escape'>

function valueAt(text: string, at: number, marks: Marks): { value: string; end: number } {
  let from = at
  while (text[from] === ' ') from++
  if (text[from] === marks.quote) {
    const quoted = quotedAt(text, from + 1, marks)
    if (quoted !== undefined) return quoted
  }
  const end = marks.delimiter === '' ? -1 : text.indexOf(marks.delimiter, at)
  return end === -1 ? { value: text.slice(at), end: text.length } : { value: text.slice(at, end), end }
}

/** Returns undefined for what is quoted wrongly, which is no quoted value then. */
function quotedAt(text: string, from: number, { delimiter, quote, escape: mark }: Marks) {
  let value = ''
  for (let at = from; at < text.length; at++) {
    const character = text[at] as string
    const next = text[at + 1]
    if (character === mark && (next === quote || (next === mark && mark !== quote))) {
      value += next
      at++
    } else if (character === quote) {
      let end = at + 1
      while (text[end] === ' ') end++
      const isAtEnd = end >= text.length || (delimiter !== '' && text.startsWith(delimiter, end))
      return isAtEnd ? { value, end } : undefined
    } else value += character
  }
  return undefined
}
