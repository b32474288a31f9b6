/** Reads PIVOT and UNPIVOT: as statements, and after a table in FROM. */
import type {
  Expression,
  Name,
  Pivot,
  PivotBody,
  PivotColumn,
  PivotValue,
  Query,
  TableExpression,
  Unpivot,
  UnpivotEntry,
} from '../tree.ts'
import { readNames } from './ctes.ts'
import { readExpression } from './expression.ts'
import { type ListRules, readClose, readItems } from './lists.ts'
import { isName, readNameThere } from './names.ts'
import { beginsOperand, readOperand } from './operand.ts'
import { readLow } from './predicates.ts'
import { beginsQuery, readQuery } from './query.ts'
import { advance, is, peek, type Reader, take, takeBoth } from './reader.ts'
import { readSelectItem } from './select-items.ts'
import { readBy } from './slips.ts'
import { readTableAlias } from './table-alias.ts'
import { readTable } from './tables.ts'

const listRules: ListRules = { begins: reader => beginsOperand(reader), trailing: true, close: '' }

// ---------------------------------------------------------------- statements

/** Reads `PIVOT t ON … USING … GROUP BY …` and `UNPIVOT t ON … INTO NAME … VALUE …`. */
export function readPivotStatement(reader: Reader): PivotBody {
  const { start, word } = advance(reader)
  const source = readTable(reader)
  const isPivot = word === 'pivot' || word === 'pivot_wider'
  const table = isPivot ? readPivotRest(reader, start, source) : readUnpivotRest(reader, start, source)
  return { kind: 'pivot-query', start, end: reader.end, table }
}

function readPivotRest(reader: Reader, start: number, source: TableExpression): Pivot {
  const columns = take(reader, 'on') ? readPivotColumns(reader) : []
  const aggregates = take(reader, 'using') ? readItems(reader, listRules, readSelectItem) : []
  const groupBy = readPivotGroups(reader)
  return { kind: 'pivot', start, end: reader.end, source, columns, aggregates, groupBy, alias: undefined }
}

function readPivotColumns(reader: Reader): readonly PivotColumn[] {
  if (beginsOperand(reader)) return readItems(reader, listRules, readPivotColumn)
  readNameThere(reader)
  return []
}

/** Reads `year`, `year IN (2000, 2010)`, `year IN enum`, `year IN (SELECT …)`. */
function readPivotColumn(reader: Reader, read = readLow): PivotColumn {
  const { start } = reader.token
  const expression = read(reader)
  const expressions = expression.kind === 'row' ? expression.items : [expression]
  const { values, valuesFrom } = take(reader, 'in') ? readPivotValues(reader) : noValues
  return { start, end: reader.end, expressions, values, valuesFrom }
}

interface PivotValues {
  readonly values: readonly PivotValue[] | undefined
  readonly valuesFrom: Name | Query | undefined
}

const noValues: PivotValues = { values: undefined, valuesFrom: undefined }

function readPivotValues(reader: Reader): PivotValues {
  if (reader.token.word !== '(') return { values: undefined, valuesFrom: readNameThere(reader) }
  const open = advance(reader)
  if (beginsQuery(reader)) {
    const valuesFrom = readQuery(reader, open.end)
    readClose(reader, ')')
    return { values: undefined, valuesFrom }
  }
  const values = is(reader, ')') ? [] : readItems(reader, insideRules, readPivotValue)
  readClose(reader, ')')
  return { values, valuesFrom: undefined }
}

const insideRules: ListRules = { ...listRules, close: ')' }

function readPivotValue(reader: Reader): PivotValue {
  const { start, end, expression, alias } = readSelectItem(reader)
  return { start, end, expression, alias }
}

/** Reads the names in GROUP BY, with or without brackets. */
function readPivotGroups(reader: Reader): readonly Expression[] {
  if (!take(reader, 'group')) return []
  readBy(reader)
  const groups = readItems(reader, listRules, () => readExpression(reader))
  return groups.flatMap(each => (each.kind === 'row' ? each.items : [each]))
}

function readUnpivotRest(reader: Reader, start: number, source: TableExpression): Unpivot {
  readIncludeNulls(reader)
  const entries = take(reader, 'on') ? readItems(reader, listRules, readUnpivotEntry) : []
  const { nameColumn, valueColumns } = readInto(reader)
  return {
    kind: 'unpivot',
    start,
    end: reader.end,
    source,
    entries,
    nameColumn,
    valueColumns,
    alias: undefined,
  }
}

function readUnpivotEntry(reader: Reader): UnpivotEntry {
  const { start, end, expression, alias } = readSelectItem(reader)
  return { start, end, expressions: expression.kind === 'row' ? expression.items : [expression], alias }
}

/** Reads `INTO NAME n VALUE v, w`. */
function readInto(reader: Reader): { nameColumn: Name | undefined; valueColumns: readonly Name[] } {
  if (!take(reader, 'into')) return { nameColumn: undefined, valueColumns: [] }
  take(reader, 'name')
  const nameColumn = readNameThere(reader)
  if (!take(reader, 'value')) take(reader, 'values')
  return { nameColumn, valueColumns: readNameList(reader) }
}

function readNameList(reader: Reader): readonly Name[] {
  if (reader.token.word === '(') return readNames(reader)
  const names: Name[] = []
  do {
    names.push(readNameThere(reader))
  } while (take(reader, ','))
  return names
}

/** Neither changes what the columns are. */
function readIncludeNulls(reader: Reader): void {
  if (!takeBoth(reader, 'include', 'nulls')) takeBoth(reader, 'exclude', 'nulls')
}

// ---------------------------------------------------------------- behind a table

/** Reads `t PIVOT (…) AS p UNPIVOT (…)`, any number of them. */
export function readTablePivots(reader: Reader, first: TableExpression): TableExpression {
  let table = first
  for (;;) {
    const { word } = reader.token
    const isPivot = word === 'pivot' && peek(reader).word === '('
    const isUnpivot = word === 'unpivot' && (peek(reader).word === '(' || peek(reader, 2).word === 'nulls')
    if (!isPivot && !isUnpivot) return table
    table = isPivot ? readTablePivot(reader, table) : readTableUnpivot(reader, table)
  }
}

function readTablePivot(reader: Reader, source: TableExpression): Pivot {
  advance(reader)
  advance(reader)
  const aggregates = readItems(reader, listRules, readSelectItem)
  const columns: PivotColumn[] = []
  if (take(reader, 'for')) while (beginsOperand(reader)) columns.push(readPivotColumn(reader, readOperand))
  const groupBy = readPivotGroups(reader)
  readClose(reader, ')')
  const alias = readTableAlias(reader)
  const { start } = source
  return { kind: 'pivot', start, end: reader.end, source, columns, aggregates, groupBy, alias }
}

/** Reads `UNPIVOT INCLUDE NULLS (value FOR name IN (a, b))` and `((v, w) FOR name IN ((a, b), (c, d)))`. */
function readTableUnpivot(reader: Reader, source: TableExpression): Unpivot {
  advance(reader)
  readIncludeNulls(reader)
  take(reader, '(')
  const valueColumns = readNameList(reader)
  take(reader, 'for')
  let nameColumn: Name | undefined
  const entries: UnpivotEntry[] = []
  while (isName(reader.token) || reader.token.kind === 'string' || reader.token.word === '(') {
    const names = readNameList(reader)
    nameColumn ??= names[0]
    if (take(reader, 'in')) entries.push(...readUnpivotValues(reader))
    if (names.length === 0) break
  }
  readClose(reader, ')')
  const alias = readTableAlias(reader)
  const { start } = source
  const { end } = reader
  return { kind: 'unpivot', start, end, source, entries, nameColumn, valueColumns, alias }
}

function readUnpivotValues(reader: Reader): readonly UnpivotEntry[] {
  if (!take(reader, '(')) return []
  const entries = is(reader, ')') ? [] : readItems(reader, insideRules, readUnpivotEntry)
  readClose(reader, ')')
  return entries
}
