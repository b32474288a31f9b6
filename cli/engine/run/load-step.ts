/** The step that loads one table of a fetched source into the green schema. */
import { quoteName } from '@svc/server/catalog'
import { internalName, readingEngine } from '@svc/server/language'
import { type JoinedTable, type Joining, joinedTable } from '../ingest/incremental/joined-table.ts'
import type { FetchedTable } from '../ingest/source.ts'
import type { LoadStep } from '../plan/step.ts'
import {
  insertBuild,
  insertDrift,
  insertLoadedFiles,
  replaceFetches,
  type StateChange,
} from '../state/changes.ts'
import type { BuildRecord } from '../state/state.ts'
import type { Stage } from '../warehouse/warehouse.ts'
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
      const { sql, columns, stages = [] } = wholeTable(step, table, building)
      const staged = stages.length === 0 ? {} : { stages }
      const view = isInWarehouse(step, building) ? ({ view: true } as const) : {}
      const load = { id: step.id, target, kind: 'load' as const, sql, columns, ...view, ...staged }
      const appends = child === undefined ? rejectsOf(step, building) : []
      return appends.length === 0 ? load : { ...load, appends }
    },
    record(result) {
      const columns = loadedColumns(result.columns, table)
      if (child !== undefined) {
        own.children[child] = { relation: target, columns, rows: result.rows ?? 0 }
        return []
      }
      record = rawRecord({ step, target, result: { ...result, columns } }, own.children, building)
      return [
        ...insertBuild(record),
        ...fetchOf(record, building),
        ...driftOf(record, building),
        ...filesOf(record, building),
      ]
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

interface LoadedTable extends JoinedTable {
  readonly stages?: readonly Stage[]
}

/** Returns what is loaded: the fetched records, or they together with those of the load that they continue. */
function wholeTable(
  { asset, child }: LoadStep,
  table: FetchedTable,
  { fetched, dialect }: Building,
): LoadedTable {
  const { joining, tables = [] } = fetched.get(asset) ?? {}
  if (joining === undefined) return table
  return dialect.engine.kind === readingEngine.kind
    ? joinedTable(child, tables, joining)
    : joinedInWarehouse(child, tables, joining)
}

/** An engine that does not read the files joins the new records in tables of its own. */
function joinedInWarehouse(
  child: string | undefined,
  tables: readonly FetchedTable[],
  joining: Joining,
): LoadedTable {
  const stages = tables.map(({ sql, columns }, index) => ({
    name: internalName(`new_${index + 1}`),
    sql,
    columns,
  }))
  const inWarehouse = tables.map((table, index) => ({
    ...table,
    sql: `SELECT * FROM ${quoteName(stages[index]?.name ?? '')}`,
  }))
  const joined = joinedTable(child, inWarehouse, joining)
  return { ...joined, stages: stages.filter(({ name }) => joined.sql.includes(quoteName(name))) }
}

function isInWarehouse({ asset }: LoadStep, { fetched }: Building): boolean {
  return fetched.get(asset)?.inWarehouse === true
}

function rejectsOf({ asset, key = '' }: LoadStep, building: Building) {
  const { loadId = '', rejects } = building.fetched.get(asset) ?? {}
  return rejectAppends(rejects, building, asset, { load_key: key, load_id: loadId })
}

function fetchOf({ asset, build_key }: BuildRecord, { runId, startedAt }: Building): StateChange[] {
  return replaceFetches([{ build_key, asset, fetched_at: startedAt.toISOString(), run_id: runId }])
}

function driftOf({ asset, build_key: load_key }: BuildRecord, { fetched }: Building): StateChange[] {
  const changes = fetched.get(asset)?.pageDrift ?? []
  return changes.length === 0 ? [] : insertDrift({ load_key, asset, changes })
}

function filesOf({ asset, build_key: load_key }: BuildRecord, { fetched }: Building): StateChange[] {
  const files = fetched.get(asset)?.files
  return files === undefined ? [] : insertLoadedFiles({ load_key, asset, files })
}
