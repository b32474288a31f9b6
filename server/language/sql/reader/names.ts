/** Reads names: of columns, tables, aliases, and after dots. */
import { cannotBe } from '../grammar.ts'
import type { Name } from '../tree.ts'
import { insertion, report, tokenName } from './problems.ts'
import { advance, peek, previous, type Reader, type Token, take, textOf } from './reader.ts'

export function nameOf(reader: Reader, token: Token): Name {
  const { start, end, kind } = token
  const written = reader.text.slice(start, end)
  if (kind === 'word') return { start, end, text: reader.grammar.plainName(written), quoted: false }
  return { start, end, text: reader.grammar.quotedName(written), quoted: true }
}

/** Makes a name for a missing one. */
export function emptyName(at: number): Name {
  return { start: at, end: at, text: '', quoted: false }
}

/** Returns whether the token can be an unquoted name of a column, a table or a table's alias. */
export function isName(token: Token): boolean {
  return token.kind === 'quoted' || (token.kind === 'word' && (token.bits & cannotBe.name) === 0)
}

/** Returns whether the token can be a name after a dot or AS. */
export function isLabel(token: Token): boolean {
  return token.kind === 'quoted' || token.kind === 'word'
}

export function readName(reader: Reader): Name | undefined {
  return isName(reader.token) ? nameOf(reader, advance(reader)) : undefined
}

/** Reads a name; some engines accept single quotes too. */
export function readNameOrString(reader: Reader): Name | undefined {
  const { token } = reader
  return isName(token) || token.kind === 'string' ? nameOf(reader, advance(reader)) : undefined
}

/** Reads a required name. */
export function readNameThere(reader: Reader): Name {
  return readNameOrString(reader) ?? missingName(reader)
}

function missingName(reader: Reader): Name {
  const before = previous(reader) ?? reader.token
  report(reader, before, `a name is missing after ${tokenName(before, textOf(reader, before))}`, {
    hint: 'Write a name there.',
    repair: [insertion(reader.end, ' _')],
  })
  return emptyName(reader.end)
}

/**
 * Reads the name after a dot. A keyword of a clause, separated by white space, starts the clause: the name is
 * missing.
 */
export function readNameBehindDot(reader: Reader): Name {
  const { token } = reader
  const isApart = token.start > reader.end && (token.bits & cannotBe.name) !== 0
  if (isLabel(token) && !isApart) return nameOf(reader, advance(reader))
  const dot = { start: reader.end - 1, end: reader.end }
  report(reader, dot, 'a name is missing after the dot', {
    hint: 'Write the name of a column, or remove the dot.',
    repair: [insertion(reader.end, '_ ')],
  })
  return emptyName(reader.end)
}

/** Reads `a.b.c` after its first part. */
export function readPath(reader: Reader, first: Name): Name[] {
  const path = [first]
  while (take(reader, '.')) path.push(readNameBehindDot(reader))
  return path
}

/** Returns whether a name and a colon come next. */
export function isNameBeforeColon(reader: Reader): boolean {
  const { token } = reader
  return (isName(token) || token.kind === 'string') && peek(reader).word === ':'
}
