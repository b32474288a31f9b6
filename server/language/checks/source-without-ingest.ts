import type { Asset } from '../project/project.ts'
import { builtTemplates } from '../project/templates.ts'
import type { FileCheck } from './check.ts'
import { textAt } from './places.ts'

export const sourceWithoutIngest: FileCheck = {
  code: 'source-without-ingest',
  doc: 'The SQL reads `{{ source }}` although the asset says `ingest: none`.',
  *run(asset) {
    const templates = builtTemplates(asset)
    if (templates.length === 0 || !saysNone(asset)) return
    for (const { tags, toFile } of templates) {
      for (const tag of tags) {
        if (tag.kind !== 'source') continue
        yield {
          range: toFile.rangeToOriginal(tag.range),
          message: 'there is no source to read: the asset says "ingest: none"',
          hint: "Describe the source under ingest, or read another asset with {{ ref('name') }}.",
        }
      }
    }
  },
}

/**
 * Returns whether the file says `none`; a missing or broken `ingest` is read as none too, but reported
 * itself.
 */
function saysNone(asset: Asset): boolean {
  return textAt(asset, ['ingest']) === 'none' || textAt(asset, ['ingest', 'type']) === 'none'
}
