/** Reads literals, parameters, and tags that are values. */
import type { Expression, Name } from '../tree.ts'
import { readCall } from './calls.ts'
import { readNameBehindDot } from './names.ts'
import { advance, is, peek, type Reader, take } from './reader.ts'
import { readStar } from './stars.ts'

export function readLiteral(reader: Reader): Expression {
  const token = advance(reader)
  const { start, end } = token
  if (token.kind === 'parameter') return readParameter(reader, start)
  if (token.kind === 'number') return { kind: 'literal', start, end, type: 'number', typeName: undefined }
  continueString(reader)
  passEscape(reader)
  return { kind: 'literal', start, end: reader.end, type: 'string', typeName: undefined }
}

/** Passes `UESCAPE '!'` behind a string of code points. */
function passEscape(reader: Reader): void {
  if (reader.token.word !== 'uescape' || peek(reader).kind !== 'string') return
  advance(reader)
  advance(reader)
}

/** Continues a string with the string on a later line. */
function continueString(reader: Reader): void {
  while (reader.token.kind === 'string' && hasLineBreak(reader.text, reader.end, reader.token.start))
    advance(reader)
}

function hasLineBreak(text: string, start: number, end: number): boolean {
  const between = text.slice(start, end)
  return between.includes('\n') || between.includes('\r')
}

/** Reads a parameter; `?1` is two tokens. */
function readParameter(reader: Reader, start: number): Expression {
  if (reader.token.kind === 'number' && reader.token.start === reader.end) advance(reader)
  return { kind: 'parameter', start, end: reader.end }
}

export function wordLiteral(reader: Reader, type: 'boolean' | 'null'): Expression {
  const { start, end } = advance(reader)
  return { kind: 'literal', start, end, type, typeName: undefined }
}

/** Makes a typed literal. The type's name has been read, its string comes next. */
export function typedLiteral(reader: Reader, start: number, typeName: Name): Expression {
  advance(reader)
  continueString(reader)
  return { kind: 'literal', start, end: reader.end, type: 'typed', typeName }
}

/** Reads a tag as a value, or as the first part of a qualified name. */
export function readTag(reader: Reader): Expression {
  const { start, end } = advance(reader)
  const tag = { start, end }
  if (reader.token.word !== '.') return { kind: 'tag', start, end }
  const path: Name[] = []
  while (take(reader, '.')) {
    if (is(reader, '*')) return readStar(reader, start, tag, path)
    path.push(readNameBehindDot(reader))
  }
  if (is(reader, '(')) return readCall(reader, { start, path, receiver: undefined, tag })
  return { kind: 'reference', start, end: reader.end, tag, path }
}
