/** A project on PostgreSQL: 1,000 models, a million rows of Parquet, records of a web service, beside a bare client. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { openLocalReader } from '../../server/catalog/index.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type Bench, ownProgram, svcProgram, take } from './bench.ts'
import { measureEditor, works } from './bench-editor.ts'
import { benchPostgresRest } from './bench-postgres-rest.ts'
import { writeSvcProject } from './flavours.ts'

const assets = 1_000
const parquetRows = 1_000_000

export async function benchPostgres(bench: Bench): Promise<void> {
  if (!canStartPostgres()) return
  const folder = join(bench.folder, 'work', 'postgres')
  rmSync(folder, { recursive: true, force: true })
  const server = await startPostgres()
  try {
    await models(bench, join(folder, 'models'), server)
    await rows(bench, join(folder, 'rows'), server)
    await benchPostgresRest(bench, join(folder, 'rest'), server)
  } finally {
    await server.stop()
  }
  rmSync(folder, { recursive: true })
}

async function models(bench: Bench, folder: string, server: PostgresServer): Promise<void> {
  const [address, other] = [await server.createDatabase(), await server.createDatabase()]
  writeSvcProject(folder, assets, address)
  const fresh = () => rmSync(join(folder, '.svc'), { recursive: true, force: true })
  const validate = svcProgram(bench, folder, ['validate', '--quiet'])
  const goal = (seconds: number) => ({ goal: { seconds } })
  await take(bench, {
    id: 'postgres-validate-cold',
    work: '`validate` of PostgreSQL models, nothing cached',
    assets,
    program: validate,
    before: fresh,
    ...goal(3),
  })
  await take(bench, {
    id: 'postgres-validate-warm',
    work: '`validate` of PostgreSQL models, again',
    assets,
    program: validate,
    ...goal(0.4),
  })
  await measureEditor(bench, folder, assets, figure => ({
    id: `postgres-editor-${figure}`,
    work: `${works[figure]}, on PostgreSQL`,
    ...(figure === 'key' ? goal(0.06) : {}),
  }))
  await take(bench, {
    id: 'postgres-build',
    work: 'a bare client on PostgreSQL: the same statements and tests, one by one',
    tool: 'floor',
    assets,
    program: ownProgram(bench, folder, 'postgres-floor', 'models', other, join(folder, 'data'), `${assets}`),
  })
  const program = svcProgram(bench, folder, ['run', '--env', 'prod'])
  const built = await take(bench, {
    id: 'postgres-run-first',
    work: 'first `run` on PostgreSQL: built, tested, promoted',
    assets,
    program,
    repeat: 'once',
    floor: 'postgres-build',
    goal: { times: 1.6, of: 'postgres-build' },
  })
  if (!built) return
  await take(bench, {
    id: 'postgres-run-again',
    work: '`run` on PostgreSQL, nothing changed',
    assets,
    program,
    ...goal(1.2),
  })
}

const types = {
  id: 'bigint',
  email: 'text',
  name: 'text',
  amount: 'double precision',
  price: 'numeric(12,2)',
  day: 'date',
  created: 'timestamp',
  active: 'boolean',
  note: 'text',
  quantity: 'integer',
} as const

async function rows(bench: Bench, folder: string, server: PostgresServer): Promise<void> {
  const address = await server.createDatabase()
  const count = Math.round(parquetRows * bench.scale)
  mkdirSync(join(folder, 'models'), { recursive: true })
  await writeRows(folder, count)
  writeFileSync(join(folder, 'svc.yaml'), `name: rows\nwarehouse: ${address}\ndefault_schema: mart\n`)
  writeFileSync(
    join(folder, 'models', 'people.svc'),
    `name: people\ningest: {type: file, endpoint: ., resource: people.parquet}\ntransform: SELECT ${Object.keys(types).join(', ')} FROM {{ source }}\n`,
  )
  const columns = Object.entries(types).map(([name, type]) => `${name} ${type}`)
  await take(bench, {
    id: 'postgres-copy',
    work: 'a bare client: `COPY` of a CSV file into PostgreSQL, and a table of it',
    tool: 'floor',
    rows: count,
    program: ownProgram(
      bench,
      folder,
      'postgres-floor',
      'rows',
      address,
      join(folder, 'people.csv'),
      columns.join(', '),
    ),
  })
  await take(bench, {
    id: 'postgres-parquet',
    work: 'first `run`: ten columns of Parquet into PostgreSQL',
    rows: count,
    program: svcProgram(bench, folder, ['run', '--env', 'prod']),
    repeat: 'once',
    check: () => refuseOtherCount(address, count),
    floor: 'postgres-copy',
    goal: { times: 1.25, of: 'postgres-copy' },
  })
}

async function writeRows(folder: string, count: number): Promise<void> {
  const local = await openLocalReader({})
  const query = `SELECT i::BIGINT AS id, 'person' || i || '@example.com' AS email, 'Name ' || i % 1000 AS name, i * 0.5::DOUBLE AS amount,
    (i % 100000 / 100.0)::DECIMAL(12,2) AS price, DATE '2024-01-01' + (i % 365)::INTEGER AS day,
    TIMESTAMP '2024-01-01 00:00:00' + to_seconds(i) AS created, i % 2 = 0 AS active,
    CASE WHEN i % 3 = 0 THEN NULL ELSE 'a note of some length, no. ' || i END AS note, (i % 100)::INTEGER AS quantity
    FROM range(1, ${count + 1}) AS t(i)`
  await local.rows(`COPY (${query}) TO '${join(folder, 'people.parquet')}' (FORMAT parquet)`)
  await local.rows(`COPY (${query}) TO '${join(folder, 'people.csv')}' (FORMAT csv, HEADER false)`)
  local.close()
}

async function refuseOtherCount(address: string, wanted: number): Promise<undefined> {
  const client = new pg.Client(address)
  await client.connect()
  const { rows } = await client.query<{ n: string }>('SELECT count(*) AS n FROM mart.people')
  await client.end()
  if (Number(rows[0]?.n) !== wanted) throw new Error(`the table has ${rows[0]?.n} rows instead of ${wanted}`)
  return undefined
}
