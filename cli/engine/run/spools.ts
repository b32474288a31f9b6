/**
 * The spools of an environment: one folder a source, below the environment's work folder. A spool may hold personal
 * data, so it goes as soon as its rows are loaded; what a fetch that ended too soon has is kept for the next one, for
 * some hours.
 */
import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type FetchRemains, remainsOfFetch } from '../ingest/rest/checkpoint.ts'

export function spoolsOf(folder: string): string {
  return join(folder, 'spool')
}

/** Removes every spool for which `isKept` is false, and the folder itself once it is empty. */
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

/** Before a run: what nothing can go on from. */
export async function expireSpools(spools: string, now: Date): Promise<void> {
  await sweepSpools(spools, (_asset, remains) => remains.isUsable(now))
}

/** `interrupted`: the next run goes on from all of it, as after a crash. */
export async function settleSpools(
  spools: string,
  outcome: 'deployed' | 'Failed' | 'interrupted',
  assets: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  await sweepSpools(spools, (asset, remains) => {
    if (!remains.isUsable(now)) return false
    if (outcome === 'interrupted') return true
    // What came whole and failed later may be mended at its source: it is fetched again.
    return outcome === 'deployed' ? !assets.has(asset) : !remains.isDone
  })
}
