/** Statements that need locks of views, which transactions of readers may hold. */
import { setTimeout } from 'node:timers/promises'
import type { PromotionPatience } from '@svc/server/language'
import type { Relation } from '../warehouse.ts'
import { type Blocker, blockedError, endIdle, readBlockers } from './blockers.ts'
import type { Connection } from './connections.ts'
import { isConflict, isLockTimeout } from './failures.ts'
import { nameOf } from './relations.ts'

/** How long the locks of one try are waited for in all: who waits for a lock makes all later readers wait behind. */
export const tryMs = 100
/** Readers that waited behind a try get all the locks of their statements before the next one. */
const pauseMs = 30
/** To look whose turn it is makes nobody wait. A try that waits does, so that these come less and less often. */
const longestGapMs = 2_000
/** What the last try of a promotion that would give up otherwise waits for transactions that are at work. */
const lastTryMs = 2_000
/** A session that was ended frees its locks within moments. */
const endingMs = 5_000

/** What can be done once the locks of some views are free. */
export interface LockedWork {
  readonly views: readonly Relation[]
  /** Waits for locks for at most `limitMs` in all, and then fails with what `isLockTimeout` knows. */
  attempt(limitMs: number): Promise<void>
}

/** Returns statements of one transaction so that they wait for locks for at most `limitMs` in all. */
export function waitingAtMost(limitMs: number, statements: readonly string[]): string[] {
  const now = 'extract(epoch FROM clock_timestamp()) * 1000'
  const rest = `greatest(1, current_setting('svc.waits_until')::numeric - ${now})::integer`
  return [
    `SELECT set_config('svc.waits_until', (${now} + ${limitMs})::text, true)`,
    ...statements.flatMap(statement => [`SELECT set_config('lock_timeout', ${rest}::text, true)`, statement]),
  ]
}

/** Tries work whose views are all free, at once. Returns whether it is done. */
export async function doneIfFree(connection: Connection, work: LockedWork): Promise<boolean> {
  const blockers = await readBlockers(connection, work.views)
  return blockers.length === 0 && (await isDone(work, tryMs))
}

/**
 * Does all of it, in the order in which the views are free. Readers wait for one short try at a time. Returns the sessions that
 * were ended. Throws SvcError `promotion-stale`, which names those that are in the way, when the patience is at its end.
 */
export async function doWhenFree(
  connection: Connection,
  works: readonly LockedWork[],
  { blockers, waitMs }: PromotionPatience,
): Promise<readonly Blocker[]> {
  let left = await tryFor(connection, works, waitMs)
  const ended = left.length > 0 && blockers === 'cancel' ? await endIdle(connection, viewsOf(left)) : []
  if (ended.length > 0) left = await tryFor(connection, left, endingMs)
  left = await tryOnceMore(connection, left)
  if (left.length > 0) throw await blockedError(connection, viewsOf(left), { blockers, waitMs, ended })
  return ended
}

/** Returns what could not be done in that time. */
async function tryFor(
  connection: Connection,
  works: readonly LockedWork[],
  waitMs: number,
): Promise<readonly LockedWork[]> {
  const endMs = performance.now() + waitMs
  const turn = { atMs: 0, gapMs: tryMs }
  let left = works
  for (;;) {
    const { free, busy, idle } = await sorted(connection, left)
    left = [...idle, ...busy, ...(await doneAmong(free))]
    const [next] = busy
    if (next !== undefined && performance.now() >= turn.atMs && (await waitedFor(next, turn)))
      left = left.filter(work => work !== next)
    if (left.length === 0 || performance.now() >= endMs) return left
    // The one that was waited for in vain comes last.
    left = [...left.filter(work => work !== next), ...left.filter(work => work === next)]
    await setTimeout(pauseMs)
  }
}

/** Among transactions that always overlap only a try that waits gets its turn. Returns whether it did. */
async function waitedFor(work: LockedWork, turn: { atMs: number; gapMs: number }): Promise<boolean> {
  const done = await isDone(work, tryMs)
  turn.atMs = performance.now() + (done ? 0 : turn.gapMs)
  turn.gapMs = done ? tryMs : Math.min(turn.gapMs * 2, longestGapMs)
  return done
}

/** Returns what is not done. */
async function doneAmong(works: readonly LockedWork[]): Promise<LockedWork[]> {
  const failed: LockedWork[] = []
  for (const work of works) {
    if (await isDone(work, tryMs)) continue
    failed.push(work)
    await setTimeout(pauseMs)
  }
  return failed
}

/** A transaction that does nothing is not waited for. Returns what is left, where one try was in vain. */
async function tryOnceMore(
  connection: Connection,
  works: readonly LockedWork[],
): Promise<readonly LockedWork[]> {
  const { idle } = await sorted(connection, works)
  if (idle.length > 0) return works
  for (const [index, work] of works.entries()) {
    if (!(await isDone(work, lastTryMs))) return works.slice(index)
    await setTimeout(pauseMs)
  }
  return []
}

async function isDone(work: LockedWork, limitMs: number): Promise<boolean> {
  try {
    await work.attempt(limitMs)
    return true
  } catch (error) {
    if (isLockTimeout(error) || isConflict(error)) return false
    throw error
  }
}

interface Sorted {
  readonly free: readonly LockedWork[]
  /** What transactions hold that are at work, as far as the role may see it. */
  readonly busy: readonly LockedWork[]
  /** What a transaction holds that does nothing: who waits for it keeps readers waiting for nothing. */
  readonly idle: readonly LockedWork[]
}

async function sorted(connection: Connection, works: readonly LockedWork[]): Promise<Sorted> {
  const blockers = await readBlockers(connection, viewsOf(works))
  const held = new Set(blockers.map(({ view }) => view))
  const stuck = new Set(
    blockers.filter(({ isIdle, pid }) => isIdle === true || pid === null).map(({ view }) => view),
  )
  const has = (names: ReadonlySet<string>, { views }: LockedWork) =>
    views.some(view => names.has(nameOf(view)))
  return {
    free: works.filter(work => !has(held, work)),
    busy: works.filter(work => has(held, work) && !has(stuck, work)),
    idle: works.filter(work => has(stuck, work)),
  }
}

function viewsOf(works: readonly LockedWork[]): readonly Relation[] {
  return works.flatMap(({ views }) => views)
}
