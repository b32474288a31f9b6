/** What a fetch has to say of its pages when it has ended: one warning a kind, however many requests it is about. */
import type { FetchContext, SourceWarning } from '../../source.ts'
import type { PageResponse } from '../http-client.ts'
import type { MoreSaid } from './compare-claims.ts'

export interface SavedPageWarnings {
  readonly more: readonly MoreSaid[]
  readonly moreCount: number
  readonly cut: number | undefined
  readonly skipped: { readonly count: number; readonly status: number; readonly example: string } | undefined
}

export type PageWarnings = ReturnType<typeof pageWarnings>

export function pageWarnings(saved?: SavedPageWarnings) {
  let more = saved?.more[0]
  let moreCount = saved?.moreCount ?? 0
  let cut = saved?.cut
  let skipped = saved?.skipped
  return {
    /** One list of pages says that there is more than was loaded. */
    more(said: MoreSaid): void {
      moreCount++
      more ??= said
    },
    /** `paginate.max_pages` has ended a list of pages that goes on. */
    cut(pages: number): void {
      cut = pages
    },
    /** @param example the address, as it may be shown */
    skipped({ status }: Pick<PageResponse, 'status'>, example: string): void {
      skipped = {
        count: (skipped?.count ?? 0) + 1,
        status: skipped?.status ?? status,
        example: skipped?.example ?? example,
      }
    },
    save: (): SavedPageWarnings => ({ more: more === undefined ? [] : [more], moreCount, cut, skipped }),
    tell({ onWarning }: Pick<FetchContext, 'onWarning'>): void {
      if (more !== undefined) onWarning?.(moreWarning(more, moreCount))
      if (cut !== undefined) onWarning?.(cutWarning(cut))
      if (skipped !== undefined) onWarning?.(skippedWarning(skipped))
    },
  }
}

function moreWarning({ said, loaded, claimed, hint }: MoreSaid, lists: number): SourceWarning {
  const where = lists === 1 ? '' : ` of one of ${lists} requests, the first,`
  const records = loaded === 1 ? '1 record was' : `${loaded} records were`
  return {
    code: 'more-pages',
    message: `the answers${where} say that there is more: ${said}, and ${records} loaded`,
    hint,
    example: said,
    ...(claimed !== undefined && lists === 1 && { count: claimed - loaded }),
    ...(lists > 1 && { count: lists }),
  }
}

function cutWarning(pages: number): SourceWarning {
  return {
    code: 'limited-pages',
    count: pages,
    message: `the load ended after ${pages === 1 ? '1 page' : `${pages} pages`}, as paginate.max_pages says, and there are more`,
    hint: 'The table has the records of these pages alone. Raise paginate.max_pages, or take it out, to load all.',
  }
}

function skippedWarning({
  count,
  status,
  example,
}: NonNullable<SavedPageWarnings['skipped']>): SourceWarning {
  const what = count === 1 ? 'a response was' : `${count} responses were`
  return {
    code: 'skipped-responses',
    count,
    example,
    message: `${what} skipped, as on_status says: status ${status}, ${example}`,
    hint: 'What these responses should have brought is not in the table.',
  }
}
