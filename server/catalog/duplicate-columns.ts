/** Two output columns of one name: DuckDB renames the second, which nobody asked for. A warning, not an error. */
import type { Column, Diagnostic } from '../language/index.ts'
import type { SelectItem } from '../language/sql/tree.ts'
import type { Range } from '../language/text/range.ts'
import type { Job } from './bind-level.ts'
import { distinctNames } from './bound.ts'
import { isPlaceholder } from './relations.ts'

/** `described`: as the query names its columns; the table may have other names for them. */
export function duplicateColumns(job: Job, described: readonly Column[]): Diagnostic[] {
  const names = described.map(({ name }) => name)
  if (names.some(isPlaceholder)) return []
  const given = distinctNames(names, job.statement.engine)
  return names.flatMap((name, index) => {
    const renamed = given[index] ?? name
    return renamed === name ? [] : [duplicate(job, index, name, renamed)]
  })
}

function duplicate(job: Job, index: number, name: string, given: string): Diagnostic {
  const { statement, bound } = job
  const item = itemOf(job, bound.output.columns[index])
  const { start, end } = item === undefined ? { start: 0, end: 1 } : nameOf(item)
  return {
    code: 'sql-duplicate-column',
    severity: 'warning',
    message: `two output columns are called "${name}"; the second becomes "${given}"`,
    hint: 'Give each column a name of its own with AS.',
    path: statement.path,
    range: statement.template.toFile.rangeToOriginal({ start, end }),
  }
}

/** The item of the select list that makes a column. */
function itemOf(
  { bound }: Job,
  column: Job['bound']['output']['columns'][number] | undefined,
): SelectItem | undefined {
  const select = bound.selects.at(-1)
  return select?.items.find(({ columns }) => column !== undefined && columns.includes(column))?.item
}

function nameOf({ alias, expression }: SelectItem): Range {
  if (alias !== undefined) return alias
  return expression.kind === 'reference' ? (expression.path.at(-1) ?? expression) : expression
}
