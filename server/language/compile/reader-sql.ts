/**
 * The SQL of an asset as a reader of production would write it: refs are production relations, the source is the raw
 * load's name, and an `ephemeral` asset, which production does not have, is written out. For people and programs that
 * look at it; a build names physical tables.
 */
import { materializationOf } from '../materialize/index.ts'
import type { Asset, Project } from '../project/project.ts'
import type { JsonScalar } from '../schema/definition.ts'
import type { Tag } from '../syntax/template.ts'
import type { Range } from '../text/range.ts'
import { compileSql } from './compile-sql.ts'
import { hasAlias } from './table-alias.ts'

export interface ReaderSchemas {
  /** Production schema of assets without `deploy.schema`. */
  readonly schema: string
  readonly schemaFor: (base: string) => string
  readonly vars: Readonly<Record<string, JsonScalar>>
}

/** Undefined: there is no SQL to read. */
export function readerSql(asset: Asset, project: Project, schemas: ReaderSchemas): string | undefined {
  return queryOf(asset, { project, schemas, within: [], written: new Map() })
}

interface Reading {
  readonly project: Project
  readonly schemas: ReaderSchemas
  /** Assets that are being written out: one that reads itself has no end. */
  readonly within: readonly string[]
  /** The queries of ephemeral assets, each written once however often it is read. */
  readonly written: Map<string, string | undefined>
}

function queryOf(asset: Asset, reading: Reading): string | undefined {
  const { sql } = asset
  if (sql === undefined) return undefined
  return compileSql(sql, tag => tagSql(tag, asset, sql.text.slice(tag.range.end), reading)).sql
}

/** The same text in both: `from` to `to` in the compiled SQL is `range` in the file. */
export interface SamePiece {
  readonly from: number
  readonly to: number
  readonly range: Range
}

/** With the pieces that were not replaced, line by line, in order. */
export function readerSqlWithMap(
  asset: Asset,
  project: Project,
  schemas: ReaderSchemas,
): { readonly sql: string; readonly map: readonly SamePiece[] } | undefined {
  const template = asset.sql
  if (template === undefined) return undefined
  const reading: Reading = { project, schemas, within: [], written: new Map() }
  const map: SamePiece[] = []
  let sql = ''
  const addText = (from: number, to: number): void => {
    for (const [start, end] of linesIn(template.text, from, to)) {
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

/** Without their line breaks; none is empty. */
function linesIn(text: string, from: number, to: number): (readonly [number, number])[] {
  return Array.from(text.slice(from, to).matchAll(/[^\r\n]+/g), match => {
    const start = from + match.index
    return [start, start + match[0].length] as const
  })
}

/** `following`: the SQL behind the tag. */
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

/** Ephemeral assets that read ephemeral assets twice each would grow beyond what anybody reads. */
const longestQuery = 200_000

function refSql(name: string, following: string, reading: Reading): string {
  const { project, schemas, within } = reading
  const asset = project.byName.get(name)
  const relation = `${schemaOf(asset, schemas)}.${name}`
  if (asset === undefined || isPublished(asset) || within.includes(name)) return relation
  // `{{ ref('x') }}.column` names the relation, not its rows.
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
