/**
 * Computes the files that differ between two snapshots of a project, by comparing pointers; without a search
 * if one was made from the other.
 */
import type { Asset, Project } from './project.ts'

/** A file with another text, a new one (`before` is undefined) or a removed one. */
export interface AssetChange {
  readonly before: Asset | undefined
  readonly after: Asset | undefined
}

interface Step {
  /** A weak reference: a snapshot must not keep its predecessors in memory. */
  readonly before: WeakRef<Project>
  readonly changes: readonly AssetChange[]
}

const steps = new WeakMap<Project, Step>()

/** Returns the changes in the order of paths; removed files come last. */
export function assetChanges(before: Project, after: Project): readonly AssetChange[] {
  if (before.assets === after.assets) return []
  const step = steps.get(after)
  return step?.before.deref() === before ? step.changes : comparedFiles(before.assets, after.assets)
}

/**
 * Returns whether the assets for which `isMeant` holds, or the first assets of their names, may differ from
 * an earlier snapshot. If not, results about them stay valid without a search through ten thousand files.
 */
export function mayDiffer(
  before: Project | undefined,
  after: Project,
  isMeant: (asset: Asset) => boolean,
): boolean {
  if (before === undefined) return true
  return assetChanges(before, after).some(
    change =>
      isRenamed(change) || [change.before, change.after].some(asset => asset !== undefined && isMeant(asset)),
  )
}

/** Returns whether another name has an enabled asset afterwards, or the same one no longer. */
export function isRenamed({ before, after }: AssetChange): boolean {
  return (
    before?.name !== after?.name || before?.definition.deploy.enabled !== after?.definition.deploy.enabled
  )
}

/** Remembers the changes between `before` and `after`. */
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
