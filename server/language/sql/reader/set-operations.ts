/** Reads UNION, EXCEPT, INTERSECT and their sides. */
import type { Body, NestedBody, SetOperation } from '../tree.ts'
import { endClauses } from './clauses.ts'
import { readDescribe } from './describe.ts'
import { readClose } from './lists.ts'
import { readNoBody } from './no-body.ts'
import { readPivotStatement } from './pivots.ts'
import { readQuery } from './query.ts'
import { type Operator, reportSecondSelect } from './query-slips.ts'
import { advance, type Reader, take, takeBoth } from './reader.ts'
import { readSelect, readTableStatement, type SelectBuilding } from './select.ts'
import { correctStart, isListWithoutSelect, reportNoSelect } from './statement.ts'
import { readValuesBody } from './values.ts'

function powerOf(word: string): number {
  return word === 'intersect' ? 2 : word === 'union' || word === 'except' ? 1 : 0
}

export function readBody(reader: Reader): Body {
  return readSetOperations(reader, readSide(reader), 1)
}

export function readSetOperations(reader: Reader, first: Body, power: number): Body {
  const { start } = first
  let left = first
  for (;;) {
    const isSecond = power <= 1 && isSecondSelect(reader, left)
    const operatorPower = isSecond ? 1 : powerOf(reader.token.word)
    if (operatorPower === 0 || operatorPower < power) return left
    if (left.kind === 'select') endClauses((left as SelectBuilding).clauses, reader.token.start)
    const operator = isSecond ? reportSecondSelect(reader) : readOperator(reader)
    const right = readSetOperations(reader, readSide(reader), operatorPower + 1)
    left = { kind: 'set', start, end: Math.max(reader.end, right.end), ...operator, left, right }
  }
}

/** Returns whether another SELECT follows where the statement should have ended. */
function isSecondSelect(reader: Reader, left: Body): boolean {
  return reader.isTop && reader.token.word === 'select' && left.kind !== 'no-body'
}

function readOperator(reader: Reader): Operator {
  const { start, word } = advance(reader)
  const all = take(reader, 'all')
  if (!all) take(reader, 'distinct')
  const byName = takeBoth(reader, 'by', 'name')
  const operatorSpan = { start, end: reader.end }
  return { operator: word as SetOperation['operator'], all, byName, operatorSpan }
}

function readSide(reader: Reader): Body {
  const { start, word } = reader.token
  switch (word) {
    case '(':
      return readNested(reader, start)
    case 'values':
      return readValuesBody(reader)
    case 'table':
      return readTableStatement(reader)
    case 'pivot':
    case 'pivot_wider':
    case 'unpivot':
    case 'pivot_longer':
      return readPivotStatement(reader)
    case 'describe':
    case 'desc':
    case 'summarize':
    case 'show':
      return readDescribe(reader)
    case 'select':
    case 'from':
      return readSelect(reader)
    default:
      return readOtherSide(reader)
  }
}

/** Reads a misspelt SELECT, a list without one, or nothing. */
function readOtherSide(reader: Reader): Body {
  if (correctStart(reader)) return readSide(reader)
  if (!isListWithoutSelect(reader)) return readNoBody(reader)
  reportNoSelect(reader)
  return readSelect(reader)
}

function readNested(reader: Reader, start: number): NestedBody {
  const open = advance(reader)
  const query = readQuery(reader, open.end)
  readClose(reader, ')')
  return { kind: 'nested', start, end: reader.end, query }
}
