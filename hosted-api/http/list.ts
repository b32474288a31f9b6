/**
 * Lists (hosted.md 5.3): filters, sorting and keyset pagination, so that pages stay consistent while records
 * are added and deleted. The answer is a plain array with `Link` and `X-Total-Count`, or an envelope on
 * request.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { type TObject, Type } from '@sinclair/typebox'
import type { Knex } from 'knex'
import type { Cell, Queries, Row } from '../storage/index.ts'
import type { CursorSigner, SortValue } from './cursor.ts'
import { revisionTag } from './etag.ts'
import { type FieldProblem, invalid } from './problems.ts'
import { ok, type Reply } from './reply.ts'
import type { Call } from './route.ts'
import { mostRecordId, type Shape } from './schemas.ts'

/** Requested with `Accept`: `{success, items, total, next_cursor}` instead of an array. */
export const pageMedia = 'application/vnd.svc.page+json'
export const mostItems = 1000

/**
 * The parameters of a list; a `limit` that is too large is reduced.
 * @param sortable what it can be sorted by
 * @param members of its items
 */
export function listParameters(sortable: readonly string[], members: readonly string[]) {
  const name = `-?(${sortable.join('|')})`
  return {
    sort: Type.Optional(
      Type.String({
        maxLength: 255,
        documented: { pattern: `^ *${name}( *, *${name})* *$` },
        description: 'Fields, first first; - before one: descending.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: mostRecordId, description: `Items a page; ${mostItems} at most.` }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: 2048,
        documented: { pattern: '^[A-Za-z0-9_-]+$' },
        description: 'From the answer before: where to go on.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String({ documented: { enum: members } }), {
        documented: { minItems: 1 },
        maxItems: 100,
        description: 'Only these members of each item.',
      }),
    ),
  }
}

/** A page of so few items takes less time than to ask another process for it. */
const fewItems = 20

export function asksForFew({ limit }: Readonly<Record<string, unknown>>): boolean {
  return Number(limit ?? mostItems) <= fewItems
}

export type ListQuery = Shape<TObject<ReturnType<typeof listParameters>>>

export interface ListParts {
  /** The filtered query without order and limit; it selects everything that an item and the sorting need. */
  readonly rows: Knex.QueryBuilder
  /** The columns to sort by, by the name in `sort`; never null. */
  readonly sortable: Readonly<Record<string, string>>
  /** A unique column, which ends every order. */
  readonly key: string
  /** Returns the item of a row. */
  readonly item: (row: Row) => Readonly<Record<string, unknown>>
  readonly members: readonly string[]
  readonly signer: CursorSigner
  /** The projects that the token may access, to which a cursor is bound. */
  readonly audience: string
}

type ListCall = Pick<Call<unknown, ListQuery>, 'query' | 'url' | 'headers' | 'storage' | 'project'>

interface Sort {
  readonly name: string
  readonly column: string
  readonly isDescending: boolean
}

export async function listReply(call: ListCall, parts: ListParts): Promise<Reply> {
  const { query, url, headers, storage, project } = call
  // A list of several projects has no revision, and its answer no tag.
  const revision = project === undefined ? undefined : await storage.revision(project)
  const sorts = readSort(parts, query.sort)
  const members = readFields(parts.members, query.fields)
  const limit = Math.min(query.limit ?? mostItems, mostItems)
  const list = listName(url, parts.audience)
  const start = query.cursor === undefined ? undefined : parts.signer.read(query.cursor, list)
  const { rows, isCut } = await readPage(storage.reads, parts.rows, sorts, start, limit)
  const shown = rows.slice(0, limit)
  const hasMore = rows.length > limit || isCut
  // The first page has all of them, if there is no other one.
  const total = hasMore || start !== undefined ? await countOf(storage.reads, parts.rows) : rows.length
  const last = hasMore ? shown.at(-1) : undefined
  const next = last === undefined ? undefined : parts.signer.write(sortValues(sorts, last), list)
  const items = shown.map(row => only(parts.item(row), members))
  return pageOf(items, total, next, url, headers, revision)
}

/** A page of very large records ends early, so that nobody can ask for more than the memory holds. */
const mostPageBytes = 2 * 1024 * 1024
/** Rows are read in pieces of about this size, of which none keeps others waiting for long. */
const pieceBytes = 256 * 1024
const firstPiece = 20

/** Returns one row more than `limit` if there are more; `isCut`: the page ends before, because its rows are large. */
async function readPage(
  queries: Queries,
  all: Knex.QueryBuilder,
  sorts: readonly Sort[],
  start: readonly SortValue[] | undefined,
  limit: number,
): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> {
  const rows: Row[] = []
  let [place, bytes, piece] = [start, 0, firstPiece]
  for (;;) {
    const wanted = Math.min(piece, limit + 1 - rows.length)
    const next = all.clone()
    if (place !== undefined) after(next, sorts, place)
    for (const { column, isDescending } of sorts) next.orderBy(column, isDescending ? 'desc' : 'asc')
    const found = await queries.all(next.limit(wanted))
    rows.push(...found)
    for (const row of found) bytes += sizeOf(row)
    const last = rows.at(-1)
    if (found.length < wanted || rows.length > limit || last === undefined) return { rows, isCut: false }
    if (bytes > mostPageBytes) return { rows, isCut: true }
    place = sortValues(sorts, last)
    piece = Math.max(1, Math.floor((pieceBytes * rows.length) / bytes))
  }
}

function sizeOf(row: Row): number {
  let size = 0
  for (const cell of Object.values(row)) size += typeof cell === 'string' ? cell.length : 8
  return size
}

function pageOf(
  items: readonly unknown[],
  total: number,
  next: string | undefined,
  url: string,
  headers: IncomingHttpHeaders,
  revision: number | undefined,
): Reply {
  const isPage = headers.accept?.includes(pageMedia) === true
  const tag = revision === undefined ? {} : { ETag: revisionTag(revision, isPage ? 'page' : undefined) }
  const link = next === undefined ? {} : nextLink(url, { cursor: next })
  const shared = { 'X-Total-Count': String(total), Vary: 'Accept', ...tag, ...link }
  if (!isPage) return ok(items, shared)
  return ok(
    { success: true, items, total, next_cursor: next ?? null },
    { ...shared, 'Content-Type': `${pageMedia}; charset=utf-8` },
  )
}

function readSort({ sortable, key }: ListParts, text: string | undefined): readonly Sort[] {
  const names = text === undefined ? [] : text.split(',').map(each => each.trim())
  const sorts = names.map((each): Sort => {
    const isDescending = each.startsWith('-')
    const name = isDescending ? each.slice(1) : each
    const column = Object.hasOwn(sortable, name) ? sortable[name] : undefined
    if (column === undefined) throw invalid([unknownName('sort', name, Object.keys(sortable))])
    return { name, column, isDescending }
  })
  if (sorts.some(({ column }) => column === key)) return sorts
  return [...sorts, { name: 'id', column: key, isDescending: sorts[0]?.isDescending ?? false }]
}

function readFields(
  members: readonly string[],
  wanted: readonly string[] | undefined,
): readonly string[] | undefined {
  const problems = (wanted ?? [])
    .filter(name => !members.includes(name))
    .map(name => unknownName('fields', name, members))
  if (problems.length > 0) throw invalid(problems)
  return wanted
}

function unknownName(parameter: string, name: string, known: readonly string[]): FieldProblem {
  const detail = `"${name}" is nothing that ${parameter} knows; it knows ${known.join(', ')}.`
  return { pointer: `?${parameter}`, code: 'not_allowed', detail }
}

/**
 * Adds the condition for rows after these values: greater in the first column, or equal there and greater in
 * the next, and so on.
 */
function after(query: Knex.QueryBuilder, sorts: readonly Sort[], values: readonly SortValue[]): void {
  query.where(any => {
    sorts.forEach(({ column, isDescending }, index) => {
      any.orWhere(all => {
        for (const [place, equal] of sorts.slice(0, index).entries())
          all.where(equal.column, values[place] ?? null)
        all.where(column, isDescending ? '<' : '>', values[index] ?? null)
      })
    })
  })
}

function sortValues(sorts: readonly Sort[], row: Row): readonly SortValue[] {
  return sorts.map(({ name }) => (row[name] ?? '') as SortValue)
}

async function countOf(queries: Queries, rows: Knex.QueryBuilder): Promise<number> {
  const counted = rows.clone().clearSelect().count({ count: '*' })
  const row = await queries.first<{ count: Cell }>(counted)
  return Number(row?.count ?? 0)
}

function only(
  item: Readonly<Record<string, unknown>>,
  members: readonly string[] | undefined,
): Readonly<Record<string, unknown>> {
  return members === undefined ? item : Object.fromEntries(members.map(name => [name, item[name] ?? null]))
}

/** Returns the list without the page position, to which a cursor is bound. */
function listName(url: string, audience: string): string {
  const { pathname, searchParams } = new URL(url, 'http://list')
  for (const name of ['cursor', 'limit', 'fields']) searchParams.delete(name)
  searchParams.sort()
  return `${pathname.replace(/\/$/, '')}?${searchParams} ${audience}`
}

/** Returns the header for the next page: the same address with other parameters. */
export function nextLink(url: string, parameters: Readonly<Record<string, string | number>>) {
  const { pathname, searchParams } = new URL(url, 'http://list')
  for (const [name, value] of Object.entries(parameters)) searchParams.set(name, String(value))
  return { Link: `<${pathname}?${searchParams}>; rel="next"` }
}
