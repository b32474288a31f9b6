/** How a text file is written, as its first megabyte shows it. The whole file is held against it afterwards (`survey.ts`). */
import { isUtf8 } from 'node:buffer'
import type { FileOptions } from '../../../language/index.ts'
import { notUtf8, TextFileError } from './decode.ts'
import { findDialect } from './find-dialect.ts'
import { columnNames, findHeader } from './find-header.ts'
import { textHead } from './read-text.ts'
import type { Dialect } from './scan-lines.ts'
import { guessedType } from './value-kinds.ts'

export interface TextLayout {
  readonly encoding: string
  readonly hasMark: boolean
  readonly dialect: Dialect
  /** The values of the header; undefined if there is none. */
  readonly header: readonly string[] | undefined
  /** Whether the first record could as well be the opposite, a record or the header, or a comment. */
  readonly isGuess: boolean
  /** The number of lines above the header, or above the first record. */
  readonly skipped: number
  /** How many of them are records that were passed over by our own rules. */
  readonly passedOver: number
  /** The number of the first of them. */
  readonly firstPassed: number
  /** The line ends of the first lines. */
  readonly endings: readonly string[]
  /** Whether its quote is anywhere in the beginning. */
  readonly hasQuotes: boolean
  readonly columns: readonly string[]
  /** The types that the first values seem to have. */
  readonly guesses: readonly string[]
}

/** Returns undefined for a file without any text. Throws `TextFileError` for what is no text. */
export async function findLayout(path: string, options: FileOptions): Promise<TextLayout | undefined> {
  const { encoding, hasMark, text, isWhole } = await textHead(path, options.encoding)
  if (text.length === 0) return undefined
  if (encoding === 'utf-8') refuseNotUtf8(path, text)
  const { dialect, lines, skipped, passedOver, firstPassed } = findDialect(text, isWhole, options)
  const records = lines.filter(({ kind }) => kind === 'record').map(({ values }) => values)
  const { hasHeader, isGuess } = findHeader(records, options)
  const width = widthOf(path, records, hasHeader, options)
  const { names, clash } = columnNames(hasHeader ? records[0] : undefined, width, options)
  if (clash !== undefined) {
    throw new TextFileError(path, `${clash.first} and ${clash.second} are one column`, {
      hint: 'Name the columns in ingest.options.columns, all of them and in their order, or change the header.',
    })
  }
  const below = hasHeader ? records.slice(1) : records
  return {
    encoding,
    hasMark,
    dialect,
    header: hasHeader ? (records[0] ?? []).map(value => value.trim()) : undefined,
    isGuess,
    skipped,
    passedOver,
    firstPassed,
    endings: [...new Set(lines.map(({ ending }) => ending))],
    hasQuotes: dialect.quote !== '' && text.includes(dialect.quote),
    columns: names,
    guesses: names.map((_, column) =>
      guessedType(
        below.map(values => values[column] ?? ''),
        options,
      ),
    ),
  }
}

/** The end of the beginning may be a part of a character. */
function refuseNotUtf8(path: string, text: Buffer): void {
  const end = text.lastIndexOf(10)
  const head = end === -1 ? text : text.subarray(0, end)
  if (isUtf8(head)) return
  let line = 1
  for (let at = 0; at <= head.length; line++) {
    const next = head.indexOf(10, at)
    const written = head.subarray(at, next === -1 ? head.length : next)
    if (!isUtf8(written)) throw notUtf8(path, line, written)
    if (next === -1) return
    at = next + 1
  }
}

function widthOf(
  path: string,
  records: readonly (readonly string[])[],
  hasHeader: boolean,
  { columns, nullPadding }: FileOptions,
): number {
  const first = records[0]?.length ?? 1
  if (columns === undefined || (nullPadding === true && columns.length >= first))
    return columns?.length ?? first
  if (columns.length > first && records.length > 0) {
    throw new TextFileError(
      path,
      `ingest.options.columns names ${columns.length} columns, and ${hasHeader ? 'the header' : 'the first line'} has ${first}`,
      {
        hint: 'Name as many columns as there are, or write null_padding: true for lines that end early.',
      },
    )
  }
  return first
}
