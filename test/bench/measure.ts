/** Runs a Node program as a process of its own and says what it took: wall time, CPU of all threads, peak memory. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Sample {
  readonly wallMs: number
  readonly cpuMs: number
  readonly rssBytes: number
}

export interface Program {
  /** Arguments for Node: the script first. */
  readonly command: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Throws with the end of the program's output when it does not end with `exitCode` (default 0). */
export async function measure(probe: string, program: Program, exitCode = 0): Promise<Sample> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const usageFile = join(folder, 'usage.json')
  try {
    const started = performance.now()
    const { code, output } = await runNode(['--require', probe, ...program.command], program, usageFile)
    const wallMs = performance.now() - started
    if (code !== exitCode)
      throw new Error(`${program.command.join(' ')} ended with ${code}:\n${output.slice(-2000)}`)
    const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as Omit<Sample, 'wallMs'>
    return { wallMs, ...usage }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The middle of each figure by itself. */
export function medianOf(samples: readonly Sample[]): Sample {
  return {
    wallMs: median(samples.map(sample => sample.wallMs)),
    cpuMs: median(samples.map(sample => sample.cpuMs)),
    rssBytes: median(samples.map(sample => sample.rssBytes)),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

function runNode(
  options: readonly string[],
  program: Program,
  usageFile: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, options, {
    cwd: program.cwd,
    env: { ...process.env, ...program.env, SVC_BENCH_USAGE: usageFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-20_000)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, output }))
  })
}
