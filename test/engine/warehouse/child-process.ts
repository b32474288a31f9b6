/** Real child processes for what only another process can show: locks, leases, kill -9. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll } from 'vitest'
import { externalPackages, optionalNatives } from '../../../scripts/external-packages.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))
let launcher: string | undefined

// Files that share this process share this module too, and only the first of them registers this.
afterAll(() => {
  if (launcher !== undefined) rmSync(dirname(dirname(launcher)), { recursive: true, force: true })
  launcher = undefined
})

export interface Child {
  readonly pid: number
  /** The next line that it wrote. */
  line(): Promise<string>
  /** All lines so far. */
  readonly lines: readonly string[]
  say(text: string): void
  /** Says that nothing more will be said. */
  end(): void
  /** Resolves when it is gone; `code` is null after a signal. */
  readonly ended: Promise<number | null>
  kill(): Promise<void>
}

/** Starts `warehouse-child.ts` with these arguments. */
export function startChild(args: readonly string[], run: { readonly shell?: string } = {}): Child {
  launcher ??= bundled()
  const command = [process.execPath, launcher, ...args]
  const env = childEnvironment()
  const child =
    run.shell === undefined
      ? spawn(command[0] ?? '', command.slice(1), { env })
      : spawn('bash', ['-c', `${run.shell}; exec "$@"`, 'bash', ...command], { env })
  return controlled(child)
}

function controlled(child: ChildProcess): Child {
  const lines: string[] = []
  const waiting: ((line: string) => void)[] = []
  let read = 0
  const errors: string[] = []
  const { stdout, stderr, stdin } = child
  if (stdout === null || stderr === null || stdin === null) throw new Error('a child without pipes')
  stderr.on('data', data => errors.push(String(data)))
  stdin.on('error', () => {})
  createInterface({ input: stdout }).on('line', line => {
    lines.push(line)
    waiting.shift()?.(line)
  })
  const ended = new Promise<number | null>(done => {
    child.on('close', code => {
      for (const give of waiting.splice(0)) give(`ended ${code}: ${errors.join('')}`)
      done(code)
    })
  })
  return {
    pid: child.pid ?? 0,
    lines,
    line() {
      const next = lines[read]
      read += 1
      if (next !== undefined) return Promise.resolve(next)
      if (child.exitCode !== null || child.signalCode !== null) {
        return Promise.resolve(`ended ${child.exitCode}: ${errors.join('')}`)
      }
      return new Promise(resolve => waiting.push(resolve))
    },
    say: text => stdin.write(`${text}\n`),
    end: () => stdin.end(),
    ended,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/**
 * It is started two hundred times by the suites of three engines, so it lies behind the launcher of `svc`, which keeps V8's
 * compiled code: 0.19 s of CPU a start instead of 0.30 s.
 */
function bundled(): string {
  const target = mkdtempSync(join(tmpdir(), 'svc-child-'))
  process.once('exit', () => rmSync(target, { recursive: true, force: true }))
  const start = join(target, 'bin', 'svc.cjs')
  cpSync(join(folder, '../../../cli/bin'), dirname(start), { recursive: true })
  buildSync({
    entryPoints: [join(folder, 'warehouse-child.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: [...externalPackages, ...optionalNatives],
    // As the command: V8 reads half of the text, and `require` is all that the launcher's script can import with.
    minifyWhitespace: true,
    supported: { 'dynamic-import': false },
    outfile: join(target, 'dist', 'svc.cjs'),
    logLevel: 'error',
  })
  // One that ends by itself leaves the compiled code for those that are killed.
  spawnSync(process.execPath, [start], { env: childEnvironment() })
  return start
}

/** The bundle lies outside the project, so the native module is found by NODE_PATH. */
function childEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_PATH: resolve(folder, '../../../node_modules') }
}
