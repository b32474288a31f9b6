import { locate, nodeAt } from '../project/locate.ts'
import { stemOf } from '../project/parse-asset.ts'
import type { Asset } from '../project/project.ts'
import type { ProjectCheck } from './check.ts'
import { isFreeName, renameTo } from './fix.ts'

export const duplicateName: ProjectCheck = {
  code: 'duplicate-name',
  doc: 'Two assets have the same name; names that differ only in case count as the same, as they do in a warehouse.',
  *run(asset, { facts }) {
    const first = facts.namesakes(asset.name)[0]
    if (first === undefined || first === asset || !asset.definition.deploy.enabled) return
    // A missing name is reported itself.
    if (nodeAt(asset.tree, ['name']) === undefined) return
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
    const numbered = [2, 3, 4, 5, 6, 7, 8, 9].map(number => `${asset.name}_${number}`)
    const name = [stemOf(asset.path), ...numbered].find(each => isFreeName(problem, each))
    return name === undefined ? [] : renameTo(problem, asset, name)
  },
}

function sameName(asset: Asset, first: Asset): string {
  if (asset.name === first.name) return `the name "${asset.name}" is taken by ${first.path}`
  return `the name "${asset.name}" differs from "${first.name}" in ${first.path} only in case`
}
