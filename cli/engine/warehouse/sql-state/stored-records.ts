/**
 * Records of the state tables as they were read. Each refers to a row of its table, and values are decoded on
 * access, because a command looks at few of ten thousand records. Reads no table.
 */
import type {
  BuildRecord,
  CatalogRecord,
  HistoryAsset,
  HistoryRecord,
  RunSummary,
  TestRecord,
} from '../../state/state.ts'
import type { Relation } from '../warehouse.ts'
import { isoTime, type TableValues } from './table-texts.ts'

/** A row of `svc_state_history`; times are seconds. */
export interface HistoryRow {
  readonly [column: string]: unknown
  readonly assets: string
}

/** One row. Accessing a column that was not read throws. */
abstract class StoredRow {
  protected readonly table: TableValues
  protected readonly index: number
  private parsed: Record<string, unknown> | undefined

  constructor(table: TableValues, index: number) {
    this.table = table
    this.index = index
  }

  protected value<T>(column: string): T {
    return this.table.column<T>(column)[this.index] as T
  }

  protected time(column: string): string {
    return isoTime(this.value(column))
  }

  /** Parses JSON once, on first access. */
  protected json<T>(column: string): T {
    this.parsed ??= {}
    this.parsed[column] ??= JSON.parse(this.value(column))
    return this.parsed[column] as T
  }
}

export class StoredCatalog extends StoredRow implements CatalogRecord {
  get environment(): string {
    return this.value('environment')
  }
  get asset(): string {
    return this.value('asset')
  }
  get definition_hash(): string {
    return this.value('definition_hash')
  }
  get build_key(): string {
    return this.value('build_key')
  }
  get run_id(): string {
    return this.value('run_id')
  }
  get green_schema(): string {
    return this.value('green_schema')
  }
  get deployed_at(): string {
    return this.time('deployed_at')
  }
  get columns(): CatalogRecord['columns'] {
    return this.json('columns')
  }
}

export class StoredBuild extends StoredRow implements BuildRecord {
  get build_key(): string {
    return this.value('build_key')
  }
  get asset(): string {
    return this.value('asset')
  }
  get part(): BuildRecord['part'] {
    return this.value('part')
  }
  get kind(): BuildRecord['kind'] {
    return this.value('kind')
  }
  get definition_hash(): string {
    return this.value('definition_hash')
  }
  get relation(): Relation {
    return { schema: this.value('relation_schema'), name: this.value('relation_name') }
  }
  get children(): BuildRecord['children'] {
    return this.json('children')
  }
  get columns(): BuildRecord['columns'] {
    return this.json('columns')
  }
  get rows(): number | null {
    return this.value('rows')
  }
  get run_id(): string {
    return this.value('run_id')
  }
  get created_at(): string {
    return this.time('created_at')
  }
  get seconds(): number {
    return this.value('seconds')
  }
  get pins(): readonly string[] {
    return this.json('pins')
  }
  get load_id(): string | null {
    return this.value('load_id')
  }
  get sql(): string | null {
    return this.value('sql')
  }
  get deploy_schema(): string | null {
    return this.value('deploy_schema')
  }
  get salt(): string | null {
    return this.value('salt')
  }
}

export class StoredTest extends StoredRow implements TestRecord {
  get asset(): string {
    return this.value('asset')
  }
  get name(): string {
    return this.value('name')
  }
  get test_hash(): string {
    return this.value('test_hash')
  }
  get input_key(): string {
    return this.value('input_key')
  }
  get status(): TestRecord['status'] {
    return this.value('status')
  }
  get severity(): TestRecord['severity'] {
    return this.value('severity')
  }
  get failures(): number {
    return this.value('failures')
  }
  get message(): string | null {
    return this.value('message')
  }
  get seconds(): number {
    return this.value('seconds')
  }
  get run_id(): string {
    return this.value('run_id')
  }
  get ran_at(): string {
    return this.time('ran_at')
  }
}

/** Returns the views by asset. */
export function viewsIn(table: TableValues): Map<string, Relation> {
  const [schemas, names] = [table.column<string>('view_schema'), table.column<string>('view_name')]
  const views = new Map<string, Relation>()
  for (const [row, asset] of table.column<string>('asset').entries())
    views.set(asset, { schema: schemas[row] ?? '', name: names[row] ?? '' })
  return views
}

/** Returns the roles that svc lets read a view, by asset. */
export function readersIn(table: TableValues): Map<string, readonly string[]> {
  const assets = table.column<string>('asset')
  const readers = new Map<string, readonly string[]>()
  for (const [row, text] of table.column<string | null>('readers').entries())
    if (text !== null) readers.set(assets[row] ?? '', JSON.parse(text) as readonly string[])
  return readers
}

export function historyRecord(row: HistoryRow): HistoryRecord {
  let assets: readonly HistoryAsset[] | undefined
  return {
    ...runSummary(row),
    get assets() {
      assets ??= JSON.parse(row.assets) as HistoryAsset[]
      return assets
    },
  }
}

export function runSummary(row: Omit<HistoryRow, 'assets'>): RunSummary {
  const { started_at, finished_at, ...rest } = withoutAssets(row)
  return {
    ...(rest as unknown as RunSummary),
    started_at: isoTime(Number(started_at)),
    finished_at: finished_at === null ? null : isoTime(Number(finished_at)),
  }
}

/** The assets are long, and decoded only on access. */
function withoutAssets(row: Omit<HistoryRow, 'assets'>): Record<string, unknown> {
  const columns = Object.keys(row).filter(column => column !== 'assets')
  return Object.fromEntries(columns.map(column => [column, row[column]]))
}
