import { nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { Range } from '../text/range.ts'
import type { ProjectCheck } from './check.ts'
import { hasColumn, knownColumns } from './columns.ts'
import { rangeWithin, testColumnRange } from './places.ts'
import { nameList, suggestName } from './suggestion.ts'

export const relationshipUnknownColumn: ProjectCheck = {
  code: 'relationship-unknown-column',
  severity: 'error',
  scope: 'project',
  doc: 'A `relationships` test points to a column that the other asset does not deliver.',
  *run(asset, { others, project: { engine } }) {
    for (const test of asset.definition.tests) {
      if (test.kind !== 'relationships') continue
      const columns = knownColumns(others?.of(test.toAsset))
      if (columns === undefined || hasColumn(columns, test.toColumn, engine)) continue
      const range = targetColumnRange(asset, test)
      yield {
        range,
        message: `unknown column "${test.toColumn}" of ${test.toAsset}`,
        ...suggestName(
          test.toColumn,
          columns,
          { path: asset.path, range },
          nameList(`${test.toAsset} has`, columns),
        ),
      }
    }
  },
}

/** The part behind the dot of `customers.id`. */
function targetColumnRange(
  asset: Asset,
  test: {
    readonly index: number
    readonly column: string
    readonly toColumn: string
  } & Asset['definition']['tests'][number],
): Range {
  const node = nodeAt(asset.tree, ['tests', test.index, 'relationships', test.column])
  if (node?.kind !== 'scalar') return testColumnRange(asset, test, test.column)
  const start = String(node.value).length - test.toColumn.length
  return rangeWithin(asset, node, start, test.toColumn.length)
}
