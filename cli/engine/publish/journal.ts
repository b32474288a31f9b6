/**
 * What a publish knows of its batches, on the disk before anything is sent: after a kill the next one finds which
 * rows the target acknowledged, and sends those in doubt once more, as they were and under the same key. The
 * folder is the user's alone, since it has rows, and goes when all of it is in the state of the warehouse.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonLines, readJson, readText } from '../artifacts/read-file.ts'
import { writeWhole } from '../artifacts/write-file.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Field, Operation } from './destination.ts'

export interface PublishPlan {
  readonly runId: string
  readonly asset: string
  readonly target: string
  readonly place: string
  /** What tells the batches of this publish from equal ones of another. */
  readonly base: string
  /** The fields in order, and whether payloads are texts between tabs. */
  readonly fields: readonly Field[]
  readonly isText: boolean
  /** Whether a line of the spool is the payload of a new row alone. */
  readonly isBare: boolean
  /** The names of fields whose values are told to nobody. */
  readonly personal: readonly string[]
}

/** Rows `from` to `to` (exclusive) of the spool. */
export type RowRange = readonly [from: number, to: number]

type Line =
  /** The batch is about to be sent under this key. */
  | { readonly send: RowRange; readonly key: string }
  /** It was taken, except the rows that are named with their reasons; `ids` are those of the target, by row. */
  | {
      readonly done: RowRange
      readonly operation: Operation
      readonly refused?: Readonly<Record<number, string>>
      readonly ids?: Readonly<Record<number, string>>
    }
  /** Nothing of it was taken. */
  | { readonly back: RowRange }

export interface JournalState {
  /** What was taken, in order, one range behind the other made one; rows in `refused` are not among them. */
  readonly taken: readonly RowRange[]
  readonly counts: Readonly<Record<Operation, number>>
  /** The ids that the target gave, by row. */
  readonly ids: ReadonlyMap<number, string>
  readonly refused: ReadonlyMap<number, string>
  /** Batches of which nobody knows whether they were taken, by their keys. */
  readonly inDoubt: ReadonlyMap<string, RowRange>
}

export type PublishJournal = Awaited<ReturnType<typeof openPublishJournal>>

const planFile = 'plan.json'
const linesFile = 'batches.ndjson'

export function publishFolder(
  { root, environment }: Pick<Workspace, 'root' | 'environment'>,
  asset: string,
  target: string,
): string {
  const warehouse = createHash('sha256').update(environment.warehouseUrl).digest('hex').slice(0, 8)
  const place = `${environment.stateName}-${warehouse}`
  return join(root, '.svc', environment.name, 'publish', place, `${target}.${asset}`)
}

/** Returns what an earlier publish left; undefined if there is nothing. */
export function leftBehind(folder: string): PublishPlan | undefined {
  const plan = readJson<PublishPlan>(join(folder, planFile))
  return existsSync(spoolIn(folder)) ? plan : undefined
}

export function spoolIn(folder: string): string {
  return join(folder, 'rows.txt')
}

/** Of each row to send: its place in the spool, its operation, its key and the two hashes. */
export function keysIn(folder: string): string {
  return join(folder, 'keys.parquet')
}

/** Makes an empty folder for the rows of a publish. */
export function freshFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

/** Writes the plan, when the rows are in the spool: from then on the folder counts. */
export function writePlan(folder: string, plan: PublishPlan, pid: number): void {
  writeWhole(join(folder, planFile), JSON.stringify(plan), pid)
}

export async function openPublishJournal(folder: string) {
  // The last line may be cut.
  const lines = jsonLines<Line>(readText(join(folder, linesFile)) ?? '')
  const file = await open(join(folder, linesFile), 'a', 0o600)
  const flush = sharedFlush(file)
  return {
    folder,
    spoolPath: spoolIn(folder),
    /** Resolves when it is on the disk. */
    async write(line: Line): Promise<void> {
      lines.push(line)
      await file.appendFile(`${JSON.stringify(line)}\n`)
      // What was sent is asked for again anyway; only that it is about to be sent must never be lost.
      if ('send' in line) await flush()
    },
    state: () => stateOf(lines),
    close: () => file.close(),
  }
}

/** Batches that are about to be sent at the same time share one wait for the disk. */
function sharedFlush(file: FileHandle): () => Promise<void> {
  let waiting: Promise<void> | undefined
  let running: Promise<void> = Promise.resolve()
  return () => {
    waiting ??= running.then(() => {
      waiting = undefined
      running = file.datasync()
      return running
    })
    return waiting
  }
}

function stateOf(lines: readonly Line[]): JournalState {
  const counts = { insert: 0, update: 0, delete: 0 }
  const ids = new Map<number, string>()
  const refused = new Map<number, string>()
  const inDoubt = new Map<string, RowRange>()
  const done: RowRange[] = []
  const settle = ([from, to]: RowRange) => {
    for (const [key, range] of inDoubt) if (range[0] === from && range[1] === to) inDoubt.delete(key)
  }
  for (const line of lines) {
    if ('send' in line) inDoubt.set(line.key, line.send)
    else if ('back' in line) settle(line.back)
    else {
      settle(line.done)
      done.push(line.done)
      const lost = Object.entries(line.refused ?? {})
      for (const [row, reason] of lost) refused.set(Number(row), reason)
      for (const [row, id] of Object.entries(line.ids ?? {})) ids.set(Number(row), id)
      counts[line.operation] += line.done[1] - line.done[0] - lost.length
    }
  }
  return { taken: joined(done), counts, ids, refused, inDoubt }
}

function joined(ranges: readonly RowRange[]): readonly RowRange[] {
  const whole: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = whole.at(-1)
    if (last !== undefined && last[1] >= from) last[1] = Math.max(last[1], to)
    else whole.push([from, to])
  }
  return whole
}
