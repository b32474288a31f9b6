/** Two output columns of one name: DuckDB renames the second, which nobody asked for. A warning, not an error. */
import type { Column, Diagnostic } from '../language/index.ts'
import { locationOf, type QueryNode } from '../language/lineage/sql-tree.ts'
import { once } from './once.ts'
import { type SqlPlaces, sqlPlaces } from './sql-places.ts'
import type { Statement } from './statement.ts'

/** `described`: as the query names its columns; `given`: as the table will. */
export function duplicateColumns(
  statement: Statement,
  query: QueryNode,
  described: readonly Column[],
  given: readonly Column[],
): Diagnostic[] {
  if (described.length !== given.length) return []
  const places = once(() => sqlPlaces(statement.sql))
  return described.flatMap(({ name }, index) => {
    const renamed = given[index]?.name ?? name
    if (renamed === name) return []
    return [duplicate(statement, places(), query, index, described.length, name, renamed)]
  })
}

function duplicate(
  statement: Statement,
  places: SqlPlaces,
  query: QueryNode,
  index: number,
  count: number,
  name: string,
  given: string,
): Diagnostic {
  const list = query.select_list ?? []
  const item = list.length === count ? list[index] : list.find(each => each.type === 'STAR')
  const location = item ? locationOf(item) : undefined
  const range = places.tokenAt(location ?? 0)
  const named = item?.alias ? (places.findName(item.alias, location ?? 0) ?? range) : range
  return {
    code: 'sql-duplicate-column',
    severity: 'warning',
    message: `two output columns are called "${name}"; the second becomes "${given}"`,
    hint: 'Give each column a name of its own with AS.',
    path: statement.path,
    range: statement.toFile.rangeToOriginal(named),
  }
}
