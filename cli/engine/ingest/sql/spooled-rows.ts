/** Rows of a database in CSV files whose columns and types are known: nothing about them is guessed. */
import { fileList, quoteLiteral, quoteName } from '@svc/server/catalog'
import { maskedType, type RawColumn, type SourceField, type SourceType } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { type Conversion, columnType, conversion } from '../conversion.ts'
import type { Masking } from '../mask/mask.ts'
import { copyMasked } from '../mask/mask-columns.ts'
import { rowsAsJson } from '../record-names.ts'
import { type RecordSource, readTypes, typeAt } from '../record-source.ts'
import { unnamedColumn } from '../table-sql.ts'
import type { SpooledRows } from './row-spool.ts'

export interface RowColumn {
  readonly name: string
  readonly type: SourceType
  /** Returns SQL of the value from SQL of its text, where the text is not one that a cast takes. */
  readonly decode?: (text: string) => string
  /** The database has values of the type that the reader has not, and writes `misfitMark` in front of those. */
  readonly marksMisfits?: true
}

/**
 * The character in front of a value that the column's type may not hold. It is looked for while the bytes pass by: where it is
 * nowhere, every value fits, and none is tried. A text that has it of its own costs time and nothing else.
 */
export const misfitMark = '\u001a'

/** Returns the columns with types that some of their values may not have, where the database has marked such values. */
export function withMarkedTypes<Column extends RowColumn>(
  { hasMarks }: Pick<SpooledRows, 'hasMarks'>,
  columns: readonly Column[],
): readonly Column[] {
  if (!hasMarks) return columns
  return columns.map(column =>
    column.marksMisfits === true && column.type.kind === 'scalar'
      ? { ...column, type: { ...column.type, loose: true } }
      : column,
  )
}

export function spooledRows(
  rows: Pick<SpooledRows, 'files' | 'longestLine' | 'hasNul'>,
  columns: readonly RowColumn[],
  recordType: SourceType,
): RecordSource {
  const known = new Map(columns.map(column => [column.name, column]))
  const convert = (column: RawColumn): Conversion | undefined => {
    const found = typeAt(recordType, column.path)
    const decode = known.get(column.path[0] ?? '')?.decode
    if (found === undefined) return undefined
    return decode === undefined ? conversion(column, found, 'csv') : decoded(column, found, decode)
  }
  return {
    recordType,
    guard: undefined,
    hasNul: rows.hasNul,
    written: {},
    conversion: convert,
    retyped: type => spooledRows(rows, columns, type),
    masked: masking => maskedRows(rows, columns, { recordType, masking, convert }),
    raw: () => rowsAsJson(csvFrom(rows, columns, new Map())),
    from: wanted => csvFrom(rows, columns, readTypes(wanted, convert)),
  }
}

interface RowsToMask {
  readonly recordType: SourceType
  readonly masking: Masking
  readonly convert: (column: RawColumn) => Conversion | undefined
}

async function maskedRows(
  { files, longestLine, hasNul }: Pick<SpooledRows, 'files' | 'longestLine' | 'hasNul'>,
  columns: readonly RowColumn[],
  { recordType, masking, convert }: RowsToMask,
): Promise<RecordSource> {
  const { rules } = masking.mask
  const isMasked = ({ name }: Pick<RowColumn, 'name'>) => rules.kindAt([name]) !== undefined
  refuseLists(columns.filter(isMasked))
  const textOf = (value: string, { name, type }: SourceField) =>
    type.kind === 'scalar' ? (convert(unnamedColumn([name], 'VARCHAR'))?.value(value) ?? value) : value
  const layout = `FORMAT csv, HEADER false, DELIM ',', QUOTE '"', ESCAPE '"', NULLSTR ''`
  const from = csvFrom({ files, longestLine }, columns, new Map())
  const path = await copyMasked({ from, fields: columns, textOf }, masking, { name: 'masked.csv', layout })
  const type = maskedType(recordType, rules)
  const plain = columns.map(column =>
    isMasked(column) ? { name: column.name, type: typeAt(type, [column.name]) ?? column.type } : column,
  )
  // A masked value may be longer than the value was.
  const longest = longestLine + columns.length * longestMasked
  return spooledRows({ files: [path], longestLine: longest, hasNul }, plain, type)
}

const longestMasked = 80

function refuseLists(columns: readonly RowColumn[]): void {
  const list = columns.find(({ type }) => type.kind === 'list')
  if (list === undefined) return
  throw new SvcError('source-shape', `ingest.mask: "${list.name}" is a list, whose values no mask reaches`, {
    hint: `Leave it out with ingest.exclude, or mask what is in it with a query at the database.`,
  })
}

/** A value that has to be decoded first; what a cast makes of it then is as everywhere. */
function decoded(column: RawColumn, found: SourceType, decode: (text: string) => string): Conversion {
  const target = columnType(column)
  if (found.kind !== 'scalar' || found.type === target) {
    return { read: 'VARCHAR', value: decode, misfit: () => undefined, fitting: decode }
  }
  const value = (text: string) => `CAST(${decode(text)} AS ${target})`
  const fitting = (text: string) => `TRY_CAST(${decode(text)} AS ${target})`
  const misfit = (text: string) => `(${text} IS NOT NULL AND ${fitting(text)} IS NULL)`
  return { read: 'VARCHAR', value, misfit, fitting }
}

const usualLine = 2_000_000

export function csvFrom(
  { files, longestLine }: Pick<SpooledRows, 'files' | 'longestLine'>,
  columns: readonly RowColumn[],
  types: ReadonlyMap<string, string>,
): string {
  const typed = columns.map(
    ({ name }) => `${quoteLiteral(name)}: ${quoteLiteral(types.get(name) ?? 'VARCHAR')}`,
  )
  // An empty text is written in quotes, and NULL as nothing.
  const layout = `auto_detect=false, header=false, delim=',', quote='"', escape='"', nullstr='', allow_quoted_nulls=false`
  const size = longestLine >= usualLine ? `, max_line_size=${longestLine * 2}` : ''
  return `(SELECT ${columns.map(unmarked).join(', ')} FROM read_csv(${fileList(files)}, ${layout}${size}, columns={${typed.join(', ')}}))`
}

function unmarked({ name, type, marksMisfits }: RowColumn): string {
  const value = quoteName(name)
  const isMarked = marksMisfits === true && type.kind === 'scalar' && type.loose === true
  return isMarked ? `ltrim(${value}, chr(${misfitMark.charCodeAt(0)})) AS ${value}` : value
}
