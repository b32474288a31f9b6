/** The placeholders of the cursor in the requests of a web service: where an incremental load begins, and a window ends. */
import { cursorEndPlaceholder, cursorPlaceholder, type SourceIngest, shortTags } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import type { FetchContext } from '../source.ts'

/** A part of the cursor that is asked for at once: from `from` on, up to `to`. */
export interface CursorWindow {
  readonly from: string
  readonly to: string
}

export function cursorText(
  { incremental }: Pick<SourceIngest, 'incremental'>,
  context: Pick<FetchContext, 'base'>,
  window?: CursorWindow,
) {
  // Without a cursor, braces mean nothing.
  if (incremental === undefined) return { isOpen: () => false, fill: (text: string) => text }
  const value = window?.from ?? cursorStart(incremental, context)
  return {
    /** Returns whether a text has the placeholder and there is no value for it: then it is not sent. */
    isOpen: (text: string) => value === undefined && shortTags(text).includes(cursorPlaceholder),
    /** Throws SvcError `invalid-project` if there is no value for the placeholder. */
    fill(written: string, what: string): string {
      const text = shortTags(written)
      const ended = window === undefined ? text : text.replaceAll(cursorEndPlaceholder, window.to)
      if (!ended.includes(cursorPlaceholder)) return ended
      if (value !== undefined) return ended.replaceAll(cursorPlaceholder, value)
      throw new SvcError(
        'invalid-project',
        `${what} has {{ cursor }}, and the first load has no value for it`,
        {
          hint: 'Say where the first load begins: incremental: {cursor: …, start: 2024-01-01}.',
        },
      )
    },
  }
}

/** Returns where a load begins, as web services take it; undefined where it begins at the beginning. */
export function cursorStart(
  { start }: NonNullable<SourceIngest['incremental']>,
  { base }: Pick<FetchContext, 'base'>,
): string | undefined {
  if (base?.since !== undefined) return isoTime(base.since)
  return start === undefined || start === null ? undefined : String(start)
}

/** Web services take times as ISO 8601 has them; the warehouse writes a space, and its offset in two digits. */
export function isoTime(text: string): string {
  const time = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:[+-]00(?::00)?)?$/.exec(text)
  return time === null ? text : `${time[1]}T${time[2]}Z`
}
