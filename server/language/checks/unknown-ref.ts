import type { ProjectCheck } from './check.ts'
import { suggestOneOf } from './suggestion.ts'

export const unknownRef: ProjectCheck = {
  code: 'unknown-ref',
  severity: 'error',
  scope: 'project',
  doc: 'A `ref()` or a `relationships` test names an asset that the project does not have.',
  *run(asset, { project, facts, nearestAssets }) {
    for (const ref of asset.refs) {
      if (project.byName.has(ref.name) || facts.disabled(ref.name) !== undefined) continue
      const place = { path: asset.path, range: ref.range }
      const suggestion = suggestOneOf(nearestAssets(ref.name), place, '')
      yield {
        range: ref.range,
        message: `no asset is called "${ref.name}"`,
        hint: `"svc create asset ${ref.name}" makes one; "svc status" lists all.`,
        ...suggestion,
      }
    }
  },
}
