/** Records syntax problems: each mistake is one problem with the edits that correct it. */
import type { Edit, Missing, Span } from '../tree.ts'
import { previous, type Reader, textOf } from './reader.ts'

export interface ProblemDetails {
  readonly code?: 'sql-not-a-select'
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly repair: readonly Edit[]
  /** The title of a quick fix that applies the repair, or other edits. */
  readonly fix?: string | { readonly title: string; readonly edits: readonly Edit[] }
}

export function report(reader: Reader, { start, end }: Span, message: string, details: ProblemDetails): void {
  const { code, hint, suggestions = [], repair, fix } = details
  reader.problems.push({
    ...(code === undefined ? undefined : { code }),
    start,
    end,
    message,
    hint,
    suggestions,
    repair,
    fix: typeof fix === 'string' ? { title: fix, edits: repair } : fix,
  })
}

export function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text }
}

export function deletion({ start, end }: Span): Edit {
  return { start, end, text: '' }
}

/** Returns the present token; at the end of a statement the one before it. */
export function hereOrBefore(reader: Reader): Span {
  const { token } = reader
  if (token.kind !== 'end' && token.word !== ';') return token
  return previous(reader) ?? token
}

export function missingAt(offset: number): Missing {
  return { kind: 'missing', start: offset, end: offset }
}

/** Returns a token as a message shows it; a long one is cut. */
export function shown(reader: Reader, span: Span): string {
  const text = textOf(reader, span)
  return text.length > 40 ? `${text.slice(0, 37)}…` : text
}
