/** What a source may take: what its asset says, then what `svc.yaml` says for all, then the defaults. */
import type { Ingest, SourceLimits } from '../schema/definition.ts'
import { propertyOf } from '../schema/shape.ts'
import { limitKeys } from '../sources/shared-keys.ts'
import { nodeAt } from './locate.ts'
import type { Asset, Settings } from './project.ts'

/** Returns the `ingest` of an asset with the limits that hold in its project. */
export function limitedIngest(
  asset: Pick<Asset, 'definition' | 'tree'>,
  { limits }: Pick<Settings, 'limits'>,
): Ingest {
  const { ingest } = asset.definition
  if (ingest.type === 'none' || Object.keys(limits.ingest).length === 0) return ingest
  const own = ownLimits(asset)
  const ofProject = Object.entries(limits.ingest).filter(([property]) => !own.has(property))
  return {
    ...ingest,
    limits: { ...ingest.limits, ...(Object.fromEntries(ofProject) as Partial<SourceLimits>) },
  }
}

/** The limits that the asset itself writes, by their property: a default that is written out counts. */
function ownLimits({ tree }: Pick<Asset, 'tree'>): ReadonlySet<string> {
  const written = nodeAt(tree, ['ingest', 'limits'])
  const names = written?.kind === 'map' ? written.entries.map(({ key }) => key.value) : []
  return new Set(limitKeys.filter(({ name }) => names.includes(name)).map(propertyOf))
}
