/**
 * Numbers with more digits than a DOUBLE holds. Where a decimal holds all numbers of a column, or the contract promises a
 * decimal or a text, every digit is kept; elsewhere they are rounded, or texts in a document, and the run warns of it.
 */
import {
  type Contract,
  fieldWithKey,
  hasNumbersAsText,
  type JsonShape,
  listStep,
  promisedType,
  type RawColumn,
  type RawTable,
} from '@svc/server/language'
import { columnType } from './conversion.ts'
import { type RecordSource, typeAt } from './record-source.ts'
import type { FetchContext } from './source.ts'

export interface LoadedNumbers {
  readonly contract: Contract
  /** The tables in the shape in which they are loaded. */
  readonly tables: readonly RawTable[]
  readonly source: Pick<RecordSource, 'recordType'>
  /** What was seen of the JSON values; undefined for other formats. */
  readonly shape: JsonShape | undefined
  readonly onWarning?: FetchContext['onWarning'] | undefined
}

/** Warns of the columns of every table in which such numbers are not loaded as they are, and were not promised so. */
export function warnOfRounded(numbers: LoadedNumbers): void {
  const { contract, tables, onWarning } = numbers
  for (const { child, columns } of tables)
    for (const column of columns) {
      const type = columnType(column)
      if (column.system || !isInexact(numbers, column) || /^DECIMAL/.test(type)) continue
      // In a document such numbers become texts, whether it was promised or not.
      if (type !== 'JSON' && promisedType(contract, child, column.name) !== undefined) continue
      const name = `"${child === undefined ? column.name : `${child}.${column.name}`}"`
      onWarning?.(warning(name, type))
    }
}

function isInexact({ source, shape }: LoadedNumbers, column: RawColumn): boolean {
  const type = typeAt(source.recordType, column.path)
  if (type?.kind === 'scalar' && type.inexact === true) return true
  const seen = shape && shapeAt(shape, column.path)
  if (seen === undefined) return false
  return seen.hasInexact || (type?.kind === 'mixed' && hasNumbersAsText(seen))
}

function warning(name: string, type: string) {
  const hint =
    'Promise a type that holds them in contract.columns: decimal(38,10), or varchar for any number of digits.'
  return /DOUBLE|FLOAT|REAL/i.test(type)
    ? {
        code: 'rounded-numbers' as const,
        message: `column ${name} has numbers with more digits than a DOUBLE holds, which are rounded to the nearest one`,
        hint,
      }
    : {
        code: 'numbers-as-text' as const,
        message: `column ${name} has numbers that neither a decimal nor a DOUBLE holds, which are loaded as texts with all their digits`,
        hint,
      }
}

function shapeAt(shape: JsonShape, path: readonly string[]): JsonShape | undefined {
  let at: JsonShape | undefined = shape
  for (const step of path) at = step === listStep ? at?.element : at && fieldWithKey(at, step)?.shape
  return at
}
