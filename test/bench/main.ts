/**
 * `npm run bench`: what `svc` takes, beside DuckDB alone doing the same, beside Node alone, beside its goals and, with
 * `--peers`, beside other tools. Prints Markdown; keeps it and the figures in `.bench`. Never fails because of a time.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, svcProgram } from './bench.ts'
import { benchDashboard } from './bench-dashboard.ts'
import { benchEditor } from './bench-editor.ts'
import { benchEdits } from './bench-edits.ts'
import { benchFile } from './bench-files.ts'
import { benchFlights } from './bench-flights.ts'
import { benchHosted } from './bench-hosted.ts'
import { benchMass } from './bench-mass.ts'
import { benchPeers } from './bench-peers.ts'
import { benchPostgres } from './bench-postgres.ts'
import { benchBuild, benchCheck } from './bench-project.ts'
import { benchPromotion } from './bench-promotion.ts'
import { benchPublish } from './bench-publish.ts'
import { benchRest } from './bench-rest.ts'
import { benchSql } from './bench-sql.ts'
import { benchNode, benchStart } from './bench-start.ts'
import { benchUnit } from './bench-unit.ts'
import { writeSvcProject } from './flavours.ts'
import { measure } from './measure.ts'
import { type Group, groups, type Options, readOptions, usage } from './options.ts'
import { markdownReport } from './report.ts'
import { readResults, thisMachine } from './results.ts'

/** Returns the exit code: 1 when something could not be measured, 2 for wrong options. */
export async function runBench(root: string, args: readonly string[]): Promise<number> {
  let options: Options
  try {
    options = readOptions(args)
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    return 2
  }
  if (options.help) {
    console.log(usage)
    return 0
  }
  const bench = newBench(root, options)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  await warmCode(bench)
  await benchNode(bench)
  for (const [name, step] of steps(bench, options)) await attempt(name, step)
  const report = markdownReport(bench.results, bench.taken)
  writeFileSync(join(bench.folder, 'results.md'), report)
  process.stdout.write(`\n${report}`)
  console.error('Kept in .bench/results.md and .bench/results.json')
  return failed ||
    bench.results.measurements.some(each => bench.taken.has(each.id) && isFailure(each.problem))
    ? 1
    : 0
}

let failed = false

type Step = readonly [name: string, run: () => Promise<void>]

type Sized = 'check' | 'build' | 'editor' | 'edits'

function isSized(group: Group): group is Sized {
  return group === 'check' || group === 'build' || group === 'editor' || group === 'edits'
}

/** The large ones last: with `--minutes` the others are there by then. */
function steps(bench: Bench, { only, sizes, peers }: Options): readonly Step[] {
  const [small, large] = [sizes.filter(size => size <= 1000), sizes.filter(size => size > 1000)]
  const single: Record<Exclude<Group, Sized>, () => Promise<void>> = {
    start: () => benchStart(bench),
    flights: () => benchFlights(bench),
    promotion: () => benchPromotion(bench),
    parquet: () => benchFile(bench, 'parquet'),
    ndjson: () => benchFile(bench, 'ndjson'),
    rest: () => benchRest(bench),
    sql: () => benchSql(bench),
    postgres: () => benchPostgres(bench),
    publish: () => benchPublish(bench),
    unit: () => benchUnit(bench),
    mass: () => benchMass(bench),
    dashboard: () => benchDashboard(bench),
    hosted: () => benchHosted(bench),
  }
  const sized = (list: readonly number[]): readonly Step[] =>
    list.flatMap(size => [
      ...(only.includes('check') ? [[`check ${size}`, () => benchCheck(bench, size)] as const] : []),
      ...(only.includes('build') ? [[`build ${size}`, () => benchBuild(bench, size)] as const] : []),
      ...(only.includes('editor') ? [[`editor ${size}`, () => benchEditor(bench, size)] as const] : []),
      ...(only.includes('edits') ? [[`edits ${size}`, () => benchEdits(bench, size)] as const] : []),
    ])
  const singles = only.flatMap(group => (isSized(group) ? [] : [[group, single[group]] as const]))
  const others: readonly Step[] = peers ? [['peers', () => benchPeers(bench, { only, sizes })]] : []
  return [
    ...singles.filter(([name]) => name === 'start'),
    ...sized(small),
    ...singles.filter(([name]) => name !== 'start'),
    ...sized(large),
    ...others,
  ]
}

/** One that breaks does not end the others. */
async function attempt(name: string, step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    failed = true
    console.error(
      `error: ${name} broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  }
}

/** A call for everything begins anew, one with `--only` adds to what is there. */
function newBench(root: string, { only, repeat, scale, minutes }: Options): Bench {
  const folder = join(root, '.bench')
  const machine = thisMachine()
  mkdirSync(folder, { recursive: true })
  return {
    root,
    folder,
    repeat,
    scale,
    endsAt: minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + minutes * 60_000,
    commit: commitOf(root),
    results:
      only === groups ? { machine, measurements: [] } : readResults(join(folder, 'results.json'), machine),
    taken: new Set(),
  }
}

/** The first commands after an installation keep their compiled code for all later ones. */
async function warmCode(bench: Bench): Promise<void> {
  const folder = join(bench.folder, 'work', 'warm')
  writeSvcProject(folder, 5)
  for (const command of ['validate', 'plan']) await measure(svcProgram(bench, folder, [command]), 120_000)
  rmSync(folder, { recursive: true })
}

function isFailure(problem: string | undefined): boolean {
  return problem !== undefined && !problem.startsWith('skipped')
}

function commitOf(root: string): string {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', 'cli', 'server') !== ''
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`
  } catch {
    return 'unknown'
  }
}
