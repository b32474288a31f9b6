/**
 * The catalogue after a run that changed nothing: the file that is there, with the times of this run. To make it anew is
 * megabytes of JSON. Pure but for `catalogKey`, which only reads what it is given.
 */
import type { TestResult } from '@svc/server/contract'
import type { HistoryRecord, StateSnapshot } from '../state/state.ts'
import { type OpenedWorkspace, sha256 } from '../workspace/open-workspace.ts'

/**
 * Of all that a catalogue and the results of tests say, but for what the newest run of each asset decides. `fresh`: results
 * of this run, also those that stand. `project`: the key of what the files say.
 */
export function catalogKey(
  workspace: OpenedWorkspace,
  state: StateSnapshot,
  fresh: readonly TestResult[],
  project: string,
): string {
  const lines: unknown[] = [project, JSON.stringify([...workspace.excludedColumns])]
  for (const { asset, definition_hash, build_key } of state.live.values())
    lines.push(`${asset} ${definition_hash} ${state.builds.get(build_key)?.rows}`)
  for (const { asset, name, status, seconds, ran_at } of state.tests.values())
    lines.push(`${asset} ${name} ${status} ${seconds} ${ran_at}`)
  // A failed run finds results that the tables do not hold.
  for (const { asset, name, kind, status, seconds, ran } of fresh)
    if (ran || kind === 'unit') lines.push(`${asset} ${name} ${kind} ${status} ${seconds} ${ran}`)
  return sha256(lines.join('\n'))
}

/** Every asset of the project was looked at by this run, and none was built or failed. */
export function foundAllUnchanged(run: HistoryRecord | undefined, { project }: OpenedWorkspace): boolean {
  if (run?.kind !== 'run' || run.status !== 'deployed' || run.assets.length !== project.byName.size)
    return false
  return run.assets.every(({ name, status }) => status === 'unchanged' && project.byName.has(name))
}

export interface RunTimes {
  /** When the file is made, and when the run ended. ISO 8601 UTC. */
  readonly at: string
  readonly finishedAt: string
  /** Of the project. */
  readonly assets: number
}

/** Two spaces an indentation, as `toJson` writes it: no text in JSON holds a line break, so a line tells which key it is. */
const madeAt = Buffer.from('\n  "generated_at": "')
const statusKey = Buffer.from('\n      "status": ')
const nextKeys = ['\n      "last_run": ', '\n      "seconds": '].map(key => Buffer.from(key))
const lineBreak = 0x0a

/** Undefined: it does not look like a catalogue of so many assets. */
export function withRunTimes(
  catalog: Buffer,
  { at, finishedAt, assets }: RunTimes,
): readonly Buffer[] | undefined {
  const timeAt = catalog.indexOf(madeAt)
  if (timeAt < 0) return undefined
  const timeEnd = catalog.indexOf(lineBreak, timeAt + 1)
  const parts = [catalog.subarray(0, timeAt), Buffer.from(`${madeAt}${at}",`)]
  const verified = Buffer.from(
    `${statusKey}"deployed",${nextKeys[0]}${JSON.stringify(finishedAt)},${nextKeys[1]}null,`,
  )
  let end = timeEnd
  let found = 0
  for (let start = catalog.indexOf(statusKey, end); start >= 0; start = catalog.indexOf(statusKey, end)) {
    const after = endOfLines(catalog, start)
    if (after === undefined) return undefined
    parts.push(catalog.subarray(end, start), verified)
    end = after
    found++
  }
  if (found !== assets) return undefined
  parts.push(catalog.subarray(end))
  return parts
}

/** Where the three lines of an asset end; undefined: the others do not follow. */
function endOfLines(catalog: Buffer, start: number): number | undefined {
  let end = catalog.indexOf(lineBreak, start + 1)
  for (const key of nextKeys) {
    if (end < 0 || !catalog.subarray(end, end + key.length).equals(key)) return undefined
    end = catalog.indexOf(lineBreak, end + 1)
  }
  return end < 0 ? undefined : end
}
