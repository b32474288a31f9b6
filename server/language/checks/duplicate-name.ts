import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { ProjectCheck } from './check.ts'
import { isFreeName, renameTo } from './fix.ts'

export const duplicateName: ProjectCheck = {
  code: 'duplicate-name',
  doc: 'Two assets have the same name; names that differ only in case count as the same, as they do in a warehouse.',
  *run(asset, { facts }) {
    const first = facts.namesakes(asset.name)[0]
    if (first === undefined || first === asset || !asset.definition.deploy.enabled || !hasName(asset)) return
    yield {
      range: locate(asset, ['name']),
      message: sameName(asset, first),
      hint: 'Give one of them another name.',
      related: [
        { path: first.path, range: locate(first, ['name']), message: `"${first.name}" is named here first` },
      ],
    }
  },
  /** Offers the stem of the file, or the name with a number. */
  fix(problem, asset) {
    const stem = asset.path.slice(asset.path.lastIndexOf('/') + 1).replace(/\.svc$/, '')
    const numbered = [2, 3, 4, 5, 6, 7, 8, 9].map(number => `${asset.name}_${number}`)
    const name = [stem, ...numbered].find(each => isFreeName(problem, each))
    return name === undefined ? [] : renameTo(problem, asset, name)
  },
}

/** Returns whether the file has a name; a missing name is reported itself. */
function hasName(asset: Asset): boolean {
  return nodeAt(asset.tree, ['name']) !== undefined
}

function sameName(asset: Asset, first: Asset): string {
  if (asset.name === first.name) return `the name "${asset.name}" is taken by ${first.path}`
  return `the name "${asset.name}" differs from "${first.name}" in ${first.path} only in case`
}
