/** What readers of an asset see of it: its columns as values, and as a table's columns. */
import { onlyEngine } from '../language/engines/only-engine.ts'
import type { Column, ColumnOrigin, RawTable } from '../language/index.ts'
import type { OutputColumn } from '../language/lineage/values.ts'
import type { TableColumn } from './relations.ts'

export interface Shape {
  readonly values: readonly OutputColumn[]
  readonly columns: readonly TableColumn[]
  /** False: it may have more columns than these. */
  readonly complete: boolean
  /** Columns that a broken statement would have if it were mended; naming them is no error. */
  readonly also: readonly OutputColumn[]
}

/** Nothing is known: any name is accepted, every type is unknown. */
export const openShape: Shape = { values: [], columns: [], complete: false, also: [] }

export function assetShape(
  asset: string,
  columns: readonly Column[],
  complete: boolean,
  also: readonly OutputColumn[] = [],
): Shape {
  const shape = shapeOf(columns, complete, column => ({ asset, column }))
  return also.length === 0 ? shape : { ...shape, also }
}

export function rawShape(asset: string, table: RawTable | undefined): Shape | undefined {
  if (!table) return undefined
  // A type that there is not would break every statement over the table; a check reports it.
  const columns = table.columns.map(column =>
    column.type !== undefined && onlyEngine.types.problem(column.type)
      ? { ...column, type: undefined }
      : column,
  )
  return shapeOf(columns, table.complete, column => rawOrigin(asset, table.child, column))
}

export function rawOrigin(asset: string, child: string | undefined, column: string): ColumnOrigin {
  return { asset, column, source: child ?? '' }
}

function shapeOf(
  columns: readonly TableColumn[],
  complete: boolean,
  origin: (column: string) => ColumnOrigin,
): Shape {
  const values = columns.map(column => ({
    name: column.name,
    origins: [origin(column.name)],
    direct: true,
    unknown: column.type === undefined,
  }))
  return { values, columns, complete, also: [] }
}

export function sameShape(a: Shape, b: Shape): boolean {
  if (a.complete !== b.complete || a.columns.length !== b.columns.length) return false
  if (namesOf(a) !== namesOf(b)) return false
  return a.columns.every((column, index) => {
    const other = b.columns[index]
    return column.name === other?.name && column.type === other.type
  })
}

function namesOf(shape: Shape): string {
  return shape.also.map(column => column.name).join(' ')
}
