/** Records such as web services send: an object inside, and a list of objects that becomes a table of its own. */
import { between, randomFrom } from './random.ts'

export const pageSize = 1_000

/** The text of every page, in order; the same every time. `address` is where the pages are served. */
export function* recordPages(count: number, address: string): Generator<string> {
  const random = randomFrom(7)
  const pages = Math.ceil(count / pageSize)
  for (let page = 1; page <= pages; page++) {
    const first = (page - 1) * pageSize
    const length = Math.min(pageSize, count - first)
    const data = Array.from({ length }, (_, at) => record(first + at, random))
    const next = page < pages ? `${address}?page=${page + 1}` : null
    yield JSON.stringify({ data, page, pages, next })
  }
}

/** What the project of the benchmark asks of the loaded records; `records` and `orders` are relations. */
export function nestedQuestion(records: string, orders: string): string {
  return `SELECT
  count(*) AS records,
  count(DISTINCT address__city) AS cities,
  round(sum(score), 2) AS score,
  (SELECT count(*) FROM ${orders}) AS orders,
  (SELECT sum(qty) FROM ${orders})::BIGINT AS quantity
FROM ${records}`
}

/** The same in words that PostgreSQL has too: what both sides must have loaded. */
export function countedQuestion(records: string, orders: string): string {
  return `SELECT
  count(*) AS records,
  count(DISTINCT address__city) AS cities,
  (SELECT count(*) FROM ${orders}) AS orders,
  (SELECT sum(qty) FROM ${orders})::BIGINT AS quantity
FROM ${records}`
}

export interface NestedRecord {
  readonly id: number
  readonly uid: string
  readonly name: string
  readonly email: string
  readonly active: boolean
  readonly score: number
  readonly created_at: string
  readonly country: string | undefined
  readonly note: string | null
  readonly address: { readonly street: string; readonly city: string; readonly zip: string }
  readonly orders: readonly { readonly sku: string; readonly qty: number; readonly price: number }[]
}

function record(id: number, random: () => number): NestedRecord {
  return {
    id,
    uid: between(random, 0, 4_294_967_296).toString(16).padStart(8, '0'),
    name: `customer ${id}`,
    email: `customer${id}@example.com`,
    active: id % 2 === 0,
    score: between(random, 0, 1_000_000) / 100,
    created_at: `2024-${two(1 + (id % 12))}-${two(1 + (id % 28))}T${two(id % 24)}:${two(id % 60)}:00Z`,
    country: ['DE', 'FR', 'US', 'JP'][id % 4],
    note: id % 5 === 0 ? 'some words that a person has written' : null,
    address: {
      street: `${id % 999} Main Street`,
      city: `City ${id % 500}`,
      zip: String(id % 99_999).padStart(5, '0'),
    },
    orders: Array.from({ length: between(random, 0, 4) }, () => ({
      sku: `sku-${between(random, 0, 10_000)}`,
      qty: between(random, 1, 9),
      price: between(random, 0, 5_000) / 100,
    })),
  }
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
