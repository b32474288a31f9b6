/**
 * Analyses JSON files: where their records are, and the type of every record. DuckDB reads the files where
 * they are if it can; otherwise the records are copied to a spool.
 */
import { readFile, stat } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { jsonPlace, readHead } from '@svc/server/catalog'
import {
  type FoundRecord,
  type JsonShape,
  newShape,
  packingOf,
  type RecordPlace,
  recordType,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { FileGuard } from './file-guard.ts'
import type { LocalFiles, Looked } from './local-files.ts'
import { partitionSpools } from './partition-spools.ts'
import { keysOf, withFolders } from './partitioned.ts'
import { jsonSource } from './record-source.ts'
import { warnOfRepaired } from './repaired.ts'
import { type JsonScan, scanJsonFile } from './scan-json.ts'
import { isPacked } from './unpacked-size.ts'

export async function lookAtJson(files: LocalFiles, guard: FileGuard): Promise<Looked> {
  const { paths } = files
  const shape = newShape()
  const places = await Promise.all(paths.map(path => placeOf(path, files)))
  const inside = places.some(place => place.kind === 'path' && place.path.length > 0)
  const scans = inside || (await areManySmall(paths)) ? undefined : await scanAll(files, places, shape)
  if (scans?.every(scan => scan.readableLines))
    return looked(files, { scans, shape, guard, format: 'newline_delimited' })
  if (scans?.every(scan => scan.readableArray)) return looked(files, { scans, shape, guard, format: 'array' })
  const spool = partitionSpools(files.context.spoolFolder, keysOf(files))
  const spoolShape = newShape()
  try {
    const spoolScans = await scanAll(files, places, spoolShape, (record, path) => spool.write(path, record))
    const spooled = spool.finish()
    warnOfRepaired(files.context, spooled.repaired)
    const source = jsonSource(spooled, withFolders(recordType(spoolShape), files.partitions))
    return {
      source,
      shape: spoolShape,
      hashes: spoolScans.map(scan => scan.hash),
      rows: spooled.records,
      bytes: total(spoolScans),
    }
  } catch (error) {
    spool.abandon()
    throw error
  }
}

const mostFiles = 50
const smallBytes = 1 << 20

/** A reader of many files takes time and memory for each of them, whatever is in it: those become one file. */
async function areManySmall(paths: readonly string[]): Promise<boolean> {
  if (paths.length <= mostFiles) return false
  let bytes = 0
  for (const path of paths) bytes += (await stat(path)).size
  return bytes < paths.length * smallBytes
}

interface Scanned {
  readonly scans: readonly JsonScan[]
  readonly shape: JsonShape
  readonly format: 'newline_delimited' | 'array'
  readonly guard: FileGuard
}

function looked(files: LocalFiles, { scans, shape, format, guard }: Scanned): Looked {
  const longestRecord = Math.max(...scans.map(scan => scan.longestRecord))
  const json = { files: files.paths, format, longestRecord, keys: keysOf(files) }
  return {
    source: jsonSource(json, withFolders(recordType(shape), files.partitions), guard.condition),
    shape,
    hashes: scans.map(scan => scan.hash),
    rows: scans.reduce((sum, scan) => sum + scan.records, 0),
    bytes: total(scans),
  }
}

function total(scans: readonly JsonScan[]): number {
  return scans.reduce((sum, scan) => sum + scan.bytes, 0)
}

async function scanAll(
  { paths, context, ingest }: LocalFiles,
  places: readonly RecordPlace[],
  shape: JsonShape,
  onRecord: (record: FoundRecord, path: string) => void = () => undefined,
): Promise<JsonScan[]> {
  const scans: JsonScan[] = []
  const { limits } = ingest
  const levels = ingest.nested.depth + 2
  let rows = 0
  let bytes = 0
  let unpacked = 0
  for (const [index, path] of paths.entries()) {
    const onBytes = (now: number, records: number) =>
      context.onProgress({ rows: rows + records, bytes: bytes + now, pages: index })
    const place = places[index] ?? { kind: 'lines' }
    const scan = await scanJsonFile(path, {
      place,
      shape,
      levels,
      limits,
      before: unpacked,
      signal: context.signal,
      onRecord: record => onRecord(record, path),
      onBytes,
    })
    rows += scan.records
    bytes += scan.bytes
    if (isPacked(path)) unpacked += scan.bytes
    scans.push(scan)
  }
  return scans
}

const wholeFileLimit = 256 << 20

/**
 * Returns where the records of a file are: as `options.records` says, as its first bytes show, or as a search
 * of the whole file finds if it is small.
 */
async function placeOf(path: string, { format, options }: LocalFiles): Promise<RecordPlace> {
  const kind = format === 'ndjson' ? 'ndjson' : 'json'
  const { bytes, isWhole } = await readHead(path)
  const place = jsonPlace(bytes, isWhole, kind, options)
  if (place !== undefined) return place
  const packed = packingOf(path) === 'gz'
  if ((await stat(path)).size > (packed ? wholeFileLimit / 8 : wholeFileLimit)) throw tooLarge(path)
  const content = await readFile(path)
  const text = packed ? unpacked(content, path) : content
  return jsonPlace(text, true, kind, options) ?? { kind: 'lines' }
}

function unpacked(content: Buffer, path: string): Buffer {
  try {
    return gunzipSync(content, { maxOutputLength: wholeFileLimit })
  } catch (error) {
    throw error instanceof RangeError ? tooLarge(path) : error
  }
}

function tooLarge(path: string): SvcError {
  return new SvcError('source-unreadable', `"${path}" is too large to look for its records`, {
    hint: 'Say where they are with options: {records: path.to.the.list}.',
  })
}
