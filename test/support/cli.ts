/** Runs the built command in a project of its own, as a user would, and makes its output comparable. */
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { closeLeftOpen } from '../../cli/engine/warehouse/duckdb/open-instances.ts'

const repository = join(import.meta.dirname, '..', '..')
export const svcLauncher = join(repository, 'cli', 'bin', 'svc.cjs')

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface TestProject {
  readonly root: string
  write(path: string, text: string): void
  remove(path: string): void
  /** Runs `svc <words>` in the project's root and waits for its end. */
  svc(words: readonly string[], options?: RunOptions): Promise<Result>
  /** As `svc`, with the JSON on stdout read. */
  json(
    words: readonly string[],
    options?: RunOptions,
  ): Promise<{ readonly code: number | null; readonly value: unknown }>
  dispose(): void
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Relative to the root. */
  readonly cwd?: string
  /** Somebody else than who runs the tests. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  /** A program that starts the command given behind its own words: `bash -c 'ulimit …; exec "$@"' -`. */
  readonly through?: readonly string[]
  /** Called as soon as the process has started. */
  readonly onStart?: (child: {
    kill(signal: NodeJS.Signals): void
    onOutput(read: (text: string) => void): void
  }) => void
}

/** Builds the bundle where it is missing or older than a source. Once a process. */
export function buildCommand(): void {
  if (built) return
  built = true
  const bundle = join(repository, 'cli', 'dist', 'svc.cjs')
  const newest = Math.max(
    ...['cli', 'server', 'webview'].map(folder => newestSource(join(repository, folder))),
  )
  if (existsSync(bundle) && statSync(bundle).mtimeMs > newest) return
  const result = spawnSync(process.execPath, [join(repository, 'esbuild.mjs')], {
    cwd: repository,
    encoding: 'utf8',
  })
  if (result.status !== 0) throw new Error(`the bundle cannot be built:\n${result.stderr}`)
}

let built = false

function newestSource(folder: string): number {
  let newest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) newest = Math.max(newest, newestSource(path))
    else if (entry.name.endsWith('.ts')) newest = Math.max(newest, statSync(path).mtimeMs)
  }
  return newest
}

/** A new project folder with the given files, outside every git work tree. */
export function createProject(files: Readonly<Record<string, string>>): TestProject {
  buildCommand()
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-cli-')))
  const project: TestProject = {
    root,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
    remove: path => rmSync(join(root, path), { recursive: true, force: true }),
    svc: (words, options = {}) => svcIn(root, words, options),
    json: async (words, options = {}) => readOutput(words, await svcIn(root, words, options)),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  }
  for (const [path, text] of Object.entries(files)) project.write(path, text)
  return project
}

/** Runs `svc <words>` in a folder. A command in this process may have left its warehouse open. */
export async function svcIn(root: string, words: readonly string[], options: RunOptions): Promise<Result> {
  await closeLeftOpen()
  return new Promise((resolve, reject) => {
    const [program = '', ...line] = [...(options.through ?? []), process.execPath, svcLauncher, ...words]
    const child = spawn(program, line, {
      cwd: join(root, options.cwd ?? '.'),
      // Nothing of the outside decides about colours, CI or where git looks.
      env: { PATH: process.env['PATH'] ?? '', HOME: root, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options.user,
    })
    let stdout = ''
    let stderr = ''
    const readers: ((text: string) => void)[] = []
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      for (const read of readers) read(text)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      for (const read of readers) read(text)
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, stdout, stderr }))
    options.onStart?.({ kill: signal => child.kill(signal), onOutput: read => readers.push(read) })
  })
}

/** Returns how a command ended, and the JSON on stdout. */
export function readOutput(
  words: readonly string[],
  { code, stdout, stderr }: Pick<Result, 'code' | 'stdout' | 'stderr'>,
): { readonly code: number | null; readonly value: unknown } {
  try {
    return { code, value: JSON.parse(stdout) as unknown }
  } catch {
    throw new Error(`svc ${words.join(' ')} printed no JSON:\n${stdout}\n${stderr}`)
  }
}

/** Replaces what differs from run to run: times, ages, run ids, hashes, the root, the number of CPUs. */
export function normalise(text: string, root = ''): string {
  const lines = root === '' ? text : text.replaceAll(root, '<root>')
  return lines
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replace(/\b[0-9a-f]{12}\b/g, '<hash>      ')
    .replace(/\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?/g, '<time>')
    .replace(/\b(?=[0-9a-hjkmnp-tv-z]*\d)[0-9a-hjkmnp-tv-z]{10}\b/g, '<run>')
    .replace(/[ ]*\b\d+(\.\d+)? (ms|s)\b/g, ' <seconds>')
    .replace(/\b(just now|\d+ (second|minute)s? ago)/g, '<ago>')
    .replace(/ +$/gm, '')
}

export function readJson(project: TestProject, path: string): unknown {
  return JSON.parse(readFileSync(join(project.root, path), 'utf8'))
}
