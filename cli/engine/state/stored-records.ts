/**
 * Records of the state tables as they were read. Their JSON and their times are worked out on first use: of ten thousand
 * records a command looks closely at few. Reads no table.
 */
import type { Relation } from '../warehouse/warehouse.ts'
import type { BuildRecord, CatalogRecord, HistoryAsset, HistoryRecord, TestRecord } from './state.ts'
import { isoTime, type TableValues } from './table-texts.ts'

/** What collection needs of a build: where it is and what it holds on to. */
export type BuildPins = Pick<
  BuildRecord,
  'build_key' | 'asset' | 'part' | 'run_id' | 'relation' | 'children' | 'pins'
>

/** A run without its assets. */
export type RunSummary = Omit<HistoryRecord, 'assets'>

/** A row of `svc_state_history`; times are seconds. */
export interface HistoryRow {
  readonly [column: string]: unknown
  readonly assets: string
}

export function catalogRecord(table: TableValues, index: number): CatalogRecord {
  const columns = jsonAt<CatalogRecord['columns']>(table, index, 'columns')
  return {
    environment: table.at('environment', index),
    asset: table.at('asset', index),
    definition_hash: table.at('definition_hash', index),
    build_key: table.at('build_key', index),
    run_id: table.at('run_id', index),
    green_schema: table.at('green_schema', index),
    get deployed_at() {
      return isoTime(table.at('deployed_at', index))
    },
    get columns() {
      return columns()
    },
  }
}

/** `table` may lack the columns that are not in `BuildPins`. */
export function buildPins(table: TableValues, index: number): BuildPins {
  const children = jsonAt<BuildRecord['children']>(table, index, 'children')
  const pins = jsonAt<BuildRecord['pins']>(table, index, 'pins')
  return {
    ...plainPins(table, index),
    get children() {
      return children()
    },
    get pins() {
      return pins()
    },
  }
}

export function buildRecord(table: TableValues, index: number): BuildRecord {
  const children = jsonAt<BuildRecord['children']>(table, index, 'children')
  const columns = jsonAt<BuildRecord['columns']>(table, index, 'columns')
  const pins = jsonAt<BuildRecord['pins']>(table, index, 'pins')
  return {
    ...plainPins(table, index),
    kind: table.at('kind', index),
    definition_hash: table.at('definition_hash', index),
    rows: table.at('rows', index),
    seconds: table.at('seconds', index),
    load_id: table.at('load_id', index),
    sql: table.at('sql', index),
    deploy_schema: table.at('deploy_schema', index),
    get created_at() {
      return isoTime(table.at('created_at', index))
    },
    get children() {
      return children()
    },
    get columns() {
      return columns()
    },
    get pins() {
      return pins()
    },
  }
}

function plainPins(table: TableValues, index: number): Omit<BuildPins, 'children' | 'pins'> {
  return {
    build_key: table.at('build_key', index),
    asset: table.at('asset', index),
    part: table.at('part', index),
    run_id: table.at('run_id', index),
    relation: relationOf(table, index, 'relation'),
  }
}

export function testRecord(table: TableValues, index: number): TestRecord {
  return {
    asset: table.at('asset', index),
    name: table.at('name', index),
    test_hash: table.at('test_hash', index),
    input_key: table.at('input_key', index),
    status: table.at('status', index),
    severity: table.at('severity', index),
    failures: table.at('failures', index),
    message: table.at('message', index),
    seconds: table.at('seconds', index),
    run_id: table.at('run_id', index),
    get ran_at() {
      return isoTime(table.at('ran_at', index))
    },
  }
}

export function viewEntry(table: TableValues, index: number): [string, Relation] {
  return [table.at('asset', index), relationOf(table, index, 'view')]
}

function relationOf(table: TableValues, index: number, prefix: 'relation' | 'view'): Relation {
  return { schema: table.at(`${prefix}_schema`, index), name: table.at(`${prefix}_name`, index) }
}

/** Parsed when it is asked for, once. */
function jsonAt<T>(table: TableValues, index: number, column: string): () => T {
  return parsedOnce(table.at(column, index))
}

function parsedOnce<T>(text: unknown): () => T {
  let parsed: { readonly value: T } | undefined
  return () => {
    parsed ??= { value: JSON.parse(String(text)) as T }
    return parsed.value
  }
}

export function historyRecord({ assets, ...row }: HistoryRow): HistoryRecord {
  const assetsOnce = parsedOnce<readonly HistoryAsset[]>(assets)
  return {
    ...runSummary(row),
    get assets() {
      return assetsOnce()
    },
  }
}

export function runSummary(row: Readonly<Record<string, unknown>>): RunSummary {
  const { started_at, finished_at } = row
  return {
    ...(row as unknown as RunSummary),
    started_at: isoTime(Number(started_at)),
    finished_at: finished_at === null ? null : isoTime(Number(finished_at)),
  }
}
