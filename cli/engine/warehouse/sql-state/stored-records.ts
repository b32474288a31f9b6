/**
 * Records of the state tables as they were read. Each refers to a row of its table, and values are decoded on
 * access, because a command looks at few of ten thousand records. Reads no table.
 */
import type { BuildRecord, CatalogRecord, TestRecord } from '../../state/state.ts'
import { type ColumnType, columnsOf, type OwnedTable, typeOf } from '../../state/tables.ts'
import type { Relation } from '../warehouse.ts'
import { isoTime, type TableValues } from './table-texts.ts'

/** One row. */
class StoredRow {
  private readonly table: TableValues
  private readonly index: number
  private parsed: Record<string, unknown> | undefined

  constructor(table: TableValues, index: number) {
    this.table = table
    this.index = index
  }

  /** Throws for a column that was not read. */
  decoded(column: string, type: ColumnType): unknown {
    if (type === 'json') return this.json(column)
    return type === 'timestamp' ? isoTime(this.value(column)) : this.value(column)
  }

  private value<T>(column: string): T {
    return this.table.column<T>(column)[this.index] as T
  }

  /** Parses JSON once, on first access. */
  private json(column: string): unknown {
    this.parsed ??= {}
    this.parsed[column] ??= JSON.parse(this.value(column))
    return this.parsed[column]
  }
}

/** Returns a class of rows that have the columns of the table as properties. */
function recordsOf<Stored>(table: OwnedTable): new (values: TableValues, index: number) => Stored {
  class TableRow extends StoredRow {}
  for (const column of columnsOf(table)) {
    const type = typeOf(table, column)
    const get = function (this: StoredRow) {
      return this.decoded(column, type)
    }
    Object.defineProperty(TableRow.prototype, column, { get })
  }
  return TableRow as unknown as new (
    values: TableValues,
    index: number,
  ) => Stored
}

export const StoredCatalog = recordsOf<CatalogRecord>('svc_catalog')
export const StoredTest = recordsOf<TestRecord>('svc_test_results')

interface BuildRow extends Omit<BuildRecord, 'relation'> {
  readonly relation_schema: string
  readonly relation_name: string
}

export class StoredBuild extends recordsOf<BuildRow>('svc_builds') implements BuildRecord {
  get relation(): Relation {
    return { schema: this.relation_schema, name: this.relation_name }
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
