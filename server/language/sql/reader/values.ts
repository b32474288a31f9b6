/** VALUES, as a query and in FROM. */
import type { Expression, Values } from '../tree.ts'
import { expressionsIn } from './brackets.ts'
import { readExpression } from './expression.ts'
import { type ListRules, readClose, readItems } from './lists.ts'
import { missingOperand } from './missing.ts'
import { advance, type Reader } from './reader.ts'

const rowRules: ListRules = { begins: (_, token) => token.word === '(', trailing: true, close: 'end' }

/** The word VALUES comes next. */
export function readRows(reader: Reader): readonly (readonly Expression[])[] {
  advance(reader)
  return readItems(reader, rowRules, readRow)
}

function readRow(reader: Reader): readonly Expression[] {
  if (reader.token.word !== '(') return [missingOperand(reader)]
  advance(reader)
  const items = readItems(reader, expressionsIn[')'], () => readExpression(reader))
  readClose(reader, ')')
  return items
}

export function readValuesBody(reader: Reader): Values {
  const { start } = reader.token
  const rows = readRows(reader)
  return { kind: 'values', start, end: reader.end, rows }
}
