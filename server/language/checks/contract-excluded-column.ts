import type { FileCheck } from './check.ts'
import { excludingPattern } from './columns.ts'
import { removeHere } from './fix.ts'
import { itemRange } from './places.ts'

export const contractExcludedColumn: FileCheck = {
  code: 'contract-excluded-column',
  doc: 'The contract requires a column that `ingest.exclude` leaves out.',
  about: ['contract', 'required_columns'],
  *run(asset) {
    for (const column of asset.definition.contract?.requiredColumns ?? []) {
      const pattern = excludingPattern(asset.definition.ingest, column)
      if (pattern === undefined) continue
      const place = itemRange(asset, ['ingest', 'exclude'], pattern)
      yield {
        range: itemRange(asset, ['contract', 'required_columns'], column),
        message: `the required column "${column}" is left out by ingest.exclude`,
        hint: 'Take it out of one of the two lists.',
        related: [{ path: asset.path, range: place, message: `"${pattern}" leaves it out` }],
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Take it out of required_columns'),
}
