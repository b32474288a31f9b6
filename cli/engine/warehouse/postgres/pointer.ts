/**
 * Views that look at a pointer. While a view is prepared it has both queries, the one of before and the one of after a
 * generation, and returns the rows of one of them: which one, `svc_live` says at the moment of the reading. What is
 * prepared is written down beside it, so that a later process settles or undoes it. The engine reads only one branch.
 */
import { internalName } from '@svc/server/language'
import { generationQuery, ownCondition, type StateOwner } from '../sql-state/change-statements.ts'
import { afterConflicts, type Connection, inTransaction } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { untilUnlocked } from './locks.ts'
import { letOwnersRead, ownedByOthers } from './owners.ts'
import { replaceStatements, type ViewChange, viewQuery } from './views.ts'

const { identifier, literal } = dialect
const table = dialect.relation({ schema: 'svc', name: 'svc_pointed_views' })
const lockTimeout = (timeoutMs: number) => `SET LOCAL lock_timeout = ${timeoutMs}`

const createTable = `CREATE TABLE IF NOT EXISTS ${table}
  (project text, environment text, generation bigint, view text, settled text, undone text, PRIMARY KEY (project, environment, view))`

interface PointerPlace {
  readonly owner: StateOwner
  readonly environment: string
}

export async function preparePointers(
  connection: Connection,
  place: PointerPlace & { readonly generation: number },
  views: readonly ViewChange[],
): Promise<void> {
  await afterConflicts(() => connection.query(createTable))
  const ofOthers = new Set(
    await ownedByOthers(
      connection,
      views.map(({ wanted }) => wanted),
    ),
  )
  for (const view of views) {
    const name = dialect.relation(view.wanted.view)
    await untilUnlocked(timeoutMs =>
      inTransaction(connection, async () => {
        const before = await definitionOf(connection, name)
        const values = [
          ...[place.owner.project, place.environment].map(literal),
          String(place.generation),
          ...[name, replaceStatements(view).join(';\n'), replaceBy(name, before)].map(literal),
        ]
        await connection.query(
          [
            lockTimeout(timeoutMs),
            replaceBy(name, pointedQuery(view, before, place)),
            `INSERT INTO ${table} VALUES (${values.join(', ')})`,
          ].join(';\n'),
        )
        if (ofOthers.has(view.wanted)) await letOwnersRead(connection, [view.wanted.view])
      }),
    )
  }
}

async function definitionOf(connection: Connection, name: string): Promise<string> {
  const { rows } = await connection.query<{ query: string }>(
    `SELECT pg_get_viewdef(${literal(name)}::regclass) AS query`,
  )
  return (rows[0]?.query ?? '').replace(/;\s*$/, '')
}

function replaceBy(name: string, query: string): string {
  return `CREATE OR REPLACE VIEW ${name} AS ${query}`
}

/** New columns are shown when the view is settled: until then it has those that it had. */
function pointedQuery(
  { wanted, present = [] }: ViewChange,
  before: string,
  { owner, environment, generation }: PointerPlace & { readonly generation: number },
): string {
  const columns = present.map(({ name }) => identifier(name)).join(', ')
  const live = liveSql({ owner, environment })
  return `SELECT ${columns} FROM (${before}) AS ${internalName('before')} WHERE ${live} < ${generation}
    UNION ALL SELECT ${columns} FROM (${viewQuery(wanted)}) AS ${internalName('after')} WHERE ${live} >= ${generation}`
}

/** SQL of the generation that is live. */
function liveSql({ owner, environment }: PointerPlace): string {
  return `coalesce((${generationQuery(owner, environment)}), 0)`
}

/** Gives every prepared view the one query that it is to have. It returns the same rows before and after. */
export async function finishPointers(
  connection: Connection,
  { owner, environment }: PointerPlace,
): Promise<'nothing' | 'rolled-back' | 'rolled-forward'> {
  const views = await readPointed(connection, { owner, environment })
  for (const { view, statement } of views) {
    const forget = `DELETE FROM ${table} WHERE ${ownCondition(owner)} AND environment = ${literal(environment)} AND view = ${literal(view)}`
    await untilUnlocked(timeoutMs =>
      inTransaction(connection, async () => {
        await connection.query([lockTimeout(timeoutMs), statement, forget].join(';\n'))
      }),
    )
  }
  if (views.length === 0) return 'nothing'
  return views.some(({ isLive }) => isLive) ? 'rolled-forward' : 'rolled-back'
}

async function readPointed(connection: Connection, { owner, environment }: PointerPlace) {
  const { rows: found } = await connection.query<{ exists: boolean }>(
    `SELECT to_regclass(${literal(table)}) IS NOT NULL AS exists`,
  )
  if (found[0]?.exists !== true) return []
  const own = `${ownCondition(owner)} AND environment = ${literal(environment)}`
  const live = liveSql({ owner, environment })
  const { rows } = await connection.query<{ view: string; statement: string; live: boolean }>(
    `SELECT view, CASE WHEN ${live} >= generation THEN settled ELSE undone END AS statement, ${live} >= generation AS live
     FROM ${table} WHERE ${own} ORDER BY view`,
  )
  return rows.map(({ view, statement, live }) => ({ view, statement, isLive: live }))
}
