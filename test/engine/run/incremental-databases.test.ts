/** Incremental loads from real servers: each database gets the condition in a form that it takes. */
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canStartMariadb, type MariadbServer, startMariadb } from '../../support/mariadb.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()

const asset = (cursor: string) => `ingest:
  type: sql
  endpoint: env:PLACE
  resource: orders
  write: merge
  primary_key: id
  incremental: {cursor: ${cursor}}
transform: SELECT * FROM {{ source }}`

interface Change {
  readonly run: (sql: string) => Promise<unknown>
  readonly address: string
  readonly cursor: string
}

/** A table of 500 rows, of which one changes and one is added: these and the last one come again. */
async function onlyTheNewOnes({ run, address, cursor }: Change): Promise<void> {
  const p = project({ orders: asset(cursor) })
  p.env = { PLACE: address }
  expect((await p.run()).failure).toBeUndefined()
  expect(fetchedBytes(p)).toBeGreaterThan(5000)
  await run(
    "UPDATE orders SET note = 'changed', changed = '2030-01-02 00:00:00', zoned = '2030-01-02 00:00:00' WHERE id = 7",
  )
  await run('UPDATE orders SET num = 501 WHERE id = 7')
  await run("INSERT INTO orders VALUES (1000, 502, '2030-01-03 10:11:12.5', '2030-01-03 10:11:12.5', 'new')")
  expect((await p.run()).failure).toBeUndefined()
  expect(fetchedBytes(p)).toBeLessThan(400)
  expect(
    await p.query(
      "SELECT count(*) AS n, count(DISTINCT id) AS d, string_agg(note, ',' ORDER BY id) FILTER (note <> 'old') AS notes FROM analytics.orders",
    ),
  ).toEqual([{ n: 501, d: 501, notes: 'changed,new' }])
  await p.run()
  expect(p.events.find(({ type }) => type === 'fetch-finished')).toMatchObject({ rows: 0, unchanged: true })
}

function fetchedBytes({ events }: TestProject): number {
  const fetched = events.find(({ type }) => type === 'fetch-finished')
  return fetched?.type === 'fetch-finished' ? fetched.bytes : 0
}

describe.runIf(canStartPostgres())('PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  test.each(['changed', 'zoned', 'num'])('sends the rows from the cursor "%s" on', async cursor => {
    const address = await server.createDatabase()
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      await client.query("SET TIME ZONE 'Asia/Tokyo'")
      await client.query(`CREATE TABLE orders AS SELECT i AS id, i AS num, TIMESTAMP '2026-01-01' + i * INTERVAL '1 hour' AS changed,
        TIMESTAMPTZ '2026-01-01 00:00:00+00' + i * INTERVAL '1 hour' AS zoned, 'old' AS note FROM generate_series(1, 500) AS t(i)`)
      await onlyTheNewOnes({ run: sql => client.query(sql), address, cursor })
    } finally {
      await client.end()
    }
  })
})

describe.runIf(canStartMariadb())('MariaDB', () => {
  let server: MariadbServer
  beforeAll(async () => {
    server = await startMariadb()
  })
  afterAll(() => server.stop())

  test.each(['changed', 'zoned', 'num'])('sends the rows from the cursor "%s" on', async cursor => {
    const address = await server.createDatabase()
    const client = await mysql.createConnection(address.replace(/^mariadb:/, 'mysql:'))
    try {
      await client.query("SET time_zone = '+09:00'")
      await client.query(
        'CREATE TABLE orders (id int PRIMARY KEY, num int, changed datetime(6), zoned timestamp(6) NULL, note varchar(20))',
      )
      await client.query(`INSERT INTO orders SELECT seq, seq, TIMESTAMP '2026-01-01 00:00:00' + INTERVAL seq HOUR,
        TIMESTAMP '2026-01-01 00:00:00' + INTERVAL seq HOUR, 'old' FROM seq_1_to_500`)
      await onlyTheNewOnes({ run: sql => client.query(sql), address, cursor })
    } finally {
      await client.end()
    }
  })
})
