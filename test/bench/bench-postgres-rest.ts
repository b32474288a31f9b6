/** Nested records from a web service into PostgreSQL, beside a bare client that copies them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { PostgresServer } from '../support/postgres.ts'
import { refuseOther } from './answers.ts'
import { type Bench, ownProgram, svcProgram, take } from './bench.ts'
import { countedQuestion } from './nested-records.ts'
import { withPageServer } from './with-page-server.ts'

const allRecords = 300_000

export async function benchPostgresRest(bench: Bench, folder: string, server: PostgresServer): Promise<void> {
  const records = Math.round(allRecords * bench.scale)
  const [address, other] = [await server.createDatabase(), await server.createDatabase()]
  await withPageServer(bench, records, async pages => {
    let wanted = ''
    writeProject(folder, address, pages)
    await take(bench, {
      id: 'postgres-rest-copy',
      work: 'a bare client: pages of a web service by `COPY` into two tables of PostgreSQL',
      tool: 'floor',
      rows: records,
      program: ownProgram(bench, folder, 'postgres-rest-floor', other, pages),
      check: ({ stdout }) => {
        wanted = stdout.trim()
        return undefined
      },
    })
    await take(bench, {
      id: 'postgres-rest',
      work: 'first `run`: nested records of a web service into PostgreSQL',
      rows: records,
      program: svcProgram(bench, folder, ['run', '--env', 'prod']),
      repeat: 'once',
      check: async () => {
        refuseOther('records', await answerOf(address), wanted)
        return undefined
      },
      floor: 'postgres-rest-copy',
      goal: { times: 1.25, of: 'postgres-rest-copy' },
    })
  })
}

/** The one model asks a question of both tables, so that nothing but the loading costs time. */
function writeProject(folder: string, address: string, pages: string): void {
  mkdirSync(join(folder, 'models'), { recursive: true })
  writeFileSync(
    join(folder, 'svc.yaml'),
    `name: nested_records\nwarehouse: ${address}\ndefault_schema: mart\n`,
  )
  const sql = countedQuestion('{{ source }}', "{{ source('orders') }}").replace(/^/gm, '  ')
  writeFileSync(
    join(folder, 'models', 'records.svc'),
    `name: records
ingest:
  type: rest_api
  endpoint: ${pages}
  resource: records
  records: data
  paginate: {type: page, param: page, start: 1, total: pages}
  primary_key: id
transform: |
${sql}
`,
  )
}

async function answerOf(address: string): Promise<string> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return JSON.stringify((await client.query('SELECT * FROM mart.records')).rows)
  } finally {
    await client.end()
  }
}
