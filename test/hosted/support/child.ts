/** The service as a process of its own, for what only a process can show: signals, a sudden end, its output. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { externalPackages, hostedPackages, unusedDrivers } from '../../../scripts/external-packages.mjs'

const root = join(import.meta.dirname, '..', '..', '..')
let bundled: Promise<string> | undefined

/** Where `buildService` puts the bundle of the service. */
export const serviceBundle = join(root, '.cache', `svc-hosted-${process.pid}.cjs`)

/** Once for all tests of this process. */
export function buildService(): Promise<string> {
  bundled ??= bundle()
  return bundled
}

export interface ServiceProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Lines of stdout: the log. */
  readonly log: () => readonly string[]
  /** Waits for the end; gives the exit code, or the signal. */
  readonly ended: Promise<number | string>
}

/** Runs `svc-hosted serve <words>` on a free port and waits until it listens. */
export async function startProcess(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const child = spawn(
    process.execPath,
    [await buildService(), 'serve', '--create', '--port', '0', ...words],
    {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  const ended = new Promise<number | string>(resolve => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString()
      const found = /listens on (\S+)/.exec(err)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('close', code => reject(new Error(`svc-hosted ended with ${code}: ${err}`)))
  })
  return { url, child, ended, log: () => out.trimEnd().split('\n') }
}

async function bundle(): Promise<string> {
  mkdirSync(join(root, '.cache'), { recursive: true })
  await build({
    entryPoints: [join(root, 'hosted-api/main.ts')],
    outfile: serviceBundle,
    bundle: true,
    platform: 'node',
    target: 'node20.17',
    format: 'cjs',
    external: [...externalPackages, ...hostedPackages, ...unusedDrivers],
    supported: { 'dynamic-import': false },
    logLevel: 'warning',
  })
  return serviceBundle
}
