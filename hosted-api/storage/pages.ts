import type { Cell, Queries, Row } from './storage.ts'

/**
 * Yields rows of the query, page by page, so that a large result is never in memory at once and other requests run in
 * between. Its last parameter is the last id of the previous page, and it orders by `id`.
 */
export async function* pages<R extends Row = Row>(
  queries: Queries,
  query: string,
  values: readonly Cell[],
  size = 500,
): AsyncGenerator<readonly R[]> {
  let after = 0
  for (;;) {
    const rows = await queries.all<R>(`${query} limit ${size}`, [...values, after])
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    after = Number(rows.at(-1)?.['id'])
  }
}
