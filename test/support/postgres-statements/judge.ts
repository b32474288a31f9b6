/** Statements over the features of PostgreSQL, told right or wrong by a server and by the catalogue. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCatalog } from '@svc/server/catalog'
import { createProject, parseSettings, type SourceShapes } from '@svc/server/language'
import pg from 'pg'
import { assetText, sha256 } from '../sql-lab.ts'

/** A table is written `@things` in a statement. */
const tableTag = /@(things|people)\b/g

interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

/** Returns the statements that a server of this version is asked about. */
export function statementsFor(version: number): readonly string[] {
  return readdirSync(import.meta.dirname)
    .filter(file => file.endsWith('.sql') && file !== 'tables.sql')
    .filter(file => Number(/^since-(\d+)/.exec(file)?.[1] ?? 0) <= version)
    .sort()
    .flatMap(file => linesOf(file).filter(line => line !== '' && !line.startsWith('--')))
}

function linesOf(file: string): readonly string[] {
  return readFileSync(join(import.meta.dirname, file), 'utf8').split('\n')
}

function tables(): readonly Table[] {
  const blocks = linesOf('tables.sql').slice(1).join('\n').trim().split('\n\n')
  return blocks.map(block => {
    const [name = '', ...columns] = block.split('\n')
    return { name, columns }
  })
}

/** The columns of what a statement makes, or the reason why nothing is made of it. */
export type Outcome = { readonly columns: readonly string[] } | { readonly error: string }

export interface StatementServer {
  readonly version: number
  judge(sql: string): Promise<Outcome>
  close(): Promise<void>
}

export async function openServer(address: string): Promise<StatementServer> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const rows = async (sql: string) => (await client.query<Record<string, string>>(sql)).rows
  for (const { name, columns } of tables()) await client.query(`CREATE TABLE ${name} (${columns.join(', ')})`)
  const [found] = await rows("SELECT current_setting('server_version_num')::int / 10000 AS version")
  return {
    version: Number(found?.['version']),
    async judge(sql) {
      await client.query('BEGIN')
      try {
        await client.query(`CREATE TABLE made AS (\n${sql.replaceAll(tableTag, '$1')}\n)`)
        const columns = await rows(`SELECT attname || ' ' || format_type(atttypid, atttypmod) AS told
          FROM pg_attribute WHERE attrelid = 'made'::regclass AND attnum > 0 ORDER BY attnum`)
        return { columns: columns.map(({ told = '' }) => told) }
      } catch (error) {
        return { error: (error as Error).message }
      } finally {
        await client.query('ROLLBACK')
      }
    },
    close: () => client.end(),
  }
}

export interface StatementCatalog {
  judge(sql: string): Promise<Outcome>
  close(): void
}

export async function openStatementCatalog(): Promise<StatementCatalog> {
  const settings = parseSettings('name: shop\nwarehouse: postgres://localhost/shop\n')
  const catalog = await openCatalog(settings.engine)
  const sources: SourceShapes = new Map()
  const files = tables().map(({ name, columns }) => ({
    path: `models/${name}.svc`,
    text: assetText(name, `SELECT ${columns.map(asNull).join(', ')}`),
  }))
  let project = createProject({ settings, files, hash: sha256 })
  return {
    async judge(sql) {
      project = project.with(
        'models/made.svc',
        assetText('made', sql.replaceAll(tableTag, "{{ ref('$1') }}")),
      )
      const analysis = (await catalog.analyze(project, sources)).of('made')
      const errors = analysis?.diagnostics.filter(({ severity }) => severity === 'error') ?? []
      const [error] = errors
      if (error !== undefined) return { error: `${error.code} ${error.message}` }
      return { columns: (analysis?.columns ?? []).map(({ name, type }) => `${name} ${type}`) }
    },
    close: () => catalog.close(),
  }
}

function asNull(column: string): string {
  const [name = '', ...type] = column.split(' ')
  return `NULL::${type.join(' ')} AS ${name}`
}
