/** A million nested records from a web service, a thousand a page, into a table and its child table. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answer, refuseOther } from './answers.ts'
import { type Bench, ownProgram, svcProgram, take } from './bench.ts'
import { forget } from './bench-project.ts'
import { nestedQuestion } from './nested-records.ts'
import { withPageServer } from './with-page-server.ts'

const allRecords = 1_000_000
const goalPerSecond = 150_000
const question = 'SELECT records, cities, score, orders, quantity FROM mart.records'

export async function benchRest(bench: Bench): Promise<void> {
  const records = Math.round(allRecords * bench.scale)
  const folder = join(bench.folder, 'work', 'rest')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'models'), { recursive: true })
  await withPageServer(bench, records, address => benchPages(bench, folder, records, address))
  rmSync(folder, { recursive: true })
}

async function benchPages(bench: Bench, folder: string, records: number, address: string): Promise<void> {
  const floorFile = join(folder, 'floor.duckdb')
  let wanted = ''
  await take(bench, {
    id: 'rest-duckdb',
    work: 'Node and DuckDB alone: pages to a file, the file to two tables',
    tool: 'floor',
    rows: records,
    program: ownProgram(bench, folder, 'rest-floor', address, floorFile),
    before: () => rmSync(floorFile, { force: true }),
    check: ({ stdout }) => {
      wanted = stdout.trim()
      return undefined
    },
  })
  const ways = [
    ['rest', 'by the next address', '{type: next_url, path: next}'],
    ['rest-pages', 'by page numbers', '{type: page, param: page, start: 1, total: pages}'],
  ] as const
  for (const [id, way, paginate] of ways) {
    await take(bench, {
      id,
      work: `first \`run\`: nested records of a web service, ${way}`,
      rows: records,
      program: svcProgram(bench, folder, ['run', '--env', 'prod']),
      before: () => {
        forget(folder)
        writeProject(folder, address, paginate)
      },
      check: async () => {
        refuseOther('records', await answer(join(folder, 'warehouse.duckdb'), question), wanted)
        return undefined
      },
      floor: 'rest-duckdb',
      ...(bench.scale === 1 ? { goal: { seconds: records / goalPerSecond } } : {}),
    })
  }
}

/** The one model asks a question of both tables, so that nothing but the loading costs time. */
function writeProject(folder: string, address: string, paginate: string): void {
  writeFileSync(
    join(folder, 'svc.yaml'),
    'name: nested_records\nwarehouse: duckdb:./warehouse.duckdb\ndefault_schema: mart\n',
  )
  const sql = nestedQuestion('{{ source }}', "{{ source('orders') }}").replace(/^/gm, '  ')
  writeFileSync(
    join(folder, 'models', 'records.svc'),
    `name: records
ingest:
  type: rest_api
  endpoint: ${address}
  resource: records
  records: data
  paginate: ${paginate}
  primary_key: id
transform: |
${sql}
`,
  )
}
