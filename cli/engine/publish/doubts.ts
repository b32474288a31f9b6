/**
 * Batches of which a publish did not learn whether they were taken. They are kept by hashes alone: the next publish plans their
 * rows anew by what production has and the target says then, and where a batch is still wanted as it was, it goes once more
 * under its key, by which the service knows it.
 */
import { createHash } from 'node:crypto'
import { quoteLiteral, withLocalReader } from '@svc/server/catalog'
import type { PublishTarget } from '@svc/server/language'
import { readJson } from '../artifacts/read-file.ts'
import { writeWhole } from '../artifacts/write-file.ts'
import { isWithin, type Overlay, overlayOf } from './acknowledge.ts'
import type { Field, OpenDestination } from './destination.ts'
import { doubtsIn, type JournalState, keysIn, leftBehind, type PublishPlan, readState } from './journal.ts'
import { isAt } from './very-place.ts'

export interface Doubts {
  /** The publish that did not come to its end. */
  readonly runId: string
  readonly place: string
  /** How many rows it had acknowledged, and how many are in doubt. */
  readonly acknowledged: number
  readonly inDoubt: number
  /** Undefined of a publish by an older svc: then no batch counts as still wanted. */
  readonly route?: string | undefined
  readonly batches: readonly DoubtfulBatch[]
}

export interface DoubtfulBatch {
  /** The key under which it was sent. */
  readonly key: string
  /** The time with which rows that are gone were marked. */
  readonly at: string
  readonly rows: readonly DoubtfulRow[]
}

/** The letter of the operation, the hash of the key, the hash of the row. */
export type DoubtfulRow = readonly [operation: string, key: string, row: string]

/** What a look finds of an earlier publish. */
export interface Left {
  readonly doubts: Doubts
  /** What its journal says beyond the state; absent where the state has it. */
  readonly overlay?: Overlay
}

/** Settings that say how patient a publish is, who it is, or which rows there are, and nothing of what a batch looks like. */
const outside = [
  ...['name', 'credentials', 'auth', 'environments', 'limits', 'batch', 'maxChange', 'where'],
  // The place has them, with what variables say; the fields have these.
  ...['endpoint', 'resource', 'fields', 'key'],
] as const satisfies readonly (keyof PublishTarget)[]

/** Returns what decides where a batch goes and what it looks like: a batch is sent again as it was where that is the same. */
export function routeOf(target: PublishTarget, place: string, fields: readonly Field[]): string {
  const own = Object.entries(target)
    .filter(([name]) => !outside.some(each => each === name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const names = fields.map(({ name, isKey }) => [name, isKey])
  return createHash('sha256')
    .update(JSON.stringify([place, own, names]))
    .digest('hex')
}

/** Returns what is in doubt of a publish whose journal is in the state. */
export function readDoubts(folder: string): Doubts | undefined {
  return readJson<Doubts>(doubtsIn(folder))
}

/** Writes down what is in doubt by a journal, before the journal goes. */
export async function noteDoubts(folder: string, plan: PublishPlan, state: JournalState, pid: number) {
  writeWhole(doubtsIn(folder), JSON.stringify(await doubtsOf(folder, plan, state)), pid)
}

/** Returns what an earlier publish left for a destination, without touching it; undefined if it left nothing. */
export async function lookAtLeft(
  folder: string,
  destination: Pick<OpenDestination, 'place'>,
): Promise<Left | undefined> {
  const plan = leftBehind(folder)
  if (plan === undefined) {
    const doubts = readDoubts(folder)
    return doubts && { doubts }
  }
  const state = readState(folder, plan.repeats)
  const isHere = isAt(destination, plan.place)
  return { doubts: await doubtsOf(folder, plan, state), overlay: overlayOf(folder, state, isHere) }
}

async function doubtsOf(folder: string, plan: PublishPlan, state: JournalState): Promise<Doubts> {
  const { runId, place, route, at = '', repeats = [], isText } = plan
  const { counts, inDoubt } = state
  const ranges = [...inDoubt.values()]
  // A table takes rows by their keys: there a batch may have any shape the second time.
  const rows = isText ? new Map<number, DoubtfulRow>() : await rowsIn(folder, ranges)
  const before = new Map(repeats.map(each => [each.key, each.at]))
  const batches = [...inDoubt].map(([key, [from, to]]) => ({
    key,
    at: before.get(key) ?? at,
    rows: places(from, to).flatMap(row => (rows.has(row) ? [rows.get(row) as DoubtfulRow] : [])),
  }))
  return {
    ...{ runId, place, route },
    acknowledged: counts.insert + counts.update + counts.delete,
    inDoubt: ranges.reduce((sum, [from, to]) => sum + to - from, 0),
    batches: isText ? [] : batches,
  }
}

function places(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, nth) => from + nth)
}

async function rowsIn(
  folder: string,
  ranges: JournalState['taken'],
): Promise<ReadonlyMap<number, DoubtfulRow>> {
  if (ranges.length === 0) return new Map()
  const sql = `SELECT place, operation, CAST(key_hash AS VARCHAR) AS key_hash, CAST(row_hash AS VARCHAR) AS row_hash
    FROM read_parquet(${quoteLiteral(keysIn(folder))}) WHERE ${isWithin(ranges)}`
  const rows = await withLocalReader({ temporaryFolder: folder }, local => local.rows(sql))
  return new Map(
    rows.map(row => [
      Number(row['place']),
      [String(row['operation']), String(row['key_hash']), String(row['row_hash'])],
    ]),
  )
}
