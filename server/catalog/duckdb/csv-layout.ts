/**
 * Detects the layout of a CSV file: delimiter, header, columns. DuckDB sniffs the first lines, except for
 * what the user sets in `ingest.options`. The types are only a guess.
 */
import { open } from 'node:fs/promises'
import type { CsvParameter, FileOptions } from '../../language/index.ts'
import { csvParameters } from '../../language/source/file-options.ts'
import type { LocalReader } from './local-reader.ts'
import { quoteLiteral } from './quoting.ts'

const isoDates = ", dateformat='%Y-%m-%d'"

/** Throws DuckDB's error if the file cannot be read as CSV. */
export async function csvLayout(duckdb: LocalReader, path: string, options: FileOptions) {
  const sniffed = await sniff(duckdb, path, options)
  const names = options.columns ?? []
  return {
    // The parameters of read_csv, without types. Equal texts read files in the same way.
    parameters: sniffedParameters(sniffed, options),
    columns: sniffed.Columns.map((column, index) => ({
      name: names[index] ?? column.name,
      guess: column.type,
    })),
  }
}

/**
 * Sniffs strictly first. If lines have different numbers of values, that fails or finds a single column; then
 * the layout is sniffed leniently. Reading stays strict and reports the wrong line.
 */
async function sniff(duckdb: LocalReader, path: string, given: FileOptions): Promise<SniffedCsv> {
  const options = (await needsNoQuotes(path, given)) ? { ...given, ...usualQuotes } : given
  const look = async (more: string) => {
    const dates = options.dateFormat === undefined ? isoDates : ''
    const call = `sniff_csv(${quoteLiteral(path)}${givenParameters(options)}${dates}${more})`
    return (await duckdb.rows(`SELECT * FROM ${call}`))[0] as unknown as SniffedCsv
  }
  const lenient = ', strict_mode=false, null_padding=true'
  const leniently = async (more = '') => asWideAsHeader(await look(`${lenient}${more}`), options)
  const found = await look('').catch(error => leniently().catch(() => Promise.reject(error)))
  const strict = (await losesRecords(path, found, options))
    ? await leniently(`, delim=${quoteLiteral(found.Delimiter)}`)
    : found
  const separator =
    strict.Columns.length === 1 ? /[,;\t|]/.exec(strict.Columns[0]?.name ?? '')?.[0] : undefined
  if (separator === undefined || options.delimiter !== undefined) return strict
  return await leniently(`, delim=${quoteLiteral(separator)}`).catch(() => strict)
}

/** A line with more values than the header has names makes no column: reading reports it. */
function asWideAsHeader(sniffed: SniffedCsv, options: FileOptions): SniffedCsv {
  if (!sniffed.HasHeader || options.nullPadding === true || options.columns !== undefined) return sniffed
  const named = sniffed.Columns.findLastIndex(({ name }, index) => !isMadeUp(name, index)) + 1
  return named === 0 ? sniffed : { ...sniffed, Columns: sniffed.Columns.slice(0, named) }
}

/** DuckDB calls a column without a name by its place. */
function isMadeUp(name: string, index: number): boolean {
  return /^column0*\d+$/.test(name) && Number(name.slice('column'.length)) === index
}

/**
 * Returns whether lines that DuckDB skips by itself are records of the table. It does so for the words before a header, but
 * also where a later line has more values than the header: then the header would be lost, and all records up to that line.
 */
async function losesRecords(path: string, sniffed: SniffedCsv, options: FileOptions): Promise<boolean> {
  const { SkipRows: skipped, HasHeader, Delimiter } = sniffed
  if (options.skip !== undefined || Number(skipped) === 0) return false
  if (!HasHeader) return true
  const lines = (await headOf(path))?.toString('latin1').split(/\r\n|\n|\r/, Number(skipped)) ?? []
  return lines.filter(line => !line.startsWith('#') && line.includes(Delimiter)).length > 1
}

const usualQuotes: FileOptions = { quote: '"', escape: '"' }
const headBytes = 1 << 20

/**
 * Returns whether the beginning of a file has no character that could be a quote or an escape. DuckDB then
 * need not try them all, which is most of the cost of sniffing (45 ms for 60 KB, instead of 6).
 */
async function needsNoQuotes(path: string, options: FileOptions): Promise<boolean> {
  if (options.quote !== undefined || options.escape !== undefined || options.encoding !== undefined)
    return false
  const head = await headOf(path)
  return head !== undefined && !['"', "'", '\\'].some(mark => head.includes(mark))
}

/** Returns the first megabyte; undefined for a compressed file, and for one that DuckDB has to say why it cannot be read. */
async function headOf(path: string): Promise<Buffer | undefined> {
  if (path.endsWith('.gz') || path.endsWith('.zst')) return undefined
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

interface SniffedCsv {
  readonly Delimiter: string
  readonly Quote: string
  readonly Escape: string
  readonly Comment: string
  readonly SkipRows: number
  readonly HasHeader: boolean
  readonly Columns: readonly { readonly name: string; readonly type: string }[]
}

/** Returns all parameters, so that reading does not sniff again. */
function sniffedParameters(sniffed: SniffedCsv, options: FileOptions): string {
  const found = (value: string) => (value === '(empty)' ? undefined : value)
  // The default quote is `"`: lines after the sniffed ones may have quotes even if those do not.
  const quote = options.quote ?? found(sniffed.Quote) ?? '"'
  const comment = options.comment ?? found(sniffed.Comment)
  const all: FileOptions = {
    ...options,
    delimiter: options.delimiter ?? sniffed.Delimiter,
    quote,
    escape: options.escape ?? found(sniffed.Escape) ?? quote,
    ...(comment === undefined ? {} : { comment }),
    header: options.header ?? sniffed.HasHeader,
    skip: options.skip ?? sniffed.SkipRows,
  }
  return `, auto_detect=false${givenParameters(all)}`
}

function givenParameters(options: FileOptions): string {
  return csvParameters(options)
    .map(({ name, value }) => `, ${name}=${written(value)}`)
    .join('')
}

function written(value: CsvParameter['value']): string {
  if (typeof value === 'string') return quoteLiteral(value)
  return typeof value === 'object' ? `[${value.map(quoteLiteral).join(', ')}]` : String(value)
}
