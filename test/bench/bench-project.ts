/** `validate`, `plan` and `run` on synthetic projects, beside reading the files and beside DuckDB alone. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, ownProgram, svcProgram, take, type Work } from './bench.ts'
import { modelPath, writeSvcProject } from './flavours.ts'
import { layeredModels } from './layered-project.ts'
import type { Goal } from './measurement.ts'
import { differingModels } from './same-results.ts'

/** Seconds a project of this size may take, where that was set as a goal. */
const goals: Readonly<Record<string, Readonly<Record<number, Goal>>>> = {
  cold: { 1000: { seconds: 1 }, 10000: { seconds: 7, megabytes: 700 } },
  changed: { 1000: { seconds: 0.4 }, 10000: { seconds: 1.2 } },
  again: { 1000: { seconds: 1 } },
  changedRun: { 1000: { seconds: 1.3 } },
}

let changes = 0

export async function benchCheck(bench: Bench, size: number): Promise<void> {
  const folder = newProject(bench, size)
  await measureReading(bench, folder, size)
  await take(bench, {
    id: `catalogue/${size}`,
    work: 'DuckDB alone: files read, the same statements bound',
    tool: 'floor',
    assets: size,
    program: ownProgram(bench, folder, 'catalogue-floor', join(folder, 'models'), `${size}`),
  })
  for (const command of ['validate', 'plan'] as const) {
    const options = command === 'validate' ? ['validate', '--quiet'] : ['plan', '--env', 'prod']
    const step = (id: string, work: string, floor: string, more: Partial<Work>): Promise<boolean> =>
      take(bench, {
        id: `${command}-${id}/${size}`,
        work: `\`${command}\`, ${work}`,
        assets: size,
        program: svcProgram(bench, folder, options),
        floor: `${floor}/${size}`,
        ...more,
      })
    const cold = await step('cold', 'nothing cached', 'catalogue', {
      before: () => forget(folder),
      ...goalOf('cold', size),
    })
    if (!cold) continue
    await step('warm', 'again', 'read', {})
    await step('changed', 'one file changed', 'read', {
      before: () => changeOne(folder, size),
      ...goalOf('changed', size),
    })
  }
  rmSync(folder, { recursive: true })
}

export async function benchBuild(bench: Bench, size: number): Promise<void> {
  const folder = newProject(bench, size)
  const run = svcProgram(bench, folder, ['run', '--env', 'prod'])
  const floorFile = join(folder, 'floor.duckdb')
  const floor = ['floor', join(folder, 'data'), floorFile, `${size}`] as const
  await measureReading(bench, folder, size)
  await take(bench, {
    id: `build/${size}`,
    work: 'DuckDB alone: the same statements and tests',
    tool: 'floor',
    assets: size,
    program: ownProgram(bench, folder, ...floor),
    before: () => rmSync(floorFile, { force: true }),
  })
  const built = await take(bench, {
    id: `run-first/${size}`,
    work: 'first `run`: built, tested, promoted',
    assets: size,
    program: run,
    before: () => forget(folder),
    check: () => refuseWrongRows(folder, floorFile, size),
    floor: `build/${size}`,
    ...firstBuildGoal(size),
  })
  if (built) await benchRunAgain(bench, folder, size)
  rmSync(folder, { recursive: true })
}

/** On a deployed project. */
async function benchRunAgain(bench: Bench, folder: string, size: number): Promise<void> {
  const [data, floorFile] = [join(folder, 'data'), join(folder, 'floor.duckdb')]
  const before = () => changeOne(folder, size)
  const step = (id: string, work: string, floor: string, command: string, more: Partial<Work>) =>
    take(bench, {
      id: `${id}/${size}`,
      work,
      assets: size,
      program: svcProgram(bench, folder, [command, '--env', 'prod']),
      floor: `${floor}/${size}`,
      ...more,
    })
  await take(bench, {
    id: `rebuild/${size}`,
    work: 'DuckDB alone: one model and its readers built and tested again',
    tool: 'floor',
    assets: size,
    program: ownProgram(bench, folder, 'floor', data, floorFile, `${size}`, `${Math.floor(size / 2)}`),
  })
  await step('run-again', '`run`, nothing changed', 'read', 'run', goalOf('again', size))
  await step('plan-deployed', '`plan`, deployed, nothing changed', 'read', 'plan', {})
  await step('plan-one', '`plan`, deployed, one file changed', 'read', 'plan', {
    before,
    ...goalOf('changed', size),
  })
  await step('run-one', '`run`, one model changed', 'rebuild', 'run', {
    before,
    ...goalOf('changedRun', size),
  })
}

async function measureReading(bench: Bench, folder: string, size: number): Promise<void> {
  if (bench.taken.has(`read/${size}`)) return
  await take(bench, {
    id: `read/${size}`,
    work: 'Node alone: every file read and hashed',
    tool: 'floor',
    assets: size,
    program: ownProgram(bench, folder, 'read-floor', join(folder, 'models')),
  })
}

export function newProject(bench: Bench, size: number): string {
  const folder = join(bench.folder, 'work', String(size))
  rmSync(folder, { recursive: true, force: true })
  writeSvcProject(folder, size)
  return folder
}

/** Times say nothing when the rows are wrong. Where DuckDB alone did not get through there is nothing to hold against. */
async function refuseWrongRows(folder: string, floorFile: string, size: number): Promise<undefined> {
  const wrong = await differingModels({ svc: join(folder, 'warehouse.duckdb'), floor: floorFile }, size)
  if (wrong.length > 0) throw new Error(`svc and DuckDB alone differ in ${wrong.slice(0, 10).join(', ')}`)
}

/** All that `svc` wrote: its caches, its state, the warehouse. */
export function forget(folder: string): void {
  const files = ['.svc', 'warehouse.duckdb', 'warehouse.duckdb.wal', 'schemas.lock.json', 'svc_catalog.json']
  for (const name of files) rmSync(join(folder, name), { recursive: true, force: true })
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

function goalOf(name: string, size: number): { readonly goal?: Goal } {
  const goal = goals[name]?.[size]
  return goal === undefined ? {} : { goal }
}

/** A hundred assets are so quick that the start of the command counts. */
function firstBuildGoal(size: number): { readonly goal?: Goal } {
  if (size === 100) return { goal: { times: 1.5, of: `build/${size}`, plus: 'node' } }
  return size === 1000 ? { goal: { times: 1.6, of: `build/${size}` } } : {}
}
