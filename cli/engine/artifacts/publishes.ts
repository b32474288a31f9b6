/** The publish targets of assets as nodes of the lineage, with their last attempts. Pure. */
import type { CatalogPublish, Warning } from '@svc/server/contract'
import { type Project, readTarget, sentTo, targetNames } from '@svc/server/language'
import { publishVerdict } from '../publish/publish-verdict.ts'
import type { PublishRecord } from '../state/state.ts'

/** Only their last attempts are read, so that a target of every minute does not hide those of every month. */
export const mostTargets = 100_000

/** `attempts`: newest first. Addresses are left out: they may have secrets. */
export function publishesOf(
  project: Pick<Project, 'byName' | 'settings'>,
  attempts: readonly PublishRecord[],
): CatalogPublish[] {
  return [...project.byName.values()].flatMap(asset =>
    targetNames(asset).map(name => {
      const { target } = readTarget(asset, name, project.settings)
      const last = attempts.find(each => each.asset === asset.name && each.target === name)
      return {
        kind: 'publish' as const,
        name,
        asset: asset.name,
        type: target?.type ?? null,
        resource: target?.resource ?? null,
        mode: target?.mode ?? null,
        ...sentTo(asset, name, project),
        last: last === undefined ? null : lastOf(last),
      }
    }),
  )
}

function lastOf(attempt: PublishRecord): CatalogPublish['last'] {
  const { run_id, status, started_at, finished_at, counts, error } = attempt
  const warnings = attempt.warnings ?? []
  return {
    run_id,
    status,
    verdict: publishVerdict(attempt),
    at: finished_at ?? started_at,
    rows: counts === null ? null : counts.inserts + counts.updates + counts.unchanged,
    untaken: counts === null ? null : counts.invalid + counts.refused,
    error,
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}

/** Returns what the last publish of each target has warned of, by asset; a target that an asset has no more says nothing. */
export function standingPublishWarnings(
  project: Pick<Project, 'byName' | 'settings'>,
  attempts: readonly PublishRecord[],
): ReadonlyMap<string, readonly TargetWarning[]> {
  const standing = new Map<string, TargetWarning[]>()
  for (const { name: target, asset, last } of publishesOf(project, attempts)) {
    for (const warning of last?.warnings ?? [])
      standing.set(asset, [...(standing.get(asset) ?? []), { ...warning, target }])
  }
  return standing
}

export type TargetWarning = Warning & { readonly target: string }
