/** The packed packages, and a folder into which npm installs them as a user does. */
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type PreparedNode, withoutNpmSettings } from './nodes.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** Makes all three: the command, the hosted service, the extension. */
export async function packAll(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/package.mjs'], {
    cwd: root,
    env: withoutNpmSettings(),
  })
}

function tarballs(): readonly string[] {
  const names = readdirSync(join(root, 'packages')).filter(name => name.endsWith('.tgz'))
  return names.map(name => join(root, 'packages', name))
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Installed {
  /** The folder of the project, which is empty at first. */
  readonly project: string
  /** What npm printed. */
  readonly npm: Ended
  /** Whether an install script has brought the driver sqlite3. */
  readonly hasScripted: boolean
  /** Runs `svc` or `svc-hosted` in the folder of the project. */
  run(program: string, words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>
  /** Starts a program that stays, in the same way. */
  start(program: string, words: readonly string[], env: Readonly<Record<string, string>>): Service
}

/** Installs them into `folder`, which is made. The home of whoever uses them is empty; npm has its own settings. */
export async function install(
  folder: string,
  node: PreparedNode,
  options: readonly string[],
): Promise<Installed> {
  const [project, home] = [join(folder, 'a shop'), join(folder, 'home')]
  for (const each of [project, home]) mkdirSync(each, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"name": "empty", "private": true}')
  const words = ['install', '--no-audit', '--no-fund', ...options, ...tarballs()]
  // A script that compiles does it in half a minute so, instead of two.
  const quick = { CFLAGS: '-O1', CXXFLAGS: '-O1' }
  const env = { ...withoutNpmSettings(), ...quick, PATH: node.path, npm_config_nodedir: node.folder }
  const npm = await end(spawn('npm', words, { cwd: folder, env }))
  const programOf = (name: string) => join(folder, 'node_modules', '.bin', name)
  const started = (program: string, list: readonly string[], own: Readonly<Record<string, string>>) =>
    spawn(programOf(program), list, { cwd: project, env: { PATH: node.path, HOME: home, ...own } })
  return {
    project,
    npm,
    hasScripted: existsSync(join(folder, 'node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node')),
    run: (program, list, own = {}) => end(started(program, list, own)),
    start: (program, list, own) => serviceOf(started(program, list, own)),
  }
}

type Child = ReturnType<typeof spawn>

function end(child: Child): Promise<Ended> {
  const said = listen(child)
  return new Promise(resolve => {
    child.once('error', error => resolve({ code: null, stdout: '', stderr: error.message }))
    child.once('close', code => resolve({ code, ...said }))
  })
}

export interface Service {
  /** Resolves with its address. */
  readonly address: Promise<string>
  /** Resolves with the exit code. */
  stop(): Promise<number | null>
}

function serviceOf(child: Child): Service {
  const said = listen(child)
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const address = new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said.stderr)?.[0]
      if (found !== undefined) resolve(found)
    })
    child.once('error', reject)
    child.once('close', () => reject(new Error(`it ended: ${said.stderr}`)))
  })
  return {
    address,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Collects both streams. */
function listen(child: Child): { stdout: string; stderr: string } {
  const said = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  return said
}
