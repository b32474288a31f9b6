/** Matches the brackets of any SQL text. */
import type { SqlToken } from '../../engines/sql-token.ts'

export interface Bracket {
  readonly start: number
  /** The offset after the closing bracket, or the end of the text if there is none. */
  readonly end: number
  readonly closed: boolean
}

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Returns the brackets in the order of their opening ones; unmatched closing ones are ignored. */
export function bracketsIn(text: string, tokens: readonly SqlToken[]): readonly Bracket[] {
  const brackets: Bracket[] = []
  const open: { readonly mark: string; readonly start: number }[] = []
  const close = (end: number, closed: boolean): void => {
    const bracket = open.pop()
    if (bracket !== undefined) brackets.push({ start: bracket.start, end, closed })
  }
  for (const { kind, start, end } of tokens) {
    if (kind !== 'punctuation') continue
    const mark = text.slice(start, end)
    if (mark === '(' || mark === '[' || mark === '{') open.push({ mark, start })
    const opener = closers[mark]
    if (opener === undefined || !open.some(each => each.mark === opener)) continue
    while (open.at(-1)?.mark !== opener) close(start, false)
    close(end, true)
  }
  while (open.length > 0) close(text.length, false)
  return brackets.sort((a, b) => a.start - b.start)
}
