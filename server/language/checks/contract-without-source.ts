import { locate } from '../project/locate.ts'
import type { FileCheck } from './check.ts'
import { removeHere } from './fix.ts'

export const contractWithoutSource: FileCheck = {
  code: 'contract-without-source',
  severity: 'warning',
  doc: 'A contract is about what a source delivers, and the asset has none: nothing checks it.',
  *run(asset) {
    const { contract, ingest } = asset.definition
    if (contract === undefined || ingest.type !== 'none') return
    // If `ingest` is wrong or missing, the intended source is unknown.
    if (asset.diagnostics.some(({ code }) => code !== 'unused-source')) return
    yield {
      range: locate(asset, ['contract'], 'key'),
      message: 'nothing checks this contract: the asset has no source',
      hint: 'Check the result with tests, such as not_null or accepted_values, and remove the contract.',
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Remove the contract'),
}
