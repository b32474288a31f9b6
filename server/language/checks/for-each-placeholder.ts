import { locate } from '../project/locate.ts'
import { placedColumns } from '../source/parent-columns.ts'
import { rowRequestsOf } from '../sources/index.ts'
import type { FileCheck } from './check.ts'

export const forEachPlaceholder: FileCheck = {
  code: 'for-each-placeholder',
  doc: 'The requests of a web service and its `for_each` do not fit: no request names a column of the row, or one names what is not there.',
  *run(asset) {
    const requests = rowRequestsOf(asset.definition.ingest)
    if (requests === undefined || asset.diagnostics.some(({ severity }) => severity === 'error')) return
    const placed = placedColumns(asset.text, asset.tree)
    const { forEach } = requests
    if (forEach === undefined) {
      for (const { column, range } of placed)
        yield {
          range,
          message: `{parent.${column}} is a value of a row, and there is no for_each`,
          hint: 'Name the asset whose rows are gone through: for_each: {asset: customers}.',
        }
      return
    }
    if (placed.length === 0)
      yield {
        range: locate(asset, ['ingest', 'for_each'], 'key'),
        message: `every row of "${forEach.asset}" would make the same request`,
        hint: 'Name a column of the row in resource, params or body: {parent.id}.',
      }
    if (forEach.columns.length === 0) return
    for (const { column, range } of placed)
      if (!forEach.columns.includes(column))
        yield {
          range,
          message: `"${column}" is not among the columns of for_each`,
          hint: `Add it to for_each.columns, or leave that key out: ${forEach.columns.join(', ')}.`,
        }
  },
}
