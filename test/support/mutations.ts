/**
 * Breaks names in SQL one by one, or several at a time: columns, qualifiers, tables, refs, functions. The places come
 * from DuckDB's own tree of the unbroken statement, the misspellings from a seeded generator.
 */
import type { Asset, Range, SqlTemplate } from '@svc/server/language'
import { compileSql } from '@svc/server/language'
import type { Binder } from '../../server/catalog/binder.ts'
import { byteOffsets } from '../../server/catalog/byte-offsets.ts'
import { quoteLiteral } from '../../server/catalog/embedded.ts'
import { engine } from './engine.ts'

export interface Site {
  readonly kind: 'column' | 'qualifier' | 'table' | 'ref' | 'function' | 'using'
  readonly name: string
  /** In the file. */
  readonly range: Range
}

export interface Mutation {
  readonly site: Site
  readonly wrong: string
}

/** Numbers from 0 (included) to 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Every name of an asset's transform that can be broken. */
export async function sitesOf(asset: Asset, binder: Binder): Promise<Site[]> {
  const template = asset.sql
  if (!template) return []
  const refs: Site[] = template.tags.flatMap(tag =>
    tag.kind === 'ref'
      ? [{ kind: 'ref' as const, name: tag.name, range: template.toFile.rangeToOriginal(tag.nameRange) }]
      : [],
  )
  const named = [...refs, ...(await namesInTree(template, binder))]
  // What a macro is made of stands in the macro's file, and has the place of the call here.
  const found = named.filter(({ name, range }) => asset.text.slice(range.start, range.end) === name)
  const seen = new Set<number>()
  return found.filter(site => !seen.has(site.range.start) && seen.add(site.range.start))
}

async function namesInTree(template: SqlTemplate, binder: Binder): Promise<Site[]> {
  const compiled = compileSql(template, tag => (tag.kind === 'var' ? '1' : `"svc tag"."${nameOf(tag)}"`))
  const flags = 'skip_null := true, skip_empty := true, skip_default := true'
  const [row] = await binder.rows(`SELECT json_serialize_sql(${quoteLiteral(compiled.sql)}, ${flags})`)
  const tree = JSON.parse(String(row?.[0])) as object
  const offset = byteOffsets(compiled.sql)
  const sites: Site[] = []
  const add = (kind: Site['kind'], name: string, start: number): void => {
    const end = start + name.length
    if (compiled.sql.slice(start, end).toLowerCase() !== name.toLowerCase()) return
    sites.push({
      kind,
      name: compiled.sql.slice(start, end),
      range: compiled.toFile.rangeToOriginal({ start, end }),
    })
  }
  visit(tree, node => {
    const location = node['query_location']
    if (typeof location !== 'number' || location > 1e15) return
    const start = offset(location)
    if (node['type'] === 'COLUMN_REF') addParts(node['column_names'] as string[], start, add)
    if (node['type'] === 'BASE_TABLE' && !node['schema_name']) add('table', String(node['table_name']), start)
    if (typeof node['function_name'] === 'string')
      add('function', node['function_name'].replace('count_star', 'count'), start)
  })
  for (const site of usingNames(compiled.sql)) add('using', site.name, site.start)
  return sites.filter(site => /^[a-z_]\w*$/i.test(site.name) && !isKeyword(site.name))
}

function nameOf(tag: { kind: string; name?: string }): string {
  return tag.name ?? 'source__raw'
}

/** `a.b`: the qualifier and the column. Parts with anything between them are left alone. */
function addParts(
  names: readonly string[],
  start: number,
  add: (kind: Site['kind'], name: string, start: number) => void,
): void {
  const [first, second] = names
  if (first === undefined) return
  if (second === undefined) add('column', first, start)
  else {
    add('qualifier', first, start)
    add('column', second, start + first.length + 1)
  }
}

function usingNames(sql: string): { name: string; start: number }[] {
  const tokens = engine.tokens(sql)
  const found: { name: string; start: number }[] = []
  let inside = false
  for (const [index, token] of tokens.entries()) {
    const text = sql.slice(token.start, token.end)
    if (/^using$/i.test(text) && sql[tokens[index + 1]?.start ?? 0] === '(') inside = true
    else if (text === ')') inside = false
    else if (inside && token.kind === 'word') found.push({ name: text, start: token.start })
  }
  return found
}

function isKeyword(name: string): boolean {
  return /^(current_date|current_timestamp|rowid)$/i.test(name)
}

function visit(value: unknown, see: (node: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) see(value as Record<string, unknown>)
  for (const child of Object.values(value)) visit(child, see)
}

/** A misspelling as fingers make them, none of `taken`. */
export function misspelt(name: string, random: () => number, taken: ReadonlySet<string>): string {
  for (let tries = 0; tries < 50; tries++) {
    const wrong =
      mistypes[Math.floor(random() * mistypes.length)]?.(
        name,
        1 + Math.floor(random() * (name.length - 1)),
      ) ?? name
    if (
      wrong.toLowerCase() !== name.toLowerCase() &&
      !taken.has(wrong.toLowerCase()) &&
      /^[a-z_]\w*$/i.test(wrong)
    )
      return wrong
  }
  return `${name}${name.at(-1)}x`
}

const mistypes: readonly ((name: string, at: number) => string)[] = [
  (name, at) => name.slice(0, at) + (name[at] ?? '') + name.slice(at),
  (name, at) => (name.length < 4 ? `${name}x` : name.slice(0, at) + name.slice(at + 1)),
  (name, at) =>
    name.length < 4
      ? `${name}${name.at(-1)}`
      : name.slice(0, at - 1) + (name[at] ?? '') + (name[at - 1] ?? '') + name.slice(at + 1),
  (name, at) => (name.length < 4 ? `${name}q` : `${name.slice(0, at)}q${name.slice(at + 1)}`),
]

/** The file's text with all mutations made, and where each stands in it. */
export function mutated(
  text: string,
  mutations: readonly Mutation[],
): { text: string; places: readonly Range[] } {
  const sorted = [...mutations].sort((a, b) => a.site.range.start - b.site.range.start)
  let result = ''
  let end = 0
  const places = new Map<Mutation, Range>()
  for (const mutation of sorted) {
    result += text.slice(end, mutation.site.range.start)
    places.set(mutation, { start: result.length, end: result.length + mutation.wrong.length })
    result += mutation.wrong
    end = mutation.site.range.end
  }
  return {
    text: result + text.slice(end),
    places: mutations.map(each => places.get(each) ?? { start: 0, end: 0 }),
  }
}
