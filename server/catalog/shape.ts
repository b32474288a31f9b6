/** What readers of an asset see of it: its columns as values, and as a table's columns. */
import { onlyEngine } from '../language/engines/only-engine.ts'
import type { Column, ColumnOrigin, RawTable } from '../language/index.ts'
import { inputColumn as boundInput } from '../language/sql/binder/input-column.ts'
import type { Column as BoundColumn } from '../language/sql/binder/model.ts'
import { unknownValue } from '../language/sql/binder/values.ts'
import type { TableColumn } from './relations.ts'

export interface Shape {
  readonly values: readonly BoundColumn[]
  readonly columns: readonly TableColumn[]
  /** False: it may have more columns than these. */
  readonly complete: boolean
  /** Columns that a broken statement would have if it were mended; naming them is no error. */
  readonly also: readonly BoundColumn[]
}

/** Nothing is known: any name is accepted, every type is unknown. */
export const openShape: Shape = { values: [], columns: [], complete: false, also: [] }

/** `also`: names of columns that a broken statement would have. `few`: folded names of those with few values. */
export function assetShape(
  asset: string,
  columns: readonly Column[],
  complete: boolean,
  also: readonly string[] = [],
  few?: ReadonlySet<string>,
): Shape {
  const shape = shapeOf(columns, complete, column => ({ asset, column }), few)
  return also.length === 0 ? shape : { ...shape, also: also.map(misspeltColumn) }
}

function misspeltColumn(name: string): BoundColumn {
  return { id: `also:${name}`, name, maker: { kind: 'opaque' }, value: unknownValue }
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
  few?: ReadonlySet<string>,
): Shape {
  const values = columns.map(({ name, type }) =>
    inputColumn(origin(name), type, few?.has(onlyEngine.binding.fold(name))),
  )
  return { values, columns, complete, also: [] }
}

/** A column of a table that a statement reads. */
export function inputColumn(origin: ColumnOrigin, typeText: string | undefined, isFew = false): BoundColumn {
  return boundInput(origin, typeText, isFew, onlyEngine.binding)
}

export function sameShape(a: Shape, b: Shape): boolean {
  if (a.complete !== b.complete || a.columns.length !== b.columns.length) return false
  if (namesOf(a) !== namesOf(b)) return false
  return a.columns.every((column, index) => {
    const other = b.columns[index]
    return column.name === other?.name && column.type === other.type
  })
}

/** What readers see of it besides its columns. */
function namesOf(shape: Shape): string {
  const few = shape.values.flatMap(({ name, value }) => (value.few ? name : []))
  return JSON.stringify([shape.also.map(column => column.name), few])
}
