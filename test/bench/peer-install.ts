/** Installs other tools into folders of their own, once: the newest releases that pip finds as wheels. */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export interface PeerTool {
  readonly name: 'dbt' | 'SQLMesh' | 'dlt'
  readonly command: string
  readonly packages: readonly string[]
}

export interface InstalledTool extends PeerTool {
  readonly python: string
  readonly executable: string
  /** Such as `dbt-core 1.12.0`, for the report. */
  readonly title: string
}

export const peerTools: readonly PeerTool[] = [
  { name: 'dbt', command: 'dbt', packages: ['dbt-core', 'dbt-duckdb'] },
  { name: 'SQLMesh', command: 'sqlmesh', packages: ['sqlmesh[duckdb]'] },
  { name: 'dlt', command: 'dlt', packages: ['dlt[duckdb,filesystem,parquet]'] },
]

/** The command of Python 3.9 or newer; undefined where there is none. */
export function findPython(): string | undefined {
  const version = 'import sys; sys.exit(sys.version_info < (3, 9))'
  return ['python3', 'python'].find(command => spawnSync(command, ['-c', version]).status === 0)
}

/** Throws with the end of pip's output. */
export function installTool(tool: PeerTool, python: string, folder: string): InstalledTool {
  const into = join(folder, tool.command)
  const own = join(into, 'bin', 'python')
  const executable = join(into, 'bin', tool.command)
  if (!existsSync(executable)) {
    console.error(`Installing ${tool.packages.join(', ')} with pip`)
    rmSync(into, { recursive: true, force: true })
    execute(python, ['-m', 'venv', into])
    // Without a byte-code cache each start of such a tool would take a second or two longer; pip writes it here.
    execute(own, ['-m', 'pip', 'install', '--quiet', '--compile', '--only-binary', ':all:', ...tool.packages])
  }
  return { ...tool, python: own, executable, title: `${tool.name} ${versionOf(own, tool)}` }
}

function versionOf(python: string, { packages }: PeerTool): string {
  const distribution = (packages[0] ?? '').replace(/\[.*$/, '')
  const show = `import importlib.metadata as m; print(m.version(${JSON.stringify(distribution)}))`
  return execute(python, ['-c', show]).trim()
}

function execute(command: string, args: readonly string[]): string {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '' }
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env })
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stderr.slice(-1500)}`)
  return stdout
}
