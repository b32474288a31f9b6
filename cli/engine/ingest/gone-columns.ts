/**
 * Tells columns and child tables that a source has no longer from those that its records lack by chance. What is gone is not kept
 * as a column of NULLs: the files that read it have to fail, or production would lose its values in silence.
 */
import {
  absenceLimit,
  columnNamed,
  fieldWithKey,
  type JsonShape,
  listStep,
  type RawColumn,
  type RawTable,
  type SourceType,
} from '@svc/server/language'
import { typeAt } from './record-source.ts'
import type { FetchContext } from './source.ts'

export interface DeliveredRecords {
  readonly rows: number
  /** Of records in JSON: which keys how many of them have. All other sources have each column in every record. */
  readonly shape?: JsonShape
  readonly recordType: SourceType
}

/**
 * Returns the earlier tables without what is gone. A load that continues another one still has its values, and a source without
 * records says nothing of its columns.
 */
export function withoutGone(
  previous: readonly RawTable[],
  { base, loaded, dropped, engine }: FetchContext,
  records: DeliveredRecords,
): readonly RawTable[] {
  if (base !== undefined || records.rows === 0) return previous
  return previous.flatMap(table => {
    const live = loaded?.find(({ child }) => child === table.child)?.columns ?? []
    const isDropped = ({ name }: RawColumn) =>
      dropped?.().some(
        ({ child, columns }) => child === table.child && columnNamed(columns, name, engine),
      ) === true
    const isGone = (column: RawColumn) => {
      const known = columnNamed(live, column.name, engine)
      return (
        isCertain(column, known, records) ||
        (known === undefined && isMissing(column, records) && isDropped(column))
      )
    }
    const index = table.columns.find(({ name }) => name === '_svc_idx')
    if (table.child !== undefined && index !== undefined && isGone(index)) return []
    return [{ ...table, columns: table.columns.filter(column => column.system || !isGone(column)) }]
  })
}

/** Returns the share of the records that have the key of a column; nothing where all have it. */
export function presence({ path }: RawColumn, shape: JsonShape | undefined): Pick<RawColumn, 'presence'> {
  const share = shape === undefined ? 1 : (placeIn(shape, keyOf(path))?.share ?? 1)
  return share === 1 ? {} : { presence: share }
}

/** Returns whether no record has the key of a column. */
function isMissing({ path }: Pick<RawColumn, 'path'>, { recordType }: Pick<DeliveredRecords, 'recordType'>) {
  const key = keyOf(path)
  return key.length > 0 && typeAt(recordType, key) === undefined
}

/** `live`: the column in the load behind production. Without it nobody knows how many records had the key. */
function isCertain(
  { path }: RawColumn,
  live: RawColumn | undefined,
  { shape, recordType }: DeliveredRecords,
): boolean {
  if (!isMissing({ path }, { recordType })) return false
  if (shape === undefined) return true
  const key = keyOf(path)
  if (live === undefined || live.absent === true) return false
  const chances = placeIn(shape, key.slice(0, key.lastIndexOf(listStep) + 1))?.objects ?? 0
  return chances > 0 && (1 - (live.presence ?? 1)) ** chances < absenceLimit
}

/** Returns the path to the key: the elements of a list come with it. */
function keyOf(path: readonly string[]): readonly string[] {
  return path.at(-1) === listStep ? path.slice(0, -1) : path
}

/**
 * Returns undefined if no record has the place.
 * `share`: the share of the records, or of the elements of the innermost list, that have the place.
 */
function placeIn(shape: JsonShape, path: readonly string[]) {
  let here: JsonShape | undefined = shape
  let share = 1
  for (const step of path) {
    if (here === undefined) return undefined
    if (step === listStep) {
      here = here.element
      share = 1
      continue
    }
    const field: JsonShape['fields'][number] | undefined = fieldWithKey(here, step)
    if (field === undefined) return undefined
    share *= Math.min(1, field.count / Math.max(1, here.objects))
    here = field.shape
  }
  return here === undefined ? undefined : { share, objects: here.objects }
}
