/** Reads operands that start with a word. */
import type { Expression, Name } from '../tree.ts'
import { readListLiteral, readMapLiteral } from './brackets.ts'
import { readCall } from './calls.ts'
import { readCase, readCast, readInterval, readQueryForm } from './forms.ts'
import { readLambda } from './lambdas.ts'
import { typedLiteral, wordLiteral } from './literals.ts'
import { nameOf, readNameBehindDot } from './names.ts'
import { advance, peek, type Reader, spanFrom, take } from './reader.ts'
import { readColumns, readStar } from './stars.ts'
import { isTypedConstant, readTypedConstant } from './types.ts'

export function readWord(reader: Reader): Expression {
  const { word } = reader.token
  return (word === '' ? undefined : readForm(reader, word)) ?? readNamed(reader)
}

/** Reads a word with a syntax of its own; returns undefined if the word is an ordinary name. */
function readForm(reader: Reader, word: string): Expression | undefined {
  const next = peek(reader)
  switch (word) {
    case 'null':
      return wordLiteral(reader, 'null')
    case 'true':
    case 'false':
      return wordLiteral(reader, 'boolean')
    case 'case':
      return readCase(reader)
    case 'lambda':
      return readLambda(reader)
    case 'interval':
      return next.kind === 'number' || next.kind === 'string' || next.kind === 'tag' || next.word === '('
        ? readInterval(reader)
        : undefined
    case 'map':
      return next.word === '{' ? readMapLiteral(reader, advance(reader).start) : undefined
    case 'collation':
      return readCollation(reader)
    case 'array':
      return readArray(reader, next.word)
    default:
      if (next.word === '(') return readBracketForm(reader, word)
      return isTypedConstant(reader) ? readTypedConstant(reader) : undefined
  }
}

/** Reads `COLLATION FOR (a)`. */
function readCollation(reader: Reader): Expression | undefined {
  if (peek(reader).word !== 'for' || peek(reader, 2).word !== '(') return undefined
  const { start } = reader.token
  const path = [nameOf(reader, advance(reader))]
  advance(reader)
  return readCall(reader, { start, path, receiver: undefined, tag: undefined })
}

function readArray(reader: Reader, next: string): Expression | undefined {
  if (next === '[') return readListLiteral(reader, advance(reader).start)
  return next === '(' ? readQueryForm(reader, 'array') : undefined
}

function readBracketForm(reader: Reader, word: string): Expression | undefined {
  switch (word) {
    case 'cast':
    case 'try_cast':
    case 'treat':
      return readCast(reader, word === 'try_cast')
    case 'exists':
      return readQueryForm(reader, 'exists')
    case 'row':
      return readRow(reader)
    case 'columns':
      if (!reader.grammar.features.starModifiers) return undefined
      return readColumns(reader, reader.token.start, [], false)
    default:
      return isTypedConstant(reader) ? readTypedConstant(reader) : undefined
  }
}

/** Reads `ROW(a, b)`. */
function readRow(reader: Reader): Expression {
  const { start } = reader.token
  const path = [nameOf(reader, advance(reader))]
  const call = readCall(reader, { start, path, receiver: undefined, tag: undefined })
  if (call.kind !== 'call') return call
  return { kind: 'row', start, end: reader.end, items: call.arguments.map(argument => argument.value) }
}

/** Reads `a`, `a.b`, `a.*`, `a.f()`, `type 'text'`. */
function readNamed(reader: Reader): Expression {
  const { start } = reader.token
  const path: Name[] = [nameOf(reader, advance(reader))]
  while (take(reader, '.')) {
    if (reader.token.word === '*') return readStar(reader, start, undefined, path)
    const isColumns = reader.token.word === 'columns' && reader.grammar.features.starModifiers
    if (isColumns && peek(reader).word === '(') return readColumns(reader, start, path, false)
    path.push(readNameBehindDot(reader))
  }
  if (reader.token.word === '(') return readCall(reader, { start, path, receiver: undefined, tag: undefined })
  const name = path.at(-1)
  if (reader.token.kind === 'string' && name !== undefined) return typedLiteral(reader, start, name)
  const { end } = spanFrom(reader, start)
  return { kind: 'reference', start, end, tag: undefined, path }
}
