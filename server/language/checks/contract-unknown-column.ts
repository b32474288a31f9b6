import { findColumn } from '../source/raw-tables.ts'
import type { ProjectCheck } from './check.ts'
import { excludingPattern } from './columns.ts'
import { removeHere } from './fix.ts'
import { itemRange } from './places.ts'
import { nameList, suggestName } from './suggestion.ts'

export const contractUnknownColumn: ProjectCheck = {
  code: 'contract-unknown-column',
  severity: 'error',
  scope: 'project',
  doc: 'The contract requires a column that the source, all of whose columns are known, does not have.',
  *run(asset, { rawTables, project }) {
    const main = rawTables?.find(table => table.child === undefined)
    if (!main?.complete || asset.definition.contract === undefined) return
    const columns = main.columns.filter(column => !column.system)
    const names = columns.map(column => column.name)
    for (const column of asset.definition.contract.requiredColumns) {
      if (findColumn(columns, column, project.engine) !== undefined) continue
      // An excluded column is reported by `contract-excluded-column`.
      if (excludingPattern(asset.definition.ingest, column) !== undefined) continue
      const range = itemRange(asset, ['contract', 'required_columns'], column)
      yield {
        range,
        message: `the required column "${column}" is not in the source`,
        ...suggestName(column, names, { path: asset.path, range }, nameList('The source has', names)),
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Take it out of required_columns'),
}
