/**
 * Local files: CSV, JSON, NDJSON and Parquet below a folder. They are hashed and looked at in full, and loaded from
 * where they are; only JSON that DuckDB cannot read as it stands is cut into records first.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import {
  csvLayout,
  findFiles,
  guessRecordType,
  jsonPlace,
  type LocalDuckDb,
  openLocalDuckDb,
  parquetFrom,
  parquetType,
  readHead,
} from '@svc/server/catalog'
import {
  type FileFormat,
  type FileOptions,
  formatOf,
  type JsonShape,
  newShape,
  type RecordPlace,
  readFileOptions,
  recordType,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { refuseMissingColumns } from './contract-check.ts'
import { resolveText } from './credentials.ts'
import { csvTypes } from './csv-types.ts'
import { type FileGuard, guardFiles, hashFile } from './file-guard.ts'
import { type FetchedRecords, finishFetch, readTables } from './finish-fetch.ts'
import {
  type CsvGroup,
  csvSource,
  jsonSource,
  parquetSource,
  type RecordSource,
  typeAt,
} from './record-source.ts'
import { type JsonScan, scanJsonFile } from './scan-json.ts'
import type { FetchContext, FetchedSource, IngestOf, Source } from './source.ts'
import { createSpool } from './spool.ts'

type FileIngest = IngestOf<'file'>

export function fileSource(ingest: FileIngest): Source {
  return {
    fetch: context => withFiles(ingest, context, files => fetchFiles(files)),
    peek: context => withFiles(ingest, context, files => peekFiles(files)),
  }
}

interface Files {
  readonly context: FetchContext
  readonly ingest: FileIngest
  readonly paths: readonly string[]
  readonly format: FileFormat
  readonly options: FileOptions
  readonly duckdb: LocalDuckDb
}

/** What was found out about the files. */
interface Looked {
  readonly source: RecordSource
  readonly hashes: readonly string[]
  readonly rows: number
  readonly bytes: number
}

async function withFiles<T>(
  ingest: FileIngest,
  context: FetchContext,
  use: (files: Files) => Promise<T>,
): Promise<T> {
  const { options, problems } = readFileOptions(ingest)
  const problem = problems[0]
  if (problem !== undefined) {
    throw new SvcError('invalid-project', problem.message, problem.hint === '' ? {} : { hint: problem.hint })
  }
  const folder = resolveText(ingest.endpoint, context.env, 'ingest.endpoint')
  const paths = await pathsOf({ ...ingest, endpoint: folder }, context.root)
  const format = ingest.format ?? formatOf(paths[0] ?? '')
  if (format === undefined) {
    throw new SvcError(
      'invalid-project',
      `the name "${ingest.resource}" does not say how the file is written`,
      {
        hint: 'Write ingest.format: csv, json, ndjson or parquet.',
      },
    )
  }
  const duckdb = await openLocalDuckDb({ temporaryFolder: context.spoolFolder, signal: context.signal })
  try {
    return await use({ context, ingest, paths, format, options, duckdb })
  } catch (error) {
    throw asSvcError(error, ingest)
  } finally {
    duckdb.close()
  }
}

async function pathsOf(ingest: FileIngest, root: string): Promise<readonly string[]> {
  const paths = await findFiles(root, ingest.endpoint, ingest.resource).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') {
        throw new SvcError('source-empty-glob', `the folder "${ingest.endpoint}" does not exist`, {
          hint: "ingest.endpoint is a folder, looked for from the project's root.",
          cause: error,
        })
      }
      throw asSvcError(error, ingest)
    },
  )
  if (paths.length > 0) return paths
  throw new SvcError('source-empty-glob', `no file matches "${ingest.resource}" in "${ingest.endpoint}"`, {
    hint: 'Check ingest.resource; * stands for part of a name, ** for any folders.',
  })
}

/** A bug of ours stays one; what DuckDB and the file system say is about the user's files. */
function asSvcError(error: unknown, ingest: FileIngest): unknown {
  if (error instanceof SvcError || !(error instanceof Error) || error.name === 'AbortError') return error
  const isFileSystem = 'code' in error
  if (!isFileSystem && !/^[A-Z][A-Za-z ]+ Error: /.test(error.message)) return error
  return new SvcError('source-unreadable', `cannot read "${ingest.resource}": ${reasonOf(error.message)}`, {
    hint: 'Check the file, and ingest.format and ingest.options.',
    cause: error,
  })
}

/** The first line of what DuckDB says, and of a CSV error the line, the number of values and the file. */
function reasonOf(message: string): string {
  const line = /CSV Error on Line: (\d+)\n(?:Original Line:[^\n]*\n)?([^\n]*)/.exec(message)
  const file = /^ *file = (.*)$/m.exec(message)?.[1]
  if (line === null) return (message.replace(/^[A-Z][A-Za-z ]+ Error: /, '').split('\n')[0] ?? '').trim()
  return `line ${line[1]}: ${(line[2] ?? '').trim()}${file === undefined ? '' : ` (${file})`}`
}

async function peekFiles({ context, ingest, paths, format, options, duckdb }: Files) {
  const { type, complete } = await guessRecordType(duckdb, paths, format, options)
  const { tables } = readTables(context, ingest, type)
  const { contract } = context.asset.definition
  if (complete)
    refuseMissingColumns(
      contract,
      tables[0]?.columns ?? [],
      column => typeAt(type, column.path) !== undefined,
    )
  return tables.map(table => ({ ...table, complete: table.complete && complete }))
}

async function fetchFiles(files: Files): Promise<FetchedSource> {
  const { context, ingest, paths, duckdb } = files
  const guard = await guardFiles(duckdb, paths)
  const { source, hashes, rows, bytes } = await look(files, guard)
  await guard.check()
  const loadId = createHash('sha256').update(hashes.join('\n')).digest('hex')
  const records: FetchedRecords = { source, loadId, rows, bytes, pages: paths.length }
  context.onProgress({ rows, bytes, pages: paths.length })
  return await finishFetch(context, ingest, records, duckdb)
}

function look(files: Files, guard: FileGuard): Promise<Looked> {
  if (files.format === 'parquet') return lookAtParquet(files, guard)
  return files.format === 'csv' ? lookAtCsv(files, guard) : lookAtJson(files, guard)
}

async function lookAtParquet(files: Files, guard: FileGuard): Promise<Looked> {
  const { paths, duckdb } = files
  // The hash runs in this thread while DuckDB reads in its own.
  const [hashed, type, counted] = await Promise.all([
    hashFiles(files),
    parquetType(duckdb, paths),
    duckdb.rows(`SELECT count(*) AS n FROM ${parquetFrom(paths)}`),
  ])
  const source = parquetSource(paths, type, guard.condition)
  return { ...hashed, source, rows: Number(counted[0]?.['n'] ?? 0) }
}

async function lookAtCsv(files: Files, guard: FileGuard): Promise<Looked> {
  const groups = await csvGroups(files)
  const [hashed, { type, rows }] = await Promise.all([
    hashFiles(files),
    csvTypes(files.duckdb, groups, files.options.decimalSeparator),
  ])
  return { ...hashed, source: csvSource(groups, type, guard.condition), rows }
}

type GuessedGroup = CsvGroup & { readonly files: string[]; readonly guesses: readonly string[] }

async function csvGroups({ paths, options, duckdb }: Files): Promise<readonly GuessedGroup[]> {
  const groups = new Map<string, GuessedGroup>()
  for (const path of paths) {
    if ((await stat(path)).size === 0) continue
    const { parameters, columns } = await csvLayout(duckdb, path, options)
    const names = columns.map(column => column.name)
    const guesses = columns.map(column => column.guess)
    const key = JSON.stringify([parameters, names])
    const group = groups.get(key) ?? { files: [], parameters, columns: names, guesses }
    group.files.push(path)
    groups.set(key, group)
  }
  if (groups.size > 0) return [...groups.values()]
  throw new SvcError('source-unreadable', `"${paths[0]}" is empty: it has not even a header`)
}

async function hashFiles({ paths, context }: Files): Promise<{ hashes: readonly string[]; bytes: number }> {
  const hashes: string[] = []
  let bytes = 0
  const onBytes = (more: number) => {
    bytes += more
  }
  for (const path of paths) {
    hashes.push(await hashFile(path, { signal: context.signal, onBytes }))
    context.onProgress({ rows: 0, bytes, pages: hashes.length })
  }
  return { hashes, bytes }
}

async function lookAtJson(files: Files, guard: FileGuard): Promise<Looked> {
  const { paths } = files
  const shape = newShape()
  const places = await Promise.all(paths.map(path => placeOf(path, files)))
  const inside = places.some(place => place.kind === 'path' && place.path.length > 0)
  const scans = inside ? undefined : await scanAll(files, places, shape)
  if (scans?.every(scan => scan.readableLines)) return looked(scans, shape, paths, 'newline_delimited', guard)
  if (scans?.every(scan => scan.readableArray)) return looked(scans, shape, paths, 'array', guard)
  const spool = createSpool(files.context.spoolFolder)
  const spoolShape = newShape()
  try {
    const spoolScans = await scanAll(files, places, spoolShape, spool.write)
    const spooled = spool.finish()
    noteRepaired(files, spool.repaired, spooled.records)
    const source = jsonSource(spooled, recordType(spoolShape))
    return {
      source,
      hashes: spoolScans.map(scan => scan.hash),
      rows: spooled.records,
      bytes: total(spoolScans),
    }
  } catch (error) {
    spool.abandon()
    throw error
  }
}

function noteRepaired({ context }: Files, repaired: number, rows: number): void {
  if (repaired === 0) return
  context.onProgress({
    rows,
    bytes: 0,
    pages: 0,
    note: `half characters in ${repaired} records were replaced`,
  })
}

function looked(
  scans: readonly JsonScan[],
  shape: JsonShape,
  paths: readonly string[],
  format: 'newline_delimited' | 'array',
  guard: FileGuard,
): Looked {
  const longestRecord = Math.max(...scans.map(scan => scan.longestRecord))
  return {
    source: jsonSource({ files: paths, format, longestRecord }, recordType(shape), guard.condition),
    hashes: scans.map(scan => scan.hash),
    rows: scans.reduce((sum, scan) => sum + scan.records, 0),
    bytes: total(scans),
  }
}

function total(scans: readonly JsonScan[]): number {
  return scans.reduce((sum, scan) => sum + scan.bytes, 0)
}

async function scanAll(
  { paths, context, ingest }: Files,
  places: readonly RecordPlace[],
  shape: JsonShape,
  onRecord: Parameters<typeof scanJsonFile>[1]['onRecord'] = () => undefined,
): Promise<JsonScan[]> {
  const scans: JsonScan[] = []
  const levels = ingest.nested.depth + 2
  let rows = 0
  let bytes = 0
  for (const [index, path] of paths.entries()) {
    const onBytes = (now: number, records: number) =>
      context.onProgress({ rows: rows + records, bytes: bytes + now, pages: index })
    const place = places[index] ?? { kind: 'lines' }
    const scan = await scanJsonFile(path, { place, shape, levels, signal: context.signal, onRecord, onBytes })
    rows += scan.records
    bytes += scan.bytes
    scans.push(scan)
  }
  return scans
}

const wholeFileLimit = 256 << 20

/** Where the records of a file are: said, seen from its first bytes, or found in the whole of a small file. */
async function placeOf(path: string, { format, options }: Files): Promise<RecordPlace> {
  const kind = format === 'ndjson' ? 'ndjson' : 'json'
  const { bytes, whole } = await readHead(path)
  const place = jsonPlace(bytes, whole, kind, options)
  if (place !== undefined) return place
  const packed = path.endsWith('.gz')
  if ((await stat(path)).size > (packed ? wholeFileLimit / 8 : wholeFileLimit)) throw tooLarge(path)
  const content = await readFile(path)
  return jsonPlace(packed ? gunzipSync(content) : content, true, kind, options) ?? { kind: 'lines' }
}

function tooLarge(path: string): SvcError {
  return new SvcError('source-unreadable', `"${path}" is too large to look for its records`, {
    hint: 'Say where they are with options: {records: path.to.the.list}.',
  })
}
