import { locate } from '../project/locate.ts'
import type { ProjectCheck } from './check.ts'
import { hasColumn, knownOwnColumns } from './columns.ts'
import { removeHere } from './fix.ts'
import { nameList, suggestName } from './suggestion.ts'

export const columnDocUnknown: ProjectCheck = {
  code: 'column-doc-unknown',
  severity: 'warning',
  doc: 'A column is documented under `columns` but not delivered by the SQL; an error where it is marked with `pii: true`.',
  *run(asset, { analysis, project: { engine } }) {
    const columns = knownOwnColumns(analysis)
    if (columns === undefined) return
    for (const [column, { pii }] of Object.entries(asset.definition.columns)) {
      if (hasColumn(columns, column, engine)) continue
      const range = locate(asset, ['columns', column], 'key')
      const isMark = pii === true
      yield {
        range,
        ...(isMark && { severity: 'error' }),
        message: `the documented column "${column}" does not exist${isMark ? ', so its mark of personal data protects nothing' : ''}`,
        ...suggestName(column, columns, { path: asset.path, range }, nameList(`${asset.name} has`, columns)),
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Remove what is said of it'),
}
