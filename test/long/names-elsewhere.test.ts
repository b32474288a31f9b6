/** The names of names.test.ts sent to every kind and mode of destination and to the hosted store, and as names of places in both engines. */
import { join } from 'node:path'
import { quoteName } from '@svc/server/catalog'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGround, type Ground, lineIn } from '../cli/bad-input/command-line.ts'
import { bootstrapToken, describeEngines, useHosted } from '../hosted/support/engines.ts'
import { figure } from '../support/figure.ts'
import { canStartMariadb, type MariadbServer, startMariadb } from '../support/mariadb.ts'
import { givenNames, systemOfPostgres, tablesOfNames } from '../support/names/given-names.ts'
import {
  type JudgedPlaces,
  judgePlaces,
  oddDatabases,
  placesOfDuckdb,
  placesOfPostgres,
} from '../support/names/places-of-names.ts'
import { query } from '../support/names/project-of-names.ts'
import type { SourceRecord } from '../support/names/sources-of-names.ts'
import { type TargetOfNames, takeRows, targetsOfNames } from '../support/names/targets-of-names.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'

const judged: JudgedPlaces = { checks: 0, wrong: [], crashes: 0 }
const wrongSince = (before: number) => judged.wrong.slice(before, before + 20).join('\n')

afterAll(() => {
  figure(
    'names-elsewhere',
    `${judged.checks} checks of ${givenNames().length} names, ${judged.wrong.length} wrong, ${judged.crashes} crashes`,
  )
})

/** All but the second column are numbers. */
function record(names: readonly string[], row: number, version = 0): SourceRecord {
  const value = (index: number) => row * 1000 + index + (index === 0 ? 0 : version * 100_000)
  return Object.fromEntries(
    names.map((name, index) => [name, index === 1 ? `v${value(index)}` : value(index)]),
  )
}

function compare(
  place: string,
  names: readonly string[],
  should: readonly SourceRecord[],
  is: readonly object[],
) {
  const valuesOf = (rows: readonly object[], name: string) =>
    rows.map(row => String((row as Readonly<Record<string, unknown>>)[name])).sort()
  for (const name of names) {
    judged.checks++
    const [found, expected] = [valuesOf(is, name).join(' '), valuesOf(should, name).join(' ')]
    if (found !== expected)
      judged.wrong.push(`${place}: column ${name} is [${found}], should be [${expected}]`)
  }
}

async function must(
  { root }: Pick<Ground, 'root'>,
  env: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<string> {
  const { code, stdout, stderr } = await lineIn(root, words, { env, program: 'tests' })
  judged.checks++
  if (code === 70 || code === null) judged.crashes++
  if (code !== 0) judged.wrong.push(`${words.join(' ')}\n${stdout}${stderr}`.slice(0, 2000))
  return stdout
}

async function postgres(address: string, sql: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } catch {
    return []
  } finally {
    await client.end()
  }
}

async function ofMysql(address: string, sql: string): Promise<readonly object[]> {
  const connection = await mysql.createConnection({ uri: address, password: 'sesame' })
  try {
    return (await connection.query(sql))[0] as object[]
  } catch {
    return []
  } finally {
    await connection.end()
  }
}

describe.runIf(canStartPostgres())('names', () => {
  let server: PostgresServer
  let maria: MariadbServer | undefined
  let rest: RestServer
  beforeAll(async () => {
    server = await startPostgres()
    maria = canStartMariadb() ? await startMariadb() : undefined
    rest = await startRestServer()
  })
  afterAll(async () => {
    await rest.close()
    await maria?.stop()
    await server.stop()
  })

  it('reach every kind and mode of destination', { timeout: 900_000 }, async () => {
    const before = judged.wrong.length
    const ground = createGround({ 'svc.yaml': 'name: names\n' }, { program: 'tests' })
    const places = {
      origin: rest.origin,
      postgres: await server.createDatabase(),
      mysql: await maria?.createDatabase(),
    }
    const env = {
      POSTGRES: places.postgres,
      MYSQL: places.mysql ?? '',
      ...credentialsOf('mysql', 'sesame'),
      HOME: ground.root,
    }
    const targets = Object.entries(targetsOfNames).filter(
      ([, { at }]) => at !== 'mysql' || places.mysql !== undefined,
    )
    const tables = tablesOfNames(160, systemOfPostgres).map((names, index) => ({ table: `t${index}`, names }))
    const sent = new Map(tables.map(({ table, names }) => [table, takeRows(rest, table, names)]))
    const put = (versions: readonly (readonly [number, number])[]) => {
      for (const { table, names } of tables) {
        const rows = versions.map(([row, version]) => record(names, row, version))
        const publish = targets.map(([name, each]) => [
          name,
          {
            ...each.target(table, places),
            ...(each.at === 'file' ? {} : { key: names[0] }),
            environments: ['dev'],
          },
        ])
        const asset = {
          name: table,
          ingest: { type: 'rows', naming: 'source', rows },
          transform: 'SELECT * FROM {{ source }}',
          publish: Object.fromEntries(publish),
        }
        ground.write(`models/${table}.svc`, `${JSON.stringify(asset, undefined, 1)}\n`)
      }
    }
    const loads = [
      [
        [1, 0],
        [2, 0],
        [3, 0],
      ],
      [
        [1, 0],
        [2, 1],
        [4, 0],
      ],
    ] as const
    try {
      for (const load of loads) {
        put(load)
        await must(ground, env, 'run', '--all')
        for (const { table } of tables)
          for (const [target] of targets) await must(ground, env, 'publish', table, '--to', target)
      }
      for (const { table, names } of tables)
        for (const [name, target] of targets) {
          const found =
            target.at === 'service' ? (sent.get(table)?.of(name) ?? []) : await rowsAt(target, name, table)
          compare(`${table} at ${name}`, names, expectedOf(target.kept, names), found)
        }
    } finally {
      ground.dispose()
    }
    expect(wrongSince(before)).toBe('')

    function rowsAt({ at, target }: TargetOfNames, name: string, table: string): Promise<readonly object[]> {
      const { endpoint, resource } = target(table, places) as { endpoint: string; resource: string }
      if (at === 'postgres') return postgres(places.postgres, `SELECT * FROM ${resource}`)
      if (at === 'mysql') return ofMysql(places.mysql ?? '', `SELECT * FROM ${resource}`)
      if (at === 'duckdb')
        return query(join(ground.root, endpoint.slice('duckdb:'.length)), `SELECT * FROM ${resource}`)
      return query(':memory:', `SELECT * FROM ${readerOf(name)}('${join(ground.root, 'out', resource)}')`)
    }
  })
})

function credentialsOf(type: string, password: string): Readonly<Record<string, string>> {
  const names = Object.keys(targetsOfNames).filter(name => targetsOfNames[name]?.at === type)
  return Object.fromEntries(names.map(name => [`DESTINATION__${name.toUpperCase()}__CREDENTIALS`, password]))
}

function readerOf(format: string): string {
  return { csv: 'read_csv', ndjson: 'read_json_auto', parquet: 'read_parquet' }[format] ?? ''
}

function expectedOf(kept: TargetOfNames['kept'], names: readonly string[]): readonly SourceRecord[] {
  const row = (number: number, version?: number) => record(names, number, version)
  if (kept === 'source') return [row(1), row(2, 1), row(4)]
  return [row(1), row(2, kept === 'newest' ? 1 : 0), row(3), row(4)]
}

describeEngines('names of columns in the hosted store on $name', engine => {
  const hosted = useHosted(engine)

  it('come back as they were sent, with their lineage', { timeout: 300_000 }, async () => {
    const before = judged.wrong.length
    const ground = createGround({ 'svc.yaml': 'name: names\n' }, { program: 'tests' })
    const tables = tablesOfNames(160).map((names, index) => ({ table: `t${index}`, names }))
    const env = { SVC_HOSTED_URL: hosted.service.url, SVC_HOSTED_TOKEN: bootstrapToken, HOME: ground.root }
    try {
      for (const { table, names } of tables) {
        const columns = Object.fromEntries(
          names.map(name => [name, { description: `about ${name}`, pii: true }]),
        )
        const asset = {
          name: table,
          ingest: { type: 'rows', naming: 'source', rows: [record(names, 1)] },
          transform: 'SELECT * FROM {{ source }}',
          columns,
          tests: [{ not_null: names }],
        }
        const all = names.map(name => quoteName(name)).join(', ')
        ground.write(`models/${table}.svc`, `${JSON.stringify(asset)}\n`)
        ground.write(
          `models/${table}_read.svc`,
          `${JSON.stringify({ name: `${table}_read`, ingest: 'none', transform: `SELECT ${all} FROM {{ ref("${table}") }}` })}\n`,
        )
      }
      const metrics = tables.flatMap(({ table, names }) =>
        names.map(name => ({
          name: `count of ${name}`,
          sql_definition: `SELECT count(${quoteName(name)}) FROM {{ ref('${table}_read') }}`,
          source_assets: [`${table}_read`],
        })),
      )
      ground.write('glossary.yaml', `${JSON.stringify({ metrics })}\n`)
      await must(ground, env, 'run', '--all')
      await must(ground, env, 'validate')
      const said = await must(ground, env, 'upload')
      judged.checks += metrics.length
      if (!said.includes(`${metrics.length} glossary entries`))
        judged.wrong.push(`${engine.name}: not all ${metrics.length} metrics were uploaded: ${said}`)
      for (const { table, names } of tables)
        for (const name of [table, `${table}_read`]) await compareStored(name, names)
    } finally {
      ground.dispose()
    }
    expect(wrongSince(before)).toBe('')
  })

  async function compareStored(asset: string, names: readonly string[]): Promise<void> {
    const base = '/api/svc/metadata'
    const kind = asset.endsWith('_read') ? 'model' : 'source'
    const listed = (await hosted.admin.get(`${base}/projects/1/assets?name=${asset}&kind=${kind}`)).body as {
      id: number
    }[]
    const { body } = await hosted.admin.get(`${base}/assets/${listed[0]?.id}/metadata`)
    const stored = (body as { schema?: { columns?: { name: string }[] } }).schema?.columns ?? []
    judged.checks += names.length
    const found = stored.map(({ name }) => name)
    if (found.join() !== names.join())
      judged.wrong.push(`${engine.name}: ${asset} has [${found.join()}], should have [${names.join()}]`)
    const marked = ((body as { pii_columns?: string[] }).pii_columns ?? []).toSorted()
    judged.checks += names.length
    if (marked.join() !== names.toSorted().join())
      judged.wrong.push(`${engine.name}: personal in ${asset} are [${marked.join()}]`)
  }
})

describe('names', () => {
  let server: PostgresServer | undefined
  beforeAll(async () => {
    server = canStartPostgres() ? await startPostgres() : undefined
  })
  afterAll(() => server?.stop())

  it.each(canStartPostgres() ? ['DuckDB', 'PostgreSQL'] : ['DuckDB'])(
    'are those of a folder, a warehouse, a schema, a project, an environment and a branch in %s',
    { timeout: 900_000 },
    async house => {
      const before = judged.wrong.length
      const engine =
        house === 'PostgreSQL' && server !== undefined ? await placesOfPostgres(server) : placesOfDuckdb
      const ground = createGround({}, { program: 'tests' })
      try {
        for (const name of givenNames()) await judgePlaces(ground.root, { name, engine }, judged)
        if (house === 'PostgreSQL')
          for (const [index, database] of oddDatabases.entries())
            await judgePlaces(ground.root, { name: `odd_${index}`, database, engine }, judged)
      } finally {
        ground.dispose()
      }
      expect(wrongSince(before)).toBe('')
    },
  )
})
