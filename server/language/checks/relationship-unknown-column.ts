import { testColumns, testKindOf } from '../tests/index.ts'
import type { ProjectCheck } from './check.ts'
import { hasColumn, knownColumns } from './columns.ts'
import { targetColumnRange, testColumnRange } from './places.ts'
import { nameList, suggestName } from './suggestion.ts'

export const relationshipUnknownColumn: ProjectCheck = {
  code: 'relationship-unknown-column',
  severity: 'error',
  scope: 'project',
  doc: 'A `relationships` test points to a column that the other asset does not deliver.',
  *run(asset, { others, project: { engine } }) {
    for (const test of asset.definition.tests) {
      const target = testKindOf(test).target?.(test)
      const columns = target && knownColumns(others?.of(target.asset))
      if (target === undefined || columns === undefined || hasColumn(columns, target.column, engine)) continue
      const [own = ''] = testColumns(test)
      const range = targetColumnRange(asset, test) ?? testColumnRange(asset, test, own)
      const place = { path: asset.path, range }
      yield {
        range,
        message: `unknown column "${target.column}" of ${target.asset}`,
        ...suggestName(target.column, columns, place, nameList(`${target.asset} has`, columns)),
      }
    }
  },
}
