import { locate, nodeAt } from '../project/locate.ts'
import type { FileCheck } from './check.ts'
import { remedy } from './fix.ts'

const brokenTags = new Set(['unclosed-tag', 'invalid-tag'])

export const unusedSource: FileCheck = {
  code: 'unused-source',
  severity: 'warning',
  doc: 'A source is fetched on every run, but the SQL never reads `{{ source }}`.',
  *run(asset) {
    if (asset.definition.ingest.type === 'none' || asset.sql === undefined) return
    if (asset.sql.tags.some(tag => tag.kind === 'source' || tag.kind === 'invalid')) return
    if (asset.diagnostics.some(diagnostic => brokenTags.has(diagnostic.code))) return
    yield {
      range: locate(asset, ['ingest'], 'key'),
      message: 'the source is fetched but never read',
      hint: 'Read it with {{ source }} in transform, or write "ingest: none".',
    }
  },
  fix(problem, asset) {
    const node = nodeAt(asset.tree, ['ingest'])
    if (node === undefined || asset.definition.contract !== undefined) return []
    return remedy('Write "ingest: none"', problem.path, { range: node.range, newText: 'none' })
  },
}
