/**
 * Reads everything that a command needs of one environment: a few queries, sent together, which return whole
 * tables as a few texts.
 */
import { refuseNewer } from '../../state/migrations.ts'
import type { BuildPins, StateSnapshot, TestRecord } from '../../state/state.ts'
import { columnsOf } from '../../state/tables.ts'
import { stateTable } from './change-statements.ts'
import { readHistory } from './read-history.ts'
import type { Reading } from './reading.ts'
import { readersIn, StoredBuild, StoredCatalog, StoredTest, viewsIn } from './stored-records.ts'
import { readTable, type TableValues } from './table-texts.ts'

/** Reads the snapshot in one round trip. */
export async function readSnapshot(
  reading: Reading,
  environment: string,
  historyLimit: number,
): Promise<StateSnapshot> {
  const here = `environment = ${reading.dialect.literal(environment)}`
  const [generation, live, builds, views, tests, history] = await Promise.all([
    readGeneration(reading, here),
    readTable(reading, 'svc_catalog', columnsOf('svc_catalog'), here),
    readTable(reading, 'svc_builds', columnsOf('svc_builds')),
    readTable(reading, 'svc_views', ['asset', 'view_schema', 'view_name', 'readers'], here),
    readTable(reading, 'svc_test_results', columnsOf('svc_test_results')),
    readHistory(reading, environment, historyLimit),
  ])
  return {
    environment,
    generation: generation ?? 0,
    isForgotten: generation === 0,
    live: new Map(live.column<string>('asset').map((asset, row) => [asset, new StoredCatalog(live, row)])),
    builds: newestByKey(builds),
    history,
    tests: testsOf(tests, environment),
    views: viewsIn(views),
    readers: readersIn(views),
  }
}

const unpinned = ['kind', 'definition_hash', 'columns', 'rows', 'seconds', 'load_id', 'sql', 'salt']
const pinColumns = columnsOf('svc_builds').filter(column => !unpinned.includes(column))

/**
 * Returns all complete builds of all environments, by build key, with the columns that garbage collection
 * needs.
 */
export async function readBuilds(reading: Reading): Promise<ReadonlyMap<string, BuildPins>> {
  return newestByKey(await readTable(reading, 'svc_builds', pinColumns))
}

/** Null if nothing was ever deployed. */
async function readGeneration({ access, dialect, own }: Reading, here: string): Promise<number | null> {
  const [row] = await access.query<{ version: number; generation: number | null }>(
    `SELECT max(version) AS version,
      (SELECT generation FROM ${stateTable(dialect, 'svc_live')} WHERE ${here} AND ${own}) AS generation
     FROM ${stateTable(dialect, 'svc_meta')}`,
  )
  refuseNewer(row?.version ?? 0)
  return row?.generation ?? null
}

/** If a key was built twice, the newest build counts. */
function newestByKey(builds: TableValues): ReadonlyMap<string, StoredBuild> {
  const newest = new Map<string, StoredBuild>()
  const made = builds.column<number>('created_at')
  const rows = new Map<string, number>()
  for (const [row, key] of builds.column<string>('build_key').entries()) {
    const known = rows.get(key)
    if (known !== undefined && (made[known] ?? 0) > (made[row] ?? 0)) continue
    rows.set(key, row)
    newest.set(key, new StoredBuild(builds, row))
  }
  return newest
}

/**
 * A test on the same build may have run in another environment. The result of this environment takes
 * precedence, then the newest.
 */
function testsOf(table: TableValues, environment: string): ReadonlyMap<string, TestRecord> {
  const [environments, times] = [table.column<string>('environment'), table.column<number>('ran_at')]
  const rank = (row: number) =>
    environments[row] === environment ? Number.POSITIVE_INFINITY : (times[row] ?? 0)
  const names = table.column<string>('name')
  const chosen = new Map<string, number>()
  for (const [row, asset] of table.column<string>('asset').entries()) {
    const key = `${asset}\n${names[row]}`
    const known = chosen.get(key)
    if (known === undefined || rank(known) < rank(row)) chosen.set(key, row)
  }
  return new Map([...chosen].map(([key, row]) => [key, new StoredTest(table, row)]))
}
