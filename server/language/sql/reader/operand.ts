/** Reads operands: signs, brackets, literals, names, and their postfixes. */
import { cannotBe } from '../grammar.ts'
import type { Expression } from '../tree.ts'
import { readBracket, readListLiteral, readStructLiteral } from './brackets.ts'
import { readExpression } from './expression.ts'
import { readLiteral, readTag } from './literals.ts'
import { missingOperand } from './missing.ts'
import { readPostfix } from './postfix.ts'
import { advance, peek, type Reader } from './reader.ts'
import { readStar } from './stars.ts'
import { readWord } from './words.ts'

const openers = new Set(['(', '[', '{', '+', '-', '*'])
const prefixes = new Set(['~', '@', '!', '!!', '|/', '||/', '@@', '`'])
const operandWords = new Set(['case', 'default', 'false', 'lambda', 'not', 'null', 'true'])

/** Words that start an operand only with a bracket. */
const bracketWords = new Set(['array', 'cast', 'columns', 'treat', 'try_cast', 'unpack'])

/** Returns whether an operand can start with the token that comes `by` tokens later. */
export function beginsOperand(reader: Reader, by = 0): boolean {
  const token = peek(reader, by)
  if (token.kind === 'end') return false
  if (token.kind === 'symbol') return beginsWithSymbol(reader, token.word)
  if (token.kind !== 'word' || (token.bits & cannotBe.name) === 0) return true
  if (operandWords.has(token.word)) return true
  const next = peek(reader, by + 1).word
  if (token.word === 'collation') return next === 'for'
  if (bracketWords.has(token.word)) return next === '(' || (token.word === 'array' && next === '[')
  return (token.bits & cannotBe.function) === 0 && next === '('
}

function beginsWithSymbol(reader: Reader, word: string): boolean {
  if (word === '#') return reader.grammar.features.positions
  return openers.has(word) || prefixes.has(word)
}

export function readOperand(reader: Reader): Expression {
  const { token } = reader
  const { start } = token
  switch (token.kind) {
    case 'symbol':
      return readSymbolOperand(reader)
    case 'word':
      if (token.word === 'not') return readUnary(reader, 'not', 'not')
      if (!beginsOperand(reader)) return missingOperand(reader)
      return readPostfix(reader, start, readWord(reader))
    case 'quoted':
      return readPostfix(reader, start, readWord(reader))
    case 'tag':
      return readPostfix(reader, start, readTag(reader))
    case 'end':
      return missingOperand(reader)
    default:
      return readPostfix(reader, start, readLiteral(reader))
  }
}

function readSymbolOperand(reader: Reader): Expression {
  const { start, word } = reader.token
  switch (word) {
    case '(':
      return readPostfix(reader, start, readBracket(reader))
    case '[':
      return readPostfix(reader, start, readListLiteral(reader, start))
    case '{':
      return readPostfix(reader, start, readStructLiteral(reader))
    case '*':
      return readStar(reader, start, undefined, [])
    case '#':
      return reader.grammar.features.positions ? readPositional(reader) : missingOperand(reader)
    case '+':
    case '-':
      return readUnary(reader, word, 'sign')
    default:
      return prefixes.has(word) ? readUnary(reader, word, 'other') : missingOperand(reader)
  }
}

function readUnary(reader: Reader, operator: string, level: 'sign' | 'not' | 'other'): Expression {
  const { start } = advance(reader)
  const { operators, otherOperator } = reader.grammar
  const power = level === 'other' ? otherOperator : operators.get(level)
  const operand = readExpression(reader, power?.right ?? 0)
  return { kind: 'unary', start, end: reader.end, operator, operand }
}

/** Reads `#1`. */
function readPositional(reader: Reader): Expression {
  const { start, end } = advance(reader)
  const { token } = reader
  if (token.kind !== 'number' || token.start !== end) return missingOperand(reader)
  advance(reader)
  return {
    kind: 'positional',
    start,
    end: token.end,
    index: Number(reader.text.slice(token.start, token.end)),
  }
}
