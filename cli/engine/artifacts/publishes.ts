/** The publish targets of assets as nodes of the lineage, with their last attempts. Pure. */
import type { CatalogPublish } from '@svc/server/contract'
import { type Project, readTarget, targetNames } from '@svc/server/language'
import type { PublishRecord } from '../state/state.ts'

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
        fields: target?.fields ?? null,
        last: last === undefined ? null : lastOf(last),
      }
    }),
  )
}

function lastOf({
  run_id,
  status,
  started_at,
  finished_at,
  counts,
  error,
}: PublishRecord): CatalogPublish['last'] {
  return {
    run_id,
    status,
    at: finished_at ?? started_at,
    rows: counts === null ? null : counts.inserts + counts.updates + counts.unchanged,
    untaken: counts === null ? null : counts.invalid + counts.refused,
    error,
  }
}
