/**
 * Writes the SQL of an asset as a reader of production would: refs become production tables, the source gets
 * the raw load's name, and `ephemeral` assets, which do not exist in production, are inlined. It is for
 * display; builds use physical tables.
 */
import { materializationOf } from '../materialize/index.ts'
import type { Asset, Project } from '../project/project.ts'
import type { JsonScalar } from '../schema/definition.ts'
import type { SqlTemplate, Tag } from '../syntax/template.ts'
import type { Range } from '../text/range.ts'
import { compileSql } from './compile-sql.ts'
import { hasAlias } from './table-alias.ts'

export interface ReaderSchemas {
  /** The production schema of assets without `deploy.schema`. */
  readonly schema: string
  readonly schemaFor: (base: string) => string
  readonly vars: Readonly<Record<string, JsonScalar>>
}

/** Returns undefined if there is no SQL. */
export function readerSql(asset: Asset, project: Project, schemas: ReaderSchemas): string | undefined {
  return queryOf(asset, { project, schemas, within: [], written: new Map() })
}

interface Reading {
  readonly project: Project
  readonly schemas: ReaderSchemas
  /** The ephemeral assets that are being inlined; they stop the recursion of one that reads itself. */
  readonly within: readonly string[]
  /** The queries of ephemeral assets, so that each is written only once. */
  readonly written: Map<string, string | undefined>
}

function queryOf(asset: Asset, reading: Reading): string | undefined {
  const { sql } = asset
  if (sql === undefined) return undefined
  return compileSql(sql, tag => tagSql(tag, asset, sql.text.slice(tag.range.end), reading)).sql
}

/** A piece of text that is the same in both: `from` to `to` in the compiled SQL is `range` in the file. */
export interface SamePiece {
  readonly from: number
  readonly to: number
  readonly range: Range
}

/** Returns the SQL with the pieces that were not replaced, line by line, in order. */
export function readerSqlWithMap(asset: Asset, project: Project, schemas: ReaderSchemas) {
  const template = asset.sql
  if (template === undefined) return undefined
  const reading: Reading = { project, schemas, within: [], written: new Map() }
  const map: SamePiece[] = []
  let sql = ''
  const addText = (from: number, to: number): void => {
    for (const [start, end] of linesIn(template, from, to)) {
      const range = template.toFile.rangeToOriginal({ start, end })
      const at = sql.length + start - from
      map.push({ from: at, to: at + end - start, range })
    }
    sql += template.text.slice(from, to)
  }
  let end = 0
  for (const tag of template.tags) {
    addText(end, tag.range.start)
    sql += tagSql(tag, asset, template.text.slice(tag.range.end), reading)
    end = tag.range.end
  }
  addText(end, template.text.length)
  return { sql, map }
}

/** Returns the non-empty lines without their line breaks, and without what macros wrote, which is not in the file. */
function linesIn(
  { text, expanded = [] }: SqlTemplate,
  from: number,
  to: number,
): (readonly [number, number])[] {
  const lines = (start: number, end: number) =>
    Array.from(text.slice(start, end).matchAll(/[^\r\n]+/g), match => {
      const at = start + match.index
      return [at, at + match[0].length] as const
    })
  const found: (readonly [number, number])[] = []
  let start = from
  for (const part of expanded.filter(each => each.end > from && each.start < to)) {
    found.push(...lines(start, Math.max(start, part.start)))
    start = Math.max(start, part.end)
  }
  return [...found, ...lines(start, Math.max(start, to))]
}

/** Returns the SQL for a tag. `following` is the SQL after it. */
function tagSql(tag: Tag, asset: Asset, following: string, reading: Reading): string {
  const { schemas } = reading
  switch (tag.kind) {
    case 'ref':
      return refSql(tag.name, following, { ...reading, within: [...reading.within, asset.name] })
    case 'source':
      return tag.child === undefined ? `${asset.name}__raw` : `${asset.name}__raw__${tag.child}`
    case 'this':
      return `${schemaOf(asset, schemas)}.${asset.name}`
    case 'var':
      return reading.project.engine.literal(schemas.vars[tag.name] ?? null)
    default:
      return 'NULL'
  }
}

/** Nested ephemeral assets that are each read twice would grow exponentially; nobody reads more than this. */
const longestQuery = 200_000

function refSql(name: string, following: string, reading: Reading): string {
  const { project, schemas, within } = reading
  const asset = project.byName.get(name)
  const relation = `${schemaOf(asset, schemas)}.${name}`
  if (asset === undefined || isPublished(asset) || within.includes(name)) return relation
  // In `{{ ref('x') }}.column` the tag names the table as a qualifier, so no subquery can replace it.
  if (following.startsWith('.')) return name
  const query = writtenQuery(asset, reading)
  if (query === undefined || query.length > longestQuery) return relation
  return hasAlias(following, project.engine) ? `(\n${query}\n)` : `(\n${query}\n) AS ${name}`
}

function isPublished({ definition }: Asset): boolean {
  return materializationOf(definition.deploy.materialize).isPublished
}

function writtenQuery(asset: Asset, reading: Reading): string | undefined {
  const { written } = reading
  if (!written.has(asset.name)) {
    written.set(asset.name, queryOf(asset, reading)?.trimEnd().replace(/;$/, ''))
  }
  return written.get(asset.name)
}

function schemaOf(asset: Asset | undefined, { schema, schemaFor }: ReaderSchemas): string {
  const base = asset?.definition.deploy.schema
  return base === undefined ? schema : schemaFor(base)
}
