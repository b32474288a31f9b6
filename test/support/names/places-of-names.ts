/** A project whose every place has one name, and the judge of what a run makes there. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quoteName } from '@svc/server/catalog'
import pg from 'pg'
import { lineIn } from '../../cli/bad-input/command-line.ts'
import { askPostgres, type PostgresServer } from '../postgres.ts'
import { systemOfPostgres } from './given-names.ts'
import { query } from './project-of-names.ts'

type Row = Readonly<Record<string, unknown>>

export interface JudgedPlaces {
  checks: number
  /** A line for each thing that is wrong. */
  readonly wrong: string[]
  crashes: number
}

/** An engine whose databases have given names. */
export interface EngineOfPlaces {
  readonly engine: string
  /** What an address has for a warehouse of that name, made where the engine makes none itself. */
  readonly warehouseOf: (name: string) => Promise<string>
  /** Names that no column may have there. */
  readonly takenColumns: readonly string[]
  readonly ask: (
    place: { readonly root: string; readonly database: string },
    sql: string,
  ) => Promise<readonly Row[]>
  readonly drop?: (name: string) => Promise<unknown>
}

export const placesOfDuckdb: EngineOfPlaces = {
  engine: 'DuckDB',
  warehouseOf: async name => `duckdb:./${name}.duckdb`,
  takenColumns: [],
  ask: ({ root, database }, sql) => query(join(root, `${database}.duckdb`), sql),
}

export async function placesOfPostgres(server: PostgresServer): Promise<EngineOfPlaces> {
  const administration = await server.createDatabase()
  const addressOf = (name: string) => {
    const address = new URL(administration)
    address.pathname = `/${encodeURIComponent(name)}`
    return address.href
  }
  const { hostname: host, port, username: user } = new URL(administration)
  const ask = async (database: string, sql: string): Promise<readonly Row[]> => {
    const client = new pg.Client({ host, port: Number(port), user, database })
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }
  return {
    engine: 'PostgreSQL',
    async warehouseOf(name) {
      await askPostgres(administration, `CREATE DATABASE ${quoteName(name)}`)
      return addressOf(name)
    },
    takenColumns: systemOfPostgres,
    // Where a table cannot be read, all of its columns are wrong.
    ask: ({ database }, sql) => ask(database, sql).catch(() => []),
    drop: name => askPostgres(administration, `DROP DATABASE ${quoteName(name)}`),
  }
}

/** Names that the address of a warehouse has to write in other letters, or that a server writes in quotes. */
export const oddDatabases = [
  'Shop',
  'my shop',
  'a.b',
  'a"b',
  "a'b",
  '50%',
  'a/b',
  '/',
  'a:b@c;d',
  'a&b=c+d,$',
  'läden',
  '1',
] as const

/** Runs a project whose folder, project, warehouse, schema, environment and branch have the name: in its environment, and in dev on its branch. */
export async function judgePlaces(
  folder: string,
  {
    name,
    engine,
    database = name,
  }: { readonly name: string; readonly engine: EngineOfPlaces; readonly database?: string },
  judged: JudgedPlaces,
): Promise<void> {
  const root = join(folder, engine.engine, name)
  const column = engine.takenColumns.includes(name) ? `own_${name}` : name
  writeProject(root, { name, column, warehouse: await engine.warehouseOf(database) })
  const svc = async (...words: string[]) => {
    const said = await lineIn(root, words, { env: { HOME: folder }, program: 'tests' })
    judged.checks++
    if (said.code === 70 || said.code === null) judged.crashes++
    return said
  }
  try {
    if (!/^[a-z]/.test(name)) {
      const { code, stderr } = await svc('run', '--all', '--env', name)
      if (code !== 2 || !stderr.includes(`"${name}" cannot name an environment`))
        judged.wrong.push(`${engine.engine}: the environment ${name} ends with ${code}: ${stderr}`)
      return
    }
    for (const words of [['--env', name], []]) {
      const { code, stdout, stderr } = await svc('run', '--all', ...words)
      if (code !== 0)
        judged.wrong.push(
          `${engine.engine}: ${name}: run ${words.join(' ')}\n${stdout}${stderr}`.slice(0, 2000),
        )
    }
    const schemas = await engine.ask({ root, database }, schemasOfBranches)
    for (const schema of [name, String(schemas[0]?.['schema'] ?? 'nowhere')])
      await compareTable({ root, database, column, schema }, engine, judged)
  } finally {
    await engine.drop?.(database)
  }
}

const schemasOfBranches = String.raw`
  SELECT table_schema AS schema FROM information_schema.tables
  WHERE table_name = 'pets' AND table_schema LIKE '%\_dev\_%' ESCAPE '\'`

interface PlaceOfTable {
  readonly root: string
  readonly database: string
  readonly column: string
  readonly schema: string
}

async function compareTable(
  { root, database, column, schema }: PlaceOfTable,
  { engine, ask }: EngineOfPlaces,
  judged: JudgedPlaces,
): Promise<void> {
  const table = [database, schema, 'pets'].map(quoteName).join('.')
  const found = await ask({ root, database }, `SELECT id, ${quoteName(column)} FROM ${table}`)
  for (const [wanted, value] of Object.entries({ id: 1, [column]: 5 })) {
    judged.checks++
    const values = found.map(row => String(row[wanted])).join(' ')
    if (values !== String(value))
      judged.wrong.push(`${engine}: ${table}: column ${wanted} is [${values}], should be [${value}]`)
  }
}

function writeProject(
  root: string,
  { name, column, warehouse }: { readonly name: string; readonly column: string; readonly warehouse: string },
): void {
  const files = {
    '.git/HEAD': `ref: refs/heads/${name}\n`,
    'svc.yaml': JSON.stringify({
      name,
      warehouse,
      default_schema: name,
      environments: { [name]: { schema: name } },
    }),
    'models/pets.svc': JSON.stringify({
      name: 'pets',
      ingest: { type: 'rows', naming: 'source', rows: [{ id: 1, [column]: 5 }] },
      transform: 'SELECT * FROM {{ source }}',
      tests: [{ unique: 'id' }],
    }),
  }
  for (const folder of ['.git', 'models']) mkdirSync(join(root, folder), { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
}
