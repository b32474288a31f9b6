/** The store of state of the stub: the interface over records in a file, without any SQL. */
import type { JsonValue } from '@svc/server/language'
import type { Row } from '../../../../cli/engine/state/changes.ts'
import { newestFirst } from '../../../../cli/engine/state/run-order.ts'
import type {
  BuildLineage,
  BuildRecord,
  CatalogRecord,
  DriftRecord,
  HistoryAsset,
  HistoryRecord,
  LoadedFile,
  MarksRecord,
  PublishRecord,
  PublishReject,
  RejectRecord,
  StateSnapshot,
  TestRecord,
} from '../../../../cli/engine/state/state.ts'
import type { RejectsWanted, StateStore } from '../../../../cli/engine/state/state-store.ts'
import type { RecordLog } from './record-log.ts'

export function stubStore(log: RecordLog, project: string): StateStore {
  const rows = (table: Parameters<RecordLog['rows']>[0]) => log.rows(table, project)
  const runs = () => rows('svc_state_history').map(historyOf).toSorted(latestFirst)
  const runsOf = (environment: string) =>
    runs()
      .filter(run => run.environment === environment)
      .sort(newestFirst)
  const builds = () => newestBuilds(rows('svc_builds').map(buildOf))
  const live = (environment: string) =>
    rows('svc_catalog').filter(row => row['environment'] === environment) as unknown as CatalogRecord[]
  const views = (environment: string) => rows('svc_views').filter(row => row['environment'] === environment)
  const definitions = () =>
    new Map(rows('svc_definitions').map(row => [text(row, 'definition_hash'), text(row, 'definition')]))

  function read(environment: string, limit: number): StateSnapshot {
    const [now] = rows('svc_live').filter(row => row['environment'] === environment)
    return {
      environment,
      generation: Number(now?.['generation'] ?? 0),
      isForgotten: now?.['generation'] === 0,
      live: new Map(live(environment).map(record => [record.asset, record])),
      builds: builds(),
      history: limited(runsOf(environment), limit),
      tests: testsOf(rows('svc_test_results'), environment),
      views: new Map(views(environment).map(row => [text(row, 'asset'), viewOf(row)])),
      readers: new Map(views(environment).flatMap(readersOf)),
    }
  }

  return {
    read: async (environment, { historyLimit = 10 } = {}) => read(environment, historyLimit),
    async history(environment, limit) {
      if (environment !== undefined) return limited(runsOf(environment), limit)
      const names = new Set(runs().map(run => run.environment))
      return [...names].flatMap(name => limited(runsOf(name), limit)).sort(latestFirst)
    },
    runs: async () => runs().map(({ assets: _, ...run }) => run),
    runAssets: async ids =>
      new Map(runs().flatMap(run => (ids.includes(run.run_id) ? [[run.run_id, run.assets] as const] : []))),
    longRuns: async (ids, length) => {
      const isLong = ({ run_id, assets }: HistoryRecord) =>
        ids.includes(run_id) && JSON.stringify(assets).length > length && assets[0]?.name !== ''
      return new Set(
        runs()
          .filter(isLong)
          .map(({ run_id }) => run_id),
      )
    },
    builds: async () => builds(),
    liveKeys: async () =>
      rows('svc_catalog').map(row => ({
        environment: text(row, 'environment'),
        build_key: text(row, 'build_key'),
      })),
    definitions: async hashes => new Map([...definitions()].filter(([hash]) => hashes.includes(hash))),
    async liveDefinitions(environment) {
      const hashes = new Set(live(environment).map(record => record.definition_hash))
      return hash => (hashes.has(hash) ? definitions().get(hash) : undefined)
    },
    lineage: async keys =>
      new Map(
        rows('svc_lineage')
          .filter(row => keys.includes(text(row, 'build_key')))
          .map(row => [
            text(row, 'build_key'),
            {
              columns: row['lineage'] as unknown as BuildLineage['columns'],
              complete: row['complete'] === true,
            },
          ]),
      ),
    lineageKeys: async () =>
      new Set(
        rows('svc_lineage')
          .filter(row => row['complete'] === true)
          .map(row => text(row, 'build_key')),
      ),
    fetches: async () =>
      new Map(rows('svc_fetches').map(row => [text(row, 'build_key'), text(row, 'fetched_at')])),
    viewTexts: async () =>
      new Map(rows('svc_view_texts').map(row => [text(row, 'build_key'), text(row, 'text')])),
    marks: async () => rows('svc_marks').map(({ project: _, ...row }) => row as unknown as MarksRecord),
    drift: async () => rows('svc_drift').map(({ project: _, ...row }) => row as unknown as DriftRecord),
    loadedFiles: async loadKey =>
      rows('svc_loaded_files').find(row => row['load_key'] === loadKey)?.['files'] as unknown as
        | readonly LoadedFile[]
        | undefined,
    async rejects(wanted, limit) {
      const found = rows('svc_rejects').filter(row => isWanted(row, wanted))
      return { total: found.length, rejects: found.map(rejectOf).toSorted(inOrder).slice(0, limit) }
    },
    async openRejects({ environment, assets, liveLoads, exceptLoads, limit }) {
      const isOpen = (row: Row) =>
        (row['environment'] === environment && (row['replayed_run_id'] ?? null) === null) ||
        liveLoads.includes(text(row, 'load_key'))
      const open = rows('svc_rejects').filter(
        row =>
          row['kind'] === 'row' &&
          row['status'] === 'rejected' &&
          isOpen(row) &&
          assets.includes(text(row, 'asset')) &&
          !exceptLoads.includes(text(row, 'load_key')),
      )
      const pairs = open.map(row => ({ asset: text(row, 'asset'), record_hash: text(row, 'record_hash') }))
      return [...new Map(pairs.map(pair => [JSON.stringify(pair), pair])).values()].slice(0, limit)
    },
    publishes: async ({ environment, asset, target, isLast }, limit) =>
      (rows('svc_publishes').map(({ project: _, ...row }) => row) as unknown as PublishRecord[])
        .filter(row => row.environment === environment)
        .filter(row => asset === undefined || row.asset === asset)
        .filter(row => target === undefined || row.target === target)
        .toSorted((a, b) => compare(b.started_at, a.started_at) || compare(b.run_id, a.run_id))
        .filter(
          (row, place, all) =>
            isLast !== true ||
            all.findIndex(each => each.asset === row.asset && each.target === row.target) === place,
        )
        .slice(0, limit),
    async publishRejects({ environment, asset, target }, limit) {
      const found = rows('svc_publish_rejects')
        .filter(row => row['environment'] === environment)
        .filter(row => asset === undefined || row['asset'] === asset)
        .filter(row => target === undefined || row['target'] === target)
        .map(({ project: _, environment: _environment, ...row }) => row as unknown as PublishReject)
      return { rejects: found.slice(0, limit), total: found.length }
    },
    count: async deletes =>
      deletes.reduce((sum, { table, where }) => sum + log.count(project, table, where), 0),
    otherProjects: async () => {
      const others = [
        ...log.rowsOfOthers('svc_state_history', project),
        ...log.rowsOfOthers('svc_builds', project),
      ]
      return [...new Set(others.map(row => text(row, 'project')))].sort()
    },
    recordedViews: async () => {
      const views = (rows: ReturnType<typeof log.rows>, isOwn: boolean) =>
        rows.map(row => ({
          owner: isOwn ? null : text(row, 'project'),
          environment: text(row, 'environment'),
          view: { schema: text(row, 'view_schema'), name: text(row, 'view_name') },
        }))
      return [
        ...views(log.rows('svc_views', project), true),
        ...views(log.rowsOfOthers('svc_views', project), false),
      ]
    },
    isOwnView: async ({ schema, name }) =>
      log.rows('svc_views', project).some(row => row['view_schema'] === schema && row['view_name'] === name),
    ofOthers: async () => ({
      runIds: log.rowsOfOthers('svc_state_history', project).map(row => text(row, 'run_id')),
      schemas: log.rowsOfOthers('svc_builds', project).map(row => text(row, 'relation_schema')),
    }),
    initialise: async () => undefined,
    lost: async () => [],
    restore: async () => [],
    commit: async changes => log.append({ project, changes }),
    adopt: async former => log.append({ project, adopts: former }),
  }
}

function text(row: Row, column: string): string {
  return String(row[column])
}

function compare(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (a === b) return 0
  if (a === null || a === undefined) return 1
  return b === null || b === undefined || a < b ? -1 : 1
}

function historyOf({ project: _, ...row }: Row): HistoryRecord {
  return { ...row, assets: row['assets'] as unknown as HistoryAsset[] } as unknown as HistoryRecord
}

function latestFirst(a: HistoryRecord, b: HistoryRecord): number {
  return compare(b.started_at, a.started_at) || compare(b.run_id, a.run_id)
}

function limited(runs: readonly HistoryRecord[], limit: number): HistoryRecord[] {
  return runs.filter(({ status }, place) => place < limit || status === 'running')
}

function buildOf(row: Row): BuildRecord {
  const { project: _, relation_schema, relation_name, ...rest } = row
  const relation = { schema: String(relation_schema), name: String(relation_name) }
  return { ...rest, relation } as unknown as BuildRecord
}

function newestBuilds(builds: readonly BuildRecord[]): Map<string, BuildRecord> {
  const oldestFirst = builds.toSorted((a, b) => compare(a.created_at, b.created_at))
  return new Map(oldestFirst.map(build => [build.build_key, build]))
}

function viewOf(row: Row) {
  return { schema: text(row, 'view_schema'), name: text(row, 'view_name') }
}

function testsOf(rows: readonly Row[], environment: string): Map<string, TestRecord> {
  const isHere = (row: Row) => row['environment'] === environment
  const rising = rows.toSorted(
    (a, b) => Number(isHere(a)) - Number(isHere(b)) || compare(a['ran_at'], b['ran_at']),
  )
  return new Map(
    rising.map(({ project: _project, environment: _environment, ...row }) => {
      const record = row as unknown as TestRecord
      return [`${record.asset}\n${record.name}`, record]
    }),
  )
}

function isWanted(row: Row, { asset, runId, current }: RejectsWanted): boolean {
  if (asset !== undefined && row['asset'] !== asset) return false
  if (runId !== undefined && row['run_id'] !== runId) return false
  if (current === undefined) return true
  const isRefused = row['status'] === 'refused' && row['environment'] === current.environment
  return isRefused || current.loadKeys.includes(text(row, 'load_key'))
}

function rejectOf(row: Row): RejectRecord {
  const columns = ['child', 'column_name', 'replayed_run_id'].map(column => [column, row[column] ?? null])
  return { ...row, ...Object.fromEntries(columns) } as unknown as RejectRecord
}

function inOrder(a: RejectRecord, b: RejectRecord): number {
  return (
    compare(a.asset, b.asset) ||
    compare(a.record_number, b.record_number) ||
    compare(a.kind, b.kind) ||
    compare(a.column_name, b.column_name)
  )
}

function readersOf(row: Row): [string, readonly string[]][] {
  const readers = row['readers']
  return typeof readers === 'string' ? [[text(row, 'asset'), JSON.parse(readers) as string[]]] : []
}
