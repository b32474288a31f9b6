/**
 * Promotion on PostgreSQL. Where nobody stands in the way, it is one transaction over views, state and the generation.
 * Where transactions of readers hold locks on views, it goes by pointer (`pointer.ts`): then no reader waits for all
 * views, and none is the victim of a deadlock. So it does in parts where the server has no room for the locks of one transaction.
 */
import { setTimeout } from 'node:timers/promises'
import type { PromotionPatience } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { setLive } from '../../state/changes.ts'
import { stalePromotion } from '../promotion-failures.ts'
import { changeStatements, generationQuery, type StateOwner } from '../sql-state/change-statements.ts'
import type { PointerChange, Promotion, Relation, TellPromotion } from '../warehouse.ts'
import { endedWarning, unsettledWarning } from './blockers.ts'
import { type Connection, runStatements } from './connections.ts'
import { dependantsOf, viewsInUse } from './dependants.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { codeOf, type ServerError } from './failures.ts'
import { grantStatements } from './grants.ts'
import { doneIfFree, doWhenFree, tryMs, type Waiting, waitingAtMost } from './locks.ts'
import { letOwnersRead } from './owners.ts'
import { finishPointers, preparePointers } from './pointer.ts'
import { createSchema, dropStatements } from './relations.ts'
import { hasRoom, requireRoom } from './room.ts'
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
/** Another promotion of the environment is waited for so long before the next try; it makes no reader wait. */
const turnMs = 250
/** What is left half done after a failure is tidied up by the next command, where readers hold it for longer. */
const undoingMs = 10_000

/** One promotion. `owner` is the project that the generations belong to. */
interface Move {
  readonly connection: Connection
  readonly change: PointerChange
  readonly owner: StateOwner
  readonly patience: Waiting
  /** Views that are new or go do so in transactions of their own, as the server has no room for all of them in one. */
  readonly inParts?: boolean
}

interface PromotionParts {
  /** The project that the generations belong to. */
  readonly owner: StateOwner
  readonly patience: PromotionPatience
}

export function createPromotion(on: OnConnection, { owner, patience }: PromotionParts): Promotion {
  const telling = (tell: TellPromotion): Waiting => ({
    ...patience,
    onEnded: ended => tell(endedWarning(ended)),
  })
  const finish = (environment: string, tell: TellPromotion) =>
    on(connection => finishPointers(connection, { owner, environment, patience: telling(tell) }))
  return {
    async prepare(change, tell) {
      // Its views would take this generation for theirs.
      await finish(change.environment, tell)
      await on(connection => createSchemas(connection, change))
    },
    flip: (change, tell) => on(connection => flip({ connection, change, owner, patience: telling(tell) })),
    async settle({ environment }, tell) {
      try {
        await finish(environment, tell)
      } catch (error) {
        // Production is new by now: a reader that stays keeps the rest from its end, and takes nothing back.
        if (!(error instanceof SvcError) || error.code !== 'promotion-stale') throw error
        tell(unsettledWarning(error))
      }
    },
    recover: finish,
  }
}

async function createSchemas(connection: Connection, change: PointerChange): Promise<void> {
  const schemas = [...new Set(change.views.map(({ view }) => view.schema))]
  const { rows } = await connection.query<{ name: string }>('SELECT nspname AS name FROM pg_namespace')
  const present = new Set(rows.map(({ name }) => name))
  for (const schema of schemas) {
    if (!present.has(schema)) await createSchema(connection, schema)
  }
}

async function flip(move: Move): Promise<void> {
  const { connection, change } = move
  const whole = {
    views: [...change.views.map(({ view }) => view), ...change.drops],
    attempt: async (limitMs: number) => {
      await begin(move)
      await promote(move, await readViewChanges(connection, change.views), limitMs)
    },
  }
  try {
    const fits = await hasRoom(connection, whole.views.length)
    for (let attempt = 0; fits && attempt < quietTries; attempt++) {
      if (await doneIfFree(connection, whole)) return
      await setTimeout(tryMs * (attempt + 1) * Math.random())
    }
    await flipByPointer(move, !fits)
  } catch (error) {
    throw refusal(error) ?? error
  }
}

/** Lets one promotion of the environment at a time go on, and makes sure that production has not moved. */
async function begin(move: Move): Promise<void> {
  const { connection, change } = move
  await connection.query(`SET LOCAL lock_timeout = ${turnMs}; SELECT pg_advisory_xact_lock(${keyOf(move)})`)
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

async function promote(move: Move, views: readonly ViewChange[], limitMs: number): Promise<void> {
  const { connection } = move
  await runStatements(connection, waitingAtMost(limitMs, await statementsOf(move, views)))
  await letOwnersRead(
    connection,
    views.map(({ wanted }) => wanted.view),
  )
}

async function statementsOf({ connection, change, owner, inParts }: Move, views: readonly ViewChange[]) {
  await refuseForeign(connection, change.drops)
  // In parts they go when the rest is settled.
  const gone = inParts === true ? [] : change.drops
  const drops = dropStatements(gone.map(relation => ({ relation, kind: 'view' })))
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
 * pointer and the state; it makes new views, and those whose columns change, for which alone it may have to wait. In parts the
 * new ones are there before and have no rows, and those that go are there afterwards and have none.
 */
async function flipByPointer(parted: Move, inParts: boolean): Promise<void> {
  const move = { ...parted, inParts }
  const { connection, change, owner, patience } = move
  await connection.query(`SELECT pg_advisory_lock(${keyOf(move)})`)
  try {
    const live = await liveGeneration(move)
    if (live !== change.fromGeneration) throw stalePromotion(change, live)
    const views = await readViewChanges(connection, change.views)
    const isPointed = (view: ViewChange) => (inParts || view.present !== undefined) && isReplaceable(view)
    const others = views.filter(view => !isPointed(view))
    if (inParts) await requireParts(move, others)
    const { environment, toGeneration: generation } = change
    const place = { owner, environment, generation, patience }
    const drops = inParts ? change.drops : []
    await preparePointers(connection, place, { changed: views.filter(isPointed), drops })
    const moving = {
      views: [...(await lockedBy(connection, others)), ...(inParts ? [] : change.drops)],
      attempt: async (limitMs: number) => {
        await begin(move)
        await promote(move, others, limitMs)
      },
    }
    await doWhenFree(connection, [moving], patience)
  } catch (error) {
    await undoPointers(move)
    throw error
  } finally {
    await connection.query(`SELECT pg_advisory_unlock(${keyOf(move)})`).catch(() => undefined)
  }
}

/** Throws where production would be new by the time at which somebody finds out that the rest cannot be done. */
async function requireParts({ connection, change }: Move, remade: readonly ViewChange[]): Promise<void> {
  await requireRoom(connection, remade.length)
  await refuseForeign(connection, change.drops)
  const [used] = await viewsInUse(connection, change.drops)
  if (used === undefined) return
  const reader = (await dependantsOf(connection, [used])).find(({ isRoot }) => !isRoot)
  if (reader !== undefined) throw neededByReader(reader.what)
}

/** Returns views that are made anew, with what hangs on them. */
async function lockedBy(
  connection: Connection,
  changes: readonly ViewChange[],
): Promise<readonly Relation[]> {
  const remade = changes.flatMap(({ wanted, present }) => (present === undefined ? [] : [wanted.view]))
  return [...remade, ...(await dependantsOf(connection, remade)).filter(({ kind }) => kind === 'view')]
}

/** The failure counts, and not what stands in the way of its undoing: views that are left show the old rows. */
async function undoPointers({ connection, change, owner, patience }: Move): Promise<void> {
  const undoing = { ...patience, blockers: 'wait', waitMs: Math.min(patience.waitMs, undoingMs) } as const
  const place = { owner, environment: change.environment, patience: undoing }
  await finishPointers(connection, place).catch(() => undefined)
}

/** Something needs what goes; or its columns, functions and operators are not there for the new types. */
const isOfDependants = /^(2BP01|42703|42883|42804|42P13)$/

function refusal(error: unknown): SvcError | undefined {
  if (!isOfDependants.test(codeOf(error))) return undefined
  const { message, detail } = (error instanceof SvcError ? error.cause : error) as ServerError
  return neededByReader(detail ?? message, error)
}

function neededByReader(what: string, cause?: unknown): SvcError {
  return new SvcError('foreign-object', `a view of others needs what the promotion takes away: ${what}`, {
    hint: 'Change or drop that view first; production is unchanged.',
    cause,
  })
}
