/** Two output columns of one name: DuckDB renames the second, which nobody asked for. A warning, not an error. */
import type { Diagnostic } from '../language/index.ts'
import { locationOf, type QueryNode } from '../language/lineage/sql-tree.ts'
import type { OutputColumn } from '../language/lineage/values.ts'
import { sqlPlaces } from './sql-places.ts'
import type { Statement } from './statement.ts'

export function duplicateColumns(
  statement: Statement,
  query: QueryNode,
  found: readonly OutputColumn[],
  names: readonly string[],
): Diagnostic[] {
  if (found.length !== names.length) return []
  const seen = new Set<string>()
  const diagnostics: Diagnostic[] = []
  for (const [index, column] of found.entries()) {
    const key = column.name?.toLowerCase()
    if (key === undefined) continue
    if (seen.has(key))
      diagnostics.push(
        duplicate(statement, query, index, found.length, column.name ?? '', names[index] ?? ''),
      )
    seen.add(key)
  }
  return diagnostics
}

function duplicate(
  statement: Statement,
  query: QueryNode,
  index: number,
  count: number,
  name: string,
  given: string,
): Diagnostic {
  const list = query.select_list ?? []
  const item = list.length === count ? list[index] : list.find(each => each.type === 'STAR')
  const places = sqlPlaces(statement.sql)
  const location = item ? locationOf(item) : undefined
  const range = places.tokenAt(location ?? 0)
  const named = item?.alias ? (places.findName(item.alias, location ?? 0) ?? range) : range
  return {
    code: 'sql-duplicate-column',
    severity: 'warning',
    message: `two output columns are called "${name}"; the second becomes "${given}"`,
    hint: 'give each column a name of its own with AS.',
    path: statement.path,
    range: statement.toFile.rangeToOriginal(named),
  }
}
