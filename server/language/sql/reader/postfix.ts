/** Reads postfixes of an operand: `[1]`, `.field`, `.method()`, `::type`. */
import type { Expression } from '../tree.ts'
import { readCall } from './calls.ts'
import { readExpression } from './expression.ts'
import { readClose } from './lists.ts'
import { readNameBehindDot } from './names.ts'
import { advance, peek, type Reader } from './reader.ts'
import { readStar } from './stars.ts'
import { readType } from './types.ts'

export function readPostfix(reader: Reader, start: number, first: Expression): Expression {
  let operand = first
  for (;;) {
    switch (reader.token.word) {
      case '[':
        operand = readIndex(reader, start, operand)
        break
      case '.':
        operand = readField(reader, start, operand)
        break
      case '::': {
        advance(reader)
        const type = readType(reader)
        operand = { kind: 'cast', start, end: reader.end, operand, type, tries: false }
        break
      }
      default:
        return operand
    }
  }
}

function readField(reader: Reader, start: number, operand: Expression): Expression {
  advance(reader)
  if (reader.token.word === '*') return readFieldsStar(reader, start, operand)
  const name = readNameBehindDot(reader)
  if (reader.token.word === '(' && name.text !== '')
    return readCall(reader, { start, path: [name], receiver: operand, tag: undefined })
  return { kind: 'field', start, end: reader.end, operand, name }
}

/** Reads the star of `(a).*` and `(f(x)).*`; how many columns the second has only the engine knows. */
function readFieldsStar(reader: Reader, start: number, operand: Expression): Expression {
  if (operand.kind === 'reference') return readStar(reader, start, operand.tag, operand.path)
  const { end } = advance(reader)
  return { kind: 'columns', start, end, qualifier: [], chooser: operand, unpacked: true }
}

/** Reads `[1]`, `[1:2]`, `[:]`, `[1:-:2]`. */
function readIndex(reader: Reader, start: number, operand: Expression): Expression {
  advance(reader)
  const at: Expression[] = []
  let slice = false
  for (;;) {
    if (reader.token.word === ':') {
      advance(reader)
      slice = true
    } else if (reader.token.word === '-' && peek(reader).word === ':') advance(reader)
    else if (reader.token.word === ']' && (slice || at.length > 0)) break
    else {
      const before = reader.at
      at.push(readExpression(reader))
      if (reader.at === before || reader.token.word !== ':') break
    }
  }
  readClose(reader, ']')
  return { kind: 'index', start, end: reader.end, operand, at, slice }
}
