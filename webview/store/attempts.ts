/** What runs that ended badly mean for the assets: the catalogue only says what a run that got so far wrote. Pure. */
import type { AttemptedRun, DashboardData } from '../protocol.ts'

/** Returns the newest run in which each asset failed, if it ended after the last run that the catalogue knows. */
export function failedSince({
  catalog,
  history,
}: Pick<DashboardData, 'catalog' | 'history'>): Map<string, AttemptedRun> {
  const lastRuns = new Map(catalog.assets.map(({ name, last_run }) => [name, last_run ?? '']))
  const failures = new Map<string, AttemptedRun>()
  const settled = new Set<string>()
  // Newest first: what a newer run did with an asset takes precedence.
  for (const run of history.runs) {
    if (run.kind !== 'run') continue
    for (const name of failedIn(run)) {
      const isNewer = (run.finished_at ?? run.started_at) > (lastRuns.get(name) ?? '')
      if (lastRuns.has(name) && isNewer && !settled.has(name) && !failures.has(name)) failures.set(name, run)
    }
    for (const { name } of run.assets) settled.add(name)
  }
  return failures
}

function failedIn({ status, assets, failed_asset }: AttemptedRun): string[] {
  if (status !== 'Failed') return []
  const own = assets.filter(asset => asset.status === 'failed' || asset.status === 'test_failed')
  return [...new Set([...own.map(({ name }) => name), ...(failed_asset === null ? [] : [failed_asset])])]
}
