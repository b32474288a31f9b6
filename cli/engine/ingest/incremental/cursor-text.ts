/** The placeholder `{cursor}` in the requests of a web service: where an incremental load begins. */
import type { SourceIngest } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import type { FetchContext } from '../source.ts'

const placeholder = '{cursor}'

export interface CursorText {
  /** Returns whether a text has the placeholder and there is no value for it: then it is not sent. */
  isOpen(text: string): boolean
  /** Throws SvcError `invalid-project` if there is no value for the placeholder. */
  fill(text: string, what: string): string
}

export function cursorText(
  { incremental }: Pick<SourceIngest, 'incremental'>,
  { base }: Pick<FetchContext, 'base'>,
): CursorText {
  // Without a cursor, braces mean nothing.
  if (incremental === undefined) return { isOpen: () => false, fill: text => text }
  const start = incremental.start === undefined || incremental.start === null ? undefined : incremental.start
  const value = base?.since === undefined ? start : isoTime(base.since)
  return {
    isOpen: text => value === undefined && text.includes(placeholder),
    fill(text, what) {
      if (!text.includes(placeholder)) return text
      if (value !== undefined) return text.replaceAll(placeholder, String(value))
      throw new SvcError('invalid-project', `${what} has {cursor}, and the first load has no value for it`, {
        hint: 'Say where the first load begins: incremental: {cursor: …, start: 2024-01-01}.',
      })
    },
  }
}

/** Web services take times as ISO 8601 has them; the warehouse writes a space, and its offset in two digits. */
export function isoTime(text: string): string {
  const time = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:[+-]00(?::00)?)?$/.exec(text)
  return time === null ? text : `${time[1]}T${time[2]}Z`
}
