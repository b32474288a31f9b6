import { isPointInTime } from '../engines/sql-type.ts'
import { locate } from '../project/locate.ts'
import { yamlScalar } from '../project/yaml-edits.ts'
import type { ProjectCheck } from './check.ts'
import { columnType, hasColumn, knownOwnColumns } from './columns.ts'
import { replaceHere } from './fix.ts'
import { unknownColumn } from './suggestion.ts'

export const freshnessColumn: ProjectCheck = {
  code: 'freshness-column',
  doc: '`freshness.column` is not an output column, or holds no point in time.',
  about: ['freshness', 'column'],
  *run(asset, { analysis, project: { engine } }) {
    const column = asset.definition.freshness?.column
    if (column === undefined) return
    const columns = knownOwnColumns(analysis)
    const range = locate(asset, ['freshness', 'column'])
    if (columns !== undefined && !hasColumn(columns, column, engine))
      yield unknownColumn(column, { path: asset.path, range }, { owner: asset.name, columns }, 'in freshness')
    const type = columnType(analysis, column, engine)
    if (type === undefined || isPointInTime(type.family)) return
    yield {
      range,
      message: `freshness needs a date or a timestamp, "${column}" is ${type.text}`,
      hint: 'Name another column, or cast this one in transform.',
    }
  },
  fix(problem, asset) {
    if ((problem.diagnostic.fixes ?? []).length > 0) return []
    const columns = problem.knowledge.analysis.of(asset.name)?.columns ?? []
    return columns
      .filter(column => /^(date$|timestamp)/i.test(column.type ?? ''))
      .slice(0, 3)
      .flatMap(column => replaceHere(problem, `Use "${column.name}"`, yamlScalar(column.name)))
  },
}
