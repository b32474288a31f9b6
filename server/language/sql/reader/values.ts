/** Reads VALUES, as a query and in FROM. */
import type { Expression, Values } from '../tree.ts'
import { expressionsIn } from './brackets.ts'
import { readExpression } from './expression.ts'
import { type ListRules, readClose, readItems } from './lists.ts'
import { missingOperand } from './missing.ts'
import { insertion, report } from './problems.ts'
import { advance, type Reader } from './reader.ts'

const rowRules: ListRules = { begins: (_, token) => token.word === '(', trailing: true, close: 'end' }

/** Reads from the word VALUES. */
export function readRows(reader: Reader): readonly (readonly Expression[])[] {
  advance(reader)
  let width: number | undefined
  return readItems(reader, rowRules, () => {
    const { start } = reader.token
    const row = readRow(reader)
    width ??= row.length
    const isClosed = reader.text[reader.end - 1] === ')'
    if (row.length !== width && isClosed) reportWidth(reader, start, row, width)
    return row
  })
}

function reportWidth(reader: Reader, start: number, row: readonly Expression[], width: number): void {
  const has = row.length === 1 ? '1 value' : `${row.length} values`
  const inner = reader.end - 1
  const last = row[width - 1]?.end ?? inner
  report(reader, { start, end: reader.end }, `this row has ${has}, the first one has ${width}`, {
    hint: 'All rows of VALUES have the same number of values.',
    repair:
      row.length < width
        ? [insertion(inner, ', NULL'.repeat(width - row.length))]
        : [{ start: last, end: inner, text: '' }],
  })
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
