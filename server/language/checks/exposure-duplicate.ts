import { locate } from '../project/locate.ts'
import { pathAt } from '../project/path-at.ts'
import type { Asset } from '../project/project.ts'
import { removeAt, yamlScalar } from '../project/yaml-edits.ts'
import type { Finding, ProjectCheck } from './check.ts'
import { type Problem, type Remedy, remedy } from './fix.ts'
import type { ExposureMention } from './project-facts.ts'

export const exposureDuplicate: ProjectCheck = {
  code: 'exposure-duplicate',
  severity: 'warning',
  doc: 'An exposure is listed twice in one asset, or two assets describe the same exposure differently.',
  *run(asset, { facts }) {
    for (const [index, exposure] of asset.definition.exposures.entries()) {
      const [first] = facts.mentionsOf(exposure.name)
      if (first === undefined || (first.asset === asset && first.index === index)) continue
      const found = difference({ asset, exposure, index }, first)
      if (found === undefined) continue
      yield {
        range: locate(asset, ['exposures', index, 'name']),
        ...found,
        hint: 'One exposure is one node of the lineage graph: describe it alike everywhere, or name it differently.',
        related: [
          {
            path: first.asset.path,
            range: locate(first.asset, ['exposures', first.index, 'name']),
            message: `"${exposure.name}" is described here first`,
          },
        ],
      }
    }
  },
  fix: sameValue,
}

type Difference = Pick<Finding, 'message' | 'facts'>

/** `facts`: the key in which the two descriptions differ; none where one asset lists an exposure twice. */
function difference(mention: ExposureMention, first: ExposureMention): Difference | undefined {
  const { exposure } = mention
  if (mention.asset === first.asset) return { message: `the exposure "${exposure.name}" is listed twice` }
  for (const key of ['type', 'url', 'owner'] as const) {
    const [here, there] = [exposure[key], first.exposure[key]]
    if (here === undefined || there === undefined || here === there) continue
    const message = `the exposure "${exposure.name}" has another ${key} in ${first.asset.path}`
    return { message, facts: { key } }
  }
  return undefined
}

/** Offers the value of the exposure's first description, or the removal of a duplicate in the same asset. */
function sameValue(problem: Problem, asset: Asset): readonly Remedy[] {
  const key = problem.diagnostic.facts?.['key']
  const path = pathAt(asset.tree, problem.diagnostic.range.start)
  if (key === undefined)
    return remedy('Remove the second one', problem.path, removeAt(asset, path.slice(0, 2)))
  const name = asset.definition.exposures[Number(path[1])]?.name
  const first = [...problem.knowledge.project.assets.values()]
    .flatMap(each => each.definition.exposures)
    .find(each => each.name === name)
  const value = first?.[key as 'type' | 'url' | 'owner']
  const range = locate(asset, [...path.slice(0, 2), String(key)])
  return value === undefined
    ? []
    : remedy(`Write the same ${key} here`, problem.path, { range, newText: yamlScalar(value) })
}
