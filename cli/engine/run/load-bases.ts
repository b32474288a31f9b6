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
  type RawColumn,
  type RawTable,
  resolveName,
  type Spelling,
  spellingOf,
  validFrom,
  validTo,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { type LoadBase, mostKnown, rowHash } from '../ingest/incremental/base.ts'
import { firstFarDay, mayBeFar } from '../ingest/incremental/far-values.ts'
import type { GatheredRows } from '../plan/gathered-rows.ts'
import { stepsOf } from '../plan/step.ts'
import type { BuildRecord, BuiltColumn } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { assetFailure } from './asset-failure.ts'
import { judgeGathered } from './judge-gathered.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { failAsset } from './run-progress.ts'
import { readSchemaLock } from './write-schema-lock.ts'

/** What is wrong with one asset, and no reason to stop the others. */
const judged: ReadonlySet<string> = new Set(['history-lost', 'source-shape'])

const own = internalNames('rows', 'since', 'greatest', 'hash', 'begins', 'ends')

export type LoadBases = ReadonlyMap<string, LoadBase>

/** An asset without an entry is loaded from its start. One whose gathered rows do not fit what its file says now fails. */
export async function readLoadBases(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
): Promise<LoadBases> {
  const bases = new Map<string, LoadBase>()
  const gathered = new Map(prepared.plan.assets.map(planned => [planned.name, planned.gathered]))
  const locked = readSchemaLock(run.workspace)
  for (const { asset: name } of stepsOf(prepared.plan.steps, 'fetch')) {
    const asset = run.workspace.project.byName.get(name)
    const rows = gathered.get(name)
    if (asset === undefined || rows?.fate !== 'kept' || run.progress.assets.has(name)) continue
    try {
      const warnings = await judgeGathered(session, asset, rows)
      for (const warning of warnings) run.emit({ type: 'warning', asset: name, ...warning })
      const base = await readBase(session, asset, rows, mainTable(locked.shapes.get(name)))
      if (base !== undefined) bases.set(name, base)
    } catch (error) {
      if (!(error instanceof SvcError && judged.has(error.code))) throw error
      failAsset(run, prepared.names, assetFailure(asset, error, ['contract'], run.workspace.environment.name))
    }
  }
  return bases
}

async function readBase(
  session: WarehouseSession,
  { definition: { ingest, contract } }: Asset,
  { load, rows, restarts, earlier }: GatheredRows,
  shape: readonly RawColumn[],
): Promise<LoadBase | undefined> {
  if (ingest.type === 'none' || ingest.write === 'replace') return undefined
  const versions = keepsHistory(ingest) ? await lastMoment(session, load) : {}
  const base = { load, known: [], ...versions, ...(earlier && { earlier }) }
  // Where nothing says how far the load had come, all records come again and join its rows.
  const again: LoadBase = { ...base, restarts: restarts ?? 'definition' }
  if (loadsOnlyNew(ingest)) {
    const files = await session.state.loadedFiles(load.build_key)
    if (files === undefined) return again
    return { ...(restarts === undefined ? base : again), files }
  }
  if (ingest.incremental === undefined) {
    const current = await countCurrent(session, load)
    return { ...base, current, ...(restarts && { restarts }) }
  }
  if (restarts !== undefined) return again
  const cursor = cursorOf(load, ingest.incremental, { contract, shape, engine: session.dialect.engine })
  if (cursor === undefined && earlier === undefined && rows > 0) throw withoutCursor(load, ingest.incremental)
  const end = cursor && (await readEnd(session, load, cursor, ingest.incremental))
  if (end === undefined) return rows === 0 ? undefined : again
  // What was hidden or renamed meanwhile is compared in the warehouse.
  return { ...base, ...end, ...(earlier && { known: [] }) }
}

interface KnownSpellings {
  readonly contract: Contract | undefined
  /** The table of the source as the lock has it. */
  readonly shape: readonly RawColumn[]
  readonly engine: Engine
}

/** Returns the cursor among the columns of a load, found as the fetch finds it: a load has no spellings of its source. */
function cursorOf(
  { columns }: BuildRecord,
  { cursor }: Incremental,
  { contract, shape, engine }: KnownSpellings,
): BuiltColumn | undefined {
  const promised = contract?.columns ?? {}
  const spellings = new Map(shape.map(column => [column.name, spellingOf(column).source]))
  const spelling = ({ name }: BuiltColumn): Spelling => ({
    name,
    source: (Object.hasOwn(promised, name) ? promised[name]?.from : undefined) ?? spellings.get(name),
  })
  return resolveName(cursor, columns, spelling, engine)
}

function mainTable(shape: readonly RawTable[] | undefined): readonly RawColumn[] {
  return shape?.find(({ child }) => child === undefined)?.columns ?? []
}

/** A load that lost its cursor would replace what is gathered. */
function withoutCursor({ columns }: BuildRecord, { cursor }: Incremental): SvcError {
  return new SvcError('source-shape', `the last load has no column "${cursor}", the cursor of incremental`, {
    hint: `It has ${columns.map(({ name }) => name).join(', ')}. Correct incremental.cursor, or load everything anew with --full-refresh.`,
  })
}

/** The versions that are valid now: what a source that keeps its history had at its last load. */
async function countCurrent(session: WarehouseSession, load: BuildRecord): Promise<number> {
  if (!hasVersions(load)) return load.rows ?? 0
  const { dialect } = session
  const from = dialect.relation(load.relation)
  const [found] = await session.query(
    `SELECT count(*) AS ${own.rows} FROM ${from} WHERE ${dialect.identifier(validTo)} IS NULL`,
  )
  return Number(found?.[own.rows] ?? 0)
}

function hasVersions({ columns }: BuildRecord): boolean {
  return columns.some(({ name }) => name === validTo)
}

async function lastMoment(
  session: WarehouseSession,
  load: BuildRecord,
): Promise<Pick<LoadBase, 'lastMomentMs'>> {
  if (!hasVersions(load)) return { lastMomentMs: Date.parse(load.created_at) }
  const { dialect } = session
  const [from, to] = [validFrom, validTo].map(name =>
    dialect.epochSeconds(`max(${dialect.identifier(name)})`),
  )
  const [found] = await session.query(
    `SELECT ${from} AS ${own.begins}, ${to} AS ${own.ends} FROM ${dialect.relation(load.relation)}`,
  )
  const moments = [found?.[own.begins], found?.[own.ends]].flatMap(each =>
    each == null ? [] : [Number(each)],
  )
  return moments.length === 0 ? {} : { lastMomentMs: Math.ceil(Math.max(...moments) * 1000) }
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
