/**
 * The columns among which a misspelt one is looked for. Thousands of names of one query may be unknown, so that what is asked of
 * their columns is worked out once.
 */
import { type NameIndex, newNameIndex } from '../../text/name-index.ts'
import type { Column, Scope } from './model.ts'
import { tablesAround } from './scope.ts'
import { derivedFrom, type Value } from './values.ts'

export interface ColumnList {
  readonly columns: readonly Column[]
  readonly size: number
  readonly names: NameIndex
  readonly firstByName: ReadonlyMap<string, Column>
  /** How many columns have a name, by what the engine folds it to. */
  readonly counts: ReadonlyMap<string, number>
  /** All columns flow into it. */
  readonly any: () => Value
}

const lists = new WeakMap<readonly Column[], ColumnList>()

export function columnListOf(columns: readonly Column[], fold: (name: string) => string): ColumnList {
  const known = lists.get(columns)
  // While a table is bound, columns may be added to it.
  if (known !== undefined && known.size === columns.length) return known
  const firstByName = new Map<string, Column>()
  const counts = new Map<string, number>()
  for (const column of columns) {
    const key = fold(column.name)
    if (!firstByName.has(column.name)) firstByName.set(column.name, column)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  let any: Value | undefined
  const list: ColumnList = {
    columns,
    size: columns.length,
    names: newNameIndex(columns.map(({ name }) => name)),
    firstByName,
    counts,
    any: () => {
      any ??= derivedFrom(columns.map(({ value }) => value))
      return any
    },
  }
  lists.set(columns, list)
  return list
}

interface Around {
  readonly parts: readonly (readonly Column[])[]
  readonly size: number
  readonly columns: readonly Column[]
}

const around = new WeakMap<Scope, Around>()

/** Returns the columns of all tables in sight, nearest first; the same list as long as these are the same. */
export function columnsAround(scope: Scope): readonly Column[] {
  const parts = tablesAround(scope).map(({ columns }) => columns)
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  const known = around.get(scope)
  const isSame =
    known?.size === size &&
    known.parts.length === parts.length &&
    parts.every((part, index) => part === known.parts[index])
  if (isSame) return known.columns
  const columns = parts.length === 1 ? (parts[0] ?? []) : parts.flat()
  around.set(scope, { parts, size, columns })
  return columns
}
