/** The shape of an asset, as its readers see it: its columns as values, and as columns of a table. */
import type { ColumnOrigin, Engine, RawTable } from '../language/index.ts'
import { inputColumn } from '../language/sql/binder/input-column.ts'
import type { Column as BoundColumn } from '../language/sql/binder/model.ts'
import { unknownValue } from '../language/sql/binder/values.ts'
import type { TableColumn } from './relations.ts'

export interface Shape {
  readonly values: readonly BoundColumn[]
  readonly columns: readonly TableColumn[]
  /** False if it may have more columns than these. */
  readonly complete: boolean
  /** Columns that a broken statement would have if it were correct; naming them is no error. */
  readonly also: readonly BoundColumn[]
}

/** The shape of which nothing is known: any column name is accepted, every type is unknown. */
export const openShape: Shape = { values: [], columns: [], complete: false, also: [] }

interface Output {
  readonly columns: readonly TableColumn[]
  readonly complete: boolean
  /** Names of columns that a broken statement would have if it were correct. */
  readonly also?: readonly string[] | undefined
  /** Folded names of columns with few distinct values. */
  readonly few?: ReadonlySet<string> | undefined
}

export function assetShape(asset: string, output: Output, engine: Engine): Shape {
  const shape = shapeOf(output, column => ({ asset, column }), engine)
  const { also = [] } = output
  return also.length === 0 ? shape : { ...shape, also: also.map(misspeltColumn) }
}

function misspeltColumn(name: string): BoundColumn {
  return { id: `also:${name}`, name, maker: { kind: 'opaque' }, value: unknownValue }
}

export function rawShape(asset: string, table: RawTable | undefined, engine: Engine): Shape | undefined {
  if (!table) return undefined
  // A type that does not exist is left out: it would break every statement over the table. A check reports
  // it.
  const columns = table.columns.map(column =>
    column.type !== undefined && engine.types.problem(column.type) ? { ...column, type: undefined } : column,
  )
  const { complete, child } = table
  return shapeOf({ columns, complete }, column => rawOrigin(asset, child, column), engine)
}

export function rawOrigin(asset: string, child: string | undefined, column: string): ColumnOrigin {
  return { asset, column, source: child ?? '' }
}

function shapeOf(
  { columns, complete, few }: Output,
  origin: (column: string) => ColumnOrigin,
  { binding }: Engine,
): Shape {
  const values = columns.map(({ name, type }) =>
    inputColumn(origin(name), type, few?.has(binding.fold(name)) === true, binding),
  )
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

/** Returns a signature of what readers see besides the columns. */
function namesOf(shape: Shape): string {
  const few = shape.values.flatMap(({ name, value }) => (value.few ? name : []))
  return JSON.stringify([shape.also.map(column => column.name), few])
}
