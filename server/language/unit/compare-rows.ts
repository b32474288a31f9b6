/**
 * Compares expected with actual rows: pairs them and finds the differences. Rows are texts as the warehouse
 * prints values, so that only numbers need their type.
 */
import type { EngineTypes } from '../engines/engine.ts'
import { isNumeric, type TypeFamily } from '../engines/sql-type.ts'
import { matchInAnyOrder, matchInOrder } from './match-rows.ts'
import { shownRows, type UnitDiff, type UnitDiffCell, type UnitDiffRow } from './unit-result.ts'

export interface ActualRows {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** The rows, with null for NULL. */
  readonly rows: readonly (readonly (string | null)[])[]
}

/** A value for each actual column; undefined if the row does not check it. */
export type ExpectedRow = readonly (string | null | undefined)[]

export interface Comparison {
  readonly ordered: boolean
  readonly contains: boolean
  readonly tolerance: number | undefined
  /** The types of the engine. */
  readonly types: EngineTypes
  /** The positions of the expected columns, in the order of the file. */
  readonly shown: readonly number[]
}

export interface Difference {
  readonly diff: UnitDiff
  /** For each expected row, the actual row that it is paired with. */
  readonly actualOf: readonly (number | undefined)[]
}

/** Returns undefined if the rows are as expected. */
export function compareRows(
  expected: readonly ExpectedRow[],
  actual: ActualRows,
  comparison: Comparison,
): Difference | undefined {
  const comparator = comparatorOf(expected, actual, comparison)
  const pairs = comparison.ordered ? matchInOrder(comparator) : matchInAnyOrder(comparator)
  const rows = differences(pairs, expected, actual, comparison, comparator.isSameCell)
  if (rows.length === 0) return undefined
  const diff = {
    columns: comparison.shown.map(index => actual.columns[index]?.name ?? ''),
    rows: rows.slice(0, shownRows),
    more: Math.max(0, rows.length - shownRows),
    expected: expected.length,
    actual: actual.rows.length,
  }
  return { diff, actualOf: pairs.actualOf }
}

/** The comparison of rows that matching uses. Positions are those of expected and of actual rows. */
export interface RowComparator {
  readonly expected: number
  readonly actual: number
  /** Returns a key that is equal for equal rows, and only for those if `isExact`. */
  keyOf(side: 'expected' | 'actual', row: number): string
  readonly isExact: boolean
  isSame(expected: number, actual: number): boolean
  /** Returns the similarity of two different rows; 0 for none. */
  likeness(expected: number, actual: number): number
}

interface CellComparator extends RowComparator {
  readonly isSameCell: (expected: string | null | undefined, actual: string | null, column: number) => boolean
}

function comparatorOf(
  expected: readonly ExpectedRow[],
  actual: ActualRows,
  comparison: Comparison,
): CellComparator {
  const { shown, tolerance, types } = comparison
  const families = actual.columns.map(({ type }) => types.family(types.parse(type)))
  const isSameCell: CellComparator['isSameCell'] = (wanted, came, column) =>
    wanted === undefined || wanted === came || areNear(wanted, came, families[column] ?? 'other', tolerance)
  const isExact = (index: number) => !mayBeNear(families[index] ?? 'other', tolerance)
  const exact = shown.filter(index => isExact(index) && expected.every(row => row[index] !== undefined))
  const textOf = (row: ExpectedRow | undefined) => JSON.stringify(exact.map(index => row?.[index] ?? null))
  return {
    expected: expected.length,
    actual: actual.rows.length,
    keyOf: (side, row) => textOf(side === 'expected' ? expected[row] : actual.rows[row]),
    isExact: exact.length === shown.length,
    isSameCell,
    isSame: (wanted, came) =>
      shown.every(index => isSameCell(expected[wanted]?.[index], actual.rows[came]?.[index] ?? null, index)),
    likeness: (wanted, came) => likeness(expected[wanted] ?? [], actual.rows[came] ?? [], shown, isSameCell),
  }
}

/**
 * Computes the similarity. The first compared column is usually the key, so it counts as much as all others.
 */
function likeness(
  wanted: ExpectedRow,
  came: readonly (string | null)[],
  shown: readonly number[],
  isSameCell: CellComparator['isSameCell'],
): number {
  const looked = shown.filter(index => wanted[index] !== undefined)
  const same = looked.filter(index => isSameCell(wanted[index], came[index] ?? null, index))
  return same.length + (same.length > 0 && same[0] === looked[0] ? looked.length : 0)
}

/** The last digits of a sum of fractions depend on the order of addition. */
const usualTolerance = 1e-9

/** Returns whether values may differ slightly: fractions always, other numbers if the test allows it. */
function mayBeNear(family: TypeFamily, tolerance: number | undefined): boolean {
  return family === 'float' || (tolerance !== undefined && isNumeric(family))
}

function areNear(
  wanted: string | null,
  came: string | null,
  family: TypeFamily,
  tolerance: number | undefined,
): boolean {
  if (wanted === null || came === null) return false
  if (!mayBeNear(family, tolerance)) return false
  const [a, b] = [Number(wanted), Number(came)]
  if (!Number.isFinite(a) || !Number.isFinite(b)) return wanted.toLowerCase() === came.toLowerCase()
  const allowed = Math.max(tolerance ?? 0, usualTolerance * Math.max(Math.abs(a), Math.abs(b)))
  return Math.abs(a - b) <= allowed
}

// ---------------------------------------------------------------- what differs

/** The pairs of expected and actual rows, equal or not. */
export interface Pairs {
  /** For each expected row, its actual row. */
  readonly actualOf: readonly (number | undefined)[]
  /** Returns whether the pair of an expected row is equal. */
  readonly isSame: (expected: number) => boolean
}

function differences(
  { actualOf, isSame }: Pairs,
  expected: readonly ExpectedRow[],
  actual: ActualRows,
  { shown, contains }: Comparison,
  isSameCell: CellComparator['isSameCell'],
): UnitDiffRow[] {
  const wrong = expected.flatMap((wanted, row): UnitDiffRow[] => {
    if (isSame(row)) return []
    const position = actualOf[row]
    const came = position === undefined ? undefined : actual.rows[position]
    const cells = shown.map(index => cellOf(wanted[index], came, index, isSameCell))
    return [{ kind: came === undefined ? 'missing' : 'changed', row, cells }]
  })
  if (contains) return wrong
  const paired = new Set(actualOf)
  const besides = actual.rows.flatMap((came, position): UnitDiffRow[] =>
    paired.has(position)
      ? []
      : [{ kind: 'unexpected', cells: shown.map(index => ({ actual: came[index] ?? null, same: false })) }],
  )
  return [...wrong, ...besides]
}

function cellOf(
  wanted: string | null | undefined,
  came: readonly (string | null)[] | undefined,
  index: number,
  isSameCell: CellComparator['isSameCell'],
): UnitDiffCell {
  const expected = wanted === undefined ? {} : { expected: wanted }
  if (came === undefined) return { ...expected, same: false }
  const value = came[index] ?? null
  return { ...expected, actual: value, same: isSameCell(wanted, value, index) }
}
