/** Which assets differ from what is live: their files were edited since the last run, or after a rollback. Pure. */
import type { ChangedFile, DashboardData } from '../protocol.ts'

/** Returns the names of the assets. */
export function changedAssets(data: DashboardData): ReadonlySet<string> {
  const edited = new Set(data.changed.filter(({ change }) => change !== 'added').map(({ path }) => path))
  const names = data.catalog.assets.filter(
    asset =>
      edited.has(asset.path) || (asset.active_hash !== null && asset.active_hash !== asset.definition_hash),
  )
  return new Set(names.map(({ name }) => name))
}

export interface Difference {
  readonly path: string
  readonly how: ChangedFile['change'] | 'not live'
}

/** Returns how the file of an asset differs from what is live, as far as the page knows; undefined if it does not. */
export function differenceOf(
  data: DashboardData,
  { path }: { readonly path: string },
): Difference['how'] | undefined {
  return differences(data).find(each => each.path === path)?.how
}

/** Returns the files that differ from what is live, with how. */
export function differences(data: DashboardData): readonly Difference[] {
  const paths = new Set(data.changed.map(({ path }) => path))
  const behind = data.catalog.assets.filter(
    ({ path, active_hash, definition_hash }) =>
      active_hash !== null && active_hash !== definition_hash && !paths.has(path),
  )
  return [
    ...data.changed.map(({ path, change }) => ({ path, how: change })),
    ...behind.map(({ path }) => ({ path, how: 'not live' as const })),
  ]
}
