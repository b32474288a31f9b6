/** How a new name is written at a place: quoted as SQL and YAML need it there. */
import type { ScalarStyle } from '../../syntax/node.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import type { Range } from '../../text/range.ts'
import { fileRange, textIn } from '../names/mentions.ts'
import type { BoundBlock } from '../sql/bound-sql.ts'

/** Letters, digits and `_`; letters of any alphabet. */
export const columnNamePattern = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u

/** A change of SQL as a change of the file; undefined where the SQL stands otherwise in the file. */
export function sqlEdit(named: BoundBlock, range: Range, sql: string): TextEdit | undefined {
  const { asset, block } = named
  const place = fileRange(named, range)
  const before = textIn(named, range)
  if (asset.text.slice(place.start, place.end) !== escaped(before, block.node.style)) return undefined
  return { path: asset.path, range: place, newText: escaped(sql, block.node.style) }
}

/** Text put in behind an offset of the SQL. */
export function sqlInsertion(named: BoundBlock, offset: number, sql: string): TextEdit {
  const { asset, block } = named
  const { end } = fileRange(named, { start: offset - 1, end: offset })
  return { path: asset.path, range: { start: end, end }, newText: escaped(sql, block.node.style) }
}

function escaped(text: string, style: ScalarStyle): string {
  if (style === 'single') return text.replaceAll("'", "''")
  return style === 'double' ? text.replaceAll(/["\\]/g, '\\$&') : text
}

/** In the place of a name in SQL, in quotes where that one was. */
export function sqlName({ engine }: BoundBlock, name: string, before: string): string {
  return before.startsWith('"') ? engine.quote(name) : engine.quoteIfNeeded(name)
}

const yamlWords = /^(null|true|false|yes|no|on|off|y|n)$/i

/** In the place of a scalar's text: words that YAML takes for something else are quoted. */
export function yamlEdit(path: string, text: string, range: Range, name: string): TextEdit {
  const isQuoted = /["']/.test(text[range.start - 1] ?? '')
  return { path, range, newText: yamlWords.test(name) && !isQuoted ? `"${name}"` : name }
}
