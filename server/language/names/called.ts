/**
 * Finds things by their names as the engine compares these. A table of thousands of columns is asked for a column as often as
 * it has some, so that the names of a list are folded once.
 */
import type { Engine } from '../engines/engine.ts'
import { oncePer } from '../once.ts'

type Folding = Pick<Engine, 'fold'>

/** Returns the first of the columns that has this name. */
export function columnCalled<C extends { readonly name: string }>(
  columns: readonly C[],
  name: string,
  engine: Folding,
): C | undefined {
  return columnsByName(columns, engine).get(engine.fold(name)) as C | undefined
}

/** Returns the first line of a lineage that is about this column. */
export function lineageCalled<L extends { readonly column: string }>(
  lines: readonly L[],
  column: string,
  engine: Folding,
): L | undefined {
  return linesByColumn(lines, engine).get(engine.fold(column)) as L | undefined
}

/** Returns the value that a mapping has under this name. */
export function valueCalled<V>(
  mapping: Readonly<Record<string, V>>,
  name: string,
  engine: Folding,
): V | undefined {
  return valuesByKey(mapping, engine).get(engine.fold(name)) as V | undefined
}

/** Returns the field of a struct that has exactly this name. */
export function fieldNamed<F extends { readonly name?: string | undefined }>(
  fields: readonly F[],
  name: F['name'],
): F | undefined {
  return fieldsByName(fields).get(name) as F | undefined
}

const fieldsByName = oncePer((fields: readonly { readonly name?: string | undefined }[]) =>
  firstByKey(fields.map(field => [field.name, field] as const)),
)

const columnsByName = oncePer((columns: readonly { readonly name: string }[], { fold }: Folding) =>
  firstByKey(columns.map(column => [fold(column.name), column] as const)),
)

const linesByColumn = oncePer((lines: readonly { readonly column: string }[], { fold }: Folding) =>
  firstByKey(lines.map(line => [fold(line.column), line] as const)),
)

const valuesByKey = oncePer((mapping: Readonly<Record<string, unknown>>, { fold }: Folding) =>
  firstByKey(Object.entries(mapping).map(([key, value]) => [fold(key), value] as const)),
)

function firstByKey<K, V>(entries: readonly (readonly [K, V])[]): ReadonlyMap<K, V> {
  return new Map([...entries].reverse())
}
