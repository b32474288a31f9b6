/** The context that all parts of SQL completion share, and the functions that make items. */
import type { Column } from '../../../sql/binder/model.ts'
import type { Value } from '../../../sql/binder/values.ts'
import type { Range } from '../../../text/range.ts'
import type { Knowledge } from '../../knowledge.ts'
import { columnType, typeOfValue } from '../../sql/column-types.ts'
import type { SqlScope } from '../../sql/scope-at.ts'
import type { SqlCursor } from '../../sql/sql-cursor.ts'
import type { SqlPlace } from '../../sql/sql-place.ts'
import type { CompletionItem } from '../completion.ts'

export interface SqlAsk {
  readonly knowledge: Knowledge
  readonly place: SqlPlace
  readonly cursor: SqlCursor
  readonly scope: SqlScope
  /** The part of the word before the cursor, in lower case. */
  readonly prefix: string
}

export type SqlItem = Omit<CompletionItem, 'range'> & {
  /** The range in the SQL; by default the word at the cursor. */
  readonly range?: Range
}

export function typeIn({ knowledge, place }: SqlAsk, column: Column): string | undefined {
  const isTransform = place.block.path[0] === 'transform'
  const output = isTransform ? knowledge.analysis.of(place.asset.name)?.columns : undefined
  return columnType(knowledge.project.engine, place.bound, column, output ?? [])
}

export function typeOf({ knowledge }: SqlAsk, value: Value): string | undefined {
  return typeOfValue(knowledge.project.engine.types, value)
}

/**
 * Converts an item to the file: its range there, and its text escaped for the scalar's style. Returns none if
 * it has no place in the file.
 */
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
  // An empty range at the end of a block maps to the cursor and not to the end of the text.
  if (range.start === range.end && range.start === place.offset) return { start: fileOffset, end: fileOffset }
  const mapped = place.toFile(range)
  const isAround = mapped.start <= fileOffset && fileOffset <= mapped.end
  if (isAround && !/[\r\n]/.test(place.asset.text.slice(mapped.start, mapped.end))) return mapped
  // In broken YAML positions may be wrong, so the text before the cursor must match.
  const typed = cursor.text.slice(range.start, place.offset)
  const start = fileOffset - typed.length
  return place.asset.text.slice(start, fileOffset) === typed ? { start, end: fileOffset } : undefined
}

/** Escapes a text for a quoted scalar. */
function escapedFor(style: string, text: string, isSnippet: boolean): string {
  if (style === 'single') return text.replaceAll("'", "''")
  if (style !== 'double') return text
  // In a snippet a backslash must itself be escaped.
  return text.replaceAll('\\', isSnippet ? '\\\\\\\\' : '\\\\').replaceAll('"', isSnippet ? '\\\\"' : '\\"')
}

/**
 * Returns whether `name` may match the typed prefix. The editor ranks; this only removes what cannot match.
 */
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
