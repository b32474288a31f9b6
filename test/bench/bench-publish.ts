/** A million rows of production into PostgreSQL, beside COPY; a tenth of them to a web service, beside bare requests. */
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { canStartPostgres, startPostgres } from '../support/postgres.ts'
import { type Bench, ownProgram, svcProgram, take } from './bench.ts'
import { forget } from './bench-project.ts'
import { measure } from './measure.ts'

const allRows = 1_000_000

export async function benchPublish(bench: Bench): Promise<void> {
  const folder = join(bench.folder, 'work', 'publish')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'models'), { recursive: true })
  if (canStartPostgres()) {
    const server = await startPostgres()
    try {
      await toPostgres(bench, folder, await server.createDatabase())
    } finally {
      await server.stop()
    }
  }
  await withSink(bench, address => toService(bench, folder, address))
  rmSync(folder, { recursive: true })
}

/** Each time it is another table, which has acknowledged nothing. */
async function toPostgres(bench: Bench, folder: string, address: string): Promise<void> {
  const rows = Math.round(allRows * bench.scale)
  const database = join(folder, 'warehouse.duckdb')
  const target = (table: string) => `{type: postgres, endpoint: "${address}", resource: ${table}, key: id}`
  await deploy(bench, folder, rows, target('t0'))
  let table = ''
  let count = 0
  const next = () => {
    table = `t${++count}`
    writeProject(folder, rows, target(table))
  }
  const check = async () => refuseLost(await countIn(address, table), rows)
  // The table of the floor is named when the program is made, so that it is made once.
  await take(bench, {
    id: 'publish-copy',
    work: 'DuckDB to CSV, and COPY into a new table with a key',
    tool: 'floor',
    rows,
    repeat: 'once',
    program: ownProgram(bench, folder, 'publish-floor', 'copy', database, address, 'copied'),
    check: async () => refuseLost(await countIn(address, 'copied'), rows),
  })
  const publish = ['publish', 'people', '--to', 'there', '--env', 'prod']
  await take(bench, {
    ...{ id: 'publish-postgres', work: 'first `publish` to PostgreSQL: a new table', rows },
    ...{ program: svcProgram(bench, folder, publish), before: next, check, floor: 'publish-copy' },
  })
  await take(bench, {
    ...{ id: 'publish-unchanged', work: '`publish` when nothing has changed', rows },
    program: svcProgram(bench, folder, publish),
    check,
  })
}

async function toService(bench: Bench, folder: string, address: string): Promise<void> {
  const rows = Math.round((allRows / 10) * bench.scale)
  await deploy(bench, folder, rows, targetOf(address, 'rows0'))
  const database = join(folder, 'warehouse.duckdb')
  const check = async () => refuseLost(Number(await (await fetch(address)).text()), rows)
  await take(bench, {
    ...{
      id: 'publish-post',
      work: 'DuckDB to JSON, and bare requests of 1000 rows, 4 at a time',
      tool: 'floor',
      rows,
    },
    program: ownProgram(bench, folder, 'publish-floor', 'post', database, address),
    check,
  })
  let count = 0
  await take(bench, {
    ...{ id: 'publish-http', work: 'first `publish` to a web service, 1000 rows a batch, 4 at a time', rows },
    program: svcProgram(bench, folder, ['publish', 'people', '--to', 'there', '--env', 'prod']),
    before: () => writeProject(folder, rows, targetOf(address, `rows${++count}`)),
    ...{ check, floor: 'publish-post' },
  })
}

function targetOf(address: string, resource: string): string {
  return `{type: http, endpoint: "${address}", resource: ${resource}, key: id, batch: 1000}`
}

async function deploy(bench: Bench, folder: string, rows: number, target: string): Promise<void> {
  forget(folder)
  writeProject(folder, rows, target)
  await measure(svcProgram(bench, folder, ['run', '--env', 'prod']), 120_000)
}

function writeProject(folder: string, rows: number, target: string): void {
  writeFileSync(
    join(folder, 'svc.yaml'),
    'name: publish\nwarehouse: duckdb:./warehouse.duckdb\ndefault_schema: mart\n',
  )
  writeFileSync(
    join(folder, 'models', 'people.svc'),
    `name: people
ingest: none
transform: |
  SELECT range AS id, 'person' || range || '@example.com' AS email, 'Name ' || (range % 1000) AS name,
    range * 0.5::DOUBLE AS amount, DATE '2024-01-01' + CAST(range % 365 AS INTEGER) AS day, range % 2 = 0 AS active
  FROM range(${rows})
publish:
  there: ${target}
`,
  )
}

async function countIn(address: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const { rows } = await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`)
  await client.end()
  return Number(rows[0]?.n)
}

function refuseLost(found: number, wanted: number): undefined {
  if (found !== wanted) throw new Error(`${found} rows arrived instead of ${wanted}`)
  return undefined
}

async function withSink(bench: Bench, use: (address: string) => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [join(bench.folder, 'row-sink.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  try {
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
      child.once('close', code => reject(new Error(`the sink of rows ended with ${code}`)))
    })
    await use(address)
  } finally {
    child.stdin.end()
    await ended
  }
}
