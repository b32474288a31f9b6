/** Reads versions of an asset and its test results, from complete uploads. */

import type { VersionStatus } from '../../../server/contract/pack.ts'
import type { Queries, Row } from '../../storage/index.ts'
import type { TestOutcome } from '../pack/pack.ts'
import { jsonOf, textOrNull } from './visible.ts'

export interface StoredVersion {
  /** The number from 1, oldest first. */
  readonly version: number
  readonly hash: string
  readonly deployed_at: string
  readonly status: VersionStatus
  /** Whether it is the newest deployed version. */
  readonly active: boolean
  readonly source: string
  readonly upload_id: number
  readonly run_id: string | null
  readonly git: object | null
}

/**
 * Returns versions, newest first.
 * @param isRemoved the asset was removed, so no version is active
 */
export async function readVersions(
  queries: Queries,
  asset: number,
  head: number,
  isRemoved: boolean,
): Promise<readonly StoredVersion[]> {
  const rows = await queries.all(
    `select version.*, upload.source, upload.about from asset_version as version
      join upload on upload.id = version.upload_id
      where version.asset_id = ? and version.upload_id <= ? order by version.deployed_at, version.id`,
    [asset, head],
  )
  const active = isRemoved ? undefined : rows.findLast(row => row['status'] === 'deployed')
  return rows.map((row, index) => storedVersion(row, index + 1, row === active)).reverse()
}

function storedVersion(row: Row, version: number, active: boolean): StoredVersion {
  return {
    version,
    hash: String(row['hash']),
    deployed_at: String(row['deployed_at']),
    status: row['status'] as VersionStatus,
    active,
    source: String(row['source']),
    upload_id: Number(row['upload_id']),
    run_id: textOrNull(row['run_id']),
    git: jsonOf<{ readonly git: object | null }>(row['about']).git,
  }
}

export interface StoredResults {
  readonly timestamp: string
  readonly tests: readonly TestOutcome[]
  readonly summary: {
    readonly total: number
    readonly passed: number
    readonly failed: number
    readonly pass_rate: number
  }
}

/** Returns results, newest first. */
export async function readTestResults(
  queries: Queries,
  asset: number,
  head: number,
  limit: number,
): Promise<readonly StoredResults[]> {
  const rows = await queries.all(
    `select at, tests, total, passed, failed from test_result
      where asset_id = ? and upload_id <= ? order by at desc limit ?`,
    [asset, head, limit],
  )
  return rows.map(row => {
    const [total, passed, failed] = [Number(row['total']), Number(row['passed']), Number(row['failed'])]
    // Without results the rate is 0, as in the dashboard (2.15).
    const pass_rate = total === 0 ? 0 : passed / total
    return {
      timestamp: String(row['at']),
      tests: jsonOf(row['tests']),
      summary: { total, passed, failed, pass_rate },
    }
  })
}
