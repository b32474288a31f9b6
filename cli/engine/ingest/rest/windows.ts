/**
 * The windows in which an incremental load asks a web service: one after the other, up to the moment at which the load began.
 * What changes later comes with the next load, so that no record comes with two windows.
 */
import type { SourceIngest } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { type CursorWindow, cursorStart, isoTime } from '../incremental/cursor-text.ts'
import { isBehind, oneStepOn, timeOf } from '../incremental/cursor-value.ts'
import type { FetchContext } from '../source.ts'

export interface Windows {
  readonly all: readonly CursorWindow[]
  /** The moment at which the load began, as ISO time. */
  readonly until: string
}

/** Returns undefined where the source is asked at once. Throws `invalid-project` where there are too many windows. */
export function windowsOf(
  { incremental, limits }: Pick<SourceIngest, 'incremental' | 'limits'>,
  context: Pick<FetchContext, 'base'>,
  until: string,
): Windows | undefined {
  const { window } = incremental ?? {}
  const start = incremental === undefined ? undefined : cursorStart(incremental, context)
  if (window === undefined || start === undefined) return undefined
  const all: CursorWindow[] = []
  for (let from = start; all.length === 0 || isBehind(until, from, window); ) {
    const to = isoTime(oneStepOn(from, window))
    const isLast = !isBehind(until, to, window)
    all.push({ from, to: isLast ? endFor(to, start, until) : to })
    if (all.length > limits.pages) throw tooMany(start, limits.pages)
    from = to
  }
  return { all, until }
}

/** Returns where the last window ends: now, or today where the service takes dates; later where it only begins then. */
function endFor(to: string, start: string, until: string): string {
  const [first, now] = [timeOf(start) ?? 0, timeOf(until) ?? 0]
  return first >= now || to.length <= 'yyyy-mm-dd'.length ? to : until
}

function tooMany(start: string, pages: number): SvcError {
  return new SvcError(
    'invalid-project',
    `incremental.window makes more than ${pages} requests since ${start} (limits.pages)`,
    { hint: 'Write a longer window, or a later start.' },
  )
}
