/**
 * Reads local JSON once from start to end: its hash, its shape, and whether DuckDB can read the file
 * directly.
 */
import { createHash } from 'node:crypto'
import { createGunzip } from 'node:zlib'
import { createUtf8Check, pieceSize, readInPieces } from '@svc/server/catalog'
import {
  createRecordReader,
  type FoundRecord,
  hidesPacking,
  JsonProblem,
  type JsonShape,
  packingOf,
  type RecordPlace,
  type SourceLimits,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { passTo } from './rest/body.ts'
import { refuseUnpacked } from './unpacked-size.ts'

export interface JsonScan {
  readonly hash: string
  readonly bytes: number
  readonly records: number
  readonly longestRecord: number
  /** Every record is an object on its own line, and contains nothing that DuckDB's reader refuses. */
  readonly readableLines: boolean
  /** Every record is an object, and `place` is the whole text. */
  readonly readableArray: boolean
}

export interface JsonScanOptions {
  readonly place: RecordPlace
  readonly shape: JsonShape
  readonly levels: number
  readonly limits: SourceLimits
  /** What the packed files of the source before this one unpacked to. */
  readonly before?: number
  readonly signal: AbortSignal
  readonly onRecord?: (record: FoundRecord) => void
  readonly onBytes?: (bytes: number, records: number) => void
}

export async function scanJsonFile(path: string, options: JsonScanOptions): Promise<JsonScan> {
  const hash = createHash('sha256')
  let bytes = 0
  let records = 0
  let longestRecord = 0
  let plain = true
  let lines = options.place.kind === 'lines'
  const reader = createRecordReader({
    mostBytes: options.limits.recordBytes,
    mostLevels: options.limits.depth,
    place: options.place,
    shape: options.shape,
    levels: options.levels,
    onRecord: record => {
      records++
      const length = record.end - record.start
      if (length > longestRecord) longestRecord = length
      if (!record.isObject || record.loneSurrogates || record.inexact.length > 0) plain = false
      if (record.lineBreaks || !record.startsLine) lines = false
      options.onRecord?.(record)
    },
  })
  const file = readInPieces(path, options.signal)
  file.on('data', chunk => hash.update(chunk))
  const text = packingOf(path) === 'gz' ? passTo(file, createGunzip({ chunkSize: pieceSize })) : file
  const { before = 0 } = options
  let marked = false
  const utf8 = createUtf8Check()
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      if (bytes === 0) marked = chunk[0] === 0xef
      bytes += chunk.length
      if (text !== file)
        refuseUnpacked(path, { unpacked: bytes, packed: file.bytesRead, before }, options.limits)
      if (!utf8.push(chunk)) throw notUtf8(path, records)
      reader.push(chunk)
      options.onBytes?.(bytes, records)
    }
    const end = reader.end()
    if (!utf8.end()) throw notUtf8(path, records)
    refuseMissing(path, options.place, end.found)
    const isReadable = plain && !marked && !hidesPacking(path)
    const isArray = end.found === 'list' && options.place.kind === 'path' && options.place.path.length === 0
    return {
      hash: hash.digest('hex'),
      bytes,
      records,
      longestRecord,
      readableLines: isReadable && lines,
      readableArray: isReadable && isArray,
    }
  } catch (problem) {
    throw problem instanceof JsonProblem ? unreadable(path, problem, records) : problem
  }
}

function refuseMissing(path: string, place: RecordPlace, found: string): void {
  if (found !== 'missing' && found !== 'scalar') return
  const steps = place.kind === 'path' ? place.path.join('.') : ''
  throw new SvcError(
    'source-unreadable',
    found === 'missing'
      ? `"${path}" has no list at "${steps}"`
      : `"${path}" holds neither a list nor an object`,
    { hint: 'Say where the records are with options: {records: path.to.the.list}.' },
  )
}

function notUtf8(path: string, records: number): SvcError {
  return new SvcError('source-unreadable', `"${path}" is not UTF-8, in or after record ${records + 1}`, {
    hint: 'JSON is UTF-8: write the file anew, for example with iconv -t utf-8.',
  })
}

function unreadable(path: string, problem: JsonProblem, records: number): SvcError {
  return new SvcError(
    'source-unreadable',
    `"${path}" ${problem.isJson ? 'cannot be read' : 'is not valid JSON'}: ${problem.message} at byte ${problem.offset + 1}, in record ${records + 1}`,
    { cause: problem, hint: problem.hint },
  )
}
