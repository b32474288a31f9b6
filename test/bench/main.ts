/**
 * `npm run bench [-- --sizes 100,1000 --runs 3]`: what `svc` takes on synthetic projects, beside DuckDB alone doing
 * the same statements and beside Node alone. Prints Markdown and writes `.bench/results.json`. Asserts no time.
 */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { modelPath, writeSvcProject } from './flavours.ts'
import { layeredModels } from './layered-project.ts'
import { measure, medianOf, type Program, type Sample } from './measure.ts'
import { type Machine, type Measurement, markdownReport } from './report.ts'
import { differingModels } from './same-results.ts'

const root = process.cwd()
const work = join(root, '.bench')
const svc = join(root, 'cli', 'bin', 'svc.cjs')
const probe = join(root, 'test', 'bench', 'usage-probe.cjs')
const measurements: Measurement[] = []
let changes = 0

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '100,1000' }, runs: { type: 'string', default: '3' } },
})
const runs = Number(values.runs)
const sizes = values.sizes.split(',').map(Number)
if (!Number.isInteger(runs) || runs < 1 || sizes.some(size => !Number.isInteger(size) || size < 5)) {
  console.error('error: --runs is a number from 1 on, --sizes a list of numbers from 5 on, such as 100,1000')
  process.exit(2)
}

await benchStart()
for (const size of sizes) await benchSize(size)
finish()

async function benchStart(): Promise<void> {
  await record('start of Node (`node -e 0`)', undefined, { command: ['-e', '0'], cwd: root })
  await record('`svc --version`', undefined, { command: [svc, '--version'], cwd: root })
}

async function benchSize(size: number): Promise<void> {
  const folder = join(work, String(size))
  rmSync(folder, { recursive: true, force: true })
  writeSvcProject(folder, size)
  const run = (...options: string[]): Program => ({ command: [svc, ...options], cwd: folder })
  const clean = () => forget(folder)

  await record('`validate`, nothing cached', size, run('validate', '--quiet'), clean)
  await record('`validate` again', size, run('validate', '--quiet'))
  await record('DuckDB alone: the same statements and tests', size, floor(folder, size), () =>
    rmSync(join(folder, 'floor.duckdb'), { force: true }),
  )
  await record('first `run`, tested and promoted', size, run('run', '--env', 'prod'), clean)
  await refuseWrongRows(folder, size)
  await record('`run`, nothing changed', size, run('run', '--env', 'prod'))
  await record('`run`, one model changed', size, run('run', '--env', 'prod'), () => changeOne(folder, size))
  await record('`plan`, one model changed', size, run('plan', '--env', 'prod'), () => changeOne(folder, size))
  rmSync(folder, { recursive: true })
}

async function refuseWrongRows(folder: string, size: number): Promise<void> {
  const files = { svc: join(folder, 'warehouse.duckdb'), floor: join(folder, 'floor.duckdb') }
  const wrong = await differingModels(files, size)
  if (wrong.length > 0) throw new Error(`svc and DuckDB alone differ in ${wrong.join(', ')}`)
}

async function record(
  title: string,
  assets: number | undefined,
  program: Program,
  before: () => void = () => {},
): Promise<void> {
  const samples: Sample[] = []
  for (let at = 0; at < runs; at++) {
    before()
    samples.push(await measure(probe, program))
  }
  const median = medianOf(samples)
  measurements.push({ work: title, assets, samples, median })
  console.error(`${title}${assets === undefined ? '' : ` (${assets})`}: ${Math.round(median.wallMs)} ms`)
}

function floor(folder: string, size: number): Program {
  const script = join(work, 'floor.mjs')
  return { command: [script, join(folder, 'data'), join(folder, 'floor.duckdb'), String(size)], cwd: folder }
}

function forget(folder: string): void {
  for (const name of [
    '.svc',
    'warehouse.duckdb',
    'warehouse.duckdb.wal',
    'schemas.lock.json',
    'svc_catalog.json',
  ]) {
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** A real change of meaning in the middle of the project that keeps all rows. */
function changeOne(folder: string, size: number): void {
  const model = layeredModels(size)[Math.floor(size / 2)]
  if (model === undefined) throw new Error('there is no model to change')
  const path = modelPath(folder, model)
  changes += 1
  const text = readFileSync(path, 'utf8').replace(/qty >= -?\d+/, `qty >= -${changes + 10}`)
  writeFileSync(path, text)
}

function finish(): void {
  const [cpu] = cpus()
  const machine: Machine = {
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    node: process.versions.node,
  }
  mkdirSync(work, { recursive: true })
  const at = new Date().toISOString()
  writeFileSync(
    join(work, 'results.json'),
    `${JSON.stringify({ at, machine, measurements }, undefined, 2)}\n`,
  )
  const medians = Object.fromEntries(
    measurements.map(each => [`${each.work} ${each.assets ?? ''}`.trim(), each.median]),
  )
  appendFileSync(join(work, 'history.ndjson'), `${JSON.stringify({ at, medians })}\n`)
  process.stdout.write(markdownReport(machine, measurements))
}
