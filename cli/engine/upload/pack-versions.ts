/**
 * Returns the versions in a context pack (interface.md 9), from the files that runs have written, because an
 * upload opens no warehouse. Pure.
 */
import type { CatalogFile, HistoryFile, HistoryRun, PackVersion } from '@svc/server/contract'

/** Returns versions by asset, oldest first. */
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
    for (const { name, definition_hash: hash, status } of run.assets) {
      const outcome = outcomeOf(run, status)
      if (outcome === undefined) continue
      add(name, { hash, deployed_at: run.finished_at ?? run.started_at, status: outcome, run_id: run.run_id })
    }
  }
  for (const { name, active_hash: hash, last_run: at } of catalog?.assets ?? []) {
    const newest = versions.get(name)?.findLast(version => version.status === 'deployed')
    // Adds the live version if it is missing: the history is limited, and a rollback lists no builds.
    if (hash !== null && at !== null && newest?.hash !== hash) {
      add(name, { hash, deployed_at: at, status: 'deployed', run_id: null })
    }
  }
  return Object.fromEntries([...versions].map(([name, list]) => [name, list.sort(byTime)]))
}

/** Returns undefined if the run did not change what is deployed of the asset. */
function outcomeOf(run: HistoryRun, asset: string): PackVersion['status'] | undefined {
  if (run.kind === 'preview') return undefined
  if (run.status === 'deployed') return asset === 'built' ? 'deployed' : undefined
  if (run.status !== 'Failed') return undefined
  return asset === 'failed' || asset === 'test_failed' ? 'Failed' : undefined
}

function byTime(a: PackVersion, b: PackVersion): number {
  return a.deployed_at < b.deployed_at ? -1 : a.deployed_at > b.deployed_at ? 1 : 0
}
