/**
 * Returns the versions in a context pack (interface.md 9), from the files that runs have written:
 * the same that `svc versions` tells. Pure.
 */
import type { CatalogFile, HistoryFile, HistoryRun, PackVersion } from '@svc/server/contract'
import { hasFailed } from '../state/asset-versions.ts'

/** Returns versions by asset, oldest first, in the order of the runs whatever the clocks said. */
export function packVersions(
  catalog: CatalogFile | undefined,
  history: HistoryFile | undefined,
): Readonly<Record<string, readonly PackVersion[]>> {
  const versions = new Map<string, PackVersion[]>()
  const add = (asset: string, version: PackVersion) => {
    const list = versions.get(asset)
    if (list === undefined) versions.set(asset, [version])
    else list.push(version)
  }
  for (const run of (history?.runs ?? []).toReversed()) {
    for (const asset of run.assets) {
      const status = outcomeOf(run, asset)
      if (status === undefined) continue
      const deployed_at = run.finished_at ?? run.started_at
      add(asset.name, { hash: asset.definition_hash, deployed_at, status, run_id: run.run_id })
    }
  }
  for (const { name, active_hash: hash, deployed_at = null, deployed_by = null } of catalog?.assets ?? []) {
    if (hash === null || deployed_at === null) continue
    // The history is limited: the live version may be older than all of it.
    const known = versions.get(name) ?? []
    if (known.some(({ run_id }) => run_id === deployed_by)) continue
    versions.set(name, [{ hash, deployed_at, status: 'deployed', run_id: deployed_by }, ...known])
  }
  return Object.fromEntries(versions)
}

/** Returns undefined if the run neither deployed the asset nor failed to. A preview deploys nothing. */
function outcomeOf(
  { kind, status }: HistoryRun,
  asset: HistoryRun['assets'][number],
): PackVersion['status'] | undefined {
  if (kind === 'preview' || status === 'running') return undefined
  if (hasFailed(asset)) return 'Failed'
  const isBuilt = status === 'deployed' && asset.status === 'built'
  return (asset.deployed ?? isBuilt) ? 'deployed' : undefined
}
