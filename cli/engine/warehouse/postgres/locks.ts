/** Statements that need locks of views, which transactions of readers may hold. */
import { setTimeout } from 'node:timers/promises'
import { groupBy, type PromotionPatience } from '@svc/server/language'
import type { Relation } from '../warehouse.ts'
import { type Blocker, blockedError, endIdle, readBlockers } from './blockers.ts'
import { type Connection, inTransaction } from './connections.ts'
import { isConflict, isLockTimeout, isWithoutRoom } from './failures.ts'
import { nameOf } from './relations.ts'

/**
 * How long the locks of one try are waited for in all, and how long after its begin it takes further views: who waits for a lock
 * makes all later readers wait behind, and a view that it has is locked until it ends.
 */
export const tryMs = 100
/** What such a view is waited for. */
const besideMs = 2
/** So many works are looked at for a try, which has time for fewer. */
const lookedAt = 300
/** Readers that waited behind a try get all the locks of their statements before the next one. */
const pauseMs = 30
/** To look whose turn it is makes nobody wait. A try that waits does, so that these come less and less often. */
const longestGapMs = 500
/** What the last try of a promotion that would give up otherwise waits for transactions that are at work. */
const lastTryMs = 2_000
/** A session that was ended frees its locks within moments. */
const endingMs = 5_000

/** What can be done once the locks of some views are free. */
export interface LockedWork {
  readonly views: readonly Relation[]
  /** In an open transaction. Waits for locks for at most `limitMs` in all, and then fails with what `isLockTimeout` knows. */
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
  return blockers.length === 0 && (await doneTogether(connection, [work], tryMs)).length > 0
}

export interface Waiting extends PromotionPatience {
  /** Hears of sessions as soon as they are ended: what comes after that may fail. */
  readonly onEnded: (ended: readonly Blocker[]) => void
}

/**
 * Does all of it, in the order in which the views are free. Readers wait for one short try at a time. Throws SvcError
 * `promotion-stale`, which names those that are in the way, when the patience is at its end.
 */
export async function doWhenFree(
  connection: Connection,
  works: readonly LockedWork[],
  { blockers, waitMs, onEnded }: Waiting,
): Promise<void> {
  let left = await tryFor(connection, works, waitMs)
  const ended = left.length > 0 && blockers === 'cancel' ? await endIdle(connection, viewsOf(left)) : []
  if (ended.length > 0) {
    onEnded(ended)
    left = await tryFor(connection, left, endingMs)
  }
  left = await tryOnceMore(connection, left)
  if (left.length > 0) throw await blockedError(connection, viewsOf(left), { blockers, waitMs, ended })
}

/** Returns what could not be done in that time. */
async function tryFor(
  connection: Connection,
  works: readonly LockedWork[],
  waitMs: number,
): Promise<readonly LockedWork[]> {
  const endMs = performance.now() + waitMs
  let left = works
  let waitAtMs = 0
  let gapMs = tryMs
  for (;;) {
    const { free, busy, idle } = await sorted(connection, left.slice(0, lookedAt))
    const waits = busy.length > 0 && performance.now() >= waitAtMs
    // While readers queue behind the one that is waited for, others are free that hardly ever are.
    const tried = waits ? [...busy, ...free] : free
    const done = new Set(await doneTogether(connection, tried, tryMs))
    if (waits) {
      const isInVain = done.size === 0
      waitAtMs = performance.now() + (isInVain ? gapMs : 0)
      gapMs = isInVain ? Math.min(gapMs * 2, longestGapMs) : tryMs
    }
    // One that was tried in vain comes last.
    const [first, ...others] = [...(waits ? tried : [...free, ...busy]), ...idle].filter(
      work => !done.has(work),
    )
    left = [...left.slice(lookedAt), ...others, ...(first === undefined ? [] : [first])]
    if (left.length === 0) return []
    // Thousands of views that are free take longer than readers may be waited for.
    if (done.size === 0 && performance.now() >= endMs) return left
    await setTimeout(pauseMs)
  }
}

/** A transaction that does nothing is not waited for. Returns what is left, where one try was in vain. */
async function tryOnceMore(
  connection: Connection,
  works: readonly LockedWork[],
): Promise<readonly LockedWork[]> {
  const { idle } = await sorted(connection, works)
  if (idle.length > 0) return works
  for (const [index, work] of works.entries()) {
    if ((await doneTogether(connection, [work], lastTryMs)).length === 0) return works.slice(index)
    await setTimeout(pauseMs)
  }
  return []
}

/**
 * One try is one transaction: its first work waits for locks, and the others go with it as far as their views are free in
 * those moments. Returns what is done: nothing, if the first one is not.
 */
async function doneTogether(
  connection: Connection,
  [first, ...others]: readonly LockedWork[],
  limitMs: number,
): Promise<readonly LockedWork[]> {
  if (first === undefined) return []
  const endMs = performance.now() + tryMs
  try {
    return await inTransaction(connection, async () => {
      await first.attempt(limitMs)
      const done = [first]
      let costMs = 0
      for (const work of others) {
        const beganMs = performance.now()
        if (beganMs + costMs > endMs) break
        const ended = await tryBeside(connection, work)
        if (ended === 'done') done.push(work)
        // The transaction holds as many locks as the server has room for: what is left is for the next one.
        if (ended === 'without room') break
        costMs = performance.now() - beganMs
      }
      return done
    })
  } catch (error) {
    if (isLockTimeout(error) || isConflict(error)) return []
    throw error
  }
}

async function tryBeside(
  connection: Connection,
  work: LockedWork,
): Promise<'done' | 'blocked' | 'without room'> {
  await connection.query('SAVEPOINT svc_beside')
  try {
    await work.attempt(besideMs)
    await connection.query('RELEASE SAVEPOINT svc_beside')
    return 'done'
  } catch (error) {
    const isBlocked = isLockTimeout(error)
    if (!isBlocked && !isWithoutRoom(error)) throw error
    await connection.query('ROLLBACK TO SAVEPOINT svc_beside')
    return isBlocked ? 'blocked' : 'without room'
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
  const byView = groupBy(blockers, ({ view }) => view)
  const held = works.map(work => ({
    work,
    by: work.views.flatMap(view => byView.get(nameOf(view)) ?? []),
  }))
  const isStuck = ({ by }: { readonly by: readonly Blocker[] }) =>
    by.some(({ isIdle, pid }) => isIdle === true || pid === null)
  const busy = held.filter(each => each.by.length > 0 && !isStuck(each))
  return {
    free: held.filter(({ by }) => by.length === 0).map(({ work }) => work),
    // The fewer there are, the sooner all of them have ended.
    busy: busy.toSorted((a, b) => a.by.length - b.by.length).map(({ work }) => work),
    idle: held.filter(isStuck).map(({ work }) => work),
  }
}

function viewsOf(works: readonly LockedWork[]): readonly Relation[] {
  return works.flatMap(({ views }) => views)
}
