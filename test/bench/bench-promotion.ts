/** All assets of a project change at once while production is read without a pause: does a reader ever see a mixture? */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, svcProgram, take } from './bench.ts'
import { forget } from './bench-project.ts'
import type { Program } from './measure.ts'
import type { Measurement } from './measurement.ts'

const assets = 200

interface Seen {
  readonly polls: number
  readonly old: number
  readonly new: number
  readonly mixed: number
  readonly refused: number
  readonly firstRefusal?: string
}

export async function benchPromotion(bench: Bench): Promise<void> {
  const folder = join(bench.folder, 'work', 'promotion')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'models'), { recursive: true })
  writeFileSync(
    join(folder, 'svc.yaml'),
    'name: promotion\nwarehouse: duckdb:./warehouse.duckdb\ndefault_schema: mart\n',
  )
  let version = 1
  const next = () => writeModels(folder, ++version)
  forget(folder)
  writeModels(folder, version)
  const first = await take(bench, {
    id: 'promotion-first',
    work: 'first `run` of 200 assets of one row',
    assets,
    program: svcProgram(bench, folder, ['run', '--env', 'prod']),
    repeat: 'once',
  })
  if (first) {
    await benchReader(bench, folder, () => [version, next()] as const)
    await benchPromote(bench, folder, next)
  }
  rmSync(folder, { recursive: true })

  function writeModels(into: string, value: number): number {
    for (let index = 0; index < assets; index++) {
      const text = `name: ${name(index)}\ningest: none\ntransform: SELECT 'v${value}' AS version, ${index} AS position\n`
      writeFileSync(join(into, 'models', `${name(index)}.svc`), text)
    }
    return value
  }
}

/** `change` gives the version before and the one that the run promotes. */
async function benchReader(
  bench: Bench,
  folder: string,
  change: () => readonly [number, number],
): Promise<void> {
  const out = join(folder, 'seen.json')
  const program = svcProgram(bench, folder, ['run', '--env', 'prod'])
  const reader = join(bench.root, 'test', 'bench', 'promotion-reader.cjs')
  const env: Record<string, string> = {}
  const read: Program = { ...program, runner: [...program.runner, '--require', reader], env }
  await take(bench, {
    id: 'promotion',
    work: '`run` that changes 200 assets, production read all the time',
    assets,
    program: read,
    before: () => {
      const [old, fresh] = change()
      rmSync(out, { force: true })
      const whole = { old: wholeAnswer(old), new: wholeAnswer(fresh) }
      env['SVC_BENCH_READER'] = JSON.stringify({ file: 'warehouse.duckdb', sql: allVersions(), whole, out })
    },
    check: () => countMixed(out),
    goal: { none: 'mixed reads' },
  })
}

/** Promotion alone: what was built before becomes what is read. */
async function benchPromote(bench: Bench, folder: string, next: () => void): Promise<void> {
  let run = ''
  const previewed = await take(bench, {
    id: 'promotion-preview',
    work: '`preview` that changes 200 assets',
    assets,
    repeat: 'once',
    program: svcProgram(bench, folder, ['preview', '--env', 'prod']),
    before: next,
    check: ({ stdout }) => {
      run = /svc promote (\w+)/.exec(stdout)?.[1] ?? ''
      return undefined
    },
  })
  if (!previewed) return
  await take(bench, {
    id: 'promotion-promote',
    work: '`promote` of that preview',
    assets,
    repeat: 'once',
    program: svcProgram(bench, folder, ['promote', run, '--env', 'prod']),
  })
}

function countMixed(out: string): Measurement['count'] {
  if (!existsSync(out)) throw new Error('the reader has not said what it saw')
  const seen = JSON.parse(readFileSync(out, 'utf8')) as Seen
  if (seen.refused > 0) throw new Error(`${seen.refused} reads of production failed: ${seen.firstRefusal}`)
  if (seen.old === 0) throw new Error('nothing was read before the promotion')
  return { what: 'mixed reads', found: seen.mixed, of: seen.polls }
}

/** One statement over all views: its answer is whole, or it is a mixture. */
function allVersions(): string {
  const views = Array.from({ length: assets }, (_, index) => `SELECT version FROM mart.${name(index)}`)
  return `SELECT version, count(*)::INTEGER FROM (${views.join(' UNION ALL ')}) GROUP BY version ORDER BY version`
}

function wholeAnswer(version: number): string {
  return JSON.stringify([[`v${version}`, assets]])
}

function name(index: number): string {
  return `part_${String(index).padStart(3, '0')}`
}
