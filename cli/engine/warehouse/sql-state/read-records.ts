/** Reads the smaller state tables: definitions, drift, rejects, views, and the state of other projects. */
import type { Delete } from '../../state/changes.ts'
import type { BuildLineage, DriftRecord, LoadedFile, MarksRecord, RejectRecord } from '../../state/state.ts'
import type {
  FoundRejects,
  LiveKey,
  OpenReject,
  OpenRejectsWanted,
  OthersWork,
  RejectsWanted,
} from '../../state/state-store.ts'
import type { JsonRow, Relation } from '../warehouse.ts'
import { conditionsOf, stateTable } from './change-statements.ts'
import type { Reading } from './reading.ts'
import type { StateDialect } from './state-dialect.ts'
import { isoTime, keyedTexts, keyedTextsQuery } from './table-texts.ts'

export async function readDefinitions(
  { access, dialect, own }: Reading,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await access.query<{ definition_hash: string; definition: string }>(
    `SELECT definition_hash, definition FROM ${stateTable(dialect, 'svc_definitions')}
     WHERE ${own} AND definition_hash IN (${listOf(dialect, hashes)})`,
  )
  return new Map(rows.map(row => [row.definition_hash, row.definition]))
}

/** Reads the definitions of many builds as one text. */
export async function readLiveDefinitions(
  { access, dialect, own }: Reading,
  environment: string,
): Promise<(hash: string) => string | undefined> {
  const [hash, definition] = [dialect.identifier('definition_hash'), dialect.identifier('definition')]
  const [texts] = await access.query(
    `${keyedTextsQuery(dialect, hash, definition)} FROM ${stateTable(dialect, 'svc_definitions')}
     WHERE ${own} AND ${hash} IN (SELECT ${hash} FROM ${stateTable(dialect, 'svc_catalog')}
       WHERE ${own} AND environment = ${dialect.literal(environment)})`,
  )
  return keyedTexts(texts ?? {})
}

export async function readLineage(
  { access, dialect, own }: Reading,
  buildKeys: readonly string[],
): Promise<ReadonlyMap<string, BuildLineage>> {
  const rows = await access.query<{ build_key: string; complete: boolean; columns: string }>(
    `SELECT build_key, complete, ${dialect.toText('lineage')} AS columns FROM ${stateTable(dialect, 'svc_lineage')}
     WHERE ${own} AND build_key IN (${listOf(dialect, buildKeys)})`,
  )
  return new Map(
    rows.map(({ build_key, complete, columns }) => [build_key, { complete, columns: JSON.parse(columns) }]),
  )
}

export async function readLineageKeys({ access, dialect, own }: Reading): Promise<ReadonlySet<string>> {
  const [row] = await access.query(
    `SELECT ${dialect.jsonList(dialect.identifier('build_key'))} AS keys FROM ${stateTable(dialect, 'svc_lineage')}
     WHERE ${own} AND complete`,
  )
  const keys = row?.['keys']
  return new Set(typeof keys === 'string' ? (JSON.parse(keys) as string[]) : [])
}

export async function readViewTexts({ access, dialect, own }: Reading): Promise<ReadonlyMap<string, string>> {
  const [key, text] = [dialect.identifier('build_key'), dialect.identifier('text')]
  const rows = await access.query<{ build_key: string; text: string }>(
    `SELECT ${key} AS build_key, ${text} AS text FROM ${stateTable(dialect, 'svc_view_texts')} WHERE ${own}`,
  )
  return new Map(rows.map(({ build_key, text }) => [build_key, text]))
}

export async function readMarks({ access, dialect, own }: Reading): Promise<readonly MarksRecord[]> {
  const rows = await access.query<{ environment: string; build_key: string; asset: string; marks: string }>(
    `SELECT environment, build_key, asset, ${dialect.toText('marks')} AS marks
     FROM ${stateTable(dialect, 'svc_marks')} WHERE ${own}`,
  )
  return rows.map(({ marks, ...row }) => ({ ...row, marks: JSON.parse(marks) }))
}

export async function readDrift({ access, dialect, own }: Reading): Promise<readonly DriftRecord[]> {
  const rows = await access.query<{ load_key: string; asset: string; changes: string }>(
    `SELECT load_key, asset, ${dialect.toText('changes')} AS changes
     FROM ${stateTable(dialect, 'svc_drift')} WHERE ${own}`,
  )
  return rows.map(({ changes, ...row }) => ({ ...row, changes: JSON.parse(changes) }))
}

export async function readLoadedFiles(
  { access, dialect, own }: Reading,
  loadKey: string,
): Promise<readonly LoadedFile[] | undefined> {
  const [row] = await access.query<{ files: string }>(
    `SELECT ${dialect.toText('files')} AS files FROM ${stateTable(dialect, 'svc_loaded_files')}
     WHERE ${own} AND load_key = ${dialect.literal(loadKey)}`,
  )
  return row === undefined ? undefined : JSON.parse(row.files)
}

export async function readLiveKeys({ access, dialect, own }: Reading): Promise<readonly LiveKey[]> {
  const rows = await access.query<{ environment: string; build_key: string }>(
    `SELECT DISTINCT environment, build_key FROM ${stateTable(dialect, 'svc_catalog')} WHERE ${own}`,
  )
  return rows
}

export async function readViews(
  { access, dialect, own }: Reading,
  environment: string,
): Promise<readonly Relation[]> {
  const rows = await access.query<{ view_schema: string; view_name: string }>(
    `SELECT view_schema, view_name FROM ${stateTable(dialect, 'svc_views')}
     WHERE ${own} AND environment = ${dialect.literal(environment)} ORDER BY view_schema, view_name`,
  )
  return rows.map(({ view_schema, view_name }) => ({ schema: view_schema, name: view_name }))
}

// ---------------------------------------------------------------- rejects

export async function readRejects(
  { access, dialect, own }: Reading,
  wanted: RejectsWanted,
  limit: number,
): Promise<FoundRejects> {
  const which = [own, ...rejectConditions(dialect, wanted)].join(' AND ')
  const from = `${stateTable(dialect, 'svc_rejects')} WHERE ${which}`
  const [counted] = await access.query(`SELECT count(*) AS n FROM ${from}`)
  const total = Number(counted?.['n'] ?? 0)
  if (total === 0) return { rejects: [], total }
  const rows = await access.query(
    `SELECT asset, run_id, status, kind, code, child, column_name, message, record_number,
      ${dialect.toText('raw')} AS raw, ${dialect.epochSeconds('rejected_at')} AS at, replayed_run_id
     FROM ${from} ORDER BY asset, record_number, kind, column_name LIMIT ${Math.trunc(limit)}`,
  )
  return { total, rejects: rows.map(rejectOf) }
}

function rejectOf({ at, ...row }: JsonRow): RejectRecord {
  return { ...(row as unknown as RejectRecord), rejected_at: isoTime(Number(at)) }
}

function rejectConditions(dialect: StateDialect, { asset, runId, current }: RejectsWanted): string[] {
  const conditions: string[] = []
  if (runId !== undefined) conditions.push(`run_id = ${dialect.literal(runId)}`)
  if (asset !== undefined) conditions.push(`asset = ${dialect.literal(asset)}`)
  if (current !== undefined) {
    const refused = `status = 'refused' AND environment = ${dialect.literal(current.environment)}`
    const loaded =
      current.loadKeys.length === 0 ? '1 = 0' : `load_key IN (${listOf(dialect, current.loadKeys)})`
    conditions.push(`(${loaded} OR (${refused}))`)
  }
  return conditions
}

export async function readOpenRejects(
  { access, dialect, own }: Reading,
  { assets, exceptLoads, limit }: OpenRejectsWanted,
): Promise<readonly OpenReject[]> {
  const others = exceptLoads.length === 0 ? '' : `AND load_key NOT IN (${listOf(dialect, exceptLoads)})`
  return access.query<{ asset: string; record_hash: string }>(
    `SELECT DISTINCT asset, record_hash FROM ${stateTable(dialect, 'svc_rejects')}
     WHERE ${own} AND kind = 'row' AND replayed_run_id IS NULL AND asset IN (${listOf(dialect, assets)})
     AND status = 'rejected' ${others} LIMIT ${Math.trunc(limit)}`,
  )
}

// ---------------------------------------------------------------- counts, and other projects

export async function countRecords(
  { access, dialect, own }: Reading,
  deletes: readonly Delete[],
): Promise<number> {
  const counts = deletes.map(
    ({ table, where }) =>
      `(SELECT count(*) FROM ${stateTable(dialect, table)} WHERE ${conditionsOf(dialect, own, table, where)})`,
  )
  const [row] = await access.query<{ n: number | string }>(`SELECT ${counts.join(' + ')} AS n`)
  return Number(row?.n ?? 0)
}

export async function readOtherProjects({ access, dialect, others }: Reading): Promise<readonly string[]> {
  if (others === undefined) return []
  const rows = await access.query<{ project: string }>(
    `SELECT project FROM ${stateTable(dialect, 'svc_state_history')} WHERE ${others}
     UNION SELECT project FROM ${stateTable(dialect, 'svc_builds')} WHERE ${others} ORDER BY 1`,
  )
  return rows.map(({ project }) => project)
}

export async function readOwner(
  { access, dialect, others }: Reading,
  { schema, name }: Relation,
): Promise<string | undefined> {
  if (others === undefined) return undefined
  const [row] = await access.query<{ project: string }>(
    `SELECT project FROM ${stateTable(dialect, 'svc_views')}
     WHERE ${others} AND view_schema = ${dialect.literal(schema)} AND view_name = ${dialect.literal(name)}`,
  )
  return row?.project
}

export async function readIsOwnView(
  { access, dialect, own }: Reading,
  { schema, name }: Relation,
): Promise<boolean> {
  const rows = await access.query(
    `SELECT asset FROM ${stateTable(dialect, 'svc_views')}
     WHERE ${own} AND view_schema = ${dialect.literal(schema)} AND view_name = ${dialect.literal(name)}`,
  )
  return rows.length > 0
}

export async function readOthersWork({ access, dialect, others }: Reading): Promise<OthersWork> {
  if (others === undefined) return { runIds: [], schemas: [] }
  const rows = await access.query<{ kind: string; name: string }>(
    `SELECT 'run' AS kind, run_id AS name FROM ${stateTable(dialect, 'svc_state_history')} WHERE ${others}
     UNION SELECT 'schema', relation_schema FROM ${stateTable(dialect, 'svc_builds')} WHERE ${others}`,
  )
  const names = (kind: string) => rows.filter(row => row.kind === kind).map(({ name }) => name)
  return { runIds: names('run'), schemas: names('schema') }
}

function listOf(dialect: StateDialect, texts: readonly string[]): string {
  return texts.map(dialect.literal).join(', ')
}
