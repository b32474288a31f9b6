/**
 * DuckDB alone, with the tables of the corpus's project in it: whether it takes the SQL of a file. It says so without
 * any code of the language, so that a mistake of the corpus is one by the engine's word.
 */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import {
  type Asset,
  compileSql,
  type Project,
  type SourceShapes,
  type Tag,
  type Vars,
} from '@svc/server/language'

export interface Engine {
  /** What the engine has against the SQL of `transform`; undefined: nothing. */
  refusal(asset: Asset): Promise<string | undefined>
  close(): void
}

/** Columns of the source that the project does not know, and that the files of the corpus read. */
const unknownColumns: Readonly<Record<string, string>> = {
  web_events:
    'page VARCHAR, referrer VARCHAR, device VARCHAR, country VARCHAR, duration_ms BIGINT, session_id VARCHAR',
}

export async function openEngine(project: Project, sources: SourceShapes): Promise<Engine> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run('CREATE SCHEMA "the assets"; CREATE SCHEMA "the sources"')
  await addSources(connection, sources)
  const { vars } = project.settings
  for (const asset of project.byName.values()) {
    await connection.run(`CREATE TABLE "the assets"."${asset.name}" AS ${compiled(asset, vars)}`)
  }
  return {
    refusal: asset => refusal(connection, compiled(asset, vars)),
    close: () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** A table for each source, and one for each child table. */
async function addSources(connection: DuckDBConnection, sources: SourceShapes): Promise<void> {
  for (const [asset, tables] of sources) {
    for (const { child, columns } of tables) {
      const known = columns.map(({ name, type }) => `"${name}" ${type}`)
      const all = [...known, unknownColumns[asset] ?? []].flat().join(', ')
      await connection.run(`CREATE TABLE "the sources"."${sourceTable(asset, child)}" (${all})`)
    }
  }
}

function sourceTable(asset: string, child: string | undefined): string {
  return child === undefined ? asset : `${asset}.${child}`
}

function compiled(asset: Asset, vars: Vars): string {
  if (asset.sql === undefined) throw new Error(`${asset.name} has no SQL`)
  return compileSql(asset.sql, tag => standIn(tag, asset.name, vars)).sql
}

function standIn(tag: Tag, asset: string, vars: Vars): string {
  if (tag.kind === 'ref') return `"the assets"."${tag.name}"`
  if (tag.kind === 'source') return `"the sources"."${sourceTable(asset, tag.child)}"`
  if (tag.kind === 'var' && Object.hasOwn(vars, tag.name)) return literal(vars[tag.name])
  return '"no such tag"'
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

async function refusal(connection: DuckDBConnection, sql: string): Promise<string | undefined> {
  try {
    await connection.run(`EXPLAIN ${sql}`)
    await connection.run(`SELECT * FROM (${sql}\n) LIMIT 1`)
    return undefined
  } catch (problem) {
    return problem instanceof Error ? problem.message : String(problem)
  }
}
