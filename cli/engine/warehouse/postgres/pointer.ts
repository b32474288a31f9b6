/**
 * Views that look at a pointer. While a view is prepared it has both queries, the one of before and the one of after a
 * generation, and returns the rows of one of them: which one, `svc_live` says at the moment of the reading. What is
 * prepared is written down beside it, so that a later process settles or undoes it. The engine reads only one branch.
 */
import { internalName } from '@svc/server/language'
import { generationQuery, ownCondition, type StateOwner } from '../sql-state/change-statements.ts'
import type { Relation } from '../warehouse.ts'
import { afterConflicts, type Connection, runStatements } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { doWhenFree, type Waiting, waitingAtMost } from './locks.ts'
import { letOwnersRead, ownedByOthers } from './owners.ts'
import { replaceStatements, type ViewChange, viewQuery } from './views.ts'

const { identifier, literal } = dialect
const table = dialect.relation({ schema: 'svc', name: 'svc_pointed_views' })

const createTable = `CREATE TABLE IF NOT EXISTS ${table}
  (project text, environment text, generation bigint, view text, settled text, undone text, PRIMARY KEY (project, environment, view))`

interface PointerPlace {
  readonly owner: StateOwner
  readonly environment: string
  readonly patience: Waiting
}

type PreparePlace = PointerPlace & { readonly generation: number }

/** What is to look at the pointer: views that get another query or are new, and views that go. */
interface ToPoint {
  readonly changed: readonly ViewChange[]
  readonly drops: readonly Relation[]
}

export async function preparePointers(
  connection: Connection,
  place: PreparePlace,
  { changed, drops }: ToPoint,
): Promise<void> {
  await afterConflicts(() => connection.query(createTable))
  const ofOthers = new Set(
    await ownedByOthers(
      connection,
      changed.map(({ wanted }) => wanted),
    ),
  )
  const changing = changed.map(view => ({
    views: [view.wanted.view],
    attempt: async (limitMs: number) => {
      const pointed = await pointedChange(connection, place, view)
      await runStatements(connection, waitingAtMost(limitMs, pointedStatements(place, pointed)))
      if (ofOthers.has(view.wanted)) await letOwnersRead(connection, [view.wanted.view])
    },
  }))
  const dropping = drops.map(view => ({
    views: [view],
    attempt: async (limitMs: number) => {
      const pointed = await pointedDrop(connection, place, view)
      await runStatements(connection, waitingAtMost(limitMs, pointedStatements(place, pointed)))
    },
  }))
  return doWhenFree(connection, [...changing, ...dropping], place.patience)
}

interface Pointed {
  readonly name: string
  readonly query: string
  /** What it becomes once production is new, and what it was before, as statements. */
  readonly settled: string
  readonly undone: string
}

function pointedStatements(
  { owner, environment, generation }: PreparePlace,
  { name, query, settled, undone }: Pointed,
): string[] {
  const values = [
    ...[owner.project, environment].map(literal),
    String(generation),
    ...[name, settled, undone].map(literal),
  ]
  return [replaceBy(name, query), `INSERT INTO ${table} VALUES (${values.join(', ')})`]
}

async function pointedChange(
  connection: Connection,
  place: PreparePlace,
  view: ViewChange,
): Promise<Pointed> {
  const name = dialect.relation(view.wanted.view)
  const settled = replaceStatements(view).join(';\n')
  const isNew = view.present === undefined
  if (isNew)
    return { name, query: queryFrom(viewQuery(view.wanted), '>=', place), settled, undone: dropOf(name) }
  const before = await definitionOf(connection, name)
  return { name, query: pointedQuery(view, before, place), settled, undone: replaceBy(name, before) }
}

async function pointedDrop(connection: Connection, place: PreparePlace, view: Relation): Promise<Pointed> {
  const name = dialect.relation(view)
  const before = await definitionOf(connection, name)
  return {
    name,
    query: queryFrom(before, '<', place),
    settled: dropOf(name),
    undone: replaceBy(name, before),
  }
}

function dropOf(name: string): string {
  return `DROP VIEW IF EXISTS ${name}`
}

/** The rows of a query on one side of the pointer, and none on the other. */
function queryFrom(query: string, side: '<' | '>=', place: PreparePlace): string {
  return `SELECT * FROM (${query}) AS ${internalName('one')} WHERE ${liveSql(place)} ${side} ${place.generation}`
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
function liveSql({ owner, environment }: Omit<PointerPlace, 'patience'>): string {
  return `coalesce((${generationQuery(owner, environment)}), 0)`
}

/** Gives every prepared view the one query that it is to have. It returns the same rows before and after. */
export async function finishPointers(
  connection: Connection,
  place: PointerPlace,
): Promise<'nothing' | 'rolled-back' | 'rolled-forward'> {
  const { owner, environment, patience } = place
  const pointed = await readPointed(connection, place)
  if (pointed.length === 0) return 'nothing'
  const works = pointed.map(({ view, relation, statement }) => {
    const forget = `DELETE FROM ${table} WHERE ${ownCondition(owner)} AND environment = ${literal(environment)} AND view = ${literal(view)}`
    return {
      views: relation,
      attempt: (limitMs: number) => runStatements(connection, waitingAtMost(limitMs, [statement, forget])),
    }
  })
  await doWhenFree(connection, works, patience)
  return pointed.some(({ isLive }) => isLive) ? 'rolled-forward' : 'rolled-back'
}

async function readPointed(connection: Connection, { owner, environment }: Omit<PointerPlace, 'patience'>) {
  const { rows: found } = await connection.query<{ exists: boolean }>(
    `SELECT to_regclass(${literal(table)}) IS NOT NULL AS exists`,
  )
  if (found[0]?.exists !== true) return []
  const own = `${ownCondition(owner)} AND environment = ${literal(environment)}`
  const live = liveSql({ owner, environment })
  const { rows } = await connection.query<PointedRow>(
    `SELECT p.view, CASE WHEN ${live} >= generation THEN settled ELSE undone END AS statement, ${live} >= generation AS live,
       n.nspname AS schema, c.relname AS name
     FROM ${table} AS p
       LEFT JOIN pg_class AS c ON c.oid = to_regclass(p.view) LEFT JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE ${own} ORDER BY p.view`,
  )
  return rows.map(({ view, statement, live, schema, name }) => ({
    view,
    statement,
    isLive: live,
    relation: schema === null || name === null ? [] : [{ schema, name }],
  }))
}

/** `schema` and `name` are null of a view that somebody has dropped. */
interface PointedRow {
  readonly view: string
  readonly statement: string
  readonly live: boolean
  readonly schema: string | null
  readonly name: string | null
}
