/**
 * The spools of an environment: one folder per source, below the environment's work folder. A spool may hold
 * personal data, so it is deleted as soon as its rows are loaded; the pages of an interrupted fetch are kept
 * for some hours, so that the next run can continue.
 */
import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type FetchRemains, remainsOfFetch } from '../ingest/progress-file.ts'

export function spoolsOf(folder: string): string {
  return join(folder, 'spool')
}

/** Removes every spool for which `isKept` is false, and the folder itself if it is empty. */
export async function sweepSpools(
  spools: string,
  isKept: (asset: string, remains: FetchRemains) => boolean,
): Promise<void> {
  const assets = await readdir(spools).catch(() => [])
  for (const asset of assets) {
    const folder = join(spools, asset)
    if (!isKept(asset, remainsOfFetch(folder))) await rm(folder, { recursive: true, force: true })
  }
  await rmdir(spools).catch(() => undefined)
}

/** What is on the disk of sources that earlier runs fetched, or began to fetch. */
export interface KeptFetches {
  /** The number of those that are complete, which a retry takes. */
  readonly complete: number
  /** The number of those that broke off, which any run goes on with. */
  readonly begun: number
}

export async function keptFetches(spools: string, now: Date): Promise<KeptFetches> {
  const assets = await readdir(spools).catch(() => [])
  const kept = assets.map(asset => remainsOfFetch(join(spools, asset))).filter(each => each.isUsable(now))
  const complete = kept.filter(({ isDone }) => isDone).length
  return { complete, begun: kept.length - complete }
}

/**
 * Removes spools that no fetch of a run can use, before the run. A source that an earlier run fetched
 * completely counts for the retry of that run only: joined with what is fetched now, it would be a mixture of
 * two times.
 */
export async function expireSpools(spools: string, now: Date, isRetry: boolean): Promise<void> {
  await sweepSpools(spools, (_asset, remains) => remains.isUsable(now) && (isRetry || !remains.isDone))
}

/**
 * Removes spools after a run. `interrupted`: all are kept, because the next run continues from them, as after
 * a crash.
 */
export async function settleSpools(
  spools: string,
  outcome: 'deployed' | 'Failed' | 'interrupted',
  assets: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  await sweepSpools(spools, (asset, remains) => {
    if (!remains.isUsable(now)) return false
    if (outcome === 'interrupted') return true
    // A source that was fetched completely in a run that failed later is fetched again, because it may have
    // been corrected meanwhile.
    return outcome === 'deployed' ? !assets.has(asset) : !remains.isDone
  })
}
