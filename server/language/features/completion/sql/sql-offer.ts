/** What the parts of completion in SQL have in common: the place, and how an item is made there. */
import type { Column } from '../../../sql/binder/model.ts'
import type { Value } from '../../../sql/binder/values.ts'
import type { Range } from '../../../text/range.ts'
import type { Knowledge } from '../../knowledge.ts'
import { columnType, typeText } from '../../sql/column-types.ts'
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

export function typeIn({ knowledge, place }: SqlAsk, column: Column): string | undefined {
  const isTransform = place.block.path[0] === 'transform'
  const output = isTransform ? knowledge.analysis.of(place.asset.name)?.columns : undefined
  return columnType(knowledge.project.engine, place.bound, column, output ?? [])
}

export function typeOf({ knowledge }: SqlAsk, { type }: Pick<Value, 'type'>): string | undefined {
  return typeText(knowledge.project.engine.types, type)
}

/** Puts an item into the file: its range there, its text as the scalar's style wants it. None: it has no place. */
export function inFile(ask: SqlAsk, item: SqlItem): readonly CompletionItem[] {
  const { place, cursor } = ask
  const range = fileRange(ask, item.range ?? cursor.word)
  if (range === undefined) return []
  const insert = escapedFor(place.block.node.style, item.insert, item.isSnippet === true)
  return [{ ...item, insert, range }]
}

function fileRange(ask: SqlAsk, range: Range): Range | undefined {
  const { place, cursor } = ask
  const { fileOffset } = place
  // An empty range behind the last character of a block is where the cursor is, not where the text ends.
  if (range.start === range.end && range.start === place.offset) return { start: fileOffset, end: fileOffset }
  const mapped = place.toFile(range)
  const isAround = mapped.start <= fileOffset && fileOffset <= mapped.end
  if (isAround && !/[\r\n]/.test(place.asset.text.slice(mapped.start, mapped.end))) return mapped
  // In broken YAML places are not sure; what is typed right before the cursor is.
  const typed = cursor.text.slice(range.start, place.offset)
  const start = fileOffset - typed.length
  return place.asset.text.slice(start, fileOffset) === typed ? { start, end: fileOffset } : undefined
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
