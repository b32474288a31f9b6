/** Reads joins: the keywords between two tables, and the condition. */
import type { Expression, Join, Name, Span, TableExpression } from '../tree.ts'
import { joinKeywords, joinStarts, tableWordMeant } from './clause-words.ts'
import { readCondition } from './conditions.ts'
import { readNames } from './ctes.ts'
import { readName } from './names.ts'
import { insertion, report } from './problems.ts'
import { advance, peek, type Reader, take } from './reader.ts'
import { correct, correctWord } from './slips.ts'
import { readSingleTable } from './tables.ts'

interface JoinHead {
  readonly left: TableExpression
  readonly type: Join['type']
  readonly natural: boolean
  readonly asof: boolean
  readonly words: Span
  /** Whether ON or USING is required. */
  readonly conditional: boolean
}

/** Returns whether the keywords of a join come next. */
export function beginsJoin(reader: Reader): boolean {
  const { word } = reader.token
  return joinStarts.has(word) && (word === 'join' || peek(reader).word !== '(')
}

/** Reads all joins of the table, left-associative; a condition after several joins closes the inner one. */
export function readJoins(reader: Reader, first: TableExpression): TableExpression {
  const open: JoinHead[] = []
  let left = first
  for (;;) {
    correctJoin(reader)
    const { word } = reader.token
    if (open.length > 0 && (word === 'on' || word === 'using')) {
      const head = open.pop()
      if (head !== undefined) left = readJoinCondition(reader, head, left)
    } else if (open.length > 0 && beginsComparison(reader)) {
      const head = open.pop()
      if (head !== undefined) left = readBareCondition(reader, head, left)
    } else if (beginsJoin(reader)) {
      const head = readJoinHead(reader, left)
      const right = readSingleTable(reader)
      if (head.conditional) {
        open.push(head)
        left = right
      } else left = joined(reader, head, right, {})
    } else break
  }
  return open.length === 0 ? left : closeOpen(reader, open, left)
}

/** Corrects a misspelt keyword of a join: `a x LFET JOIN b`. */
function correctJoin(reader: Reader): void {
  const meant = tableWordMeant(reader)
  if (meant !== undefined && joinKeywords.includes(meant)) correct(reader, meant)
}

function readJoinHead(reader: Reader, left: TableExpression): JoinHead {
  const { start } = reader.token
  let type: Join['type'] = 'inner'
  let natural = false
  let asof = false
  while (reader.token.word !== 'join' && joinStarts.has(reader.token.word)) {
    const { word } = advance(reader)
    if (word === 'natural') natural = true
    else if (word === 'asof') asof = true
    else if (word !== 'join') type = word as Join['type']
    take(reader, 'outer')
  }
  if (!take(reader, 'join')) readMissingJoin(reader)
  const words = { start, end: reader.end }
  const conditional = !natural && type !== 'cross' && type !== 'positional'
  return { left, type, natural, asof, words, conditional }
}

function readMissingJoin(reader: Reader): void {
  if (correctWord(reader, ['join', 'outer'])) {
    take(reader, 'outer')
    if (take(reader, 'join')) return
  }
  const word = reader.tokens[reader.at - 1] ?? reader.token
  report(reader, word, 'JOIN is missing', {
    hint: 'Write JOIN before the table.',
    repair: [insertion(reader.end, ' JOIN')],
    fix: 'Insert JOIN',
  })
}

interface Condition {
  readonly on?: Expression
  readonly using?: readonly Name[]
  readonly usingSpan?: Span
  readonly onSpan?: Span
}

/** Makes a join that ends where the reader is. */
export function joined(
  reader: Reader,
  head: Omit<JoinHead, 'conditional'>,
  right: TableExpression,
  condition: Condition,
): Join {
  const { left, type, natural, asof, words } = head
  const { on, using, usingSpan, onSpan } = condition
  const span = { start: left.start, end: reader.end }
  const parts = { left, right, on, using, usingSpan, onSpan, alias: undefined }
  return { kind: 'join', ...span, type, natural, asof, words, ...parts }
}

const comparisons: ReadonlySet<string> = new Set(['=', '==', '<>', '!=', '<', '<=', '>', '>='])

/** Returns whether `a.id = b.id` comes where ON is expected. */
function beginsComparison(reader: Reader): boolean {
  const [dot, name, operator] = [peek(reader), peek(reader, 2), peek(reader, 3)]
  const isName = reader.token.kind === 'word' || reader.token.kind === 'quoted'
  return isName && dot.word === '.' && name.kind !== 'end' && comparisons.has(operator.word)
}

function readBareCondition(reader: Reader, head: JoinHead, right: TableExpression): Join {
  const { start } = reader.token
  report(reader, reader.token, 'ON is missing', {
    hint: 'Write ON before the condition of the join.',
    repair: [insertion(start, 'ON ')],
    fix: 'Insert ON',
  })
  const on = readCondition(reader, undefined)
  return joined(reader, head, right, { on, onSpan: { start, end: Math.max(start, reader.token.start) } })
}

/** Reads from ON or USING. */
function readJoinCondition(reader: Reader, head: JoinHead, right: TableExpression): Join {
  const { end, word } = advance(reader)
  if (word === 'on') {
    const on = readCondition(reader, undefined)
    return joined(reader, head, right, { on, onSpan: { start: end, end: Math.max(end, reader.token.start) } })
  }
  if (reader.token.word !== '(') return joined(reader, head, right, readBareUsing(reader, end))
  const open = reader.token
  const using = readNames(reader)
  const isClosed = reader.text[reader.end - 1] === ')'
  const usingSpan = { start: open.end, end: isClosed ? reader.end - 1 : reader.token.start }
  return joined(reader, head, right, { using, usingSpan })
}

/** Reads USING without brackets. */
function readBareUsing(reader: Reader, end: number): Condition {
  const before = reader.tokens[reader.at - 1] ?? reader.token
  const name = readName(reader)
  const using = name === undefined ? [] : [name]
  report(reader, before, 'the columns of USING stand in brackets', {
    hint: 'Write USING (column).',
    repair:
      name === undefined ? [insertion(end, ' (_)')] : [insertion(name.start, '('), insertion(name.end, ')')],
    ...(name === undefined ? {} : { fix: 'Put it in brackets' }),
  })
  return { using, usingSpan: { start: end, end: reader.end } }
}

/** Reports each join without a condition and keeps the tables in text order. */
function closeOpen(reader: Reader, open: readonly JoinHead[], last: TableExpression): TableExpression {
  const spine: Join[] = []
  const [firstOpen] = open
  let rest = last
  while (rest.kind === 'join' && rest.alias === undefined && rest.start !== firstOpen?.left.start) {
    spine.push(rest)
    rest = rest.left
  }
  let left: TableExpression | undefined
  for (const [index, head] of open.entries()) {
    const right = open[index + 1]?.left ?? rest
    reportNoCondition(reader, head, right)
    left = { ...joined(reader, { ...head, left: left ?? head.left }, right, {}), end: right.end }
  }
  for (const join of spine.reverse())
    left = { ...join, start: left?.start ?? join.start, left: left ?? join.left }
  return left ?? last
}

function reportNoCondition(reader: Reader, { words }: JoinHead, right: TableExpression): void {
  const whole = { start: words.start, end: right.end }
  const isOneLine = !/[\r\n]/.test(reader.text.slice(whole.start, whole.end))
  report(reader, isOneLine ? whole : words, 'JOIN needs ON or USING', {
    hint: 'Write ON and a condition after the table, or USING and columns of both.',
    repair: [insertion(right.end, ' ON true')],
  })
}
