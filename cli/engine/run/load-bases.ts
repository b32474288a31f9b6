/**
 * Reads what loads continue that bring only what is new: the last value of the cursor and the rows that the source brings
 * again, or the files that are loaded.
 */
import {
  type Asset,
  type Contract,
  type Engine,
  type Incremental,
  internalNames,
  keepsHistory,
  loadsOnlyNew,
  resolveName,
  type Spelling,
  validTo,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { type LoadBase, mostKnown, rowHash } from '../ingest/incremental/base.ts'
import { firstFarDay, mayBeFar } from '../ingest/incremental/far-values.ts'
import { loadBehindLive } from '../plan/last-load.ts'
import { stepsOf } from '../plan/step.ts'
import type { BuildRecord, BuiltColumn } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'

const own = internalNames('rows', 'since', 'greatest', 'hash')

export type LoadBases = ReadonlyMap<string, LoadBase>

/** An asset without an entry is loaded from its start. */
export async function readLoadBases(
  session: WarehouseSession,
  { workspace }: Pick<Run, 'workspace'>,
  prepared: PreparedRun,
): Promise<LoadBases> {
  const bases = new Map<string, LoadBase>()
  for (const { asset: name } of stepsOf(prepared.plan.steps, 'fetch')) {
    const asset = workspace.project.byName.get(name)
    const base = asset === undefined ? undefined : await readBase(session, asset, prepared)
    if (base !== undefined) bases.set(name, base)
  }
  return bases
}

async function readBase(
  session: WarehouseSession,
  { name, definition: { ingest, contract } }: Asset,
  { state, identities, renewal }: PreparedRun,
): Promise<LoadBase | undefined> {
  const isWhole = ingest.type !== 'none' && ingest.incremental === undefined && !loadsOnlyNew(ingest)
  if (ingest.type === 'none' || (isWhole && !keepsHistory(ingest))) return undefined
  const load = loadBehindLive(state, name)
  if (load === undefined || renewal.damageOf(load) !== undefined) return undefined
  const restarts = renewal.assets.has(name) || load.definition_hash !== identities.rawDefinitionHash(name)
  const hasVersions = keepsHistory(ingest) && load.columns.some(column => column.name === validTo)
  if (restarts && !hasVersions) return undefined
  const again = restarts ? ({ restarts } as const) : {}
  if (isWhole)
    return hasVersions ? { load, current: await countCurrent(session, load), known: [], ...again } : undefined
  if (restarts) return { load, known: [], ...again }
  if (ingest.incremental === undefined) {
    const files = await session.state.loadedFiles(load.build_key)
    return files === undefined ? undefined : { load, files, known: [] }
  }
  const cursor = cursorOf(load, ingest.incremental, contract, session.dialect.engine)
  if (cursor === undefined) return undefined
  return readEnd(session, load, cursor, ingest.incremental)
}

/**
 * Returns the cursor among the columns of a load, found as the fetch finds it; undefined for a load without rows, which may
 * lack it. Throws `source-shape` rather than let a load that loses its cursor replace what is gathered.
 */
function cursorOf(
  { columns, rows }: BuildRecord,
  { cursor }: Incremental,
  contract: Contract | undefined,
  engine: Engine,
): BuiltColumn | undefined {
  const promised = contract?.columns ?? {}
  const spellingOf = ({ name }: BuiltColumn): Spelling => ({
    name,
    source: Object.hasOwn(promised, name) ? promised[name]?.from : undefined,
  })
  const found = resolveName(cursor, columns, spellingOf, engine)
  if (found !== undefined || rows === 0) return found
  throw new SvcError('source-shape', `the last load has no column "${cursor}", the cursor of incremental`, {
    hint: `It has ${columns.map(({ name }) => name).join(', ')}. Correct incremental.cursor, or load everything anew with --full-refresh.`,
  })
}

/** The versions that are valid now: what a source that keeps its history had at its last load. */
async function countCurrent(session: WarehouseSession, load: BuildRecord): Promise<number> {
  const { dialect } = session
  const from = dialect.relation(load.relation)
  const [found] = await session.query(
    `SELECT count(*) AS ${own.rows} FROM ${from} WHERE ${dialect.identifier(validTo)} IS NULL`,
  )
  return Number(found?.[own.rows] ?? 0)
}

async function readEnd(
  session: WarehouseSession,
  load: BuildRecord,
  cursor: BuiltColumn,
  { lagMs = 0 }: Incremental,
): Promise<LoadBase | undefined> {
  const { dialect } = session
  const column = dialect.identifier(cursor.name)
  const from = dialect.relation(load.relation)
  const ends = async (greatest: string) => {
    const begin = lagMs === 0 ? greatest : `${greatest} - INTERVAL '${lagMs / 1000} seconds'`
    const sql = `SELECT ${dialect.toText(begin)} AS ${own.since}, ${dialect.toText(greatest)} AS ${own.greatest} FROM ${from}`
    const [end] = await session.query(sql).catch(error => refuseLag(error, lagMs, cursor.name))
    return { begin, since: end?.[own.since] ?? undefined, greatest: String(end?.[own.greatest]) }
  }
  const last = await ends(`max(${column})`)
  if (last.since === undefined) return undefined
  const { types } = dialect.engine
  const { type = '' } = cursor
  const day = firstFarDay(new Date(load.created_at))
  const isFar = mayBeFar(last.greatest, types.family(types.parse(type)), day)
  const bound = `CAST(${dialect.literal(day)} AS ${type})`
  const near = isFar ? await ends(`max(${column}) FILTER (WHERE ${column} < ${bound})`) : last
  const hasNear = near.since !== undefined
  const condition = hasNear ? `${column} >= (SELECT ${near.begin} FROM ${from})` : 'true'
  const known = await knownRows(session, load, condition)
  // Where every value is far, nothing says where a load may begin.
  if (!hasNear) return { load, cursor: cursor.name, known }
  return { load, cursor: cursor.name, since: String(near.since), end: near.greatest, known }
}

/** Returns the hashes of the rows of a load that its source brings again. */
async function knownRows(
  session: WarehouseSession,
  { columns, relation }: BuildRecord,
  condition: string,
): Promise<readonly string[]> {
  const { dialect } = session
  const texts = columns
    .filter(({ name }) => !name.startsWith('_svc_'))
    .map(({ name }) => dialect.toText(dialect.identifier(name)))
  const isCurrent = columns.some(({ name }) => name === validTo)
    ? ` AND ${dialect.identifier(validTo)} IS NULL`
    : ''
  const rows = await session.query(
    `SELECT ${rowHash(texts)} AS ${own.hash} FROM ${dialect.relation(relation)}
      WHERE ${condition}${isCurrent} LIMIT ${mostKnown + 1}`,
  )
  return rows.length > mostKnown ? [] : rows.map(row => String(row[own.hash]))
}

function refuseLag(error: unknown, lagMs: number, cursor: string): never {
  if (lagMs === 0) throw error
  throw new SvcError('invalid-project', `incremental.lag needs a cursor of time, and "${cursor}" is none`, {
    hint: 'Leave lag out: records that come late then need a cursor that grows with them.',
    cause: error,
  })
}
