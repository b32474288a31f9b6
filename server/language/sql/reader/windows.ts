/** Reads OVER (…) and the windows of a WINDOW clause. */
import type { Expression, Name, NamedWindow, Window } from '../tree.ts'
import { readExpression } from './expression.ts'
import { type ListRules, readClose, readItems } from './lists.ts'
import { isName, nameOf, readName, readNameThere } from './names.ts'
import { beginsOperand } from './operand.ts'
import { readOrderBy } from './order.ts'
import { insertion, report, reportNoBrackets } from './problems.ts'
import { advance, peek, previous, type Reader, take, takeBoth } from './reader.ts'
import { readBy, readMissingAs, reportNoWindow } from './slips.ts'

/** Reads from the word OVER. */
export function readOver(reader: Reader): Window | Name {
  const word = advance(reader)
  if (reader.token.word === '(') return readWindow(reader)
  if (isOpenWindow(reader)) return readBareWindow(reader)
  return readName(reader) ?? reportNoWindow(reader, word)
}

const frames = new Set(['rows', 'range', 'groups'])

const partitionRules: ListRules = {
  begins: reader => beginsOperand(reader) && !beginsFrame(reader),
  trailing: false,
  close: ')',
}

function isOpenWindow(reader: Reader): boolean {
  const { word } = reader.token
  return (word === 'partition' || word === 'order') && peek(reader).word === 'by'
}

/** Reads `OVER PARTITION BY a`, whose brackets are missing. */
function readBareWindow(reader: Reader): Window {
  const { start } = reader.token
  const word = previous(reader) ?? reader.token
  const window = readInside(reader, start)
  const span = { start, end: reader.end }
  const hint = 'Write OVER (PARTITION BY … ORDER BY …).'
  reportNoBrackets(reader, word, span, 'the window of OVER stands in brackets', hint)
  return window
}

/** Reads from the opening bracket. */
function readWindow(reader: Reader): Window {
  const { start } = advance(reader)
  const window = readInside(reader, start)
  readClose(reader, ')')
  return { ...window, end: reader.end }
}

function readInside(reader: Reader, start: number): Window {
  reader.depth++
  const window = readParts(reader, start)
  reader.depth--
  return window
}

function readParts(reader: Reader, start: number): Window {
  const base = isBase(reader) ? nameOf(reader, advance(reader)) : undefined
  const partitionBy = readPartition(reader)
  const orderBy = reader.token.word === 'order' ? readOrderBy(reader).items : []
  const frame = frames.has(reader.token.word) ? readFrame(reader) : []
  return { kind: 'window', start, end: reader.end, base, partitionBy, orderBy, frame }
}

/** Returns whether the word is the window that this one is based on and no keyword. */
function isBase(reader: Reader): boolean {
  const { token } = reader
  if (!isName(token)) return false
  if (token.word === 'partition') return peek(reader).word !== 'by' && !beginsOperand(reader, 1)
  return !beginsFrame(reader)
}

function beginsFrame(reader: Reader): boolean {
  if (!frames.has(reader.token.word)) return false
  const next = peek(reader)
  return next.word === 'between' || (next.word !== ')' && next.word !== ',' && beginsOperand(reader, 1))
}

function readPartition(reader: Reader): readonly Expression[] {
  if (reader.token.word !== 'partition') return []
  advance(reader)
  readBy(reader)
  return readItems(reader, partitionRules, () => readExpression(reader))
}

/** Reads `ROWS BETWEEN … AND … EXCLUDE …`. */
function readFrame(reader: Reader): readonly Expression[] {
  advance(reader)
  const bounds: Expression[] = []
  if (take(reader, 'between')) {
    readBound(reader, bounds)
    if (take(reader, 'and')) readBound(reader, bounds)
  } else readBound(reader, bounds)
  if (take(reader, 'exclude')) readExclusion(reader)
  return bounds
}

function readBound(reader: Reader, bounds: Expression[]): void {
  if (takeBoth(reader, 'current', 'row')) return
  const isUnbounded = reader.token.word === 'unbounded' && sides.has(peek(reader).word)
  if (isUnbounded) advance(reader)
  else bounds.push(readTightExpression(reader))
  if (sides.has(reader.token.word)) advance(reader)
  else reportNoSide(reader)
}

function reportNoSide(reader: Reader): void {
  report(reader, previous(reader) ?? reader.token, 'PRECEDING or FOLLOWING is missing', {
    hint: 'A bound of a frame is written n PRECEDING, n FOLLOWING or CURRENT ROW.',
    repair: [insertion(reader.end, ' PRECEDING')],
  })
}

const sides = new Set(['preceding', 'following'])

/** Reads a frame bound, which has no AND of its own: the AND after it separates the bounds. */
function readTightExpression(reader: Reader): Expression {
  const and = reader.grammar.operators.get('and')
  return readExpression(reader, and?.right ?? 0)
}

function readExclusion(reader: Reader): void {
  if (takeBoth(reader, 'current', 'row') || takeBoth(reader, 'no', 'others')) return
  if (!take(reader, 'group')) take(reader, 'ties')
}

/** Reads `name AS (…)` in a WINDOW clause. */
export function readNamedWindow(reader: Reader): NamedWindow {
  const { start } = reader.token
  const name = readNameThere(reader)
  if (!take(reader, 'as')) readMissingAs(reader)
  const window = reader.token.word === '(' ? readWindow(reader) : emptyWindow(reader.end)
  return { start: Math.min(start, name.start), end: reader.end, name, window }
}

function emptyWindow(at: number): Window {
  return { kind: 'window', start: at, end: at, base: undefined, partitionBy: [], orderBy: [], frame: [] }
}
