/** Names: of columns, tables, aliases, and whatever stands behind a dot. */
import { cannotBe } from '../grammar.ts'
import type { Name } from '../tree.ts'
import { insertion, report } from './problems.ts'
import { advance, peek, previous, type Reader, type Token, take } from './reader.ts'

export function nameOf(reader: Reader, token: Token): Name {
  const { start, end, kind } = token
  if (kind === 'word') return { start, end, text: reader.text.slice(start, end), quoted: false }
  const closed = end - start > 1 && reader.text[end - 1] === reader.text[start]
  const inner = reader.text.slice(start + 1, closed ? end - 1 : end)
  const quote = reader.text.charAt(start)
  const text = inner.includes(quote) ? inner.replaceAll(quote + quote, quote) : inner
  return { start, end, text, quoted: true }
}

/** A name that is still to be typed. */
export function emptyName(at: number): Name {
  return { start: at, end: at, text: '', quoted: false }
}

/** The token can be a name without further signs: of a column, a table or a table's alias. */
export function isName(token: Token): boolean {
  return token.kind === 'quoted' || (token.kind === 'word' && (token.bits & cannotBe.name) === 0)
}

/** The token can stand behind a dot or behind AS. */
export function isLabel(token: Token): boolean {
  return token.kind === 'quoted' || token.kind === 'word'
}

export function readName(reader: Reader): Name | undefined {
  return isName(reader.token) ? nameOf(reader, advance(reader)) : undefined
}

/** A name, which some engines take in single quotes as well. */
export function readNameOrString(reader: Reader): Name | undefined {
  const { token } = reader
  return isName(token) || token.kind === 'string' ? nameOf(reader, advance(reader)) : undefined
}

/** A name that must be there. */
export function readNameThere(reader: Reader): Name {
  return readNameOrString(reader) ?? missingName(reader)
}

function missingName(reader: Reader): Name {
  const before = previous(reader) ?? reader.token
  const text = reader.text.slice(before.start, before.end)
  report(
    reader,
    before,
    `a name is missing behind ${before.kind === 'word' ? text.toUpperCase() : `"${text}"`}`,
    {
      hint: 'Write a name there.',
      repair: [insertion(reader.end, ' _')],
    },
  )
  return emptyName(reader.end)
}

/** What stands behind a dot. A clause that begins on its own behind `t.` is no column: the name is still to come. */
export function readNameBehindDot(reader: Reader): Name {
  const { token } = reader
  const isApart = token.start > reader.end && (token.bits & cannotBe.name) !== 0
  if (isLabel(token) && !isApart) return nameOf(reader, advance(reader))
  const dot = { start: reader.end - 1, end: reader.end }
  report(reader, dot, 'a name is missing behind the dot', {
    hint: 'Write the name of a column, or remove the dot.',
    repair: [insertion(reader.end, '_ ')],
  })
  return emptyName(reader.end)
}

/** `a.b.c` with the first part read. */
export function readPath(reader: Reader, first: Name): Name[] {
  const path = [first]
  while (take(reader, '.')) path.push(readNameBehindDot(reader))
  return path
}

/** `(a, b)` where the bracket comes next. */
export function isNameBeforeColon(reader: Reader): boolean {
  const { token } = reader
  return (isName(token) || token.kind === 'string') && peek(reader).word === ':'
}
