/**
 * The canonical form of SQL: its tokens without spacing, comments and the case of unquoted words (decisions
 * 2, "Identity"). A word that names a column is as the engine keeps it: its spelling is what readers of the table see.
 */
import type { Engine } from '../engines/engine.ts'
import type { SqlToken } from '../engines/sql-token.ts'
import { movedTag } from '../syntax/macro-call.ts'
import type { MacroArgument, SqlTemplate, Tag } from '../syntax/template.ts'
import { newNames } from './new-names.ts'

/**
 * Returns the canonical form; texts with the same form mean the same. Strings and quoted identifiers stay
 * unchanged.
 */
export function canonicalSql(sql: string, engine: Engine, tags: readonly Tag[] = []): string {
  const byStart = new Map(tags.map(tag => [tag.range.start, tag]))
  const words: string[] = []
  let last: SqlToken | undefined
  const tokens = engine.tokens(sql).filter(token => token.kind !== 'comment')
  const names = newNames(sql, tokens, engine)
  for (const token of tokens) {
    if (last !== undefined && areJoined(sql, last, token)) words.push(lineBreak)
    const name = names.has(token) ? engine.grammar.plainName(sql.slice(token.start, token.end)) : undefined
    words.push(name ?? wordOf(sql, token, byStart, engine))
    last = token
  }
  while (words.at(-1) === ';') words.pop()
  return words.join(' ')
}

const lineBreak = '\n'

/** By the SQL standard two string literals with a line break between them are one, and without it an error. */
function areJoined(sql: string, last: SqlToken, token: SqlToken): boolean {
  return last.kind === 'string' && token.kind === 'string' && sql.slice(last.end, token.start).includes('\n')
}

interface Canonical {
  readonly engine: Engine
  readonly text: string
}

const known = new WeakMap<SqlTemplate, Canonical>()

/** Returns the canonical form, cached per template: a run needs it in plan, build and report. */
export function canonicalTemplate(template: SqlTemplate | undefined, engine: Engine): string {
  if (template === undefined) return ''
  const before = known.get(template)
  if (before?.engine === engine) return before.text
  const text = canonicalSql(template.text, engine, template.tags)
  known.set(template, { engine, text })
  return text
}

function wordOf(sql: string, token: SqlToken, tags: ReadonlyMap<number, Tag>, engine: Engine): string {
  const written = sql.slice(token.start, token.end)
  if (token.kind === 'word' || token.kind === 'number') return written.toLowerCase()
  if (token.kind !== 'tag') return written
  const tag = tags.get(token.start)
  switch (tag?.kind) {
    case 'source':
      return tag.child === undefined ? '{{source}}' : `{{source(${JSON.stringify(tag.child)})}}`
    case 'ref':
    case 'var':
      return `{{${tag.kind}(${JSON.stringify(tag.name)})}}`
    case 'this':
      return '{{this}}'
    case 'window':
      return `{{window.${tag.edge}}}`
    case 'macro':
      return `{{${tag.name}(${tag.arguments.map(each => canonicalArgument(sql, each, engine)).join(',')})}}`
    default:
      return written
  }
}

function canonicalArgument(sql: string, { range, name, tags }: MacroArgument, engine: Engine): string {
  const value = canonicalSql(
    sql.slice(range.start, range.end),
    engine,
    tags.map(tag => movedTag(tag, -range.start)),
  )
  return name === undefined ? value : `${name} := ${value}`
}
