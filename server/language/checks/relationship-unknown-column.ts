import { testColumns, testKindOf } from '../tests/index.ts'
import type { ProjectCheck } from './check.ts'
import { hasColumn, knownColumns } from './columns.ts'
import { targetColumnRange, testColumnRange } from './places.ts'
import { unknownColumn } from './suggestion.ts'

export const relationshipUnknownColumn: ProjectCheck = {
  code: 'relationship-unknown-column',
  doc: 'A `relationships` test points to a column that the other asset does not deliver.',
  *run(asset, { others, project: { engine } }) {
    for (const test of asset.definition.tests) {
      const target = testKindOf(test).target?.(test)
      const columns = target && knownColumns(others?.of(target.asset))
      if (target === undefined || columns === undefined || hasColumn(columns, target.column, engine)) continue
      const [own = ''] = testColumns(test)
      const range = targetColumnRange(asset, test) ?? testColumnRange(asset, test, own)
      yield unknownColumn(target.column, { path: asset.path, range }, { owner: target.asset, columns })
    }
  },
}
