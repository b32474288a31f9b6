/** The example on real data, beside DuckDB alone with the SQL of the same files; its tests cost only `svc` time. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { compareExample } from '../../scripts/compare-example.mjs'
import { copyExample } from '../../scripts/example.mjs'
import { startExampleServer } from '../../scripts/example-server.mjs'
import { type Bench, ownProgram, svcProgram, take } from './bench.ts'
import { forget } from './bench-project.ts'

interface Asset {
  readonly name: string
  readonly source: boolean
  readonly sql: string
  readonly reads: readonly string[]
  readonly table: boolean
}

export async function benchFlights(bench: Bench): Promise<void> {
  const folder = join(bench.folder, 'work', 'flights')
  rmSync(folder, { recursive: true, force: true })
  copyExample(folder)
  const assets = readAssets(folder)
  const floorFile = join(folder, 'floor.duckdb')
  const statements = join(folder, 'statements.json')
  writeFileSync(statements, JSON.stringify(plainSql(bench, folder, assets)))
  await take(bench, {
    id: 'flights-duckdb',
    work: 'DuckDB alone: the models of the example, without its tests',
    tool: 'floor',
    assets: assets.length,
    program: ownProgram(bench, folder, 'sql-floor', floorFile, statements),
    before: () => rmSync(floorFile, { force: true }),
  })
  const server = await startExampleServer()
  try {
    await benchRuns(bench, folder, assets.length, server.url)
  } finally {
    await server.close()
  }
  rmSync(folder, { recursive: true })
}

async function benchRuns(bench: Bench, folder: string, assets: number, url: string): Promise<void> {
  const program = svcProgram(bench, folder, ['run', '--env', 'prod'], { QUAKES_URL: url })
  const lock = readFileSync(join(folder, 'schemas.lock.json'))
  const first = await take(bench, {
    id: 'flights',
    work: 'first `run` of the example: fetched, built, tested, promoted',
    assets,
    program,
    before: () => {
      forget(folder)
      writeFileSync(join(folder, 'schemas.lock.json'), lock)
    },
    check: async () => {
      await refuseWrongExample(folder)
      return undefined
    },
    floor: 'flights-duckdb',
  })
  if (first) await take(bench, { id: 'flights-again', work: '`run` of the example again', assets, program })
}

async function refuseWrongExample(folder: string): Promise<void> {
  const tables = await compareExample({ database: join(folder, 'warehouse.duckdb'), schema: 'analytics' })
  const problems = tables.flatMap(table => table.problems)
  if (problems.length > 0) throw new Error(problems.slice(0, 5).join('\n'))
}

function readAssets(folder: string): readonly Asset[] {
  return readdirSync(join(folder, 'models'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.svc'))
    .map(path => readAsset(readFileSync(join(folder, 'models', path), 'utf8')))
}

function readAsset(text: string): Asset {
  const { name, ingest, transform, deploy } = parse(text) as {
    readonly name: string
    readonly ingest: unknown
    readonly transform: string
    readonly deploy?: { readonly materialize?: string }
  }
  return {
    name,
    source: ingest !== 'none' && (ingest as { readonly type?: string }).type !== 'none',
    sql: transform,
    reads: [...transform.matchAll(/ref\('(\w+)'\)/g)].map(([, read]) => read ?? ''),
    table: !['view', 'ephemeral'].includes(deploy?.materialize ?? 'table'),
  }
}

/** Sources by the hand-written SQL that reads the raw files; everything else by the text of its `.svc` file. */
function plainSql(bench: Bench, folder: string, assets: readonly Asset[]): readonly string[] {
  const expected = join(bench.root, 'test', 'example', 'expected')
  const data = join(bench.root, 'node_modules', 'vega-datasets', 'data')
  const read = (name: string) => readFileSync(join(expected, `${name}.sql`), 'utf8').replaceAll('$data', data)
  const { vars } = parse(readFileSync(join(folder, 'svc.yaml'), 'utf8')) as { vars: Record<string, unknown> }
  const raw = read('_raw')
    .split(/;\s*\n/)
    .filter(statement => statement.trim() !== '')
  const sources = assets.filter(({ source }) => source)
  const models = inOrder(assets)
  const macros = readdirSync(join(folder, 'macros')).map(name =>
    withoutBraces(readFileSync(join(folder, 'macros', name), 'utf8')),
  )
  return [
    'CREATE SCHEMA analytics',
    ...macros,
    ...raw,
    ...sources.map(({ name }) => `CREATE TABLE analytics.${basename(name)} AS ${read(name)}`),
    ...models.map(model => {
      const sql = model.sql
        .replace(/\{\{ ref\('(\w+)'\) \}\}/g, 'analytics.$1')
        .replace(/\{\{ var\('(\w+)'\) \}\}/g, (_, name: string) => String(vars[name]))
      return `CREATE ${model.table ? 'TABLE' : 'VIEW'} analytics.${model.name} AS ${withoutBraces(sql)}`
    }),
  ]
}

/** Macros are DuckDB's own but for the braces around their calls. */
function withoutBraces(sql: string): string {
  return sql.replace(/\{\{ (.*?) \}\}/gs, '$1')
}

/** Everything but the sources, each after what it reads. */
function inOrder(assets: readonly Asset[]): readonly Asset[] {
  const done = new Set(assets.filter(({ source }) => source).map(({ name }) => name))
  const ordered: Asset[] = []
  while (done.size < assets.length) {
    const ready = assets.filter(asset => !done.has(asset.name) && asset.reads.every(name => done.has(name)))
    if (ready.length === 0) throw new Error('the models of the example read each other in a circle')
    for (const asset of ready) {
      done.add(asset.name)
      ordered.push(asset)
    }
  }
  return ordered
}
