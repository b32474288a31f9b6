/** Records syntax problems: each mistake is one problem with the edits that correct it. */
import { cannotBe } from '../grammar.ts'
import type { Doubt, Edit, Missing, Span, SyntaxProblem } from '../tree.ts'
import { previous, type Reader, type Token, textOf } from './reader.ts'

export interface ProblemDetails {
  readonly code?: SyntaxProblem['code']
  readonly isCut?: true
  readonly doubt?: Doubt
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly repair: readonly Edit[]
  /** The title of a quick fix that applies the repair, or other edits. */
  readonly fix?: string | { readonly title: string; readonly edits: readonly Edit[] }
}

export function report(reader: Reader, span: Span, message: string, details: ProblemDetails): void {
  reader.problems.push(problemAt(span, message, details))
}

export function problemAt({ start, end }: Span, message: string, details: ProblemDetails): SyntaxProblem {
  const { code, isCut, doubt, hint, suggestions = [], repair, fix } = details
  return {
    ...(code === undefined ? undefined : { code }),
    ...(isCut && { isCut }),
    ...(doubt && { doubt }),
    start,
    end,
    message,
    hint,
    suggestions,
    repair,
    fix: typeof fix === 'string' ? { title: fix, edits: repair } : fix,
  }
}

export function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text }
}

export function deletion({ start, end }: Span): Edit {
  return { start, end, text: '' }
}

/** Reports text that cannot be read where it stands, from its first token to the reader's place. */
export function reportStray(reader: Reader, first: Token): void {
  const text = shown(reader, first)
  const isKeyword = first.kind === 'word' && (first.bits & cannotBe.name) !== 0
  report(reader, first, `"${text}" does not belong here`, {
    hint: isKeyword
      ? `"${text}" is a word of SQL: a column or table of that name is written in double quotes.`
      : 'Remove it, or connect it to the text before it.',
    repair: [deletion({ start: first.start, end: reader.end })],
  })
}

/** Reports text that must stand in brackets. */
export function reportNoBrackets(
  reader: Reader,
  at: Span,
  { start, end }: Span,
  message: string,
  hint: string,
  what = 'it',
): void {
  const repair = [insertion(start, '('), insertion(end, ')')]
  report(reader, at, message, { hint, repair, fix: `Put ${what} in brackets` })
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

/** Returns the token whose text is given as a message names it. */
export function tokenName({ kind }: Token, text: string): string {
  return kind === 'word' ? text.toUpperCase() : `"${text}"`
}

/** Returns a token as a message shows it; a long one is cut. */
export function shown(reader: Reader, span: Span): string {
  const text = textOf(reader, span)
  return text.length > 40 ? `${text.slice(0, 37)}…` : text
}
