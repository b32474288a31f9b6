import { locate } from '../project/locate.ts'
import { sourceKindOf } from '../sources/index.ts'
import type { FileCheck } from './check.ts'

export const cursorConflict: FileCheck = {
  code: 'cursor-conflict',
  doc: 'Keys of `ingest.incremental` that say how a source is asked lack another key, or do not go with one.',
  *run(asset) {
    const { ingest } = asset.definition
    // If `ingest` is wrong, what it was to be is unknown.
    if (ingest.type === 'none' || asset.diagnostics.some(({ severity }) => severity === 'error')) return
    for (const { key, ...problem } of sourceKindOf(ingest).cursorConflicts?.(ingest) ?? [])
      yield { range: locate(asset, ['ingest', ...key], 'key'), ...problem }
  },
}
