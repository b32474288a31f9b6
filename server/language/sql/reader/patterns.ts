/** Reads LIKE and similar operators: with ESCAPE, and after a star. */
import type { Expression, Span, StarPattern } from '../tree.ts'
import { readExpression, type Side } from './expression.ts'
import { binaryNode } from './nodes.ts'
import { quantified } from './quantified.ts'
import { type Reader, take } from './reader.ts'

/** Reads the pattern after the operator. */
export function readLike(reader: Reader, side: Side, operator: string, span: Span): Expression {
  const some = quantified(reader, side, operator, span)
  if (some !== undefined) return some
  const { left, start, power } = side
  const right = readExpression(reader, power.right)
  const escaped = take(reader, 'escape') ? readExpression(reader, power.right) : undefined
  if (left.kind === 'star' && left.pattern === undefined)
    return { ...left, end: reader.end, pattern: starPattern(reader, span.start, operator, right) }
  return binaryNode({ start, end: reader.end }, operator, span, left, right, escaped)
}

function starPattern(reader: Reader, start: number, operator: string, pattern: Expression): StarPattern {
  const not = operator.startsWith('not ')
  return { start, end: reader.end, operator: not ? operator.slice(4) : operator, not, pattern }
}
