/**
 * Walks over the pages of a list of requests, one turn after the other: one a row of the asset of `for_each`, or one a window
 * of the cursor. The first pages of the next turns are asked for meanwhile, as many as `limits.concurrency` allows; records are
 * written in the order of the turns.
 */
import type { SvcError } from '../../errors.ts'
import type { WalkState } from './checkpoint.ts'
import type { HttpClient, PageResponse } from './http-client.ts'
import { createPaginator } from './paginate.ts'
import type { RequestTemplate } from './request-template.ts'
import { firstRequest, Walk, type WalkOptions } from './walk-pages.ts'

export interface Turn {
  template(): RequestTemplate
  /** Called before its first record. */
  begin?(): void
}

export interface TurnsWalk extends Omit<WalkOptions, 'onPage' | 'from'> {
  readonly turns: readonly Turn[]
  /** Returns the error about more pages than `limits.pages` allows. */
  readonly tooMany: (pages: number) => SvcError
  /** The position of an earlier process. */
  readonly from: { readonly walk: WalkState; readonly turnsBefore: number } | undefined
  readonly onPage: (state: WalkState, turnsBefore: number) => void
}

export async function walkTurns(walk: TurnsWalk): Promise<void> {
  const { turns, from, reader } = walk
  if (from?.walk.done === true) return
  const ahead = firstPages(walk)
  try {
    for (let index = from?.turnsBefore ?? 0; index < turns.length && !reader.full; index++) {
      const turn = turns[index]
      if (turn === undefined) break
      refuseEndless(walk)
      turn.begin?.()
      const isResumed = from !== undefined && index === from.turnsBefore
      await new Walk({
        ...walk,
        template: turn.template(),
        client: isResumed ? walk.client : ahead.clientOf(index),
        from: isResumed ? from.walk : undefined,
        // The end of one turn is not the end of all.
        onPage: state => walk.onPage({ ...state, done: false }, index),
      }).run()
    }
  } finally {
    ahead.forget()
  }
}

/** Asks for the first pages of turns before it is theirs. */
function firstPages({ turns, ingest, client }: TurnsWalk) {
  const paginator = createPaginator(ingest.paginate, false)
  const asked = new Map<number, Promise<PageResponse>>()
  const ask = (index: number): Promise<PageResponse> => {
    const known = asked.get(index)
    if (known !== undefined) return known
    const turn = turns[index] as Turn
    const response = client.send(paginator.first(firstRequest(turn.template())))
    // A failure is reported when the page is read, not before.
    response.catch(() => undefined)
    asked.set(index, response)
    return response
  }
  return {
    clientOf(index: number): HttpClient {
      const end = Math.min(index + ingest.limits.concurrency, turns.length)
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

function refuseEndless({ ingest, progress, tooMany }: TurnsWalk): void {
  const { pages } = ingest.limits
  if (progress.pages >= pages) throw tooMany(pages)
}
