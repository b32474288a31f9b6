/** Two million rows of ten mixed columns from PostgreSQL, and one million from MariaDB, beside the servers sending them to nobody. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { canStartMariadb, startMariadb } from '../support/mariadb.ts'
import { canStartPostgres, startPostgres } from '../support/postgres.ts'
import { answer, refuseOther } from './answers.ts'
import { type Bench, ownProgram, svcProgram, take } from './bench.ts'
import { forget } from './bench-project.ts'

const postgresRows = 2_000_000
const mariadbRows = 1_000_000
const goalPerSecond = 450_000

const columns = 'id, email, name, amount, price, day, created, active, note, quantity'
/** Whole numbers, so that both databases and DuckDB write the same. */
const question = `SELECT count(*) AS n, sum(id) AS ids, sum(CAST(price * 100 AS BIGINT)) AS cents, sum(quantity) AS quantities,
  sum(length(email) + length(name)) AS letters, count(note) AS notes, count(DISTINCT day) AS days FROM`

export async function benchSql(bench: Bench): Promise<void> {
  const folder = join(bench.folder, 'work', 'sql')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'models'), { recursive: true })
  if (canStartPostgres()) {
    const server = await startPostgres()
    try {
      await fromPostgres(bench, folder, await server.createDatabase())
    } finally {
      await server.stop()
    }
  }
  if (canStartMariadb()) {
    const server = await startMariadb()
    try {
      await fromMariadb(bench, folder, await server.createDatabase())
    } finally {
      await server.stop()
    }
  }
  rmSync(folder, { recursive: true })
}

async function fromPostgres(bench: Bench, folder: string, address: string): Promise<void> {
  const rows = Math.round(postgresRows * bench.scale)
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(`CREATE TABLE people AS SELECT i::bigint AS id, 'person' || i || '@example.com' AS email, 'Name ' || i % 1000 AS name,
    i * 0.5::float8 AS amount, (i % 100000 / 100.0)::numeric(12, 2) AS price, DATE '2024-01-01' + (i % 365)::int AS day,
    TIMESTAMPTZ '2024-01-01 00:00:00+00' + i * INTERVAL '1 second' AS created, i % 2 = 0 AS active,
    CASE WHEN i % 3 = 0 THEN NULL ELSE 'a note of some length, no. ' || i END AS note, (i % 100)::int AS quantity
    FROM generate_series(1, ${rows}) AS t(i)`)
  await client.query('ANALYZE people')
  const wanted = JSON.stringify((await client.query(textOf(question))).rows)
  await client.end()
  await take(bench, {
    id: 'sql-postgres-copy',
    work: 'PostgreSQL: `COPY` of the table as CSV to nobody',
    tool: 'floor',
    rows,
    program: ownProgram(bench, folder, 'database-floor', 'postgres', address, 'people'),
  })
  const ways = [
    ['sql-postgres', 'one connection', ''],
    ['sql-postgres-split', 'two connections (`split`)', '  split: {parts: 2}\n'],
  ] as const
  for (const [id, way, more] of ways)
    await takeRun(bench, folder, {
      id,
      from: `PostgreSQL, ${way}`,
      address,
      rows,
      more,
      wanted,
      floor: 'sql-postgres-copy',
      goalPerSecond,
    })
}

async function fromMariadb(bench: Bench, folder: string, address: string): Promise<void> {
  const rows = Math.round(mariadbRows * bench.scale)
  const client = await mysql.createConnection(address)
  await client.query(`CREATE TABLE people AS SELECT CAST(seq AS SIGNED) AS id, CONCAT('person', seq, '@example.com') AS email,
    CONCAT('Name ', seq % 1000) AS name, seq * 0.5e0 AS amount, CAST(seq % 100000 / 100 AS DECIMAL(12, 2)) AS price,
    DATE '2024-01-01' + INTERVAL seq % 365 DAY AS day, TIMESTAMP '2024-01-01 00:00:00' + INTERVAL seq SECOND AS created,
    seq % 2 = 0 AS active, IF(seq % 3 = 0, NULL, CONCAT('a note of some length, no. ', seq)) AS note,
    CAST(seq % 100 AS SIGNED) AS quantity FROM seq_1_to_${rows}`)
  const [found] = await client.query(textOf(question).replaceAll('BIGINT', 'SIGNED'))
  const wanted = JSON.stringify((found as Record<string, unknown>[]).map(texts))
  await client.end()
  await take(bench, {
    id: 'sql-mariadb-select',
    work: 'MariaDB: `SELECT *` to nobody, through the same driver',
    tool: 'floor',
    rows,
    program: ownProgram(bench, folder, 'database-floor', 'mariadb', address, 'people'),
  })
  await takeRun(bench, folder, {
    id: 'sql-mariadb',
    from: 'MariaDB',
    address,
    rows,
    more: '',
    wanted,
    floor: 'sql-mariadb-select',
  })
}

interface SqlRun {
  readonly id: string
  readonly from: string
  readonly address: string
  readonly rows: number
  /** Further lines of `ingest`. */
  readonly more: string
  /** What the database says of its rows. */
  readonly wanted: string
  readonly floor: string
  readonly goalPerSecond?: number
}

async function takeRun(bench: Bench, folder: string, run: SqlRun): Promise<void> {
  const { id, from, rows, wanted, floor } = run
  await take(bench, {
    id,
    work: `first \`run\`: ten columns from ${from}`,
    rows,
    program: svcProgram(bench, folder, ['run', '--env', 'prod'], { PLACE: run.address }),
    before: () => {
      forget(folder)
      writeProject(folder, run)
    },
    check: async () => {
      const found = await answer(join(folder, 'warehouse.duckdb'), `${question} mart.people`)
      const given = (JSON.parse(found) as unknown[][]).map(row => row.map(String))
      const source = (JSON.parse(wanted) as Record<string, unknown>[]).map(row =>
        Object.values(row).map(String),
      )
      refuseOther('people', JSON.stringify(given), JSON.stringify(source))
      return undefined
    },
    floor,
    ...(run.goalPerSecond !== undefined && bench.scale === 1
      ? { goal: { seconds: rows / run.goalPerSecond } }
      : {}),
  })
}

function textOf(asked: string): string {
  return `${asked} people`
}

function texts(row: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]))
}

function writeProject(folder: string, { more }: SqlRun): void {
  writeFileSync(
    join(folder, 'svc.yaml'),
    'name: from_databases\nwarehouse: duckdb:./warehouse.duckdb\ndefault_schema: mart\n',
  )
  writeFileSync(
    join(folder, 'models', 'people.svc'),
    `name: people
ingest:
  type: sql
  endpoint: env:PLACE
  resource: people
${more}transform: SELECT ${columns} FROM {{ source }}
deploy: {materialize: view}
`,
  )
}
