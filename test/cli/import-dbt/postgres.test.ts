/** `svc import dbt` of a project for PostgreSQL: it stays there, and gives the rows that dbt-postgres built. */
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { canStartPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { createDbtGround, type DbtGround } from './dbt-ground.ts'

const fixture = join(import.meta.dirname, '..', '..', 'fixtures', 'dbt-postgres')

const raw = `CREATE SCHEMA raw;
  CREATE TABLE raw.orders AS SELECT * FROM (VALUES
    (1, 1, 'paid', timestamp '2024-01-05 10:00:00', '{"total": 20}'::jsonb),
    (2, 1, 'open', timestamp '2024-02-29 23:59:59', '{"total": 5.5}'),
    (3, 2, 'paid', timestamp '2024-03-03 00:00:00', '{}')) AS t (id, customer_id, status, ordered_at, details)`

let ground: DbtGround
beforeEach(() => {
  ground = createDbtGround()
  cpSync(fixture, join(ground.root, 'my-dbt'), { recursive: true })
})
afterEach(() => ground.dispose())

const profile = (output: string) =>
  ground.write(
    'my-dbt/profiles.yml',
    `pg_shop: {target: dev, outputs: {dev: {type: postgres, schema: analytics, ${output}}}}\n`,
  )

describe.runIf(canStartPostgres())('a project of dbt-postgres', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  it('comes over, runs in its database beside the tables of dbt, and has the rows that dbt built', async () => {
    const { hostname, port, pathname, href } = new URL(await server.createDatabase())
    const client = new pg.Client(href)
    await client.connect()
    try {
      await client.query(raw)
      profile(
        `host: ${hostname}, port: ${port}, user: svc, dbname: ${pathname.slice(1)}, password: "{{ env_var('SHOP_PASSWORD') }}"`,
      )
      const said = await ground.line(['import', 'dbt', 'my-dbt', '-o', 'new'])
      expect(said.code, said.stdout + said.stderr).toBe(0)
      expect(said.stdout).toContain('unrolled for target dev on PostgreSQL')
      expect(said.stdout).toContain('Set PGPASSWORD before a run')
      expect(ground.read('new/svc.yaml')).toContain(`warehouse: ${href}\ndefault_schema: analytics_svc\n`)
      expect(ground.read('new/models/sources/raw/raw_orders.svc')).toContain(
        'ingest: {type: warehouse, resource: raw.orders}',
      )
      for (const words of [['validate'], ['run', '--env', 'prod']]) {
        const { code, stdout, stderr } = await ground.at('new')(words)
        expect(code, stdout + stderr).toBe(0)
      }
      expect(ground.read('new/.svc/test_results.json')).toContain('pass')
      const wanted = JSON.parse(readFileSync(join(fixture, 'rows.json'), 'utf8')) as Record<string, unknown>
      expect(Object.keys(wanted)).toHaveLength(8)
      for (const [name, rows] of Object.entries(wanted)) {
        const found = await client.query(
          `SELECT coalesce(json_agg(r ORDER BY r::text), '[]') AS rows FROM analytics_svc.${name} AS r`,
        )
        expect({ name, rows: found.rows[0].rows }).toEqual({ name, rows })
      }
    } finally {
      await client.end()
    }
  })
})

it('where the profile does not have the whole address, a variable has it, and the report says which', async () => {
  profile(`host: "{{ env_var('SHOP_HOST') }}", user: svc, dbname: shop`)
  const { code, notes } = await ground.importNotes()
  expect(code).toBe(1)
  expect(ground.read('new/svc.yaml')).toContain('warehouse: env:PG_SHOP_WAREHOUSE\n')
  expect(notes).toEqual([
    expect.stringMatching(
      /^todo dbt_project\.yml:1:1 where the warehouse is: .* \| Set PG_SHOP_WAREHOUSE to an address/,
    ),
  ])
})

it('what lists columns that only a warehouse knows is told, and the rest comes over', async () => {
  profile('host: db, user: svc, dbname: shop')
  ground.write('my-dbt/models/web.yml', 'sources: [{name: web, tables: [{name: hits}]}]\n')
  ground.write(
    'my-dbt/models/seen.sql',
    "select {{ dbt_utils.star(from=source('web', 'hits'), except=['total']) }} from {{ source('web', 'hits') }}",
  )
  ground.write(
    'my-dbt/models/all_of.sql',
    "select {{ dbt_utils.star(ref('stg_orders')) }} from {{ ref('stg_orders') }}",
  )
  const { code, notes } = await ground.importNotes()
  expect(code).toBe(1)
  expect(notes.join('\n')).toContain(
    'todo models/seen.sql:1:11 the model seen did not come over: dbt_utils.star with except',
  )
  expect(ground.read('new/models/all_of.svc')).toContain('select * from')
})

describe('indexes and unlogged tables', () => {
  const config = `{{ config(materialized='table', unlogged=true, indexes=[
    {'columns': ['id'], 'unique': true}, {'columns': ['id', 'status'], 'type': 'hash'},
    {'columns': ['lower(status)'], 'parallel': 2}]) }}
`
  const model = (settings: string) => `${settings}SELECT 1 AS id, 'a' AS status`
  const noted = async (name: string) =>
    (await ground.importNotes()).notes
      .filter(note => note.includes(`models/${name}.sql`))
      .map(note => note.replace(/ models\S+/, ''))

  it('are kept as dbt has them, an index of an expression by a statement', async () => {
    profile('host: h, user: u, dbname: shop')
    ground.write('my-dbt/models/kept.sql', model(config))
    expect(await noted('kept')).toEqual(['left_out "parallel" of an index of kept'])
    const kept = ground.read('new/models/kept.svc')
    expect(kept).toContain('unlogged: true')
    expect(kept).toMatch(/columns: \[id\], unique: true/)
    expect(kept).toMatch(/columns: \[id, status\], method: hash/)
    expect(kept).toContain('CREATE INDEX ON {{ this }} (lower(status))')
  })

  it('of a view are told', async () => {
    profile('host: h, user: u, dbname: shop')
    ground.write('my-dbt/models/shown.sql', model(config.replace("'table'", "'view'")))
    expect(await noted('shown')).toEqual([
      'left_out "indexes" of shown, which is no table',
      'left_out "unlogged" of shown, which is no table',
    ])
    expect(ground.read('new/models/shown.svc')).not.toMatch(/index|unlogged/)
  })

  it('that the engine does not have are told', async () => {
    ground.write(
      'my-dbt/profiles.yml',
      'pg_shop: {target: dev, outputs: {dev: {type: duckdb, path: shop.duckdb}}}\n',
    )
    ground.write('my-dbt/models/kept.sql', model(config))
    const told = await noted('kept')
    expect(told).toContainEqual(expect.stringContaining('an index of kept is by art, not hash'))
    expect(told).toContainEqual(expect.stringContaining('"unlogged", which DuckDB does not have'))
  })
})
