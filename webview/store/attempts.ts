/** What runs that ended badly mean for the assets: the catalogue only says what a run that got so far wrote. Pure. */
import type { AttemptedRun, CatalogAsset, DashboardData } from '../protocol.ts'

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
  const own = assets.filter(hasFailed)
  return [...new Set([...own.map(({ name }) => name), ...(failed_asset === null ? [] : [failed_asset])])]
}

function hasFailed({ status }: AttemptedRun['assets'][number]): boolean {
  return status === 'failed' || status === 'test_failed'
}

/** Returns the newest run in which an asset failed, also one that deployed the others. */
export function lastFailure(runs: readonly AttemptedRun[], name: string): AttemptedRun | undefined {
  return runs.find(
    run =>
      run.error !== null &&
      (run.failed_asset === name || run.assets.some(each => each.name === name && hasFailed(each))),
  )
}

/** Returns why an asset failed in a run, whose own words are about its first failure alone. */
export function reasonOf({ name, tests }: CatalogAsset, run: AttemptedRun): string | undefined {
  const own = ownIn(run, name)?.because
  if (own !== undefined) return own.split('\n', 1)[0]
  const failed = run.assets.filter(hasFailed)
  const isAbout = run.failed_asset === name || (failed.length === 1 && failed[0]?.name === name)
  if (isAbout || run.status === 'Failed') return run.error?.split('\n', 1)[0]
  const names = tests.filter(({ status }) => status === 'fail').map(test => test.name)
  return names.length === 0 ? undefined : `failed: ${names.join(', ')}`
}

/** Returns what to do about the failure of an asset in a run, as far as the run said it, and where. */
export function remedyOf(
  { name }: CatalogAsset,
  run: AttemptedRun,
): { readonly hint?: string | undefined; readonly place?: string | undefined } {
  const own = ownIn(run, name)
  if (own?.because !== undefined) return own
  return run.failed_asset === name ? run : {}
}

function ownIn({ assets }: AttemptedRun, name: string): AttemptedRun['assets'][number] | undefined {
  return assets.find(each => each.name === name)
}

/** Returns the command that does the rest of a failed run after a fix. */
export function retryWords(environment: string): string {
  return `svc retry${environment === 'dev' ? '' : ` --env ${environment}`}`
}

/**
 * Returns the figures of the last run of an asset, all of the same run; undefined if it never ran. The history does not
 * list what a run left unchanged, so the catalogue may know of a newer one.
 */
export function lastRunFacts(asset: CatalogAsset, runs: readonly AttemptedRun[]) {
  const last = runs.find(
    ({ kind, assets }) =>
      kind !== 'preview' && assets.some(each => each.name === asset.name && each.status !== 'kept'),
  )
  const own = last === undefined ? undefined : ownIn(last, asset.name)
  const at = last === undefined ? undefined : (last.finished_at ?? last.started_at)
  if (own !== undefined && at !== undefined && at >= (asset.last_run ?? '')) {
    // What did not become live has no rows to tell of: the history has those of the version that stayed.
    return { at, seconds: own.seconds, rows: (own.deployed ?? own.status === 'built') ? own.rows : null }
  }
  if (asset.last_run === null) return undefined
  const rows = asset.status === 'deployed' ? asset.rows : null
  return { at: asset.last_run, seconds: asset.seconds, rows }
}

/** Returns how many assets a run left as they were while it deployed the others. */
export function keptIn({ assets }: AttemptedRun): number {
  return assets.filter(each => hasFailed(each) || ['skipped', 'kept'].includes(each.status)).length
}
