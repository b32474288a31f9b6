/** Reads FROM: tables, queries and functions as tables, and joins. */

import { cannotBe } from '../grammar.ts'
import type { Call, Name, Query, Span, TableAlias, TableExpression } from '../tree.ts'
import { readPlainCall } from './calls.ts'
import { correctSelect } from './clause-slips.ts'
import { readSample } from './clauses.ts'
import { deepest, skipTooDeep } from './depth.ts'
import { readExpression } from './expression.ts'
import { joined, readJoins } from './joins.ts'
import { passLeadingCommas, readClose, readItems } from './lists.ts'
import { emptyName, isName, isNameBeforeColon, nameOf, readPath } from './names.ts'
import { readTablePivots } from './pivots.ts'
import { deletion, insertion, report, tokenName } from './problems.ts'
import { beginsQuery, continueQuery, goesOnAsQuery, readQuery } from './query.ts'
import { advance, peek, previous, type Reader, take, takeBoth, textOf } from './reader.ts'
import { readTableAlias } from './table-alias.ts'
import { tableRules } from './table-list.ts'
import { readRows } from './values.ts'

export function readTables(reader: Reader, trailing: boolean): readonly TableExpression[] {
  if (reader.token.word === ',' && beginsTable(reader, 1)) passLeadingCommas(reader)
  if (!beginsTable(reader)) return [missingTable(reader)]
  return readItems(reader, { ...tableRules, trailing }, readTable)
}

/** Reads a table with all its joins. */
export function readTable(reader: Reader): TableExpression {
  return readJoins(reader, readSingleTable(reader))
}

export function beginsTable(reader: Reader, by = 0): boolean {
  const token = peek(reader, by)
  if (isName(token)) return true
  if (token.kind === 'tag' || token.kind === 'string' || token.word === '(') return true
  if (token.kind !== 'word') return false
  return (
    token.word === 'lateral' ||
    token.word === 'only' ||
    ((token.bits & cannotBe.function) === 0 && peek(reader, by + 1).word === '(')
  )
}

/** Reports a missing table. */
function missingTable(reader: Reader): TableExpression {
  const before = previous(reader) ?? reader.token
  report(reader, before, `a table is missing after ${tokenName(before, textOf(reader, before))}`, {
    hint: 'Write the name of a table there.',
    repair: [insertion(reader.end, ' (SELECT NULL) ')],
  })
  return { kind: 'missing-table', start: reader.end, end: reader.end, alias: undefined }
}

/** Reads a table with its alias and its postfixes, without joins. */
export function readSingleTable(reader: Reader): TableExpression {
  const { start } = reader.token
  const isPrefixed = reader.grammar.features.prefixAlias && isNameBeforeColon(reader)
  const before = isPrefixed ? readAliasBefore(reader) : undefined
  const plain = readPlainTable(reader, before)
  const table = plain.start === start ? plain : { ...plain, start: Math.min(start, plain.start) }
  return readTablePivots(reader, table)
}

function readAliasBefore(reader: Reader): TableAlias {
  const name = nameOf(reader, advance(reader))
  advance(reader)
  return { name, columns: [], isComplete: false }
}

function readPlainTable(reader: Reader, before: TableAlias | undefined): TableExpression {
  const { token } = reader
  if (token.word === '(') return readBracketTable(reader, before)
  if (token.word === 'lateral') return readLateral(reader)
  if (token.word === 'values' && peek(reader).word === '(') return readValuesTable(reader)
  if (token.kind === 'tag') return readTagTable(reader, before)
  if (token.kind === 'string') return readFileTable(reader, before)
  if (token.word === 'rows' && peek(reader).word === 'from' && peek(reader, 2).word === '(')
    return readRowsFrom(reader)
  if (take(reader, 'only')) return readPlainTable(reader, before)
  if (!beginsTable(reader)) return missingTable(reader)
  return readNamedTable(reader, before)
}

/** Reads the alias of a table, before or after its postfixes, which are skipped. */
function readTail(reader: Reader, before: TableAlias | undefined): TableAlias | undefined {
  const alias = before ?? readTableAlias(reader)
  if (reader.token.word === 'at' && peek(reader).word === '(') readAt(reader)
  if (take(reader, 'tablesample')) readSample(reader)
  return alias ?? readTableAlias(reader)
}

/** Reads `AT (VERSION => 3)`. */
function readAt(reader: Reader): void {
  advance(reader)
  advance(reader)
  if (reader.token.kind === 'word') advance(reader)
  if (take(reader, '=>')) readExpression(reader)
  readClose(reader, ')')
}

function readTagTable(reader: Reader, before: TableAlias | undefined): TableExpression {
  const { start, end } = advance(reader)
  const alias = readTail(reader, before)
  return { kind: 'tag-table', start, end: reader.end, tag: { start, end }, alias }
}

function readFileTable(reader: Reader, before: TableAlias | undefined): TableExpression {
  const { start, end } = advance(reader)
  const alias = readTail(reader, before)
  return { kind: 'file-table', start, end: reader.end, file: { start, end }, alias }
}

function readNamedTable(reader: Reader, before: TableAlias | undefined): TableExpression {
  const { start } = reader.token
  const path = readPath(reader, nameOf(reader, advance(reader)))
  if (reader.token.word === '(') return readFunctionTable(reader, start, path, before)
  const alias = readTail(reader, before)
  return { kind: 'named-table', start, end: reader.end, path, alias }
}

function readFunctionTable(
  reader: Reader,
  start: number,
  path: readonly Name[],
  before: TableAlias | undefined,
): TableExpression {
  const call: Call = readPlainCall(reader, { start, path, receiver: undefined, tag: undefined })
  const ordinality = takeBoth(reader, 'with', 'ordinality')
  const alias = readTail(reader, before)
  return { kind: 'function-table', start, end: reader.end, call, ordinality, alias }
}

/** Reads `ROWS FROM (f(), g())`, which lines up the rows of functions. */
function readRowsFrom(reader: Reader): TableExpression {
  const { start } = advance(reader)
  advance(reader)
  return readFunctionTable(reader, start, [emptyName(start)], undefined)
}

function readValuesTable(reader: Reader): TableExpression {
  const { start } = reader.token
  const rows = readRows(reader)
  const alias = readTail(reader, undefined)
  return { kind: 'values-table', start, end: reader.end, rows, alias }
}

function readLateral(reader: Reader): TableExpression {
  const { start } = advance(reader)
  while (take(reader, 'lateral')) reportSecondLateral(reader)
  const table = readSingleTable(reader)
  return table.kind === 'subquery-table' ? { ...table, start, lateral: true } : { ...table, start }
}

function reportSecondLateral(reader: Reader): void {
  const span = { start: reader.end - 'lateral'.length, end: reader.end }
  report(reader, span, 'LATERAL stands here a second time', { hint: 'Remove it.', repair: [deletion(span)] })
}

// ---------------------------------------------------------------- brackets

/** Reads `(SELECT …) x` and `(a JOIN b ON …) x`. */
function readBracketTable(reader: Reader, before: TableAlias | undefined): TableExpression {
  const { start } = reader.token
  if (reader.depth >= deepest) {
    skipTooDeep(reader)
    return { kind: 'missing-table', start: reader.end, end: reader.end, alias: undefined }
  }
  reader.depth++
  const open = advance(reader)
  const inner = readInside(reader, open.end)
  readClose(reader, ')')
  reader.depth--
  const alias = readTail(reader, before)
  if (inner.kind === 'query') {
    return { kind: 'subquery-table', start, end: reader.end, query: inner, lateral: false, alias }
  }
  if (inner.kind !== 'join') reportLoneTable(reader, inner, open)
  return { ...inner, start, end: reader.end, alias: alias ?? inner.alias }
}

/** Reports `(t)`: only joins and queries may be in brackets. */
function reportLoneTable(reader: Reader, table: TableExpression, open: Span): void {
  const isQuery = table.kind === 'subquery-table' && table.alias === undefined
  const close = reader.text.indexOf(')', table.end)
  if (isQuery || table.kind === 'missing-table' || close < 0 || close >= reader.end) return
  report(reader, open, 'a table alone stands in no brackets', {
    hint: 'Only a query and a join stand in brackets: remove them.',
    repair: [deletion(open), deletion({ start: close, end: close + 1 })],
    fix: 'Remove the brackets',
  })
}

function readInside(reader: Reader, reachStart: number): Query | TableExpression {
  if (beginsQuery(reader) || correctSelect(reader)) return readQuery(reader, reachStart)
  const isQuery = reader.token.word === '('
  const { start } = reader.token
  const first = isQuery ? readSingleTable(reader) : undefined
  if (first?.kind === 'subquery-table' && first.alias === undefined && goesOnAsQuery(reader))
    return continueQuery(reader, reachStart, { kind: 'nested', start, end: reader.end, query: first.query })
  return readCommasInside(reader, first === undefined ? readTable(reader) : readJoins(reader, first))
}

/** Reads `(a, b)`, which is reported: a comma joins no tables inside brackets. */
function readCommasInside(reader: Reader, first: TableExpression): TableExpression {
  let left = first
  while (reader.token.word === ',' && beginsTable(reader, 1)) {
    const comma = advance(reader)
    report(reader, comma, 'a comma joins no tables inside of brackets', {
      hint: 'Write CROSS JOIN.',
      repair: [{ start: comma.start, end: comma.end, text: ' CROSS JOIN ' }],
      fix: 'Change to CROSS JOIN',
    })
    const words = { start: left.end, end: left.end }
    const right = readTable(reader)
    left = joined(reader, { left, type: 'cross', natural: false, asof: false, words }, right, {})
  }
  return left
}
