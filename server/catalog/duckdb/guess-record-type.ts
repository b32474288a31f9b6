/**
 * Reads the record type of local files: names and types of Parquet columns, and what small CSV and JSON files
 * hold. Of larger ones only the beginning is read, and of that only the names are taken: which type a column
 * has, all its values decide, and a load reads them all. Used by the editor and by `plan`.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  certainType,
  createRecordReader,
  type FileFormat,
  type FileOptions,
  findRecordsPath,
  JsonProblem,
  newShape,
  packingOf,
  type RecordPlace,
  type SourceType,
} from '../../language/index.ts'
import { zstdFileSize } from '../source/zstd-size.ts'
import { csvTypes } from './csv-types.ts'
import type { LocalReader } from './local-reader.ts'
import { partitionParameters } from './partition-parameters.ts'
import { escapeGlob, quoteLiteral } from './quoting.ts'
import { glanceAtText, lookAtText } from './text/look-at-text.ts'
import { readHead } from './text/read-text.ts'
import { isZstd } from './text/unpack-zstd.ts'

export interface GuessedRecordType {
  readonly type: SourceType
  /** True if no record can have other columns than these. */
  readonly complete: boolean
  /** Why a load will refuse a file: its text is JSON, but not such as svc takes. */
  readonly refused?: RefusedFile
}

export interface RefusedFile {
  readonly path: string
  readonly message: string
  readonly hint: string
}

const maxFiles = 20

const noNames: ReadonlySet<string> = new Set()

export interface GuessOptions {
  /** The names of columns whose types nobody asks for. */
  readonly typed?: ReadonlySet<string>
  /** The levels of nesting that records of JSON may have. */
  readonly mostLevels?: number | undefined
}

/**
 * Throws the error of the file system or of DuckDB if a file cannot be read. Where no types but those of `typed` are asked
 * for, those of a CSV file stay unknown, which takes half the time.
 */
export async function guessRecordType(
  duckdb: LocalReader,
  files: readonly string[],
  format: FileFormat,
  options: FileOptions,
  { typed = noNames, mostLevels }: GuessOptions = {},
): Promise<GuessedRecordType> {
  const looked = files.slice(0, maxFiles)
  const complete = looked.length === files.length
  if (format === 'parquet') return { type: await parquetType(duckdb, looked), complete }
  if (format === 'csv') {
    return { type: await csvType(duckdb, looked, options, complete, typed), complete }
  }
  return await jsonType(looked, format, options, mostLevels)
}

/** Returns the columns of Parquet files, united by name. */
export async function parquetType(duckdb: LocalReader, files: readonly string[]): Promise<SourceType> {
  const columns = await duckdb.columns(`SELECT * FROM ${parquetFrom(files)}`)
  return { kind: 'struct', fields: columns.map(({ name, source }) => ({ name, type: source })) }
}

/** @param keys the keys of folders that are read as columns */
export function parquetFrom(files: readonly string[], keys: readonly string[] = []): string {
  const first = files[0]
  const folders = partitionParameters(keys)
  if (files.length === 1 && first !== undefined)
    return `read_parquet(${quoteLiteral(escapeGlob(first))}${folders})`
  const list = files.map(file => quoteLiteral(escapeGlob(file))).join(', ')
  return `read_parquet([${list}], union_by_name=true${folders})`
}

/** Files up to this size together are read as a load reads them. */
const wholeFileBytes = 4 << 20

async function csvType(
  duckdb: LocalReader,
  files: readonly string[],
  options: FileOptions,
  complete: boolean,
  typed: ReadonlySet<string>,
): Promise<SourceType> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-look-'))
  try {
    return await csvTypeIn(folder, { duckdb, files, options, complete, typed })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface CsvLook {
  readonly duckdb: LocalReader
  readonly files: readonly string[]
  readonly options: FileOptions
  readonly complete: boolean
  readonly typed: ReadonlySet<string>
}

/** `folder`: for copies of what cannot be read where it is. */
async function csvTypeIn(folder: string, { duckdb, files, options, complete, typed }: CsvLook) {
  const glanced = await glanceAtText(files, options, { local: duckdb, folder })
  const names = [...new Set(glanced.flatMap(({ columns }) => columns))]
  const unknown: SourceType = {
    kind: 'struct',
    fields: names.map(name => ({ name, type: { kind: 'unknown' } })),
  }
  if (!complete || names.every(name => typed.has(name))) return unknown
  if ((await unpackedBytes(files)) > wholeFileBytes) return unknown
  const work = { local: duckdb, folder, keys: [], sorts: true, mostBytes: Number.POSITIVE_INFINITY }
  const { groups } = await lookAtText(files, options, work)
  return (await csvTypes(duckdb, groups, options)).type
}

async function unpackedBytes(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async file =>
      isZstd(file) ? zstdFileSize(file) : (await stat(file)).size * (packingOf(file) === 'gz' ? 20 : 1),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function jsonType(
  files: readonly string[],
  format: 'json' | 'ndjson',
  options: FileOptions,
  mostLevels: number | undefined,
): Promise<GuessedRecordType> {
  const shape = newShape()
  let complete = true
  let refused: RefusedFile | undefined
  for (const file of files) {
    const { bytes, isWhole } = await readHead(file)
    if (!isWhole) complete = false
    const place = jsonPlace(bytes, isWhole, format, options)
    if (place === undefined)
      return { type: { kind: 'unknown' }, complete: false, ...(refused && { refused }) }
    let records = 0
    const reader = createRecordReader({
      place,
      shape,
      levels: 20,
      onRecord: () => void records++,
      ...(mostLevels !== undefined && { mostLevels }),
    })
    try {
      reader.push(bytes)
      if (isWhole) reader.end()
    } catch (problem) {
      // Malformed data ends the look at the file here; the load reports it.
      if (!(problem instanceof JsonProblem)) throw problem
      complete = false
      const { message, hint } = problem
      if (hint !== undefined)
        refused ??= { path: file, message: `${message}, in record ${records + 1}`, hint }
    }
  }
  return { type: certainType(shape, complete), complete, ...(refused && { refused }) }
}

/** Returns where the records are in a JSON file; undefined if the file is too long to tell. */
export function jsonPlace(
  bytes: Uint8Array,
  whole: boolean,
  format: 'json' | 'ndjson',
  options: FileOptions,
): RecordPlace | undefined {
  if (format === 'ndjson') return { kind: 'lines' }
  if (options.records !== undefined) return { kind: 'path', path: pathOf(options.records) }
  if (firstByte(bytes) === 91) return { kind: 'path', path: [] }
  if (!whole) return looksLikeLines(bytes) ? { kind: 'lines' } : undefined
  const terminated = new Uint8Array(bytes.length + 1)
  terminated.set(bytes)
  try {
    return { kind: 'path', path: findRecordsPath(terminated, bytes.length, Number.POSITIVE_INFINITY) }
  } catch (problem) {
    if (!(problem instanceof JsonProblem)) throw problem
    return { kind: 'lines' }
  }
}

function pathOf(records: string): readonly string[] {
  return records
    .replace(/^\$\.?/, '')
    .split('.')
    .filter(step => step !== '')
}

function firstByte(bytes: Uint8Array): number | undefined {
  return bytes.find(byte => byte > 32 && byte < 0x80)
}

/** Returns whether the first line is a complete JSON value, as in JSON Lines. */
function looksLikeLines(bytes: Uint8Array): boolean {
  const end = bytes.indexOf(10)
  if (end < 0) return false
  try {
    JSON.parse(Buffer.from(bytes.subarray(0, end)).toString())
    return true
  } catch {
    return false
  }
}
