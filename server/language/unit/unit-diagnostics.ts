/** Makes the diagnostic for a failing unit test, with a place for each row that differs. */
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Edit } from './accept-expected.ts'
import type { UnitCase } from './unit-case.ts'
import type { UnitDiff, UnitDiffCell, UnitDiffRow } from './unit-result.ts'

/** The maximum number of rows that are listed. */
const toldRows = 20

export function failedDiagnostic(
  path: string,
  test: UnitCase,
  diff: UnitDiff,
  edits: readonly Edit[] | undefined,
): Diagnostic {
  const hint = hintOf(diff)
  return {
    code: 'unit-test-failed',
    severity: severityOf(test),
    message: `unit test "${test.name}" fails: ${diffMessage(diff)}`,
    ...(hint === undefined ? {} : { hint }),
    path,
    range: test.range,
    related: diff.rows
      .slice(0, toldRows)
      .map(row => ({ path, range: placeOf(test, diff, row), message: rowMessage(diff, row) })),
    ...(edits !== undefined && {
      fixes: [{ title: 'Expect the rows that came', edits: edits.map(edit => ({ path, ...edit })) }],
    }),
  }
}

export function severityOf({ severity }: UnitCase): Diagnostic['severity'] {
  return severity === 'error' ? 'error' : 'warning'
}

/** Returns one clause: the first row that differs, and the number of others. */
export function diffMessage(diff: UnitDiff): string {
  const [first] = diff.rows
  const others = diff.rows.length + diff.more - 1
  const more = others === 0 ? '' : `, and ${others} more ${others === 1 ? 'row differs' : 'rows differ'}`
  return first === undefined ? 'other rows came' : `${rowMessage(diff, first)}${more}`
}

function hintOf({ expected, actual }: UnitDiff): string | undefined {
  if (expected === actual) return undefined
  return `Rows that came: ${actual}; rows that are expected: ${expected}.`
}

function rowMessage({ columns }: UnitDiff, row: UnitDiffRow): string {
  const named = row.cells.map((cell, index) => ({ ...cell, column: columns[index] ?? '' }))
  if (row.kind === 'changed') {
    const wrong = named.filter(cell => !cell.same)
    const words = wrong
      .slice(0, 3)
      .map(cell => `${cell.column} is ${shown(cell.actual)}, not ${shown(cell.expected)}`)
    const more = wrong.length > 3 ? [`${wrong.length - 3} more columns differ`] : []
    return `in row ${(row.row ?? 0) + 1} ${[...words, ...more].join('; ')}`
  }
  const value =
    row.kind === 'missing' ? (cell: UnitDiffCell) => cell.expected : (cell: UnitDiffCell) => cell.actual
  const words = named
    .filter(cell => value(cell) !== undefined)
    .slice(0, 4)
    .map(cell => `${cell.column} ${shown(value(cell))}`)
  return row.kind === 'missing'
    ? `row ${(row.row ?? 0) + 1} is missing (${words.join(', ')})`
    : `a row came that is not expected (${words.join(', ')})`
}

const longest = 40

function shown(value: string | null | undefined): string {
  if (value === null || value === undefined) return 'NULL'
  if (value === '') return "''"
  return value.length > longest ? `${value.slice(0, longest)}…` : value
}

/**
 * Returns the range of the differing cell if there is one, otherwise of the row; for an unexpected row that
 * of the key `expect`.
 */
function placeOf(
  test: UnitCase,
  { columns }: UnitDiff,
  { row, kind, cells }: UnitDiffRow,
): UnitCase['range'] {
  const expected = row === undefined ? undefined : test.expect?.table.rows[row]
  if (expected === undefined) return test.expect?.keyRange ?? test.range
  const wrong = columns.filter((_, index) => cells[index]?.same === false)
  if (kind !== 'changed' || wrong.length !== 1) return expected.range
  const name = wrong[0]?.toLowerCase()
  return expected.cells.find(cell => cell.column.toLowerCase() === name)?.range ?? expected.range
}
