import { targetNames } from '../destinations/target.ts'
import { locate } from '../project/locate.ts'
import type { Asset, Settings } from '../project/project.ts'
import { forEachOf } from '../sources/index.ts'
import { outsideOfCondition, outsideWords } from '../sql/outside-reads.ts'
import type { Range } from '../text/range.ts'
import type { ProjectCheck } from './check.ts'

export const whereReachesOut: ProjectCheck = {
  code: 'where-reaches-out',
  doc: 'The `where` of a publish target or of `for_each` reads a table or a file, or calls a function that reads files, the network, settings or other relations, changes something, or runs a text as SQL.',
  *run(asset, { project: { engine, settings } }) {
    for (const { where, range, origin } of conditionsOf(asset, settings)) {
      for (const outside of outsideOfCondition(where, engine)) {
        const { message, hint } = outsideWords(outside)
        yield { range, message: `${message}${origin}`, hint }
      }
    }
  },
}

interface Condition {
  readonly where: string
  readonly range: Range
  /** To follow the message, where the text stands in another file. */
  readonly origin: string
}

function conditionsOf(asset: Asset, { destinations }: Settings): readonly Condition[] {
  const { ingest, publish } = asset.definition
  const asked = forEachOf(ingest)?.where
  const ofParents =
    asked === undefined
      ? []
      : [{ where: asked, range: locate(asset, ['ingest', 'for_each', 'where']), origin: '' }]
  const ofTargets = targetNames(asset).flatMap((target): Condition[] => {
    const own = publish[target]?.where
    const shared = destinations[target]?.where
    const at = ['publish', target]
    if (own !== undefined) return [{ where: own, range: locate(asset, [...at, 'where']), origin: '' }]
    if (shared === undefined) return []
    const origin = ` (destinations.${target}.where of svc.yaml)`
    return [{ where: shared, range: locate(asset, at, 'key'), origin }]
  })
  return [...ofParents, ...ofTargets]
}
