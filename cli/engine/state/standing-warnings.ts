/** The warnings of what is live, found in the records of runs. */
import type { Warning } from '@svc/server/contract'
import { isVerified } from './asset-versions.ts'
import type { HistoryRecord, StateSnapshot } from './state.ts'

/**
 * Returns the warnings of what is live, by asset: those of the newest run that made or verified the very build. A build whose
 * runs are not known any more has none.
 */
export function standingWarnings({
  history,
  live,
}: Pick<StateSnapshot, 'history' | 'live'>): ReadonlyMap<string, readonly Warning[]> {
  const standing = new Map<string, readonly Warning[]>()
  for (const run of history) {
    if (run.status !== 'deployed') continue
    const own = warningsByAsset(run)
    for (const asset of run.assets) {
      const { name, build_key } = asset
      if (!isVerified(asset) || standing.has(name) || live.get(name)?.build_key !== build_key) continue
      standing.set(name, own.get(name) ?? [])
    }
  }
  return standing
}

function warningsByAsset({ warnings }: HistoryRecord): ReadonlyMap<string, readonly Warning[]> {
  const found = new Map<string, Warning[]>()
  for (const warning of warnings ?? []) {
    if (warning.asset === null) continue
    const own = found.get(warning.asset)
    if (own === undefined) found.set(warning.asset, [warning])
    else own.push(warning)
  }
  return found
}
