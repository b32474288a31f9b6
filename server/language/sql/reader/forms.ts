/** Reads expressions with a syntax of their own: CASE, CAST, EXISTS, INTERVAL, ARRAY(SELECT …). */
import { wordSet } from '../grammar.ts'
import type { Expression, Query, Subquery } from '../tree.ts'
import { readBracket, readSubqueryOrItems } from './brackets.ts'
import { endsCasePart, isCaseWord, readCaseWord, reportNoThen, reportNoWhen } from './case-slips.ts'
import { both, readCondition, reportNoOperator } from './conditions.ts'
import { readExpression } from './expression.ts'
import { readClose } from './lists.ts'
import { readLiteral, readTag } from './literals.ts'
import { reportNoQuery } from './missing.ts'
import { queryAsValue } from './nodes.ts'
import { beginsOperand } from './operand.ts'
import { missingAt } from './problems.ts'
import { emptyQuery } from './query.ts'
import { advance, peek, type Reader, take } from './reader.ts'
import { readMissingAs } from './slips.ts'
import { readType } from './types.ts'

export function readCase(reader: Reader): Expression {
  const { start } = advance(reader)
  const operand = isCaseWord(reader) ? undefined : readCondition(reader, undefined, endsCasePart)
  const branches: Branch[] = []
  while (readCaseWord(reader, 'when')) branches.push(readBranch(reader))
  if (branches.length === 0) reportNoWhen(reader)
  const otherwise = readCaseWord(reader, 'else') ? readCondition(reader, undefined, endsCasePart) : undefined
  readCaseWord(reader, 'end')
  return { kind: 'case', start, end: reader.end, operand, branches, otherwise }
}

interface Branch {
  readonly when: Expression
  readonly then: Expression
}

/**
 * Reads a branch after WHEN. Of two values without THEN the second is the result, unless a THEN comes later.
 */
function readBranch(reader: Reader): Branch {
  const when = readExpression(reader)
  if (!beginsOperand(reader) || isCaseWord(reader)) return branchOf(when, readResult(reader))
  const { end } = reader
  const { token } = reader
  const second = readExpression(reader)
  if (reader.token.word === 'then') {
    reportNoOperator(reader, token, end)
    return branchOf(both(when, second, end), readResult(reader))
  }
  reportNoThen(reader, token, end)
  return branchOf(when, second)
}

function branchOf(when: Expression, result: Expression): Branch {
  // biome-ignore lint/suspicious/noThenProperty: the tree names the parts of a CASE as SQL does; nobody awaits them.
  return { when, then: result }
}

function readResult(reader: Reader): Expression {
  return readCaseWord(reader, 'then') ? readCondition(reader, undefined, endsCasePart) : missingAt(reader.end)
}

/** Reads `CAST(a AS type)`. */
export function readCast(reader: Reader, tries: boolean): Expression {
  const { start } = advance(reader)
  advance(reader)
  const operand = readExpression(reader)
  if (!take(reader, 'as')) readMissingAs(reader)
  const type = readType(reader)
  readClose(reader, ')')
  return { kind: 'cast', start, end: reader.end, operand, type, tries }
}

/** Reads `EXISTS (SELECT …)` and `ARRAY (SELECT …)`. */
export function readQueryForm(reader: Reader, form: Subquery['form']): Expression {
  const { start } = advance(reader)
  reader.depth++
  const query = readQueryInBrackets(reader)
  reader.depth--
  return queryAsValue({ start, end: reader.end }, form, query)
}

function readQueryInBrackets(reader: Reader): Query {
  const open = reader.token
  const { query } = readSubqueryOrItems(reader)
  if (query !== undefined) return query
  reportNoQuery(reader, { start: open.start, end: reader.end })
  return emptyQuery(open.end, open.end)
}

const units = wordSet(
  `century centuries day days decade decades hour hours microsecond microseconds millennium millennia millisecond
  milliseconds minute minutes month months quarter quarters second seconds week weeks year years`,
)

/** Reads `INTERVAL 1 DAY`, `INTERVAL '1' YEAR TO MONTH`, `INTERVAL (n) HOURS`. */
export function readInterval(reader: Reader): Expression {
  const { start } = advance(reader)
  const amount = readAmount(reader)
  readIntervalUnit(reader)
  return { kind: 'interval', start, end: reader.end, amount }
}

function readAmount(reader: Reader): Expression {
  if (reader.token.word === '(') return readBracket(reader)
  return reader.token.kind === 'tag' ? readTag(reader) : readLiteral(reader)
}

/** Reads `YEAR` and `YEAR TO MONTH`. */
export function readIntervalUnit(reader: Reader): void {
  if (!units.has(reader.token.word)) return
  advance(reader)
  if (reader.token.word !== 'to' || !units.has(peek(reader).word)) return
  advance(reader)
  advance(reader)
}
