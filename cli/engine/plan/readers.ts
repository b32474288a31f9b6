/** Who may read an asset in production, as its file says. */
import type { Project } from '@svc/server/language'

/** Returns undefined for assets that are not among `names`: their readers stay. */
export function readersIn(
  project: Project,
  names: readonly string[],
): (asset: string) => readonly string[] | undefined {
  const own = new Set(names)
  return asset => (own.has(asset) ? project.byName.get(asset)?.definition.deploy.grants.select : undefined)
}
