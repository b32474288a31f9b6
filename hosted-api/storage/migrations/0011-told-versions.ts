import type { Engine } from '../storage.ts'
import type { Migration } from './migration.ts'

/**
 * A version is what a pack says was deployed. Before, a definition without a history counted as deployed at the moment of its
 * upload, by no run: such rows go.
 */
export const toldVersions: Migration = {
  name: '0011_told_versions',
  steps: (_build, engine) => [
    `delete from asset_version where run_id is null and status = 'deployed' and exists (
      select 1 from upload where upload.id = asset_version.upload_id and asset_version.deployed_at <= upload.at
        and ${secondsBetween(engine, 'asset_version.deployed_at', 'upload.at')} < 1)`,
  ],
}

function secondsBetween(engine: Engine, from: string, to: string): string {
  return engine === 'postgres'
    ? `extract(epoch from cast(${to} as timestamptz) - cast(${from} as timestamptz))`
    : `(julianday(${to}) - julianday(${from})) * 86400`
}
