/**
 * Reads the records of one page after another into the spool, and returns the text around them. The first
 * page decides where the records are; a later page without records at that place is an error, never an empty
 * page.
 */
import { createHash } from 'node:crypto'
import {
  createRecordReader,
  type FoundRecord,
  findRecordsPath,
  JsonProblem,
  type JsonShape,
  newShape,
  type PageLog,
  type RecordEnvelope,
  type RecordPlace,
} from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import type { IngestOf } from '../source.ts'
import type { Spool } from '../spool.ts'
import type { Body } from './body.ts'
import type { Carrier } from './carry.ts'
import type { HttpClient, PageResponse } from './http-client.ts'
import type { PageOrder } from './page-order.ts'
import { parsedJson } from './parsed-json.ts'
import type { RequestTemplate } from './request-template.ts'
import { excerpt } from './request-words.ts'
import { stepsOf, valueAt } from './value-at.ts'

export interface PageRead {
  readonly records: number
  readonly bytes: number
  readonly envelope: unknown
  /** The hash of the records in order of arrival. */
  readonly hash: string
  /** The value of `paginate.key` in the last record. */
  readonly lastKey?: unknown
  /** The path of the records. */
  readonly recordsAt: readonly string[]
  /** The answer is one record, and the envelope is what that record holds. */
  readonly isOne?: true
  /** No page behind this one has a record that is new. */
  readonly isEnd?: boolean
}

export type PageReader = ReturnType<typeof createPageReader>

export interface PageReaderOptions {
  readonly ingest: IngestOf<'rest_api'>
  readonly shape: JsonShape
  /** Gets the end of each page, and looks at `shape`. */
  readonly pages: Pick<PageLog, 'page'>
  readonly spool: Pick<Spool, 'records' | 'write'>
  readonly client: HttpClient
  readonly template: RequestTemplate
  readonly shownAs?: URL | undefined
  /** Where the records are, as an earlier page has shown. */
  readonly place?: RecordPlace | undefined
  /** What each record gets of the row that it was asked for. */
  readonly carrier?: Carrier | undefined
  /** Judges the order of the records, where the source says that it has one. */
  readonly order?: PageOrder | undefined
}

/** One page, and how it is read. */
interface Page extends PageReaderOptions {
  readonly response: PageResponse
  readonly body: Body
}

export function createPageReader(options: PageReaderOptions) {
  const { ingest, shape, spool } = options
  const { maxRows = Number.POSITIVE_INFINITY } = ingest.limits
  let place: RecordPlace | undefined =
    ingest.records === undefined ? options.place : { kind: 'path', path: stepsOf(ingest.records) }

  function pageOf(response: PageResponse): Page {
    const page = { ...options, response, body: response.body as Body }
    refuseOtherContent(page)
    return page
  }

  async function placeIn(page: Page): Promise<RecordPlace> {
    if (isLines(page.response)) return { kind: 'lines' }
    return place ?? (await findPlace(page))
  }

  async function read(response: PageResponse): Promise<PageRead> {
    const page = pageOf(response)
    const known = await placeIn(page)
    const { end, envelope, hash, last } = await readRecords(page, known, true)
    // A single object does not fix the place, so that a later error response in the form of an object is
    // noticed.
    if (end.found === 'list') place = known
    const recordsAt = known.kind === 'path' ? known.path : []
    const isOne = end.found === 'object' && recordsAt.length === 0
    const said = isOne ? await oneRecord(page.body) : envelope
    const lastKey = last?.key()
    const isEnd = options.order?.reachesEnd(shape, pageName(page)) === true
    const found = { records: end.records, bytes: page.body.bytes, envelope: said, recordsAt, hash, isEnd }
    return { ...found, ...(lastKey !== undefined && { lastKey }), ...(isOne && { isOne }) }
  }

  return {
    /** Called before the first page of a list of pages. */
    begin: () => options.order?.begin(),
    read,
    /** Returns what a page holds, of which nothing is kept. */
    async look(response: PageResponse): Promise<{ readonly records: number; readonly hash: string }> {
      const page = pageOf(response)
      const { end, hash } = await readRecords(page, await placeIn(page), false)
      return { records: end.records, hash }
    },
    /** Whether `limits.max_rows` is reached. */
    get full(): boolean {
      return spool.records >= maxRows
    },
    /** Where the records are, once a page has shown it. */
    get place(): RecordPlace | undefined {
      return place
    },
  }
}

interface ReadRecords {
  readonly end: RecordEnvelope
  readonly envelope: unknown
  readonly hash: string
  readonly last: ReturnType<typeof lastRecord>
}

/** Reads the records of a page in order. `writes`: whether they are of the source, or only looked at. */
async function readRecords(page: Page, place: RecordPlace, writes: boolean): Promise<ReadRecords> {
  const { ingest, spool, carrier, response } = page
  const { maxRows = Number.POSITIVE_INFINITY, recordBytes: mostBytes, depth: mostLevels } = ingest.limits
  const hash = createHash('sha1')
  const last = lastRecord(ingest.paginate)
  const onRecord = (record: FoundRecord) => {
    hash.update(record.bytes.subarray(record.start, record.end))
    if (!writes) return
    last?.see(record)
    page.order?.see(record)
    if (spool.records >= maxRows) return
    if (carrier === undefined) spool.write(record)
    else carrier.write(record)
  }
  // The shape of records that get something more is that of the result.
  const shape = writes && carrier === undefined ? page.shape : newShape()
  const reader = createRecordReader({
    place,
    shape,
    levels: ingest.nested.depth + 2,
    onRecord,
    mostBytes,
    mostLevels,
  })
  try {
    for await (const piece of page.body.pieces()) reader.push(piece)
    const end = reader.end()
    if (writes) page.pages.page(response.request.number)
    const envelope = end.bytes === undefined ? undefined : parsedJson(end.bytes)
    refuseMissing(page, place, end.found, envelope)
    refuseErrorsBeside(page, envelope)
    return { end, envelope, hash: hash.digest('hex'), last }
  } catch (problem) {
    throw problem instanceof JsonProblem ? notJson(page, problem) : problem
  }
}

/** Keeps the last record of a page, where the next request may name its key. */
function lastRecord({ type, key = 'id' }: IngestOf<'rest_api'>['paginate']) {
  if (type !== 'keyset' && type !== 'auto') return undefined
  let last = Buffer.alloc(0)
  let length = 0
  return {
    see({ bytes, start, end }: FoundRecord) {
      length = end - start
      if (last.length < length) last = Buffer.alloc(2 * length)
      last.set(bytes.subarray(start, end))
    },
    key: () => (length === 0 ? undefined : valueAt(parsedJson(last.subarray(0, length)), key)),
  }
}

/** A larger record is data, and what it may say of others is not looked for. */
const mostSaid = 64 << 10

/** Returns the record that an answer is, for what it may say of others. */
async function oneRecord(body: Body): Promise<unknown> {
  if (body.bytes > mostSaid) return undefined
  const pieces: Buffer[] = []
  for await (const piece of body.pieces()) pieces.push(piece)
  return parsedJson(Buffer.concat(pieces))
}

function refuseOtherContent(page: Page): void {
  const { body } = page
  if (body.bytes === 0) throw wrongBody(page, 'is empty')
  const start = body.head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (start.startsWith('<')) {
    const kind = /^<\?xml/i.test(start) ? 'XML' : 'HTML'
    throw wrongBody(page, `is ${kind}, not JSON: ${excerpt(body, page)}`)
  }
}

function isLines({ headers }: PageResponse): boolean {
  return /\b(x-ndjson|jsonl|json-lines|jsonlines|x-jsonlines)\b/i.test(headers['content-type'] ?? '')
}

async function findPlace(page: Page): Promise<RecordPlace> {
  const { body } = page
  const first = body.head
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()[0]
  if (first === '[') return { kind: 'path', path: isHeaded(body.head) ? ['1'] : [] }
  const pieces: Buffer[] = []
  for await (const piece of body.pieces()) pieces.push(piece)
  const bytes = Buffer.concat([...pieces, Buffer.alloc(1)])
  try {
    const path = findRecordsPath(bytes, bytes.length - 1, page.ingest.limits.depth)
    if (path.length === 0) refuseError(page, bytes.subarray(0, -1))
    return { kind: 'path', path }
  } catch (problem) {
    throw problem instanceof JsonProblem ? notJson(page, problem) : problem
  }
}

/** The answer is a list of two, what is said of the records and the list of them (World Bank): `[{"page": 1, …}, […]]`. */
function isHeaded(head: Buffer): boolean {
  return /^[^[]{0,3}\s*\[\s*\{[^[\]{}]*\}\s*,\s*\[/.test(head.toString('latin1'))
}

/** Throws if a response with status 200 reports an error in its body, as some servers do. */
function refuseError(page: Page, bytes: Buffer): void {
  const value = parsedJson(bytes)
  if (typeof value !== 'object' || value === null) return
  const said = ['error', 'errors', 'fault'].find(key => {
    const field = (value as Record<string, unknown>)[key]
    return field !== undefined && field !== null && field !== false && field !== 0 && field !== ''
  })
  if (said === undefined) return
  const hint = `If "${said}" is data, say where the records are with ingest.records.`
  throw wrongBody(page, `has no records but says "${said}": ${excerpt(page.body, page)}`, hint)
}

/** Throws for an answer of GraphQL that lacks a part of its data: it has the data and the errors side by side. */
function refuseErrorsBeside(page: Page, envelope: unknown): void {
  if (typeof envelope !== 'object' || envelope === null || !Object.hasOwn(envelope, 'data')) return
  const { data, errors } = envelope as { readonly data?: unknown; readonly errors?: unknown }
  if (Array.isArray(data) || !Array.isArray(errors) || errors.length === 0) return
  const said: unknown = (errors[0] as { readonly message?: unknown } | null)?.message
  const isTold = typeof said === 'string' && page.shownAs === undefined
  const text = isTold ? page.template.secrets.hide(said.slice(0, 200)) : excerpt(page.body, page)
  throw wrongBody(page, `says "errors" beside its data: ${text}`, 'Check the query in ingest.body.')
}

function refuseMissing(page: Page, place: RecordPlace, found: string, envelope: unknown): void {
  if (found === 'list' || found === 'object' || found === 'null') return
  refuseErrorsBeside(page, envelope)
  const path = place.kind === 'path' ? place.path.join('.') : ''
  const keys =
    typeof envelope === 'object' && envelope !== null ? Object.keys(envelope).slice(0, 12).join(', ') : ''
  const what = path === '' ? 'is neither a list nor an object' : `has no records at "${path}"`
  throw wrongBody(
    page,
    what,
    keys === '' ? undefined : `It has: ${keys}. Say where the records are with ingest.records.`,
  )
}

function notJson(page: Page, problem: JsonProblem): SvcError {
  const where = `at byte ${problem.offset + 1} of ${page.body.bytes}`
  return wrongBody(
    page,
    problem.isJson
      ? `cannot be read: ${problem.message} ${where}`
      : `is not valid JSON: ${problem.message} ${where}; ${excerpt(page.body, page)}`,
    problem.hint,
    problem,
  )
}

const elsewhere =
  'Look at the address with curl -i: ingest.endpoint and ingest.resource have to lead to JSON with the records.'

function wrongBody(page: Page, what: string, hint = elsewhere, cause?: unknown): SvcError {
  return new SvcError('http-body', `${pageName(page)} ${what}`, { hint, cause })
}

function pageName({ response: { request }, client }: Page): string {
  return `page ${request.number} (${client.show(request.url)})`
}
