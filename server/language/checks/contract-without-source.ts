import { locate, nodeAt } from '../project/locate.ts'
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
    const written = nodeAt(asset.tree, ['contract'])
    const keys = written?.kind === 'map' ? written.entries.map(({ key }) => String(key.value)) : []
    const ofSource = keys.filter(key => key !== 'constraints')
    if (keys.length > 0 && ofSource.length === 0) return
    // Keys of the built table need no source: then the other keys alone are checked by nothing.
    if (ofSource.length < keys.length) {
      for (const key of ofSource)
        yield {
          range: locate(asset, ['contract', key], 'key'),
          message: `nothing checks "${key}" of this contract: the asset has no source`,
          hint: 'Check the result with tests, such as not_null or accepted_values, and remove the key.',
        }
      return
    }
    yield {
      range: locate(asset, ['contract'], 'key'),
      message: 'nothing checks this contract: the asset has no source',
      hint: 'Check the result with tests, such as not_null or accepted_values, and remove the contract.',
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Remove the contract'),
}
