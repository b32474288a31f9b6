/** Sessions of a BI program: transactions of 0.1 s and more that read views again and again, and what they waited for. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { WarehouseSession } from '../../../../cli/engine/warehouse/warehouse.ts'
import { liveGeneration, promote } from '../generations.ts'
import { greensOf, next, type Seen } from './readers.ts'

const boards = 4
const application = 'board'
const shortestMs = 100
const statements = 4
const restMs = 100
const lookMs = 5

export interface SeenByBoards extends Seen {
  /** The longest time for which one of them waited for a lock, by the server's own clock. */
  longestWaitMs: number
}

export interface BesideBoards {
  readonly session: WarehouseSession
  readonly address: string
  readonly views: number
  readonly promotions: number
  /** How long a transaction takes at most. */
  readonly longestMs: number
}

/** Promotes beside four boards. Each reads all views or some, so that some are hardly ever free. */
export async function promoteBesideBoards({ session, promotions, ...place }: BesideBoards) {
  const { address, views } = place
  const seen: SeenByBoards = { reads: 0, mixed: 0, errors: new Map(), longestWaitMs: 0 }
  const ended = { value: false }
  const working = [
    ...Array.from({ length: boards }, (_, board) => readOn({ ...place, board }, seen, ended)),
    watchWaits(address, seen, ended),
  ]
  const takenMs: number[] = []
  try {
    // They are there before the first promotion.
    while (seen.reads < boards) await pause(lookMs)
    for (let done = 0; done < promotions; done++) {
      const beganMs = performance.now()
      await promote(session, next(await liveGeneration(session), views))
      takenMs.push(performance.now() - beganMs)
    }
  } finally {
    ended.value = true
    await Promise.all(working)
  }
  return { ...seen, slowestMs: Math.max(...takenMs) }
}

type Board = Pick<BesideBoards, 'address' | 'views' | 'longestMs'> & { readonly board: number }

async function readOn(
  { address, views, longestMs, board }: Board,
  seen: SeenByBoards,
  ended: { readonly value: boolean },
): Promise<void> {
  const reader = new pg.Client({ connectionString: address, application_name: application })
  await reader.connect()
  while (!ended.value) {
    const lengthMs = shortestMs + Math.random() * (longestMs - shortestMs)
    const read = board === 0 ? views : 1 + Math.floor(Math.random() * 5)
    try {
      await reader.query('BEGIN')
      const some = someOf(views, read)
      for (let statement = 0; statement < statements && !ended.value; statement++) {
        const greens = await greensOf(reader, views, some)
        seen.reads++
        if (greens.length !== 1) seen.mixed++
        await pause((board === 0 ? shortestMs : lengthMs) / statements)
      }
      await reader.query('COMMIT')
      await pause(restMs * Math.random())
    } catch (error) {
      const what = `${(error as { code?: string }).code} ${(error as Error).message}`
      seen.errors.set(what, (seen.errors.get(what) ?? 0) + 1)
      await reader.query('ROLLBACK')
    }
  }
  await reader.end()
}

function someOf(views: number, count: number): readonly number[] {
  return Array.from({ length: views }, (_, view) => view)
    .sort(() => Math.random() - 0.5)
    .slice(0, count)
}

async function watchWaits(
  address: string,
  seen: SeenByBoards,
  ended: { readonly value: boolean },
): Promise<void> {
  const watcher = new pg.Client(address)
  await watcher.connect()
  while (!ended.value) {
    const { rows } = await watcher.query<{ ms: string | null }>(
      `SELECT max(extract(epoch FROM clock_timestamp() - l.waitstart)) * 1000 AS ms
       FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
       WHERE NOT l.granted AND a.application_name = '${application}'`,
    )
    seen.longestWaitMs = Math.max(seen.longestWaitMs, Number(rows[0]?.ms ?? 0))
    await pause(lookMs)
  }
  await watcher.end()
}
