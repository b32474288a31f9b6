/** Takes measurements one after another: how often, within which time, and what is done with a failure. */
import { join } from 'node:path'
import { type Measured, measure, medianOf, type Program, type Sample } from './measure.ts'
import type { Goal, Measurement } from './measurement.ts'
import { type Results, withMeasurement, writeResults } from './results.ts'

export interface Bench {
  readonly root: string
  /** `.bench`: bundles, data, projects and results. */
  readonly folder: string
  /** How often each work is measured; undefined: as each one says. */
  readonly repeat: number | undefined
  /** Part of the rows of the large sources, 1 for all. */
  readonly scale: number
  /** When nothing new is begun any more, in milliseconds since 1970. */
  readonly endsAt: number
  readonly commit: string
  results: Results
  /** Ids of what this call has taken, skipped or seen fail. */
  readonly taken: Set<string>
}

export interface Work {
  readonly id: string
  readonly work: string
  readonly tool?: string
  readonly assets?: number
  readonly rows?: number
  readonly program: Program
  /** Instead of three times, unless the user says how often; `once` works only once. */
  readonly repeat?: number | 'once'
  readonly before?: () => void
  /** Throws when what the program left is wrong; counts what the goal wants none of. */
  readonly check?: (measured: Measured) => Promise<Measurement['count']> | Measurement['count']
  readonly floor?: string
  readonly goal?: Goal
  readonly beside?: string
}

const defaultRepeat = 3
/** Nothing is measured again that took this long already: a single long run is said to be one. */
const enoughMs = 20_000
const longestMs = 3 * 60_000
/** For thousands of assets, and for tools that take their time. */
const longestOfLargeMs = 15 * 60_000
const graceMs = 60_000

/** False: it was skipped or it failed, which is told and kept; what builds on it is better left out. */
export async function take(bench: Bench, work: Work): Promise<boolean> {
  if (Date.now() >= bench.endsAt)
    return keep(bench, work, { samples: [], problem: 'skipped: the time is up' })
  const samples: Sample[] = []
  const wanted = work.repeat === 'once' ? 1 : (bench.repeat ?? work.repeat ?? defaultRepeat)
  let count: Measurement['count']
  try {
    while (samples.length < wanted && (samples.length === 0 || totalMs(samples) < enoughMs)) {
      work.before?.()
      const left = Math.max(0, bench.endsAt - Date.now()) + graceMs
      const longest = work.beside !== undefined || (work.assets ?? 0) > 1000 ? longestOfLargeMs : longestMs
      const measured = await measure(work.program, Math.min(longest, left))
      count = addCounts(count, await work.check?.(measured))
      samples.push(measured.sample)
    }
  } catch (error) {
    return keep(bench, work, { samples, problem: error instanceof Error ? error.message : String(error) })
  }
  const counted = count === undefined ? {} : { count }
  return keep(bench, work, { samples, median: medianOf(samples), ...counted })
}

/** Figures that were taken in another way than by running a program from its start to its end. */
export function keepSamples(
  bench: Bench,
  work: Omit<Work, 'program'>,
  samples: readonly Sample[],
  problem: string | undefined,
): void {
  keep(
    bench,
    work,
    problem === undefined && samples.length > 0
      ? { samples, median: medianOf(samples) }
      : { samples, problem: problem ?? 'nothing was measured' },
  )
}

export function svcProgram(
  bench: Bench,
  cwd: string,
  options: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  return { ...nodeProgram(bench, cwd, [join(bench.folder, 'svc', 'bin', 'svc.cjs'), ...options]), env }
}

/** One of the programs of this folder, bundled. */
export function ownProgram(bench: Bench, cwd: string, name: string, ...options: readonly string[]): Program {
  return nodeProgram(bench, cwd, [join(bench.folder, `${name}.mjs`), ...options])
}

export function nodeProgram(bench: Bench, cwd: string, command: readonly string[]): Program {
  const probe = join(bench.root, 'test', 'bench', 'usage-probe.cjs')
  return { runner: [process.execPath, '--require', probe], command, cwd }
}

function keep(
  bench: Bench,
  { id, work, tool = 'svc', assets, rows, floor, goal, beside }: Omit<Work, 'program'>,
  result: Pick<Measurement, 'samples' | 'median' | 'problem' | 'count'>,
): boolean {
  const measurement: Measurement = {
    id,
    work,
    tool,
    ...(assets === undefined ? {} : { assets }),
    ...(rows === undefined ? {} : { rows }),
    ...(floor === undefined ? {} : { floor }),
    ...(goal === undefined ? {} : { goal }),
    ...(beside === undefined ? {} : { beside }),
    commit: bench.commit,
    at: new Date().toISOString(),
    ...result,
  }
  bench.taken.add(id)
  bench.results = withMeasurement(bench.results, measurement)
  writeResults(join(bench.folder, 'results.json'), bench.results)
  const wall = result.median?.wallMs
  const outcome = wall === undefined ? (result.problem ?? '') : `${Math.round(wall)} ms`
  console.error(`${id.padEnd(28)} ${outcome.split('\n')[0]}`)
  return result.median !== undefined
}

function totalMs(samples: readonly Sample[]): number {
  return samples.reduce((sum, { wallMs }) => sum + wallMs, 0)
}

function addCounts(a: Measurement['count'], b: Measurement['count']): Measurement['count'] {
  if (a === undefined || b === undefined) return b ?? a
  return { what: b.what, found: a.found + b.found, of: a.of + b.of }
}
