import { locate } from '../project/locate.ts'
import type { ProjectCheck } from './check.ts'
import type { ExposureMention } from './project-facts.ts'

export const exposureDuplicate: ProjectCheck = {
  code: 'exposure-duplicate',
  severity: 'warning',
  scope: 'project',
  doc: 'An exposure is listed twice in one asset, or two assets describe the same exposure differently.',
  *run(asset, { facts }) {
    for (const [index, exposure] of asset.definition.exposures.entries()) {
      const [first] = facts.mentionsOf(exposure.name)
      if (first === undefined || (first.asset === asset && first.index === index)) continue
      const message = problemWith({ asset, exposure, index }, first)
      if (message === undefined) continue
      yield {
        range: locate(asset, ['exposures', index, 'name']),
        message,
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
}

function problemWith(mention: ExposureMention, first: ExposureMention): string | undefined {
  const { exposure } = mention
  if (mention.asset === first.asset) return `the exposure "${exposure.name}" is listed twice`
  for (const key of ['type', 'url', 'owner'] as const) {
    const [here, there] = [exposure[key], first.exposure[key]]
    if (here === undefined || there === undefined || here === there) continue
    return `the exposure "${exposure.name}" has another ${key} in ${first.asset.path}`
  }
  return undefined
}
