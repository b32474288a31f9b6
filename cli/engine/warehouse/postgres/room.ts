/**
 * How many locks the server has room for, and whether a promotion fits, which is one transaction: locks lie in a table that all
 * sessions share, and whose size is a setting of the server.
 */
import { SvcError } from '../../errors.ts'
import type { Connection } from './connections.ts'
import { codeOf } from './failures.ts'

/** A view, and what it reads. */
const locksOfView = 2

/** All sessions together may have so many locks, of which some may have more than their part. */
export interface LockRoom {
  /** The setting: how many a session has. */
  readonly each: number
  readonly sessions: number
}

/** Returns what the settings of the server promise; it keeps some more besides. */
export async function lockRoom(connection: Connection): Promise<LockRoom> {
  const { rows } = await connection.query<{ each: number; sessions: number }>(
    `SELECT current_setting('max_locks_per_transaction')::integer AS each,
      current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer AS sessions`,
  )
  const [found] = rows
  if (found === undefined) throw new Error('the settings of a server have an answer')
  return found
}

/**
 * Returns whether one transaction can change so many views. What the settings promise is less than what a server has, so many
 * locks are tried: locks of numbers take the same room as those of relations.
 */
export async function hasRoom(connection: Connection, views: number): Promise<boolean> {
  const needed = views * locksOfView
  const { each, sessions } = await lockRoom(connection)
  return needed * 2 <= each * sessions || (await fits(connection, needed))
}

/** Throws SvcError `warehouse-failed` if one transaction cannot give so many views other columns. */
export async function requireRoom(connection: Connection, views: number): Promise<void> {
  if (await hasRoom(connection, views)) return
  const { each, sessions } = await lockRoom(connection)
  const enough = 2 ** Math.ceil(Math.log2(Math.max(each * 2, (views * locksOfView) / sessions)))
  throw new SvcError(
    'warehouse-failed',
    `the server has no room for the locks of a promotion that gives ${views} views other columns (max_locks_per_transaction is ${each})`,
    {
      hint: `Set max_locks_per_transaction = ${enough} in the server and restart it, or promote parts of the project with selectors.`,
    },
  )
}

async function fits(connection: Connection, locks: number): Promise<boolean> {
  await connection.query('BEGIN')
  try {
    await connection.query(
      `SELECT count(pg_try_advisory_xact_lock_shared(hashtext('svc room'), i)) FROM generate_series(1, ${locks}) AS i`,
    )
    return true
  } catch (error) {
    if (codeOf(error) !== '53200') throw error
    return false
  } finally {
    await connection.query('ROLLBACK')
  }
}
