/**
 * Reads SQL of any engine, also a broken one, into a tree. Never fails: what is wrong is said in `problems`, and what a
 * person is typing right now still has its tables and columns.
 */
import type { SqlGrammar } from '../grammar.ts'
import type { Expression, Query, SqlReading, SyntaxProblem } from '../tree.ts'
import { readCondition } from './conditions.ts'
import { createReader, isAtEnd, type Reader, take } from './reader.ts'
import { passRest, readStatement } from './statement.ts'
import { readerTokens } from './tokens.ts'

export interface ExpressionReading {
  readonly text: string
  readonly expression: Expression
  readonly problems: readonly SyntaxProblem[]
}

export function readSql(text: string, grammar: SqlGrammar): SqlReading {
  const reader = readerOf(text, grammar)
  const statements: Query[] = []
  let reachStart = 0
  for (;;) {
    if (!isAtEnd(reader) || statements.length === 0) statements.push(readStatement(reader, reachStart))
    if (!take(reader, ';')) break
    reachStart = reader.end
  }
  return { text, statements, problems: reader.problems }
}

/** A text that is one condition or value. */
export function readExpression(text: string, grammar: SqlGrammar): ExpressionReading {
  const reader = readerOf(text, grammar)
  const expression = readCondition(reader, undefined)
  passRest(reader)
  return { text, expression, problems: reader.problems }
}

function readerOf(text: string, grammar: SqlGrammar): Reader {
  const problems: SyntaxProblem[] = []
  const tokens = readerTokens(text, grammar.tokens(text), grammar)
  return createReader(text, grammar, tokens, problems)
}
