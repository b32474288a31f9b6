/** dbt, SQLMesh and dlt on the work that `svc` was measured with, each with what makes it fast. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Bench, take, type Work } from './bench.ts'
import { dataFile } from './bench-files.ts'
import { plainStatements, writeSources } from './flavours.ts'
import { layeredModels } from './layered-project.ts'
import type { Program } from './measure.ts'
import type { Group, Options } from './options.ts'
import { sqlPath, writeDbtProject, writeSqlmeshProject } from './peer-flavours.ts'
import { findPython, type InstalledTool, installTool, peerTools } from './peer-install.ts'
import { withPageServer } from './with-page-server.ts'

/** Nobody measured is allowed to ask its makers for anything, and all may keep compiled code. */
const quiet = {
  DBT_SEND_ANONYMOUS_USAGE_STATS: 'false',
  SQLMESH__DISABLE_ANONYMIZED_ANALYTICS: 'true',
  RUNTIME__DLTHUB_TELEMETRY: 'false',
  DO_NOT_TRACK: '1',
  PYTHONDONTWRITEBYTECODE: '',
}

let changes = 0

export async function benchPeers(
  bench: Bench,
  { only, sizes }: Pick<Options, 'only' | 'sizes'>,
): Promise<void> {
  const python = process.platform === 'win32' ? undefined : findPython()
  if (python === undefined) {
    console.error('Python 3.9 or newer is not at hand: dbt, SQLMesh and dlt are left out')
    return
  }
  for (const known of peerTools) {
    if (Date.now() >= bench.endsAt) {
      console.error(`${known.name} is left out: the time is up`)
      continue
    }
    let tool: InstalledTool
    try {
      tool = installTool(known, python, join(bench.folder, 'peers'))
    } catch (error) {
      console.error(`${known.name} is left out: ${error instanceof Error ? error.message : String(error)}`)
      continue
    }
    if (only.includes('start')) await benchPeerStart(bench, tool)
    if (tool.name === 'dlt') await benchDlt(bench, tool, only)
    else for (const size of sizes) await benchBuilder(bench, tool, size, only)
  }
}

async function benchPeerStart(bench: Bench, tool: InstalledTool): Promise<void> {
  await takePeer(bench, tool, bench.root, 'version', ['--version'], { repeat: 3 })
}

/** dbt and SQLMesh find the sources loaded; `svc` loads them in its first run. */
async function benchBuilder(
  bench: Bench,
  tool: InstalledTool,
  size: number,
  only: readonly Group[],
): Promise<void> {
  const folder = newPeerProject(bench, tool, size)
  const warehouse = join(folder, 'warehouse.duckdb')
  const kept = tool.name === 'dbt' ? 'target' : '.cache'
  const forgetAll = () => {
    for (const name of [kept, 'warehouse.duckdb.wal'])
      rmSync(join(folder, name), { recursive: true, force: true })
    cpSync(join(folder, 'sources.duckdb'), warehouse)
  }
  const change = () => changeOne(folder, size)
  const [check, build] = commandsOf(tool)
  const step = (beside: string, command: readonly string[], before?: () => void) =>
    takePeer(bench, tool, folder, `${beside}/${size}`, command, {
      assets: size,
      ...(before === undefined ? {} : { before }),
    })
  if (only.includes('check')) {
    forgetAll()
    if (await step('plan-cold', check, forgetAll)) await step('plan-changed', check, change)
  }
  if (only.includes('build') && (await step('run-first', build, forgetAll))) {
    await step('run-again', build)
    if (tool.name === 'dbt') {
      const changed = ['--select', 'state:modified+', '--state', 'before']
      await step('run-one', [...build, ...changed], () => {
        rmSync(join(folder, 'before'), { recursive: true, force: true })
        mkdirSync(join(folder, 'before'))
        cpSync(join(folder, 'target', 'manifest.json'), join(folder, 'before', 'manifest.json'))
        change()
      })
    } else await step('run-one', build, change)
  }
  rmSync(folder, { recursive: true })
}

function commandsOf(tool: InstalledTool): readonly [check: readonly string[], build: readonly string[]] {
  if (tool.name === 'dbt') return [['compile'], ['build']]
  const plan = ['plan', '--no-prompts', '--skip-tests']
  return [
    [...plan, '--explain'],
    [...plan, '--auto-apply'],
  ]
}

async function benchDlt(bench: Bench, tool: InstalledTool, only: readonly Group[]): Promise<void> {
  const folder = join(bench.folder, 'work', 'dlt')
  const script = (name: string) => join(bench.root, 'test', 'bench', 'peers', name)
  const before = () => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
  }
  for (const kind of ['parquet', 'ndjson'] as const) {
    if (!only.includes(kind)) continue
    const { path, rows } = await dataFile(bench, kind)
    const command = [tool.python, script('load_file.py'), kind, path, folder]
    await takePeer(bench, tool, bench.folder, kind, command, { rows, before, check: refuseRows(rows) })
  }
  if (only.includes('rest')) {
    const rows = Math.round(1_000_000 * bench.scale)
    await withPageServer(bench, rows, async address => {
      const command = [tool.python, script('load_rest.py'), address, folder]
      await takePeer(bench, tool, bench.folder, 'rest', command, { rows, before, check: refuseRows(rows) })
    })
  }
  rmSync(folder, { recursive: true, force: true })
}

function refuseRows(rows: number): NonNullable<Work['check']> {
  return ({ stdout }) => {
    const found = Number(stdout.trim().split('\n').at(-1)?.split(' ')[0])
    if (found !== rows) throw new Error(`${found} rows were loaded of ${rows}`)
    return undefined
  }
}

/** `command` begins with a path, or with the first option of the tool's own command. */
async function takePeer(
  bench: Bench,
  tool: InstalledTool,
  cwd: string,
  beside: string,
  command: readonly string[],
  more: Partial<Work>,
): Promise<boolean> {
  const whole = command[0] === tool.python ? command : [tool.executable, ...command]
  const runner = [tool.python, join(bench.root, 'test', 'bench', 'peers', 'measure_child.py')]
  const program: Program = { runner, command: whole, cwd, env: quiet }
  const shown = command[0] === tool.python ? 'load' : `${tool.command} ${command.join(' ')}`
  return take(bench, {
    id: `${tool.command}-${beside}`,
    work: `\`${shown}\``,
    tool: tool.title,
    beside,
    program,
    ...more,
  })
}

function newPeerProject(bench: Bench, tool: InstalledTool, size: number): string {
  const folder = join(bench.folder, 'work', `${tool.command}-${size}`)
  rmSync(folder, { recursive: true, force: true })
  const writeProject = tool.name === 'dbt' ? writeDbtProject : writeSqlmeshProject
  writeProject(folder, size, availableParallelism())
  writeSources(join(folder, 'data'))
  const statements = join(folder, 'sources.json')
  writeFileSync(statements, JSON.stringify(plainStatements(join(folder, 'data'), size).sources))
  const script = join(bench.root, 'test', 'bench', 'peers', 'load_sources.py')
  const loaded = spawnSync(tool.python, [script, join(folder, 'sources.duckdb'), statements], {
    encoding: 'utf8',
  })
  if (loaded.status !== 0) throw new Error(`the sources for ${tool.name} could not be made: ${loaded.stderr}`)
  return folder
}

function changeOne(folder: string, size: number): void {
  const model = layeredModels(size)[Math.floor(size / 2)]
  if (model === undefined) throw new Error('there is no model to change')
  const path = sqlPath(folder, model)
  changes += 1
  writeFileSync(path, readFileSync(path, 'utf8').replace(/qty >= -?\d+/, `qty >= -${changes + 10}`))
}
