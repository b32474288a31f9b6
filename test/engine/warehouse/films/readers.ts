/** Readers of production in transactions, who count what they should never see. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { PointerChange } from '../../../../cli/engine/warehouse/warehouse.ts'
import { change } from '../generations.ts'

/** A reader that pauses this long keeps its transaction open for long, and rests between them. */
const longMs = 100
const restMs = 2_000

export interface Seen {
  reads: number
  mixed: number
  readonly errors: Map<string, number>
}

export interface Reading {
  /** Ends the readers and tells what they saw. */
  stop(): Promise<Seen>
}

/** The promotion after `from`, of the first views only. */
export function next(from: number, views: number): PointerChange {
  const whole = change(from)
  return { ...whole, views: whole.views.slice(0, views) }
}

/** Starts a reader for each pause, which it makes between two of the four statements of a transaction. */
export function startReaders(address: string, views: number, pauses: readonly number[]): Reading {
  const seen: Seen = { reads: 0, mixed: 0, errors: new Map() }
  const isDone = { value: false }
  const readers = pauses.map(pauseMs => read({ address, views, pauseMs }, seen, isDone))
  return {
    async stop() {
      isDone.value = true
      await Promise.all(readers)
      return seen
    },
  }
}

async function read(
  { address, views, pauseMs }: { readonly address: string; readonly views: number; readonly pauseMs: number },
  seen: Seen,
  isDone: { readonly value: boolean },
): Promise<void> {
  const reader = new pg.Client(address)
  await reader.connect()
  while (!isDone.value) {
    try {
      await reader.query('BEGIN')
      for (let statement = 0; statement < 4; statement++) {
        const greens = await greensOf(reader, views)
        seen.reads++
        if (greens.length !== 1) seen.mixed++
        await pause(pauseMs)
      }
      await reader.query('COMMIT')
      if (pauseMs >= longMs) await pause(restMs)
    } catch (error) {
      const what = `${(error as { code?: string }).code} ${(error as Error).message}`
      seen.errors.set(what, (seen.errors.get(what) ?? 0) + 1)
      await reader.query('ROLLBACK')
    }
  }
  await reader.end()
}

/** The generations that views show in one statement, in another order each time. */
export async function greensOf(
  reader: pg.Client,
  views: number,
  some?: readonly number[],
): Promise<readonly string[]> {
  const all = next(0, views).views
  const parts = (some?.flatMap(index => all[index] ?? []) ?? all)
    .map(({ view }) => `SELECT green FROM analytics.${view.name}`)
    .sort(() => Math.random() - 0.5)
  const { rows } = await reader.query<{ green: string }>(
    `SELECT DISTINCT green FROM (${parts.join(' UNION ALL ')}) AS seen`,
  )
  return rows.map(({ green }) => green)
}

export function errorsOf({ errors }: Seen): string {
  return errors.size === 0 ? 'no error' : [...errors].map(([what, count]) => `${count} x ${what}`).join('; ')
}
