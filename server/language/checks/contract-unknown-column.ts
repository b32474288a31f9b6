import { findColumn } from '../names/find-column.ts'
import { isTableOf, promisedTables } from '../source/table-contract.ts'
import type { ProjectCheck } from './check.ts'
import { excludingPattern } from './columns.ts'
import { removeHere } from './fix.ts'
import { itemRange } from './places.ts'
import { nameList, suggestName } from './suggestion.ts'

export const contractUnknownColumn: ProjectCheck = {
  code: 'contract-unknown-column',
  doc: 'The contract requires a column that the source, all of whose columns are known, does not have.',
  about: ['contract', 'required_columns'],
  *run(asset, { rawTables, project }) {
    for (const { child, at, requiredColumns } of promisedTables(asset.definition.contract)) {
      const table = rawTables?.find(each => isTableOf(asset.definition.contract, each.child, { child }))
      if (!table?.complete) continue
      const names = table.columns.filter(column => !column.system).map(column => column.name)
      for (const column of requiredColumns) {
        if (findColumn(table.columns, column, project.engine) !== undefined) continue
        // An excluded column is reported by `contract-excluded-column`.
        if (child === undefined && excludingPattern(asset.definition.ingest, column) !== undefined) continue
        const range = itemRange(asset, [...at, 'required_columns'], column)
        const where = child === undefined ? 'the source' : `the child table "${child}"`
        yield {
          range,
          message: `the required column "${column}" is not in ${where}`,
          ...suggestName(
            column,
            names,
            { path: asset.path, range },
            nameList(child === undefined ? 'The source has' : `"${child}" has`, names),
          ),
        }
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Take it out of required_columns'),
}
