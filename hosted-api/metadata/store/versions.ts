/** Reads versions of an asset and its test results, from complete uploads. */

import { privacyTests } from '../../../server/contract/parts.ts'
import type { Shape } from '../../../server/contract/schema.ts'
import type { TestOutcome } from '../pack/pack.ts'
import type { TestSummary, VersionSchema } from '../read/schemas.ts'
import type { StoredAsset } from './assets.ts'
import { jsonOf, type Reading, textOrNull } from './visible.ts'

export type StoredVersion = Shape<typeof VersionSchema>

type VersionRow = Omit<StoredVersion, 'version' | 'active' | 'git'> & { readonly about: string }

/**
 * Returns versions, newest first; none of them is active if the asset was removed. Which one is live the pack says; where it does
 * not, that is the last one that was deployed.
 */
export async function readVersions(
  { queries, head }: Reading,
  { id, removedAt, details }: Pick<StoredAsset, 'id' | 'removedAt' | 'details'>,
): Promise<readonly StoredVersion[]> {
  const rows = await queries.all<VersionRow>(
    `select version.hash, version.deployed_at, version.status, upload.source, version.upload_id, version.run_id, upload.about
      from asset_version as version
      join upload on upload.id = version.upload_id
      where version.asset_id = ? and version.upload_id <= ? order by version.deployed_at, version.id`,
    [id, head],
  )
  const deployed = rows.filter(({ status }) => status === 'deployed')
  const active = removedAt !== null ? undefined : activeOf(deployed, details)
  return rows.map((row, index) => storedVersion(row, index + 1, row === active)).reverse()
}

function activeOf(deployed: readonly VersionRow[], details: StoredAsset['details']): VersionRow | undefined {
  const live = liveHash(details, deployed.at(-1)?.hash ?? null)
  const same = deployed.filter(({ hash }) => hash === live)
  return same.findLast(({ run_id }) => run_id === details['deployed_by']) ?? same.at(-1)
}

/** @param last the hash of the last version that was deployed, which counts where the pack does not say what is live */
export function liveHash({ active_hash }: StoredAsset['details'], last: string | null): string | null {
  return active_hash === undefined ? last : textOrNull(active_hash as string | null)
}

function storedVersion(row: VersionRow, version: number, active: boolean): StoredVersion {
  const { hash, deployed_at, status, about, ...origin } = row
  return {
    version,
    hash,
    deployed_at,
    status,
    active,
    ...origin,
    git: jsonOf<{ readonly git: unknown }>(about).git,
  }
}

export interface StoredResults {
  readonly timestamp: string
  readonly tests: readonly TestOutcome[]
  readonly summary: Shape<typeof TestSummary>
}

/** Tests that svc adds by itself, which no file lists. */
const unlisted: ReadonlySet<string> = new Set(privacyTests)

/**
 * Returns the newest results, without those of tests that the asset has no more; undefined without any. Where no file's blocks
 * were uploaded (a catalogue has the SQL alone), its tests are not known, and results are told as they came.
 */
export async function readStandingResults(
  reading: Reading,
  { id, tests: listed, blocks, details }: Pick<StoredAsset, 'id' | 'tests' | 'blocks' | 'details'>,
): Promise<StoredResults | undefined> {
  const results = await newestResults(reading, id, details)
  const isDescribed = listed.length > 0 || 'ingest' in blocks
  if (results === undefined || !isDescribed) return results
  const names = new Set(listed.map(({ name }) => name))
  const tests = results.tests.filter(({ name }) => names.has(name) || unlisted.has(name))
  if (tests.length === results.tests.length) return results
  const passed = tests.filter(({ status }) => status === 'pass').length
  return { ...results, tests, summary: summaryOf(tests.length, passed) }
}

/**
 * Returns the results that the pack says are those of what is live, or newer ones that a program sent alone. Of a pack that does
 * not say it, the newest count.
 */
async function newestResults(
  reading: Reading,
  asset: number,
  { results_at, deployed_at }: StoredAsset['details'],
): Promise<StoredResults | undefined> {
  if (results_at === undefined) return (await readTestResults(reading, asset, 1))[0]
  const { queries, head } = reading
  const since = results_at ?? deployed_at ?? ''
  const row = await queries.first<ResultRow>(
    `select at, tests, total, passed from test_result
      where asset_id = ? and upload_id <= ? and (at = ? or (upload_id = 0 and at > ?)) order by at desc limit 1`,
    [asset, head, String(results_at ?? ''), String(since)],
  )
  return row === undefined ? undefined : storedResults(row)
}

/** Without results the rate is 0, as in the dashboard (2.15). */
function summaryOf(total: number, passed: number): StoredResults['summary'] {
  return { total, passed, failed: total - passed, pass_rate: total === 0 ? 0 : passed / total }
}

/** Returns results, newest first. */
export async function readTestResults(
  { queries, head }: Reading,
  asset: number,
  limit: number,
): Promise<readonly StoredResults[]> {
  const rows = await queries.all<ResultRow>(
    `select at, tests, total, passed from test_result
      where asset_id = ? and upload_id <= ? order by at desc limit ?`,
    [asset, head, limit],
  )
  return rows.map(storedResults)
}

function storedResults({ at, tests, total, passed }: ResultRow): StoredResults {
  return { timestamp: at, tests: jsonOf(tests), summary: summaryOf(total, passed) }
}

type ResultRow = Readonly<Record<'at' | 'tests', string> & Record<'total' | 'passed', number>>
