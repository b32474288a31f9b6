/** Finds columns of raw tables: by what a setting says, and by their name in the warehouse. */
import type { Engine } from '../engines/engine.ts'
import { listStep } from '../source/list-step.ts'
import type { RawColumn } from '../source/source-shape.ts'
import { columnCalled } from './called.ts'
import { resolveName, type Spelling } from './resolve-name.ts'

/**
 * Returns the column of a table that a setting names, as the source or the warehouse spells it. In a child table a name
 * begins at its records.
 */
export function findColumn(
  columns: readonly RawColumn[],
  wanted: string,
  engine: Engine,
): RawColumn | undefined {
  return resolveName(wanted, columns, spellingOf, engine)
}

function spellingOf({ name, path }: RawColumn): Spelling {
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
