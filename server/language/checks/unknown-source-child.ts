import { builtTemplates } from '../project/templates.ts'
import type { ProjectCheck } from './check.ts'
import { nameList, suggestName } from './suggestion.ts'

export const unknownSourceChild: ProjectCheck = {
  code: 'unknown-source-child',
  doc: "`{{ source('name') }}` names a child table that the source does not have.",
  *run(asset, { rawTables }) {
    const main = rawTables?.find(table => table.child === undefined)
    // A source that may have more columns may have more child tables too.
    if (rawTables === undefined || !main?.complete) return
    const children = rawTables.flatMap(table => table.child ?? [])
    for (const { tags, toFile } of builtTemplates(asset)) {
      for (const tag of tags) {
        if (tag.kind !== 'source' || tag.child === undefined || children.includes(tag.child)) continue
        const range = toFile.rangeToOriginal(tag.nameRange ?? tag.range)
        yield {
          range,
          message: `the source has no child table "${tag.child}"`,
          ...suggestName(tag.child, children, { path: asset.path, range }, childList(children)),
        }
      }
    }
  },
}

function childList(children: readonly string[]): string {
  if (children.length > 0) return nameList('It has', children)
  return 'It has none: child tables come from lists of objects in the records.'
}
