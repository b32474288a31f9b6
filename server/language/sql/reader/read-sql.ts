/**
 * Reads SQL of any engine, also broken SQL, into a tree. It never fails: errors are in `problems`, and
 * unfinished text still has its tables and columns.
 */
import type { SqlGrammar } from '../grammar.ts'
import type { Expression, Name, Query, SqlReading, SyntaxProblem } from '../tree.ts'
import { readCondition } from './conditions.ts'
import { nameOf } from './names.ts'
import { createReader, isAtEnd, type Reader, take } from './reader.ts'
import { lexed } from './repair-tokens.ts'
import { passRest, readStatement } from './statement.ts'
import { withoutStrays } from './stray-brackets.ts'
import { readerTokens } from './tokens.ts'

export interface ExpressionReading {
  readonly text: string
  readonly expression: Expression
  readonly problems: readonly SyntaxProblem[]
}

export function readSql(text: string, grammar: SqlGrammar): SqlReading {
  const reader = readerOf(text, grammar)
  const called = calledNames(reader)
  const statements: Query[] = []
  let reachStart = 0
  for (;;) {
    if (!isAtEnd(reader) || statements.length === 0) statements.push(readStatement(reader, reachStart))
    if (!take(reader, ';')) break
    reachStart = reader.end
  }
  return { text, statements, problems: inOrder(reader.problems), hasChance: reader.hasChance, called }
}

/** Reads a text that is one condition or value. */
export function readExpression(text: string, grammar: SqlGrammar): ExpressionReading {
  const reader = readerOf(text, grammar)
  const expression = readCondition(reader, undefined)
  passRest(reader)
  return { text, expression, problems: inOrder(reader.problems) }
}

/** The reader corrects misspelt keywords in place, so that this comes before it. */
function calledNames(reader: Reader): readonly Name[] {
  const { tokens } = reader
  return tokens.flatMap((token, index) => {
    const isCalled = tokens[index + 1]?.word === '(' && (token.kind === 'word' || token.kind === 'quoted')
    return isCalled ? [nameOf(reader, token)] : []
  })
}

function inOrder(problems: SyntaxProblem[]): readonly SyntaxProblem[] {
  return problems.sort((a, b) => a.start - b.start || a.end - b.end)
}

function readerOf(text: string, grammar: SqlGrammar): Reader {
  const { tokens, problems } = lexed(text, grammar)
  const readable = withoutStrays(readerTokens(text, tokens, grammar), problems)
  return createReader(text, grammar, readable, problems)
}
