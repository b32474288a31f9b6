/** Three million rows from one Parquet file and from one file of newline-delimited JSON, beside DuckDB alone. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { answer, refuseOther } from './answers.ts'
import { type Bench, ownProgram, svcProgram, take } from './bench.ts'
import { forget } from './bench-project.ts'

export type FileKind = 'parquet' | 'ndjson'

const allRows = 3_000_000
const question = 'SELECT count(*), sum(delay), sum(distance), count(DISTINCT origin), min(date)::VARCHAR FROM'

export async function benchFile(bench: Bench, kind: FileKind): Promise<void> {
  const { path, rows } = await dataFile(bench, kind)
  const folder = join(bench.folder, 'work', kind)
  rmSync(folder, { recursive: true, force: true })
  writeProject(folder, path)
  const floorFile = join(folder, 'floor.duckdb')
  const title = kind === 'parquet' ? 'Parquet' : 'NDJSON'
  const statements = join(folder, 'statements.json')
  writeFileSync(
    statements,
    JSON.stringify([`CREATE TABLE loaded AS FROM ${reader(kind)}('${path}')`, `${question} loaded`]),
  )
  await take(bench, {
    id: `${kind}-duckdb`,
    work: `DuckDB alone: ${title}`,
    tool: 'floor',
    rows,
    program: ownProgram(bench, folder, 'sql-floor', floorFile, statements),
    before: () => rmSync(floorFile, { force: true }),
  })
  await take(bench, {
    id: kind,
    work: `first \`run\`: ${title}`,
    rows,
    program: svcProgram(bench, folder, ['run', '--env', 'prod']),
    before: () => forget(folder),
    check: async () => {
      const found = await answer(join(folder, 'warehouse.duckdb'), `${question} mart.loaded`)
      refuseOther(title, found, await answer(floorFile, `${question} loaded`))
      return undefined
    },
    floor: `${kind}-duckdb`,
    ...(bench.scale === 1 ? { goal: { times: 1.3, of: `${kind}-duckdb` } } : {}),
  })
  rmSync(folder, { recursive: true })
}

/** Made once from the real flights of the examples, which are three million rows. */
export async function dataFile(
  bench: Bench,
  kind: FileKind,
): Promise<{ readonly path: string; readonly rows: number }> {
  const rows = Math.round(allRows * bench.scale)
  const path = join(bench.folder, 'data', `flights-${rows}.${kind}`)
  if (existsSync(path)) return { path, rows }
  mkdirSync(dirname(path), { recursive: true })
  const from = join(bench.root, 'node_modules', 'vega-datasets', 'data', 'flights-3m.parquet')
  const format = kind === 'parquet' ? 'FORMAT parquet' : 'FORMAT json'
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`COPY (FROM read_parquet('${from}') LIMIT ${rows}) TO '${path}.part' (${format})`)
  connection.closeSync()
  instance.closeSync()
  renameSync(`${path}.part`, path)
  return { path, rows }
}

function reader(kind: FileKind): string {
  return kind === 'parquet' ? 'read_parquet' : 'read_json'
}

function writeProject(folder: string, path: string): void {
  mkdirSync(join(folder, 'models'), { recursive: true })
  writeFileSync(
    join(folder, 'svc.yaml'),
    'name: large_file\nwarehouse: duckdb:./warehouse.duckdb\ndefault_schema: mart\n',
  )
  const name = path.slice(dirname(path).length + 1)
  writeFileSync(
    join(folder, 'models', 'loaded.svc'),
    `name: loaded
ingest: {type: file, endpoint: ${JSON.stringify(dirname(path))}, resource: ${name}}
transform: SELECT * FROM {{ source }}
deploy: {materialize: view}
`,
  )
}
