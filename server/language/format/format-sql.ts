/**
 * Formats a query: keywords in upper case, an indentation of two spaces, template tags unbroken. Only spacing
 * and the case of keywords change; a text that would change otherwise is left unchanged.
 */
import { formatDialect } from 'sql-formatter'
import type { Engine } from '../engines/engine.ts'
import { formatterOf } from '../engines/formatters.ts'
import { canonicalSql } from '../project/canonical-sql.ts'
import { scanTemplate } from '../syntax/scan-template.ts'
import type { Tag } from '../syntax/template.ts'
import { layoutLines } from './sql-layout.ts'
import { linesOf } from './sql-lines.ts'
import { hideNames } from './sql-names.ts'

/**
 * Returns the query without a line break at its end; undefined if it is left unchanged. `isOneLine` means
 * that it is one line in the file, and stays one if it fits.
 */
export function formatSql(sql: string, isOneLine: boolean, engine: Engine): string | undefined {
  const trimmed = sql.trim()
  const { tags, problems } = scanTemplate(trimmed, engine)
  if (trimmed === '' || problems.length > 0) return undefined
  const hidden = hideTags(trimmed, tags)
  const formatted = hidden === undefined ? undefined : arrange(hidden.text, isOneLine, engine)
  if (hidden === undefined || formatted === undefined) return undefined
  const result = formatted.replace(hidden.pattern, mark => hidden.tags.get(mark) ?? mark)
  return saysTheSame(trimmed, tags, result, engine) ? result : undefined
}

function arrange(sql: string, isOneLine: boolean, engine: Engine): string | undefined {
  const { text, names } = hideNames(sql, engine)
  const lines = linesOf(text, layoutOf(text, engine) ?? '', names, engine)
  return lines === undefined ? undefined : layoutLines(lines, isOneLine)
}

/** Returns undefined if sql-formatter cannot parse it. */
function layoutOf(sql: string, engine: Engine): string | undefined {
  try {
    return formatDialect(sql, {
      dialect: formatterOf(engine).dialect,
      keywordCase: 'upper',
      tabWidth: 2,
      expressionWidth: 60,
    })
  } catch {
    return undefined
  }
}

/**
 * Replaces tags by words of the same length, so that lines break as they would with the tags.
 * `tags`: the text of each tag by its placeholder.
 */
function hideTags(sql: string, tags: readonly Tag[]) {
  const prefix = freePrefix(sql)
  const hidden = new Map<string, string>()
  let text = ''
  let end = 0
  for (const [index, tag] of tags.entries()) {
    const written = tidyTag(sql.slice(tag.range.start, tag.range.end), tag)
    const word = `${prefix}${index}`.padEnd(written.length - 1, 'q').concat('z')
    hidden.set(word, written)
    text += sql.slice(end, tag.range.start) + word
    end = tag.range.end
  }
  return { text: text + sql.slice(end), pattern: new RegExp(`${prefix}\\d+q*z`, 'g'), tags: hidden }
}

function freePrefix(sql: string): string {
  let prefix = 'tag_'
  while (sql.includes(prefix)) prefix = `t${prefix}`
  return prefix
}

/** Normalizes `{{ref("a")}}` to `{{ ref('a') }}`. */
function tidyTag(written: string, tag: Tag): string {
  switch (tag.kind) {
    case 'source':
      return tag.child === undefined ? '{{ source }}' : called('source', tag.child, written)
    case 'ref':
    case 'var':
      return called(tag.kind, tag.name, written)
    case 'this':
      return '{{ this }}'
    case 'window':
      return `{{ window.${tag.edge} }}`
    case 'macro':
      return written.replace(/^\{\{\s*/, '{{ ').replace(/\s*\}\}$/, ' }}')
    case 'invalid':
      return written
  }
}

function called(kind: string, name: string, written: string): string {
  return /^[\w.-]+$/.test(name) ? `{{ ${kind}('${name}') }}` : written
}

function saysTheSame(before: string, tags: readonly Tag[], after: string, engine: Engine): boolean {
  const { tags: tagsAfter } = scanTemplate(after, engine)
  return canonicalSql(before, engine, tags) === canonicalSql(after, engine, tagsAfter)
}
