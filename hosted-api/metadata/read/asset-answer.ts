/** Returns the body of GET …/assets/{id}/metadata: everything that is stored about one asset. */
import { parseDuration } from '../../../server/language/schema/formats.ts'
import type { Pace } from '../../http/pace.ts'
import type { Queries } from '../../storage/index.ts'
import type { StoredAsset } from '../store/assets.ts'
import { readTestResults, readVersions, type StoredVersion } from '../store/versions.ts'
import { headOf } from '../store/visible.ts'
import { checkAsset } from './policy-check.ts'

export async function assetAnswer(queries: Queries, asset: StoredAsset, now: Date, pace: Pace) {
  const head = await headOf(queries, asset.project)
  const isRemoved = asset.removedAt !== null
  const versions = await readVersions(queries, asset.id, head, isRemoved)
  const [results] = await readTestResults(queries, asset.id, head, 1)
  const check = await checkAsset(queries, asset.project, head, asset.id, pace)
  const active = versions.find(version => version.active)
  return {
    asset: {
      id: asset.id,
      identifier: asset.identifier,
      name: asset.name,
      path: asset.path,
      kind: asset.kind,
      description: asset.description,
      project: asset.project,
      removed_at: asset.removedAt,
    },
    schema: { columns: asset.columns ?? [] },
    blocks: asset.blocks,
    owner: asset.owner,
    tags: asset.tags,
    definition_hash: asset.definitionHash,
    details: asset.details,
    freshness: freshnessOf(asset, active, now),
    terms: await termsOf(queries, asset.id),
    policies: check.checks.map(({ policy, breaches }) => ({
      id: policy.id,
      name: policy.name,
      enforcement: policy.enforcement,
      breached_by: breaches.map(breach => breach.column),
    })),
    pii_columns: (asset.columns ?? [])
      .map(column => column.name)
      .filter(name => check.personal.has(name.toLowerCase())),
    active_version: active ?? null,
    test_summary: results?.summary ?? { total: 0, passed: 0, failed: 0, pass_rate: 0 },
  }
}

/** Returns the links of terms to the asset and to its columns. */
export async function termsOf(queries: Queries, asset: number) {
  const rows = await queries.all(
    `select link.id, link.term, term.identifier, term.name, link."column", link.role from link
      join term on term.id = link.term where link.asset = ? and link.deleted_at is null and term.deleted_at is null
      order by link.id`,
    [asset],
  )
  return rows.map(row => ({
    link: Number(row['id']),
    term: Number(row['term']),
    term_identifier: String(row['identifier']),
    term_name: String(row['name']),
    column: row['column'] === null || row['column'] === undefined ? null : String(row['column']),
    role: String(row['role']),
  }))
}

export interface Freshness {
  readonly warn_after: string | null
  readonly error_after: string | null
  /** As in interface.md 3.2; null if it never ran. */
  readonly status: 'OK' | 'WARN' | 'ERROR' | null
  readonly last_run: string | null
}

/** Returns null if the asset has no limits. Uses the last run in the pack, otherwise the last deployment. */
function freshnessOf(
  { blocks, details }: Pick<StoredAsset, 'blocks' | 'details'>,
  active: StoredVersion | undefined,
  now: Date,
): Freshness | null {
  const limits = limitsOf(blocks, details)
  if (limits === undefined) return null
  const told = details['last_run']
  const last = typeof told === 'string' ? told : (active?.deployed_at ?? null)
  const age = last === null ? undefined : now.getTime() - Date.parse(last)
  const exceeds = (limit: number | undefined) => age !== undefined && limit !== undefined && age > limit
  const status =
    age === undefined
      ? null
      : exceeds(limits.error)
        ? 'ERROR'
        : exceeds(limits.warn)
          ? 'WARN'
          : ('OK' as const)
  return { warn_after: limits.warnText, error_after: limits.errorText, status, last_run: last }
}

interface Limits {
  /** Limits in milliseconds. */
  readonly warn: number | undefined
  readonly error: number | undefined
  readonly warnText: string | null
  readonly errorText: string | null
}

/** Reads limits as in a file (`12h`), or as in a catalogue (seconds). */
function limitsOf(blocks: StoredAsset['blocks'], details: StoredAsset['details']): Limits | undefined {
  const written = objectOf(blocks['freshness'])
  if (written !== undefined) {
    const [warnText, errorText] = [durationText(written['warn_after']), durationText(written['error_after'])]
    return { warn: durationOf(warnText), error: durationOf(errorText), warnText, errorText }
  }
  const told = objectOf(details['freshness'])
  if (told === undefined) return undefined
  const [warn, error] = [secondsOf(told['warn_after_seconds']), secondsOf(told['error_after_seconds'])]
  const text = (seconds: number | undefined) => (seconds === undefined ? null : `${seconds}s`)
  return { warn: thousand(warn), error: thousand(error), warnText: text(warn), errorText: text(error) }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}

function durationText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function durationOf(text: string | null): number | undefined {
  return text === null ? undefined : parseDuration(text)
}

function secondsOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function thousand(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000
}
