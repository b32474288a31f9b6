/** The state store for engines that speak SQL with a dialect. */
import { refuseLost, refuseNewer } from '../../state/migrations.ts'
import { emptyState } from '../../state/state.ts'
import type { StateStore } from '../../state/state-store.ts'
import { type OwnedTable, stateVersion } from '../../state/tables.ts'
import type { StateAccess } from '../warehouse.ts'
import { changeStatements, type StateOwner } from './change-statements.ts'
import { readHistory, readLongRuns, readRunAssets, readRuns } from './read-history.ts'
import { readPublishes, readPublishRejects } from './read-publishes.ts'
import {
  countRecords,
  readDefinitions,
  readDrift,
  readFetches,
  readIsOwnView,
  readLineage,
  readLineageKeys,
  readLiveDefinitions,
  readLiveKeys,
  readLoadedFiles,
  readMarks,
  readOpenRejects,
  readOtherProjects,
  readOthersWork,
  readRecordedViews,
  readRejects,
  readViewTexts,
} from './read-records.ts'
import { readBuilds, readSnapshot } from './read-snapshot.ts'
import { lostTables, type Reading, readOwn, stateVersionOf } from './reading.ts'
import { adoptStatements, createStatements, createTable, migrationStatements } from './table-statements.ts'

export function sqlStateStore(owner: StateOwner, access: StateAccess): StateStore {
  const of = <T>(table: OwnedTable, none: T, ask: (reading: Reading) => Promise<T>) =>
    readOwn(access, owner, table, none, ask)
  /** Of nothing, nothing is asked. */
  const among = async <T>(
    asked: readonly string[],
    table: OwnedTable,
    none: T,
    ask: (reading: Reading) => Promise<T>,
  ) => (asked.length === 0 ? none : of(table, none, ask))
  return {
    ...tablesOf(owner, access),
    read: (environment, { historyLimit = 10 } = {}) =>
      of('svc_builds', emptyState(environment), reading => readSnapshot(reading, environment, historyLimit)),
    history: (environment, limit) =>
      of('svc_state_history', [], reading => readHistory(reading, environment, limit)),
    runs: () => of('svc_state_history', [], readRuns),
    runAssets: runIds =>
      among(runIds, 'svc_state_history', new Map(), reading => readRunAssets(reading, runIds)),
    longRuns: (runIds, length) =>
      among(runIds, 'svc_state_history', new Set(), reading => readLongRuns(reading, runIds, length)),
    builds: () => of('svc_builds', new Map(), readBuilds),
    liveKeys: () => of('svc_catalog', [], readLiveKeys),
    definitions: hashes =>
      among(hashes, 'svc_definitions', new Map(), reading => readDefinitions(reading, hashes)),
    liveDefinitions: environment =>
      of(
        'svc_definitions',
        () => undefined,
        reading => readLiveDefinitions(reading, environment),
      ),
    lineage: keys => among(keys, 'svc_lineage', new Map(), reading => readLineage(reading, keys)),
    lineageKeys: () => of('svc_lineage', new Set(), readLineageKeys),
    fetches: () => of('svc_fetches', new Map(), readFetches),
    viewTexts: () => of('svc_view_texts', new Map(), readViewTexts),
    marks: () => of('svc_marks', [], readMarks),
    drift: () => of('svc_drift', [], readDrift),
    loadedFiles: loadKey => of('svc_loaded_files', undefined, reading => readLoadedFiles(reading, loadKey)),
    rejects: (wanted, limit) =>
      of('svc_rejects', { rejects: [], total: 0 }, reading => readRejects(reading, wanted, limit)),
    openRejects: wanted =>
      among(wanted.assets, 'svc_rejects', [], reading => readOpenRejects(reading, wanted)),
    publishes: (wanted, limit) => of('svc_publishes', [], reading => readPublishes(reading, wanted, limit)),
    publishRejects: (wanted, limit) =>
      of('svc_publish_rejects', { rejects: [], total: 0 }, reading =>
        readPublishRejects(reading, wanted, limit),
      ),
    count: deletes => of('svc_definitions', 0, reading => countRecords(reading, deletes)),
    otherProjects: () => of('svc_builds', [], readOtherProjects),
    recordedViews: () => of('svc_views', [], readRecordedViews),
    isOwnView: view => of('svc_views', false, reading => readIsOwnView(reading, view)),
    ofOthers: () => of('svc_builds', { runIds: [], schemas: [] }, readOthersWork),
    commit: changes => access.transaction(changeStatements(owner, changes)),
    adopt: project => access.transaction(adoptStatements(owner, project)),
  }
}

/** The tables themselves: whether they are there, and what makes them. */
function tablesOf(
  owner: StateOwner,
  access: StateAccess,
): Pick<StateStore, 'initialise' | 'lost' | 'restore'> {
  const written = (statements: readonly string[]) => access.transaction(statements)
  const standing = async () => {
    const version = await stateVersionOf(access, owner.dialect)
    refuseNewer(version ?? 0)
    return { version, lost: version === undefined ? [] : await lostTables(access, version) }
  }
  return {
    async initialise() {
      const { version, lost } = await standing()
      refuseLost(lost)
      if (version === stateVersion) return undefined
      if (version === undefined) {
        await written(createStatements(owner.dialect))
        return undefined
      }
      for (const statements of migrationStatements(owner, version)) await written(statements)
      return { from: version, to: stateVersion }
    },
    lost: async () => (await standing()).lost,
    async restore() {
      const { lost: names } = await standing()
      if (names.length > 0) await written(names.map(name => createTable(owner.dialect, name)))
      return names
    },
  }
}
