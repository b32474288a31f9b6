/** The step that loads one table of a fetched source into the green schema. */
import { joinedTable } from '../ingest/incremental/joined-table.ts'
import type { FetchedTable } from '../ingest/source.ts'
import type { LoadStep } from '../plan/step.ts'
import { insertBuild, insertDrift, insertLoadedFiles, type StateChange } from '../state/changes.ts'
import type { BuildRecord } from '../state/state.ts'
import { loadedColumns, rawRecord } from './build-records.ts'
import { type AssetBuild, type Building, type RelationMaker, rawName } from './building.ts'
import { rejectAppends } from './rejected-rows.ts'

export function loadMaker(step: LoadStep, own: AssetBuild, building: Building): RelationMaker {
  const { asset: name, child } = step
  const target = { schema: building.schema, name: rawName(name, child) }
  const table = fetchedTable(step, building)
  let record: BuildRecord | undefined
  return {
    block: 'ingest',
    task() {
      const { sql, columns } = wholeTable(step, table, building)
      const view = isInWarehouse(step, building) ? ({ view: true } as const) : {}
      const load = { id: step.id, target, kind: 'load' as const, sql, columns, ...view }
      const appends = child === undefined ? rejectsOf(step, building) : []
      return appends.length === 0 ? load : { ...load, appends }
    },
    record(result) {
      const columns = loadedColumns(result.columns, table)
      if (child !== undefined) {
        own.children[child] = { relation: target, columns, rows: result.rows ?? 0 }
        return []
      }
      record = recordOf(step, own, { ...result, columns }, target, building)
      return [...insertBuild(record), ...driftOf(record, building), ...filesOf(record, building)]
    },
    built() {
      own.load ??= record
    },
  }
}

function fetchedTable({ asset, child }: LoadStep, { fetched }: Building): FetchedTable {
  const table = fetched.get(asset)?.tables.find(({ shape }) => shape.child === child)
  if (table === undefined) throw new Error(`nothing was fetched for "${rawName(asset, child)}"`)
  return table
}

/** Returns what is loaded: the fetched records, or they together with those of the load that they continue. */
function wholeTable({ asset, child }: LoadStep, table: FetchedTable, { fetched }: Building) {
  const { joining, tables = [] } = fetched.get(asset) ?? {}
  return joining === undefined ? table : joinedTable(child, tables, joining)
}

function isInWarehouse({ asset }: LoadStep, { fetched }: Building): boolean {
  return fetched.get(asset)?.inWarehouse === true
}

function rejectsOf({ asset, key = '' }: LoadStep, { fetched, environment, runId, now }: Building) {
  const { loadId = '', rejects } = fetched.get(asset) ?? {}
  return rejectAppends(rejects, { environment, runId, asset, loadKey: key, loadId, now: now() })
}

function recordOf(
  { asset: name, key = '', salt }: LoadStep,
  { asset, children }: AssetBuild,
  result: Parameters<typeof rawRecord>[0]['result'],
  target: BuildRecord['relation'],
  { runId, now, rawDefinitionHash, fetched }: Building,
): BuildRecord {
  const definitionHash = rawDefinitionHash(name)
  const source = fetched.get(name)
  const facts = {
    asset,
    target,
    // A view has no rows of its own: the source has counted them.
    result: { ...result, rows: result.rows ?? source?.rows },
    buildKey: key,
    definitionHash,
    runId,
    createdAt: now(),
    salt,
  }
  const query = source?.inWarehouse === true ? source.tables[0]?.sql : undefined
  return rawRecord(facts, children, { loadId: source?.loadId, query })
}

function driftOf({ asset, build_key: load_key }: BuildRecord, { fetched }: Building): StateChange[] {
  const changes = fetched.get(asset)?.pageDrift ?? []
  return changes.length === 0 ? [] : insertDrift({ load_key, asset, changes })
}

function filesOf({ asset, build_key: load_key }: BuildRecord, { fetched }: Building): StateChange[] {
  const files = fetched.get(asset)?.files
  return files === undefined ? [] : insertLoadedFiles({ load_key, asset, files })
}
