import type { Asset } from '../project/project.ts'
import type { NodePath } from '../syntax/node.ts'
import type { ProjectCheck } from './check.ts'
import { hasColumn } from './columns.ts'
import { locate, nodeAt } from './places.ts'
import { nameList, suggestName } from './suggestion.ts'

export const contractUnknownColumn: ProjectCheck = {
  code: 'contract-unknown-column',
  severity: 'error',
  scope: 'project',
  doc: 'The contract requires a column that the source, all of whose columns are known, does not have.',
  *run(asset, { rawTables }) {
    const main = rawTables?.find(table => table.child === undefined)
    if (!main?.complete || asset.definition.contract === undefined) return
    const columns = main.columns.filter(column => !column.system).map(column => column.name)
    for (const column of asset.definition.contract.requiredColumns) {
      if (hasColumn(columns, column)) continue
      const range = locate(asset, requiredColumnPath(asset, column))
      yield {
        range,
        message: `the required column "${column}" is not in the source`,
        ...suggestName(column, columns, { path: asset.path, range }, nameList('the source has', columns)),
      }
    }
  },
}

function requiredColumnPath(asset: Asset, column: string): NodePath {
  const path = ['contract', 'required_columns']
  const list = nodeAt(asset.tree, path)
  if (list?.kind !== 'sequence') return path
  return [...path, list.items.findIndex(item => item.kind === 'scalar' && String(item.value) === column)]
}
