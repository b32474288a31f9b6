/** What one line of a benchmark holds, and when it reaches its goal. Pure. */
import type { Sample } from './measure.ts'

export interface Measurement {
  /** Such as `validate-cold/1000`: stays the same from call to call. */
  readonly id: string
  readonly work: string
  /** `svc`, `floor`, or the name of another tool. */
  readonly tool: string
  readonly assets?: number
  /** Rows that the work moves; shown as rows a second. */
  readonly rows?: number
  readonly samples: readonly Sample[]
  /** Absent: it was skipped or it failed, and `problem` says why. */
  readonly median?: Sample
  readonly problem?: string
  /** Id of the measurement below which nobody can be. */
  readonly floor?: string
  readonly goal?: Goal
  /** Of another tool: id of our measurement of the same work. */
  readonly beside?: string
  /** Something counted that has to be 0. */
  readonly count?: { readonly what: string; readonly found: number; readonly of: number }
  /** Of the source that was measured; ends in `+` where files were not committed. */
  readonly commit: string
  readonly at: string
}

export type Goal =
  | { readonly seconds: number; readonly megabytes?: number }
  /** At most `times` the wall time of another measurement, and that of `plus` on top. */
  | { readonly times: number; readonly of: string; readonly plus?: string }
  | { readonly none: string }

export type FindMeasurement = (id: string) => Measurement | undefined

export interface Verdict {
  /** The goal in words, with the seconds that it comes to. */
  readonly goal: string
  /** 1 or less: met. Undefined: cannot be said. */
  readonly ratio: number | undefined
  readonly mark: string
}

/** Undefined where there is no goal or no figure. */
export function judge(measurement: Measurement, find: FindMeasurement): Verdict | undefined {
  const { goal, median } = measurement
  if (goal === undefined || median === undefined) return undefined
  if ('none' in goal) return judgeCount(goal.none, measurement)
  const { words, wallMs } = limit(goal, find)
  if (wallMs === undefined) return { goal: words, ratio: undefined, mark: 'floor not measured' }
  const memory =
    'megabytes' in goal ? median.rssBytes / 1e6 / (goal.megabytes ?? Number.POSITIVE_INFINITY) : 0
  const time = median.wallMs / wallMs
  return { goal: words, ratio: Math.max(time, memory), mark: markOf(time, memory) }
}

/** Wall and CPU time beside the floor's; undefined where one of them is missing. */
export function timesFloor(
  measurement: Measurement,
  find: FindMeasurement,
): { readonly wall: number; readonly cpu: number } | undefined {
  const floor = measurement.floor === undefined ? undefined : find(measurement.floor)?.median
  const { median } = measurement
  if (floor === undefined || median === undefined) return undefined
  return { wall: median.wallMs / floor.wallMs, cpu: median.cpuMs / floor.cpuMs }
}

function limit(
  goal: Exclude<Goal, { readonly none: string }>,
  find: FindMeasurement,
): { readonly words: string; readonly wallMs: number | undefined } {
  if ('seconds' in goal) {
    const memory = goal.megabytes === undefined ? '' : `, ${goal.megabytes} MB`
    return { words: `${seconds(goal.seconds * 1000)}${memory}`, wallMs: goal.seconds * 1000 }
  }
  const of = find(goal.of)?.median?.wallMs
  const plus = goal.plus === undefined ? 0 : find(goal.plus)?.median?.wallMs
  const wallMs = of === undefined || plus === undefined ? undefined : of * goal.times + plus
  const words = `${goal.times} × floor${goal.plus === undefined ? '' : ' + start'}`
  return { words: wallMs === undefined ? words : `${words} = ${seconds(wallMs)}`, wallMs }
}

function judgeCount(what: string, { count }: Measurement): Verdict {
  const goal = `0 ${what}`
  if (count === undefined || count.of === 0) return { goal, ratio: undefined, mark: 'nothing was read' }
  const of = count.of.toLocaleString('en-US')
  return count.found === 0
    ? { goal, ratio: 0, mark: `met (0 of ${of})` }
    : { goal, ratio: Number.POSITIVE_INFINITY, mark: `**missed: ${count.found} of ${of}**` }
}

function markOf(time: number, memory: number): string {
  const missed = [
    ...(time > 1 ? [`${time.toFixed(2)} × the time`] : []),
    ...(memory > 1 ? [`${memory.toFixed(2)} × the memory`] : []),
  ]
  return missed.length === 0 ? 'met' : `**missed: ${missed.join(', ')}**`
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 1000 ? 3 : 2)} s`
}
