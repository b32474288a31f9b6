import { locate, nodeAt } from '../project/locate.ts'
import type { ProjectCheck } from './check.ts'
import { remedy, written } from './fix.ts'

export const disabledParent: ProjectCheck = {
  code: 'disabled-parent',
  doc: 'An enabled asset reads one that is switched off with `deploy.enabled: false`.',
  *run(asset, { facts }) {
    if (!asset.definition.deploy.enabled) return
    for (const ref of asset.refs) {
      const parent = facts.disabled(ref.name)
      if (parent === undefined) continue
      const range = locate(parent, ['deploy', 'enabled'])
      yield {
        range: ref.range,
        message: `asset "${ref.name}" is disabled`,
        hint: `Enable it in ${parent.path}, or switch off this asset as well (deploy.enabled: false).`,
        related: [{ path: parent.path, range, message: `"${ref.name}" is switched off here` }],
      }
    }
  },
  fix(problem) {
    const name = written(problem)
    const parent = [...problem.knowledge.project.assets.values()].find(
      each => each.name === name && !each.definition.deploy.enabled,
    )
    // What is inherited has no place in the file.
    if (nodeAt(parent?.tree, ['deploy', 'enabled']) === undefined || parent === undefined) return []
    const range = locate(parent, ['deploy', 'enabled'])
    return remedy(`Enable "${name}"`, parent.path, { range, newText: 'true' })
  },
}
