/** Answers which files differ between two snapshots of a project, by pointers; at once where one was made from the other. */
import type { Asset, Project } from './project.ts'

/** One file: another text, a new one (`before` undefined) or one that is gone. */
export interface AssetChange {
  readonly before: Asset | undefined
  readonly after: Asset | undefined
}

interface Step {
  /** Weak: a snapshot must not keep all that were before it. */
  readonly before: WeakRef<Project>
  readonly changes: readonly AssetChange[]
}

const steps = new WeakMap<Project, Step>()

/** In the order of paths; files that are gone come last. */
export function assetChanges(before: Project, after: Project): readonly AssetChange[] {
  if (before.assets === after.assets) return []
  const step = steps.get(after)
  return step?.before.deref() === before ? step.changes : comparedFiles(before.assets, after.assets)
}

/**
 * Whether the assets for which `isMeant` holds may be others than in an earlier snapshot, or others be the first of
 * their name: else what was found out about them stands, without a look at ten thousand files.
 */
export function mayDiffer(
  before: Project | undefined,
  after: Project,
  isMeant: (asset: Asset) => boolean,
): boolean {
  if (before === undefined) return true
  return assetChanges(before, after).some(
    change =>
      change.before?.name !== change.after?.name ||
      change.before?.definition.deploy.enabled !== change.after?.definition.deploy.enabled ||
      [change.before, change.after].some(asset => asset !== undefined && isMeant(asset)),
  )
}

/** Remembers what made `after` of `before`. */
export function noteChanges(before: Project, after: Project, changes: readonly AssetChange[]): Project {
  steps.set(after, { before: new WeakRef(before), changes })
  return after
}

function comparedFiles(before: Project['assets'], after: Project['assets']): readonly AssetChange[] {
  const changes: AssetChange[] = []
  let shared = 0
  for (const [path, asset] of after) {
    const old = before.get(path)
    if (old !== undefined) shared++
    if (old !== asset) changes.push({ before: old, after: asset })
  }
  if (shared === before.size) return changes
  for (const [path, asset] of before) if (!after.has(path)) changes.push({ before: asset, after: undefined })
  return changes
}
