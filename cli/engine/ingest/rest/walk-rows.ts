/**
 * Walks over the pages of one row of the asset of `for_each` after the other. The first pages of the next rows are asked for
 * meanwhile, as many as `limits.concurrency` allows; records are written in the order of the rows.
 */
import { SvcError } from '../../errors.ts'
import type { FetchContext, ParentRow } from '../source.ts'
import type { Carrier } from './carry.ts'
import type { WalkState } from './checkpoint.ts'
import type { HttpClient, PageResponse } from './http-client.ts'
import { createPaginator } from './paginate.ts'
import { templateFor } from './request-template.ts'
import { firstRequest, Walk, type WalkOptions } from './walk-pages.ts'

export interface RowsWalk extends Omit<WalkOptions, 'onPage' | 'from'> {
  readonly context: FetchContext
  readonly rows: readonly ParentRow[]
  readonly carrier: Carrier | undefined
  /** The position of an earlier process. */
  readonly from: { readonly walk: WalkState; readonly rowsBefore: number } | undefined
  readonly onPage: (state: WalkState, rowsBefore: number) => void
}

export async function walkRows(walk: RowsWalk): Promise<void> {
  const { rows, from, reader, carrier } = walk
  if (from?.walk.done === true) return
  const ahead = firstPages(walk)
  try {
    for (let index = from?.rowsBefore ?? 0; index < rows.length && !reader.full; index++) {
      const row = rows[index]
      if (row === undefined) break
      refuseEndless(walk)
      carrier?.of(row)
      const isResumed = from !== undefined && index === from.rowsBefore
      await new Walk({
        ...walk,
        template: templateFor(row, walk.template, walk.ingest, walk.context),
        client: isResumed ? walk.client : ahead.clientOf(index),
        from: isResumed ? from.walk : undefined,
        // The end of one row is not the end of all.
        onPage: state => walk.onPage({ ...state, done: false }, index),
      }).run()
    }
  } finally {
    ahead.forget()
  }
}

/** Asks for the first pages of rows before their turn. */
function firstPages({ rows, ingest, template, context, client }: RowsWalk) {
  const paginator = createPaginator(ingest.paginate, false)
  const asked = new Map<number, Promise<PageResponse>>()
  const ask = (index: number): Promise<PageResponse> => {
    const known = asked.get(index)
    if (known !== undefined) return known
    const row = rows[index] as ParentRow
    const response = client.send(paginator.first(firstRequest(templateFor(row, template, ingest, context))))
    // A failure is reported when the page is read, not before.
    response.catch(() => undefined)
    asked.set(index, response)
    return response
  }
  return {
    clientOf(index: number): HttpClient {
      const end = Math.min(index + ingest.limits.concurrency, rows.length)
      for (let next = index; next < end; next++) void ask(next)
      const send: HttpClient['send'] = request => {
        const first = request.number === 1 ? asked.get(index) : undefined
        asked.delete(index)
        return first ?? client.send(request)
      }
      return { ...client, send }
    },
    /** Requests still in flight end with the client. */
    forget: () => asked.clear(),
  }
}

function refuseEndless({ ingest, progress }: RowsWalk): void {
  const { pages } = ingest.limits
  if (progress.pages < pages) return
  throw new SvcError(
    'for-each-rows',
    `the rows of "${ingest.forEach?.asset}" have more than ${pages} pages (limits.pages)`,
    {
      hint: 'Ask for fewer rows with for_each.where, or raise the limit in ingest.limits.',
    },
  )
}
