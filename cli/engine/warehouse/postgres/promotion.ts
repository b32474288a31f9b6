/**
 * Promotion on PostgreSQL. Where nobody stands in the way, it is one transaction over views, state and the generation.
 * Where transactions of readers hold locks on views, it goes by pointer (`pointer.ts`): then no reader waits for all
 * views, and none is the victim of a deadlock.
 */
import { setTimeout } from 'node:timers/promises'
import { SvcError } from '../../errors.ts'
import { setLive } from '../../state/changes.ts'
import { stalePromotion } from '../promotion-failures.ts'
import { changeStatements, generationQuery, type StateOwner } from '../sql-state/change-statements.ts'
import type { PointerChange, Promotion } from '../warehouse.ts'
import { type Connection, inTransaction, runStatements } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { codeOf, isConflict, isLockTimeout, type ServerError } from './failures.ts'
import { grantStatements } from './grants.ts'
import { lockTimeoutMs, untilAllUnlocked } from './locks.ts'
import { letOwnersRead } from './owners.ts'
import { finishPointers, preparePointers } from './pointer.ts'
import { createSchema, dropStatements } from './relations.ts'
import {
  isReplaceable,
  readViewChanges,
  refuseForeign,
  remakeStatements,
  replaceStatements,
  type ViewChange,
} from './views.ts'

type OnConnection = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>

const quietTries = 3

/** One promotion. `owner` is the project that the generations belong to. */
interface Move {
  readonly connection: Connection
  readonly change: PointerChange
  readonly owner: StateOwner
}

export function createPromotion(on: OnConnection, owner: StateOwner): Promotion {
  return {
    prepare: change => on(connection => prepare({ connection, change, owner })),
    flip: change => on(connection => flip({ connection, change, owner })),
    settle: ({ environment }) =>
      on(async connection => void (await finishPointers(connection, { owner, environment }))),
    recover: environment => on(connection => finishPointers(connection, { owner, environment })),
  }
}

/** What an earlier promotion has left is finished first: its views would take this generation for theirs. */
async function prepare({ connection, change, owner }: Move): Promise<void> {
  await finishPointers(connection, { owner, environment: change.environment })
  const schemas = [...new Set(change.views.map(({ view }) => view.schema))]
  const { rows } = await connection.query<{ name: string }>('SELECT nspname AS name FROM pg_namespace')
  const present = new Set(rows.map(({ name }) => name))
  for (const schema of schemas) {
    if (!present.has(schema)) await createSchema(connection, schema)
  }
}

async function flip(move: Move): Promise<void> {
  try {
    for (let attempt = 0; attempt < quietTries; attempt++) {
      if (await flippedQuietly(move)) return
      await setTimeout(lockTimeoutMs * (attempt + 1) * Math.random())
    }
    await flipByPointer(move)
  } catch (error) {
    throw refusal(error, move.change) ?? error
  }
}

/** Returns false where a lock was not free. */
async function flippedQuietly(move: Move): Promise<boolean> {
  const { connection, change } = move
  try {
    await inTransaction(connection, async () => {
      await begin(move)
      await promote(move, await readViewChanges(connection, change.views))
    })
    return true
  } catch (error) {
    if (isLockTimeout(error) || isConflict(error)) return false
    throw error
  }
}

/** Lets one promotion of the environment at a time go on, and makes sure that production has not moved. */
async function begin(move: Move): Promise<void> {
  const { connection, change } = move
  await connection.query(
    `SET LOCAL lock_timeout = ${lockTimeoutMs}; SELECT pg_advisory_xact_lock(${keyOf(move)})`,
  )
  const live = await liveGeneration(move)
  if (live !== change.fromGeneration) throw stalePromotion(change, live)
}

function keyOf({ change: { environment }, owner: { project } }: Move): string {
  return `hashtextextended(${dialect.literal(JSON.stringify(['svc promotion', project, environment]))}, 0)`
}

async function liveGeneration({ connection, change, owner }: Move): Promise<number> {
  const query = generationQuery(owner, change.environment)
  const { rows } = await connection.query<{ generation: string }>(query)
  return Number(rows[0]?.generation ?? 0)
}

async function promote(move: Move, views: readonly ViewChange[]): Promise<void> {
  const { connection } = move
  await runStatements(connection, await statementsOf(move, views))
  await letOwnersRead(
    connection,
    views.map(({ wanted }) => wanted.view),
  )
}

async function statementsOf({ connection, change, owner }: Move, views: readonly ViewChange[]) {
  await refuseForeign(connection, change.drops)
  const drops = dropStatements(change.drops.map(relation => ({ relation, kind: 'view' })))
  const remade = views.filter(view => !isReplaceable(view))
  const made = [
    ...views.filter(isReplaceable).flatMap(replaceStatements),
    ...(await remakeStatements(connection, remade)),
  ]
  const grants = await grantStatements(connection, change.grants)
  const { environment, toGeneration, runId } = change
  return [
    ...drops,
    ...made,
    ...grants,
    ...changeStatements(owner, [...change.changes, ...setLive(environment, toGeneration, runId)]),
  ]
}

/**
 * Views that can be replaced look at the pointer from now on, one short transaction each. Then one transaction moves the
 * pointer and the state; it makes new views, and those whose columns change, for which alone it may have to wait.
 */
async function flipByPointer(move: Move): Promise<void> {
  const { connection, change, owner } = move
  await connection.query(`SELECT pg_advisory_lock(${keyOf(move)})`)
  try {
    const live = await liveGeneration(move)
    if (live !== change.fromGeneration) throw stalePromotion(change, live)
    const views = await readViewChanges(connection, change.views)
    const isPointed = (view: ViewChange) => view.present !== undefined && isReplaceable(view)
    const { environment, toGeneration: generation } = change
    const place = { owner, environment, generation }
    await preparePointers(connection, place, views.filter(isPointed))
    const others = views.filter(view => !isPointed(view))
    await untilAllUnlocked(async () => {
      await inTransaction(connection, async () => {
        await begin(move)
        await promote(move, others)
      })
    })
  } catch (error) {
    await finishPointers(connection, { owner, environment: change.environment })
    throw error
  } finally {
    await connection.query(`SELECT pg_advisory_unlock(${keyOf(move)})`).catch(() => undefined)
  }
}

/** Something needs what goes; or its columns, functions and operators are not there for the new types. */
const isOfDependants = /^(2BP01|42703|42883|42804|42P13)$/

function refusal(error: unknown, change: PointerChange): SvcError | undefined {
  if (isLockTimeout(error) || isConflict(error)) {
    return new SvcError(
      'promotion-stale',
      `views of ${change.environment} are locked by other transactions`,
      {
        hint: 'Nothing was changed. Look at pg_stat_activity for transactions that stay open, and run again.',
        cause: error,
      },
    )
  }
  if (!isOfDependants.test(codeOf(error))) return undefined
  const { message, detail } = (error instanceof SvcError ? error.cause : error) as ServerError
  return new SvcError(
    'foreign-object',
    `a view of others needs what the promotion takes away: ${detail ?? message}`,
    {
      hint: 'Change or drop that view first; production is unchanged.',
      cause: error,
    },
  )
}
