/** Writes a new name at a place, with the quotes that SQL and YAML need. */
import type { ScalarStyle } from '../../syntax/node.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import type { Range } from '../../text/range.ts'
import { fileRange, textIn } from '../names/mentions.ts'
import type { BoundBlock } from '../sql/bound-sql.ts'

/** Letters of any alphabet, digits and `_`. */
export const columnNamePattern = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u

/** Converts an SQL edit to an edit of the file; undefined if the file has the SQL in another form. */
export function sqlEdit(named: BoundBlock, range: Range, sql: string): TextEdit | undefined {
  const { asset, block } = named
  const place = fileRange(named, range)
  const before = textIn(named, range)
  if (asset.text.slice(place.start, place.end) !== escaped(before, block.node.style)) return undefined
  return { path: asset.path, range: place, newText: escaped(sql, block.node.style) }
}

/** Returns an edit that inserts text after an offset of the SQL. */
export function sqlInsertion(named: BoundBlock, offset: number, sql: string): TextEdit {
  const { asset, block } = named
  const { end } = fileRange(named, { start: offset - 1, end: offset })
  return { path: asset.path, range: { start: end, end }, newText: escaped(sql, block.node.style) }
}

/** Returns a text as it is written in a scalar of a style. */
export function escaped(text: string, style: ScalarStyle | undefined): string {
  if (style === 'single') return text.replaceAll("'", "''")
  return style === 'double' ? text.replaceAll(/["\\]/g, '\\$&') : text
}

/** Returns the new SQL name, quoted if the old one was or if it must be. */
export function sqlName({ engine }: BoundBlock, name: string, before: string): string {
  return before.startsWith('"') ? engine.quote(name) : engine.quoteIfNeeded(name)
}

const yamlWords = /^(null|true|false|yes|no|on|off|y|n)$/i

/** Returns an edit of a scalar's text, quoted if YAML would read it as something else. */
export function yamlEdit(path: string, text: string, range: Range, name: string): TextEdit {
  const isQuoted = /["']/.test(text[range.start - 1] ?? '')
  return { path, range, newText: yamlWords.test(name) && !isQuoted ? `"${name}"` : name }
}
