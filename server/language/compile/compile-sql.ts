/**
 * Compiles a template to SQL, with a map from each character to its origin. What a tag stands for is decided
 * by the caller.
 */

import type { CompiledSql, SqlTemplate, Tag } from '../syntax/template.ts'
import { lazyPositionMap, pieceList } from '../text/position-map.ts'
import type { PositionMap, Range } from '../text/range.ts'

/** Compiles the template. `resolve` returns the SQL for a tag, such as `"green"."orders"` or `(SELECT …)`. */
export function compileSql(template: SqlTemplate, resolve: (tag: Tag) => string): CompiledSql {
  const { text, tags } = template
  if (tags.length === 0) return { sql: text, toFile: template.toFile }
  const parts: Part[] = []
  let end = 0
  let sql = ''
  for (const tag of tags) {
    const literal = text.slice(end, tag.range.start)
    const replacement = resolve(tag)
    parts.push(part(sql.length, literal.length, { start: end, end: tag.range.start }))
    sql += literal
    parts.push({ ...part(sql.length, replacement.length, tag.range), isTag: true })
    sql += replacement
    end = tag.range.end
  }
  parts.push(part(sql.length, text.length - end, { start: end, end: text.length }))
  return { sql: sql + text.slice(end), toFile: lazyPositionMap(() => chain(parts, template.toFile)) }
}

interface Part extends Range {
  readonly original: Range
  readonly isTag: boolean
}

function part(start: number, length: number, original: Range): Part {
  return { start, end: start + length, original, isTag: false }
}

/**
 * Chains the maps from the compiled text to the template and from there to the file. A place in a replaced
 * tag maps to the whole tag.
 */
function chain(parts: readonly Part[], toFile: PositionMap): PositionMap {
  const pieces = pieceList()
  for (const each of parts) pieces.add(each, each.original, each.isTag)
  const toTemplate = pieces.build()
  return {
    toOriginal: offset => toFile.toOriginal(toTemplate.toOriginal(offset)),
    rangeToOriginal: range => toFile.rangeToOriginal(toTemplate.rangeToOriginal(range)),
  }
}
