/** What the parts of completion in SQL have in common: the place, and how an item is made there. */
import type { Range } from '../../../text/range.ts'
import type { Knowledge } from '../../knowledge.ts'
import type { SqlScope } from '../../sql/scope-at.ts'
import type { SqlCursor } from '../../sql/sql-cursor.ts'
import type { SqlPlace } from '../../sql/sql-place.ts'
import type { CompletionItem } from '../completion.ts'

export interface SqlAsk {
  readonly knowledge: Knowledge
  readonly place: SqlPlace
  readonly cursor: SqlCursor
  readonly scope: SqlScope
  /** Lower-case text of the word up to the cursor. */
  readonly prefix: string
}

export type SqlItem = Omit<CompletionItem, 'range'> & {
  /** In the SQL; the word at the cursor when absent. */
  readonly range?: Range
}

/** Puts an item into the file: its range there, its text as the scalar's style wants it. */
export function inFile(ask: SqlAsk, item: SqlItem): CompletionItem {
  const { place, cursor } = ask
  const range = item.range ?? cursor.word
  return {
    ...item,
    insert: escapedFor(place.block.node.style, item.insert, item.isSnippet === true),
    range: fileRange(place, range),
  }
}

function fileRange(place: SqlPlace, range: Range): Range {
  if (range.end > range.start) return place.toFile(range)
  // An empty range behind the last character of a block is where the cursor is, not where the text ends.
  const start = range.start === place.offset ? place.fileOffset : place.toFile(range).start
  return { start, end: start }
}

/** A text within quotes has its quotes doubled or marked. */
function escapedFor(style: string, text: string, isSnippet: boolean): string {
  if (style === 'single') return text.replaceAll("'", "''")
  if (style !== 'double') return text
  // In a snippet a backslash is itself marked with one.
  return text.replaceAll('\\', isSnippet ? '\\\\\\\\' : '\\\\').replaceAll('"', isSnippet ? '\\\\"' : '\\"')
}

/** Whether `name` may be meant by what is typed so far; the editor ranks, this only leaves out what cannot be meant. */
export function mayMatch(prefix: string, name: string): boolean {
  if (prefix === '') return true
  let at = 0
  const lower = name.toLowerCase()
  if (lower[0] !== prefix[0] && !lower.includes(prefix)) return false
  for (const letter of prefix) {
    at = lower.indexOf(letter, at)
    if (at < 0) return false
    at++
  }
  return true
}
