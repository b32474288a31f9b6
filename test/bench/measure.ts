/** Runs a program as a process of its own and says what it took: wall time, CPU of all threads, peak memory. */
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
  /** What starts the command and writes its usage to the file named by SVC_BENCH_USAGE. */
  readonly runner: readonly string[]
  readonly command: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Measured {
  readonly sample: Sample
  readonly stdout: string
}

/** Throws with the end of the program's output when it does not end with 0, or not within `timeoutMs`. */
export async function measure(program: Program, timeoutMs: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const usageFile = join(folder, 'usage.json')
  try {
    const started = performance.now()
    const { code, stdout, output } = await runProgram(program, usageFile, timeoutMs)
    const wallMs = performance.now() - started
    const shown = program.command.join(' ')
    if (code === null) throw new Error(`${shown} was stopped after ${Math.round(wallMs / 1000)} s`)
    if (code !== 0) throw new Error(`${shown} ended with ${code}:\n${output.slice(-2000)}`)
    const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as Omit<Sample, 'wallMs'>
    return { sample: { wallMs, cpuMs: usage.cpuMs, rssBytes: usage.rssBytes }, stdout }
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

interface Ended {
  /** Null: a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  /** The end of both streams, as they came. */
  readonly output: string
}

function runProgram(program: Program, usageFile: string, timeoutMs: number): Promise<Ended> {
  const [executable = '', ...options] = program.runner
  const child = spawn(executable, [...options, ...program.command], {
    cwd: program.cwd,
    env: { ...process.env, ...program.env, SVC_BENCH_USAGE: usageFile },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that the programs that it has started are stopped with it.
    detached: true,
  })
  const stop = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
  }
  const timer = setTimeout(stop, timeoutMs)
  process.once('exit', stop)
  let stdout = ''
  let output = ''
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-20_000)
  }
  child.stdout.on('data', (chunk: Buffer) => {
    stdout = (stdout + chunk.toString()).slice(-1_000_000)
    collect(chunk)
  })
  child.stderr.on('data', collect)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      clearTimeout(timer)
      process.off('exit', stop)
      resolve({ code, stdout, output })
    })
  })
}
