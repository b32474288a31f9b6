/** Reads the smaller state tables: definitions, drift, rejects, views, and the state of other projects. */
import type { Delete } from '../../state/changes.ts'
import type {
  BuildLineage,
  DefinitionRecord,
  DriftRecord,
  FetchRecord,
  LoadedFile,
  LoadedFilesRecord,
  MarksRecord,
  RejectRecord,
  ViewTextRecord,
} from '../../state/state.ts'
import type {
  FoundRejects,
  LiveKey,
  OpenReject,
  OpenRejectsWanted,
  OthersWork,
  RecordedView,
  RejectsWanted,
} from '../../state/state-store.ts'
import { columnsOf } from '../../state/tables.ts'
import type { Relation } from '../warehouse.ts'
import { conditionsOf, stateTable } from './change-statements.ts'
import { countRows, readRows } from './read-rows.ts'
import type { Reading } from './reading.ts'
import type { StateDialect } from './state-dialect.ts'
import { keyedTexts, keyedTextsQuery } from './table-texts.ts'

export async function readDefinitions(
  reading: Reading,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await readRows<DefinitionRecord>(reading, 'svc_definitions', columnsOf('svc_definitions'), {
    where: `definition_hash IN (${listOf(reading.dialect, hashes)})`,
  })
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
  reading: Reading,
  buildKeys: readonly string[],
): Promise<ReadonlyMap<string, BuildLineage>> {
  interface Row extends Pick<BuildLineage, 'complete'> {
    readonly build_key: string
    readonly lineage: BuildLineage['columns']
  }
  const rows = await readRows<Row>(reading, 'svc_lineage', ['build_key', 'complete', 'lineage'], {
    where: `build_key IN (${listOf(reading.dialect, buildKeys)})`,
  })
  return new Map(rows.map(({ build_key, complete, lineage }) => [build_key, { complete, columns: lineage }]))
}

export async function readLineageKeys({ access, dialect, own }: Reading): Promise<ReadonlySet<string>> {
  const [row] = await access.query(
    `SELECT ${dialect.jsonList(dialect.identifier('build_key'))} AS keys FROM ${stateTable(dialect, 'svc_lineage')}
     WHERE ${own} AND complete`,
  )
  const keys = row?.['keys']
  return new Set(typeof keys === 'string' ? (JSON.parse(keys) as string[]) : [])
}

export async function readViewTexts(reading: Reading): Promise<ReadonlyMap<string, string>> {
  const rows = await readRows<ViewTextRecord>(reading, 'svc_view_texts', ['build_key', 'text'])
  return new Map(rows.map(({ build_key, text }) => [build_key, text]))
}

export async function readFetches(reading: Reading): Promise<ReadonlyMap<string, string>> {
  const rows = await readRows<FetchRecord>(reading, 'svc_fetches', ['build_key', 'fetched_at'])
  return new Map(rows.map(({ build_key, fetched_at }) => [build_key, fetched_at]))
}

export function readMarks(reading: Reading): Promise<readonly MarksRecord[]> {
  return readRows(reading, 'svc_marks', columnsOf('svc_marks'))
}

export function readDrift(reading: Reading): Promise<readonly DriftRecord[]> {
  return readRows(reading, 'svc_drift', columnsOf('svc_drift'))
}

export async function readLoadedFiles(
  reading: Reading,
  loadKey: string,
): Promise<readonly LoadedFile[] | undefined> {
  const [row] = await readRows<LoadedFilesRecord>(reading, 'svc_loaded_files', ['files'], {
    where: `load_key = ${reading.dialect.literal(loadKey)}`,
  })
  return row?.files
}

export function readLiveKeys(reading: Reading): Promise<readonly LiveKey[]> {
  return readRows(reading, 'svc_catalog', ['environment', 'build_key'])
}

// ---------------------------------------------------------------- rejects

const rejectColumns = [
  ...['asset', 'run_id', 'status', 'kind', 'code', 'child', 'column_name', 'message'],
  ...['record_number', 'raw', 'rejected_at', 'replayed_run_id'],
]

export async function readRejects(
  reading: Reading,
  wanted: RejectsWanted,
  limit: number,
): Promise<FoundRejects> {
  const where = rejectConditions(reading.dialect, wanted).join(' AND ')
  const total = await countRows(reading, 'svc_rejects', where)
  if (total === 0) return { rejects: [], total }
  const rejects = await readRows<RejectRecord>(reading, 'svc_rejects', rejectColumns, {
    where,
    orderBy: 'asset, record_number, kind, column_name',
    limit,
    jsonAsText: true,
  })
  return { total, rejects }
}

function rejectConditions(dialect: StateDialect, { asset, runId, current }: RejectsWanted): string[] {
  const conditions = ['1 = 1']
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
  { environment, assets, liveLoads, exceptLoads, limit }: OpenRejectsWanted,
): Promise<readonly OpenReject[]> {
  const unloaded = `environment = ${dialect.literal(environment)} AND replayed_run_id IS NULL`
  const open =
    liveLoads.length === 0 ? unloaded : `(${unloaded} OR load_key IN (${listOf(dialect, liveLoads)}))`
  const others = exceptLoads.length === 0 ? '' : `AND load_key NOT IN (${listOf(dialect, exceptLoads)})`
  return access.query<{ asset: string; record_hash: string }>(
    `SELECT DISTINCT asset, record_hash FROM ${stateTable(dialect, 'svc_rejects')}
     WHERE ${own} AND kind = 'row' AND ${open} AND asset IN (${listOf(dialect, assets)})
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

export async function readRecordedViews({
  access,
  dialect,
  others,
}: Reading): Promise<readonly RecordedView[]> {
  if (others === undefined) return []
  const rows = await access.query<{
    owner: string | null
    environment: string
    schema: string
    name: string
  }>(
    `SELECT CASE WHEN ${others} THEN project END AS owner, environment, view_schema AS schema, view_name AS name
     FROM ${stateTable(dialect, 'svc_views')}`,
  )
  return rows.map(({ owner, environment, schema, name }) => ({ owner, environment, view: { schema, name } }))
}

/** SQL only narrows the search, because each engine compares names in its own way. */
export async function readIsOwnView(reading: Reading, view: Relation): Promise<boolean> {
  const { literal, engine } = reading.dialect
  const where = `lower(view_schema) = lower(${literal(view.schema)}) AND lower(view_name) = lower(${literal(view.name)})`
  const columns = ['view_schema', 'view_name'] as const
  const rows = await readRows<Record<(typeof columns)[number], string>>(reading, 'svc_views', columns, {
    where,
  })
  return rows.some(
    row => engine.sameName(row.view_schema, view.schema) && engine.sameName(row.view_name, view.name),
  )
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
