import type { ProjectCheck } from './check.ts'
import { written } from './fix.ts'
import { suggestOneOf } from './suggestion.ts'

export const unknownRef: ProjectCheck = {
  code: 'unknown-ref',
  doc: 'A `ref()`, a `relationships` test or a `for_each` names an asset that the project does not have.',
  *run(asset, { project, facts, nearestAssets }) {
    for (const ref of asset.refs) {
      if (project.byName.has(ref.name) || facts.disabled(ref.name) !== undefined) continue
      const place = { path: asset.path, range: ref.range }
      const suggestion = suggestOneOf(nearestAssets(ref.name), place, '')
      yield {
        range: ref.range,
        message: `no asset is called "${ref.name}"`,
        hint: `"svc create asset ${ref.name}" makes one; "svc ls" lists all.`,
        ...suggestion,
      }
    }
  },
  /** Creates the asset beside the file that refers to it. */
  fix(problem) {
    const name = written(problem)
    const file = `${problem.path.slice(0, problem.path.lastIndexOf('/') + 1)}${name}.svc`
    if (!/^[A-Za-z_]\w*$/.test(name) || problem.knowledge.project.assets.has(file)) return []
    const text = `name: ${name}\ndescription: One sentence about what a row of ${name} is.\ningest: none\ntransform: |\n  SELECT 1 AS id\n`
    return [{ title: `Create the asset "${name}"`, edits: [], creates: [{ path: file, text }] }]
  },
}
