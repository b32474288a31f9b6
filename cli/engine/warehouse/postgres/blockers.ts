/** Sessions whose transactions hold locks on production views: who they are, and how those are ended that do nothing. */
import type { PromotionPatience } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import type { PromotionWarning, Relation } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { codeOf } from './failures.ts'
import { isAmong, nameOf } from './relations.ts'

/** A session that holds a view. */
export interface Blocker {
  /** `schema.name` */
  readonly view: string
  /** Null for a transaction that is prepared to be committed, and has no session. */
  readonly pid: number | null
  readonly role: string | null
  readonly application: string | null
  /** When its transaction began, by the clock of the server; null where the role may not see it. */
  readonly since: string | null
  /** Whether it does nothing in its transaction; null where the role may not see it. */
  readonly isIdle: boolean | null
}

/** Such a session may be between two statements of a program. */
const idleSeconds = 1
const shownMost = 3

export async function readBlockers(
  connection: Connection,
  views: readonly Relation[],
): Promise<readonly Blocker[]> {
  if (views.length === 0) return []
  const { rows } = await connection.query<Blocker>(
    `SELECT DISTINCT n.nspname || '.' || c.relname AS view, l.pid, a.usename AS role, a.application_name AS application,
       to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since, ${idleSql} AS "isIdle"
     FROM pg_locks AS l
       JOIN pg_class AS c ON c.oid = l.relation JOIN pg_namespace AS n ON n.oid = c.relnamespace
       LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
     WHERE l.locktype = 'relation' AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND ${isAmong(views)}
     ORDER BY since, pid, view`,
  )
  return rows
}

const idleSql = `(a.state LIKE 'idle in transaction%'
  AND a.state_change < clock_timestamp() - interval '${idleSeconds} second')`

/** Ends the sessions that hold one of the views and do nothing, as far as the role may. Returns those that were ended. */
export async function endIdle(
  connection: Connection,
  views: readonly Relation[],
): Promise<readonly Blocker[]> {
  const ended: Blocker[] = []
  const blockers = await readBlockers(connection, views)
  for (const pid of new Set(blockers.map(blocker => blocker.pid))) {
    // The number may be that of another session by now, or it may be at work again.
    const sql = `SELECT pg_terminate_backend(a.pid) AS ended FROM pg_stat_activity AS a WHERE a.pid = ${Number(pid)} AND ${idleSql}`
    const { rows } = await connection.query<{ ended: boolean }>(sql).catch(nothingIfDenied)
    if (rows[0]?.ended === true) ended.push(...blockers.filter(blocker => blocker.pid === pid).slice(0, 1))
  }
  return ended
}

function nothingIfDenied(error: unknown): { readonly rows: readonly never[] } {
  if (codeOf(error) === '42501') return { rows: [] }
  throw error
}

export function endedWarning(ended: readonly Blocker[]): PromotionWarning {
  const sessions = ended.length === 1 ? 'a session' : `${ended.length} sessions`
  return {
    code: 'ended-sessions',
    message: `the promotion ended ${sessions} that did nothing in an open transaction and held a view: ${listOf(ended)}`,
    count: ended.length,
    hint: 'What they had not committed is undone. Let that program end its transactions, or set idle_in_transaction_session_timeout for its role.',
  }
}

export function unsettledWarning(error: SvcError): PromotionWarning {
  return {
    code: 'unsettled-views',
    message: `production is new, and some views cannot be made simple yet: ${error.message}`,
    hint: 'They show the new rows; columns that are new to them follow with the next run.',
  }
}

interface GivenUp extends PromotionPatience {
  readonly ended: readonly Blocker[]
}

/** Returns the error for views that did not get free: who holds them, and what helps. */
export async function blockedError(
  connection: Connection,
  views: readonly Relation[],
  { blockers: act, waitMs, ended }: GivenUp,
): Promise<SvcError> {
  const blockers = await readBlockers(connection, views)
  const held = new Set(blockers.map(({ view }) => view))
  const names = held.size > 0 ? [...held] : views.map(nameOf)
  const more = names.length > 1 ? ` and ${names.length - 1} more` : ''
  const holders = onePerSession(blockers)
  const by = holders.length === 0 ? 'transactions that come and go' : listOf(holders)
  const after = `after ${waitMs / 1000} s`
  const gone = ended.length === 0 ? '' : `; ended for it: ${listOf(ended)}`
  return new SvcError('promotion-stale', `${names[0]}${more} is still locked ${after}, by ${by}${gone}`, {
    hint: await hintFor(connection, holders, act),
    facts: { views: names, sessions: holders.flatMap(({ pid }) => (pid === null ? [] : String(pid))) },
  })
}

async function hintFor(
  connection: Connection,
  holders: readonly Blocker[],
  act: PromotionPatience['blockers'],
): Promise<string> {
  const [first] = holders
  if (first === undefined)
    return 'Production is as it was. Run again, or raise promotion.wait of the environment.'
  const pid = first.pid
  if (pid === null)
    return 'Production is as it was. Commit what is in pg_prepared_xacts or roll it back, and run again.'
  const { rows } = await connection.query<{ statement: string }>(
    `SELECT format('GRANT pg_signal_backend, pg_read_all_stats TO %I;', current_user) AS statement
     WHERE NOT (pg_has_role('pg_signal_backend', 'USAGE') AND pg_has_role('pg_read_all_stats', 'USAGE'))`,
  )
  const end = `End it (SELECT pg_terminate_backend(${pid});) and run again`
  if (act === 'wait')
    return `Production is as it was. ${end}, or write promotion: {blockers: cancel} for the environment, which ends sessions that do nothing.`
  const [missing] = rows
  return missing === undefined
    ? `Production is as it was. ${end}: promotion.blockers ends sessions that do nothing, and no others.`
    : `Production is as it was. ${end}. The role may not end sessions of all roles: ${missing.statement}`
}

function listOf(blockers: readonly Blocker[]): string {
  const shown = blockers.slice(0, shownMost).map(textOf)
  return [...shown, ...(blockers.length > shownMost ? [`${blockers.length - shownMost} more`] : [])].join(
    '; ',
  )
}

function textOf({ pid, role, application, since, isIdle }: Blocker): string {
  if (pid === null) return 'a prepared transaction'
  const doing =
    isIdle === null ? 'in a transaction' : isIdle ? 'idle in a transaction' : 'at work in a transaction'
  const program =
    application === null || application === '' ? '' : `, application ${dialect.literal(application)}`
  return `process ${pid} of role ${role ?? 'unknown'}${program}, ${doing}${since === null ? '' : ` since ${since}`}`
}

function onePerSession(blockers: readonly Blocker[]): readonly Blocker[] {
  return [...new Map(blockers.map(blocker => [blocker.pid, blocker])).values()]
}
