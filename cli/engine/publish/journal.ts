/**
 * What a publish knows of its batches, on the disk before anything is sent: after a kill the next one finds which
 * rows the target acknowledged, and which are in doubt. The rows themselves have no name on the disk while they are
 * sent (`spool.ts`); their keys are in a folder that is the user's alone, until all of it is in the state of the warehouse.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonLines, readJson, readText } from '../artifacts/read-file.ts'
import { writeWhole } from '../artifacts/write-file.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Field, Operation } from './destination.ts'
import { type OpenSpool, openSpool } from './spool.ts'

export interface PublishPlan {
  readonly runId: string
  readonly asset: string
  readonly target: string
  readonly place: string
  /** What decides what a batch looks like when it is sent (`doubts.ts`); a journal of an older svc has none. */
  readonly route?: string
  /** When the publish began, ISO 8601: rows that are gone may be marked with it. */
  readonly at?: string
  /** Batches that were in doubt before, and are sent again as they were. */
  readonly repeats?: readonly Repeat[]
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

/** A batch that was in doubt and is in the spool once more, with the key and the time that it had. */
export interface Repeat {
  readonly key: string
  readonly range: RowRange
  readonly at: string
}

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

/** Returns the plan of an earlier publish whose journal is not in the state; undefined if there is none. */
export function leftBehind(folder: string): PublishPlan | undefined {
  const plan = readJson<PublishPlan>(join(folder, planFile))
  return existsSync(keysIn(folder)) ? plan : undefined
}

export function spoolIn(folder: string): string {
  return join(folder, 'rows.txt')
}

/** Of each row to send: its place in the spool, its operation, its key and the two hashes. */
export function keysIn(folder: string): string {
  return join(folder, 'keys.parquet')
}

/** What outlives a publish that did not come to its end: batches in doubt, by hashes alone. */
export function doubtsIn(folder: string): string {
  return join(folder, 'doubts.json')
}

/** Makes a folder for the rows of a publish, with nothing in it but what an earlier one is in doubt of. */
export function freshFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeBut(folder, [doubtsIn(folder)])
}

/** Takes away a journal that is in the state, with all that belongs to it but what is in doubt. */
export function forgetJournal(folder: string): void {
  rmSync(join(folder, planFile), { force: true })
  leaveFolder(folder)
}

/**
 * Takes away what a publish does not need any more, however it ended: no row stays, and of its keys those of a journal
 * that is not in the state yet.
 */
export function leaveFolder(folder: string): void {
  if (!existsSync(folder)) return
  const journal = [keysIn(folder), join(folder, planFile), join(folder, linesFile)]
  removeBut(folder, [doubtsIn(folder), ...(leftBehind(folder) === undefined ? [] : journal)])
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true, force: true })
}

function removeBut(folder: string, kept: readonly string[]): void {
  for (const path of readdirSync(folder).map(name => join(folder, name)))
    if (!kept.includes(path)) rmSync(path, { recursive: true, force: true })
}

/** Writes the plan, when the rows are in the spool: from then on the folder counts, and it has the doubts that count. */
export function writePlan(folder: string, plan: PublishPlan, pid: number): void {
  writeWhole(join(folder, planFile), JSON.stringify(plan), pid)
  rmSync(doubtsIn(folder), { force: true })
}

/** Reads a journal without opening it, which may be that of a publish at work. */
export function readState(folder: string, repeats: readonly Repeat[] = []): JournalState {
  return stateOf(linesIn(folder), repeats)
}

function linesIn(folder: string): Line[] {
  // The last line may be cut.
  return jsonLines<Line>(readText(join(folder, linesFile)) ?? '')
}

export async function openPublishJournal(folder: string, repeats: readonly Repeat[] = []) {
  const lines = linesIn(folder)
  const file = await open(join(folder, linesFile), 'a', 0o600)
  const flush = sharedFlush(file)
  const spool: OpenSpool | undefined = await openSpool(spoolIn(folder))
  return {
    folder,
    /** Absent in the journal of another process. */
    spool,
    /** Resolves when it is on the disk. */
    async write(line: Line): Promise<void> {
      lines.push(line)
      await file.appendFile(`${JSON.stringify(line)}\n`)
      // What was sent is asked for again anyway; only that it is about to be sent must never be lost.
      if ('send' in line) await flush()
    },
    state: () => stateOf(lines, repeats),
    async close(): Promise<void> {
      await spool?.close()
      await file.close()
    },
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

/** A batch that is to be sent again is in doubt from the start. */
function stateOf(lines: readonly Line[], repeats: readonly Repeat[]): JournalState {
  const counts = { insert: 0, update: 0, delete: 0 }
  const ids = new Map<number, string>()
  const refused = new Map<number, string>()
  const inDoubt = new Map(repeats.map(({ key, range }) => [key, range]))
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
