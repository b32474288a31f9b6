/** Tells whether views of production show what was deployed: somebody may have replaced one by his own. */
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { PresentRelation } from '../warehouse/warehouse.ts'

/** A view that is computed from a query has no table of its own, and is taken as it is. */
export function showsLiveBuild(
  asset: string,
  view: PresentRelation,
  { live, builds }: StateSnapshot,
): boolean {
  const build: BuildRecord | undefined = builds.get(live.get(asset)?.build_key ?? '')
  if (build === undefined || build.sql !== null) return true
  return view.reads?.includes(build.relation.schema) ?? true
}
