/** Finds columns of raw tables: by what a setting says, and by their name in the warehouse. */
import type { Engine } from '../engines/engine.ts'
import { listStep } from '../source/list-step.ts'
import type { RawColumn } from '../source/source-shape.ts'
import { columnCalled } from './called.ts'
import { resolverOf, type Spelling } from './resolve-name.ts'

/**
 * Returns the column of a table that a setting names, as the source or the warehouse spells it. In a child table a name
 * begins at its records.
 */
export function findColumn(
  columns: readonly RawColumn[],
  wanted: string,
  engine: Engine,
): RawColumn | undefined {
  return resolverFor(columns, engine)(wanted)
}

/** A table is asked for as many names as its contract has; while it is made, columns are added to it. */
const resolvers = new WeakMap<
  readonly RawColumn[],
  { readonly size: number; readonly find: (wanted: string) => RawColumn | undefined }
>()

function resolverFor(columns: readonly RawColumn[], engine: Engine) {
  const known = resolvers.get(columns)
  if (known?.size === columns.length) return known.find
  const find = resolverOf(columns, spellingOf, engine)
  resolvers.set(columns, { size: columns.length, find })
  return find
}

export function spellingOf({ name, path }: RawColumn): Spelling {
  return { name, source: path.slice(path.lastIndexOf(listStep) + 1).join('.') }
}

/** Returns the column that has this name in the warehouse. */
export function columnNamed(
  columns: readonly RawColumn[],
  name: string,
  engine: Engine,
): RawColumn | undefined {
  return columnCalled(columns, name, engine)
}
