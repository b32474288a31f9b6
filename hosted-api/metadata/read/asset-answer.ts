/** Returns the body of GET …/assets/{id}/metadata: everything that is stored about one asset. */
import { Type } from '@sinclair/typebox'
import { nodeKinds } from '../../../server/contract/pack.ts'
import { freshnessVerdict } from '../../../server/language/project/freshness-verdict.ts'
import { formatDuration, parseDuration } from '../../../server/language/schema/formats.ts'
import { oneOf, orNull, RecordId, type Shape, Time } from '../../http/index.ts'
import type { Queries } from '../../storage/index.ts'
import type { StoredAsset } from '../store/assets.ts'
import { readStandingResults, readVersions, type StoredVersion } from '../store/versions.ts'
import type { Reading } from '../store/visible.ts'
import { checkAsset } from './policy-check.ts'
import { AnyObject, ColumnSchema, TermLink, TestSummary, Text, VersionSchema } from './schemas.ts'

const Freshness = Type.Object({
  warn_after: orNull(Text),
  error_after: orNull(Text),
  /** As in interface.md 3.2; null if it never ran. */
  status: orNull(oneOf(['OK', 'WARN', 'ERROR'])),
  last_run: orNull(Time),
})

export const AssetAnswer = Type.Object({
  asset: Type.Object({
    id: RecordId,
    identifier: Text,
    name: Text,
    path: Text,
    kind: oneOf(nodeKinds),
    description: orNull(Text),
    project: RecordId,
    removed_at: orNull(Time),
  }),
  schema: Type.Object({ columns: Type.Array(ColumnSchema) }),
  blocks: AnyObject,
  owner: orNull(Text),
  tags: Type.Array(Text),
  definition_hash: orNull(Text),
  details: AnyObject,
  freshness: orNull(Freshness),
  terms: Type.Array(TermLink),
  policies: Type.Array(
    Type.Object({ id: RecordId, name: Text, enforcement: Text, breached_by: Type.Array(Text) }),
  ),
  pii_columns: Type.Array(Text),
  active_version: orNull(VersionSchema),
  test_summary: TestSummary,
})

/** The summary of an asset without results. */
export const noTests: Shape<typeof TestSummary> = { total: 0, passed: 0, failed: 0, pass_rate: 0 }

export async function assetAnswer(
  reading: Reading,
  asset: StoredAsset,
  now: Date,
): Promise<Shape<typeof AssetAnswer>> {
  const { id, identifier, name, path, kind, description, project } = asset
  const versions = await readVersions(reading, asset)
  const results = await readStandingResults(reading, asset)
  const check = await checkAsset(reading, project, id)
  const active = versions.find(version => version.active)
  return {
    asset: { id, identifier, name, path, kind, description, project, removed_at: asset.removedAt },
    schema: { columns: asset.columns ?? [] },
    blocks: asset.blocks,
    owner: asset.owner,
    tags: asset.tags,
    definition_hash: asset.definitionHash,
    details: asset.details,
    freshness: freshnessOf(asset, active, now),
    terms: await termsOf(reading.queries, id),
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
    test_summary: results?.summary ?? noTests,
  }
}

/** Returns the links of terms to the asset and to its columns. */
export function termsOf(queries: Queries, asset: number): Promise<readonly Shape<typeof TermLink>[]> {
  return queries.all(
    `select link.id as link, link.term, term.identifier as term_identifier, term.name as term_name,
      link."column", link.role
      from link join term on term.id = link.term
      where link.asset = ? and link.deleted_at is null and term.deleted_at is null order by link.id`,
    [asset],
  )
}

/**
 * Returns null if the asset has no limits. Uses the last load in the pack, the last run where an older svc made it, otherwise the
 * last deployment; and the newest row, where the pack says it. What is not live has no age.
 */
function freshnessOf(
  { blocks, details }: Pick<StoredAsset, 'blocks' | 'details'>,
  active: StoredVersion | undefined,
  now: Date,
): Shape<typeof Freshness> | null {
  const limits = limitsOf(blocks, details)
  if (limits === undefined) return null
  const told = textIn(details['loaded_at']) ?? textIn(details['last_run'])
  const last = details['active_hash'] === null ? null : (told ?? active?.deployed_at ?? null)
  const { warn, error } = limits
  const status = last === null ? null : statusOf([last, ...newestRowOf(details)], limits, now)
  return { warn_after: warn.text, error_after: error.text, status, last_run: last }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Null if no row has a value; none if it is not watched or was not measured. */
function newestRowOf(details: StoredAsset['details']): readonly (string | null)[] {
  const { column, newest_row } = objectOf(details['freshness']) ?? {}
  if (typeof column !== 'string') return []
  return typeof newest_row === 'string' || newest_row === null ? [newest_row] : []
}

function statusOf(
  times: readonly (string | null)[],
  { warn, error }: Limits,
  now: Date,
): Shape<typeof Freshness>['status'] {
  const ages = times.map(time => (time === null ? undefined : now.getTime() - Date.parse(time)))
  return freshnessVerdict(ages, { warnAfterMs: warn.milliseconds, errorAfterMs: error.milliseconds })
}

interface Limit {
  readonly text: string | null
  readonly milliseconds: number
}

type Limits = Readonly<Record<'warn' | 'error', Limit>>

/** Reads limits as in a file (`12h`), or as in a catalogue (seconds). */
function limitsOf(blocks: StoredAsset['blocks'], details: StoredAsset['details']): Limits | undefined {
  const written = objectOf(blocks['freshness'])
  if (written !== undefined)
    return { warn: limitOfText(written['warn_after']), error: limitOfText(written['error_after']) }
  const told = objectOf(details['freshness'])
  return (
    told && {
      warn: limitOfSeconds(told['warn_after_seconds']),
      error: limitOfSeconds(told['error_after_seconds']),
    }
  )
}

const noLimit: Limit = { text: null, milliseconds: Number.POSITIVE_INFINITY }

function limitOfText(text: unknown): Limit {
  if (typeof text !== 'string') return noLimit
  return { text, milliseconds: parseDuration(text) ?? noLimit.milliseconds }
}

function limitOfSeconds(seconds: unknown): Limit {
  return typeof seconds === 'number'
    ? { text: formatDuration(seconds * 1000), milliseconds: seconds * 1000 }
    : noLimit
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}
