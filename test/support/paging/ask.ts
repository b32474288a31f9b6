/**
 * Answers of web services that page, each in the shape of a real one (or of a family): which part of the records a request gets,
 * and what the answer says of the rest in its body and its headers. Parameters that a service does not know it ignores, as most do.
 */

export interface PagingAsk {
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The JSON body of a POST; `{}` without one. */
  readonly body: Readonly<Record<string, unknown>>
  /** The address that was asked for, without its parameters. */
  readonly here: string
  readonly records: readonly PagingRecord[]
  readonly size: number
}

export interface PagingRecord {
  readonly id: number
  readonly name: string
}

export interface PagingAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface PagingService {
  readonly name: string
  /** Further lines of `ingest`, such as the parameters that everybody sends to it. */
  readonly lines?: readonly string[]
  /** A way of paging that a person would write. */
  readonly explicit?: string
  /** No request of the same kind brings the rest, or the answer says in words alone that there is more. */
  readonly cannotBeFollowed?: true
  /** A next page is named also where none is, so that only who asks for it knows. */
  readonly namesNextAlways?: true
  answer(ask: PagingAsk): PagingAnswer
}

export interface Part {
  readonly items: readonly PagingRecord[]
  readonly start: number
  readonly end: number
  readonly total: number
  readonly page: number
  readonly pages: number
  readonly hasMore: boolean
}

export function part({ records, size }: PagingAsk, start: number): Part {
  const items = records.slice(start, start + size)
  const end = start + items.length
  const pages = Math.max(1, Math.ceil(records.length / size))
  return {
    items,
    start,
    end,
    total: records.length,
    page: start / size,
    pages,
    hasMore: end < records.length,
  }
}

export function numberIn(value: unknown, otherwise: number): number {
  const number = Number(value ?? Number.NaN)
  return Number.isInteger(number) && number >= 0 ? number : otherwise
}

/** @param first the number of the first page */
export function paged(ask: PagingAsk, param: string, first = 1): Part & { readonly number: number } {
  const number = numberIn(ask.query.get(param) ?? ask.body[param], first)
  return { ...part(ask, Math.max(0, number - first) * ask.size), number }
}

/** @param first the offset of the first record */
export function skipped(ask: PagingAsk, param: string, first = 0): Part {
  return part(ask, Math.max(0, numberIn(ask.query.get(param) ?? ask.body[param], first) - first))
}

export const token = (start: number) => Buffer.from(`at:${start}`).toString('base64url')

export function startOf(value: unknown): number {
  const text = Buffer.from(String(value ?? ''), 'base64url').toString()
  return text.startsWith('at:') ? Number(text.slice(3)) : 0
}

export function marked(ask: PagingAsk, value: unknown): Part & { readonly next: string | null } {
  const own = part(ask, startOf(value))
  return { ...own, next: own.hasMore ? token(own.end) : null }
}

/** A token in the address. */
export const tokened = (ask: PagingAsk, param: string) => marked(ask, ask.query.get(param))

export const address = (ask: PagingAsk, parameters: string) => `${ask.here}?${parameters}`
export const orNull = (isThere: boolean, value: unknown) => (isThere ? value : null)
export const orNone = (isThere: boolean, value: Readonly<Record<string, unknown>>) => (isThere ? value : {})
