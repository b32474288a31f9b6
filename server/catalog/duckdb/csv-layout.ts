/**
 * How a CSV file is laid out: separators, header, columns. DuckDB looks at its first lines; what the user says in
 * `ingest.options` is not asked again. Types are a first guess and only that.
 */
import { open } from 'node:fs/promises'
import type { CsvParameter, FileOptions } from '../../language/index.ts'
import { csvParameters } from '../../language/source/file-options.ts'
import type { LocalReader } from './local-reader.ts'
import { quoteLiteral } from './quoting.ts'

export interface CsvLayout {
  /** Parameters of read_csv, types apart. Equal texts read in the same way. */
  readonly parameters: string
  readonly columns: readonly { readonly name: string; readonly guess: string }[]
}

const isoDates = ", dateformat='%Y-%m-%d'"

/** Throws DuckDB's error where the file cannot be read as CSV. */
export async function csvLayout(duckdb: LocalReader, path: string, options: FileOptions): Promise<CsvLayout> {
  const sniffed = await sniff(duckdb, path, options)
  const names = options.columns ?? []
  return {
    parameters: sniffedParameters(sniffed, options),
    columns: sniffed.Columns.map((column, index) => ({
      name: names[index] ?? column.name,
      guess: column.type,
    })),
  }
}

/**
 * Lines of unequal length make the strict look fail, or take each line for one value. The layout is then found by a
 * lenient look; reading stays strict and names the wrong line.
 */
async function sniff(duckdb: LocalReader, path: string, given: FileOptions): Promise<SniffedCsv> {
  const options = (await needsNoQuotes(path, given)) ? { ...given, ...usualQuotes } : given
  const look = async (more: string) => {
    const call = `sniff_csv(${quoteLiteral(path)}${givenParameters(options)}${isoDates}${more})`
    return (await duckdb.rows(`SELECT * FROM ${call}`))[0] as unknown as SniffedCsv
  }
  const lenient = ', strict_mode=false, null_padding=true'
  const strict = await look('').catch(error => look(lenient).catch(() => Promise.reject(error)))
  const separator =
    strict.Columns.length === 1 ? /[,;\t|]/.exec(strict.Columns[0]?.name ?? '')?.[0] : undefined
  if (separator === undefined || options.delimiter !== undefined) return strict
  return await look(`${lenient}, delim=${quoteLiteral(separator)}`).catch(() => strict)
}

const usualQuotes: FileOptions = { quote: '"', escape: '"' }
const headBytes = 1 << 20

/**
 * Whether the beginning of a file has nothing that could be a quote or an escape. DuckDB then need not try them all,
 * which is most of what a look costs (45 ms for 60 KB, of which 6 are left).
 */
async function needsNoQuotes(path: string, options: FileOptions): Promise<boolean> {
  if (options.quote !== undefined || options.escape !== undefined || options.encoding !== undefined)
    return false
  if (path.endsWith('.gz') || path.endsWith('.zst')) return false
  // Why a file cannot be read is DuckDB's to say.
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return false
  try {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(headBytes), 0, headBytes, 0)
    const head = buffer.subarray(0, bytesRead)
    return !['"', "'", '\\'].some(mark => head.includes(mark))
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

/** Everything is said, so that reading guesses nothing. */
function sniffedParameters(sniffed: SniffedCsv, options: FileOptions): string {
  const found = (value: string) => (value === '(empty)' ? undefined : value)
  // Where the first lines hold no quotes, later ones still may.
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
