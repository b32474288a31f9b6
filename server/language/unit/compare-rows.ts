/**
 * Expected rows against those that came: which belong together, and what differs. Rows are texts as the warehouse
 * writes values, so that comparing needs to know no type but numbers.
 */
import type { EngineTypes } from '../engines/engine.ts'
import { isNumeric, type TypeFamily } from '../engines/sql-type.ts'
import { matchInAnyOrder, matchInOrder } from './match-rows.ts'
import { shownRows, type UnitDiff, type UnitDiffCell, type UnitDiffRow } from './unit-result.ts'

export interface ActualRows {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Null is NULL. */
  readonly rows: readonly (readonly (string | null)[])[]
}

/** A value for each column that came; undefined: the row does not look at it. */
export type ExpectedRow = readonly (string | null | undefined)[]

export interface Comparison {
  readonly ordered: boolean
  readonly contains: boolean
  readonly tolerance: number | undefined
  /** Of the warehouse. */
  readonly types: EngineTypes
  /** Positions of the columns that are expected, in the order of the file. */
  readonly shown: readonly number[]
}

export interface Difference {
  readonly diff: UnitDiff
  /** By position of the expected row: the actual row that belongs to it. */
  readonly actualOf: readonly (number | undefined)[]
}

/** Undefined: the rows are those expected. */
export function compareRows(
  expected: readonly ExpectedRow[],
  actual: ActualRows,
  comparison: Comparison,
): Difference | undefined {
  const judge = judgeOf(expected, actual, comparison)
  const pairs = comparison.ordered ? matchInOrder(judge) : matchInAnyOrder(judge)
  const rows = differences(pairs, expected, actual, comparison, judge.isSameCell)
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

/** What matching asks. Positions are those of expected and of actual rows. */
export interface Judge {
  readonly expected: number
  readonly actual: number
  /** The same for rows that are the same, and for no others where `isExact`. */
  keyOf(side: 'expected' | 'actual', row: number): string
  readonly isExact: boolean
  isSame(expected: number, actual: number): boolean
  /** How much two rows that differ have in common; 0: nothing. */
  likeness(expected: number, actual: number): number
}

interface CellJudge extends Judge {
  readonly isSameCell: (expected: string | null | undefined, actual: string | null, column: number) => boolean
}

function judgeOf(expected: readonly ExpectedRow[], actual: ActualRows, comparison: Comparison): CellJudge {
  const { shown, tolerance, types } = comparison
  const families = actual.columns.map(({ type }) => types.family(types.parse(type)))
  const isSameCell: CellJudge['isSameCell'] = (wanted, came, column) =>
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

/** The first column that is looked at most often says which row it is: it counts as much as all others. */
function likeness(
  wanted: ExpectedRow,
  came: readonly (string | null)[],
  shown: readonly number[],
  isSameCell: CellJudge['isSameCell'],
): number {
  const looked = shown.filter(index => wanted[index] !== undefined)
  const same = looked.filter(index => isSameCell(wanted[index], came[index] ?? null, index))
  return same.length + (same.length > 0 && same[0] === looked[0] ? looked.length : 0)
}

/** Sums of fractions come out in the last digits as the engine happens to add them. */
const usualTolerance = 1e-9

/** Fractions always, other numbers where the test allows for it. */
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

/** Which actual row belongs to an expected one, whether they are the same or not. */
export interface Pairs {
  /** By position of the expected row. */
  readonly actualOf: readonly (number | undefined)[]
  /** Of expected rows: the pair is the same. */
  readonly isSame: (expected: number) => boolean
}

function differences(
  { actualOf, isSame }: Pairs,
  expected: readonly ExpectedRow[],
  actual: ActualRows,
  { shown, contains }: Comparison,
  isSameCell: CellJudge['isSameCell'],
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
  isSameCell: CellJudge['isSameCell'],
): UnitDiffCell {
  const expected = wanted === undefined ? {} : { expected: wanted }
  if (came === undefined) return { ...expected, same: false }
  const value = came[index] ?? null
  return { ...expected, actual: value, same: isSameCell(wanted, value, index) }
}
