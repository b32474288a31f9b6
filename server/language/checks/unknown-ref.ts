import type { ProjectCheck } from './check.ts'
import { suggestName } from './suggestion.ts'

export const unknownRef: ProjectCheck = {
  code: 'unknown-ref',
  severity: 'error',
  scope: 'project',
  doc: 'A `ref()` or a `relationships` test names an asset that the project does not have.',
  *run(asset, { project, facts }) {
    for (const ref of asset.refs) {
      if (project.byName.has(ref.name) || facts.disabled.has(ref.name)) continue
      yield {
        range: ref.range,
        message: `no asset is called "${ref.name}"`,
        ...suggestName(
          ref.name,
          [...project.byName.keys()],
          { path: asset.path, range: ref.range },
          'svc status lists all assets.',
        ),
      }
    }
  },
}
