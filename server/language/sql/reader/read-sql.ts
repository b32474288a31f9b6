/**
 * Reads SQL of any engine, also broken SQL, into a tree. It never fails: errors are in `problems`, and
 * unfinished text still has its tables and columns.
 */
import type { SqlGrammar } from '../grammar.ts'
import type { Expression, Name, Query, SqlReading, SyntaxProblem } from '../tree.ts'
import { readCondition } from './conditions.ts'
import { withBracket } from './missing-bracket.ts'
import { nameOf } from './names.ts'
import { createReader, isAtEnd, type Reader, type Token, take } from './reader.ts'
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
  const whole = readable(text, grammar)
  const reading = readTokens(text, grammar, whole)
  if (reading.problems.length - whole.problems.length < 2) return reading
  return withOneBracket(text, grammar, whole, reading) ?? reading
}

/** Reads the text with the one bracket that it lacks; undefined where that does not explain all of its problems. */
function withOneBracket(
  text: string,
  grammar: SqlGrammar,
  { tokens, problems }: Readable,
  reading: SqlReading,
): SqlReading | undefined {
  const [first] = reading.problems
  for (const tried of withBracket({ text, grammar, tokens, near: first?.start ?? 0 })) {
    const found = readTokens(text, grammar, { tokens: tried.tokens, problems: [...problems, tried.problem] })
    if (found.problems.length === problems.length + 1)
      return { ...found, called: [...reading.called, ...found.called] }
  }
  return undefined
}

function readTokens(text: string, grammar: SqlGrammar, { tokens, problems }: Readable): SqlReading {
  const said = [...problems]
  const reader = createReader(text, grammar, withoutStrays([...tokens], said), said)
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

/** The tokens of a text with all of its brackets, and what the lexer has found. */
interface Readable {
  readonly tokens: readonly Token[]
  readonly problems: readonly SyntaxProblem[]
}

function readable(text: string, grammar: SqlGrammar): Readable {
  const { tokens, problems } = lexed(text, grammar)
  return { tokens: readerTokens(text, tokens, grammar), problems }
}

function readerOf(text: string, grammar: SqlGrammar): Reader {
  const { tokens, problems } = readable(text, grammar)
  const said = [...problems]
  return createReader(text, grammar, withoutStrays([...tokens], said), said)
}
