/**
 * Makes `svc_catalog.json`, which has the same shape as `/api/catalog.json` (decisions 4) and feeds the
 * dashboard. Pure.
 */
import type {
  CatalogAsset,
  CatalogColumn,
  CatalogExposure,
  CatalogFile,
  ColumnEntry,
  TestResultsFile,
} from '@svc/server/contract'
import {
  type Asset,
  inheritedTerm,
  localFilesOf,
  ownRecordsOf,
  type Project,
  type ProjectAnalysis,
  readerSql,
} from '@svc/server/language'
import type { NewestRows } from '../quality/newest-rows.ts'
import type {
  BuildRecord,
  HistoryAsset,
  HistoryRecord,
  PublishRecord,
  StateSnapshot,
} from '../state/state.ts'
import type { Environment } from '../workspace/workspace.ts'
import { secondsOf } from './history.ts'
import { type AssetOutline, fileVersion, type Outline } from './manifest.ts'
import { publishesOf } from './publishes.ts'
import { summaryOf } from './test-results.ts'

export interface CatalogInput {
  readonly project: Project
  readonly analysis: ProjectAnalysis
  readonly environment: Environment
  readonly state: StateSnapshot | undefined
  readonly manifest: Outline
  readonly testResults: TestResultsFile
  /** Attempts to publish, newest first. */
  readonly publishes?: readonly PublishRecord[]
  /** The newest row of each asset whose `freshness` names a column, as far as it was measured. */
  readonly newestRows?: NewestRows
  /** The names of the columns that are left out of files and rows, by asset. */
  readonly excluded: ReadonlyMap<string, readonly string[]>
}

export function makeCatalog(input: CatalogInput): CatalogFile {
  const { project, manifest, state } = input
  const assets = [...project.byName.values()]
  const lastRuns = lastRunOf(state?.history ?? [], assets)
  const loads = lastLoads(state?.history ?? [])
  return {
    version: fileVersion,
    generated_at: manifest.generated_at,
    environment: input.environment.name,
    project: manifest.project,
    assets: manifest.assets.flatMap(entry => {
      const asset = project.byName.get(entry.name)
      return asset === undefined
        ? []
        : [
            catalogAsset(
              asset,
              entry,
              { last: lastRuns.get(asset.name), loaded: loads.get(asset.name) },
              input,
            ),
          ]
    }),
    exposures: assets.flatMap(exposuresOf),
    publishes: publishesOf(project, input.publishes ?? []),
    lineage: manifest.lineage,
    excluded_columns: assets.reduce((sum, asset) => sum + excludedCount(asset, input.excluded), 0),
    active_assets: assets.filter(asset => state?.live.has(asset.name) === true).length,
  }
}

function catalogAsset(
  asset: Asset,
  entry: AssetOutline,
  { last, loaded }: { readonly last: LastRun | undefined; readonly loaded: string | undefined },
  input: CatalogInput,
): CatalogAsset {
  const { definition } = asset
  const live = input.state?.live.get(asset.name)
  const build = live === undefined ? undefined : input.state?.builds.get(live.build_key)
  const seen = last ?? (build === undefined ? undefined : builtBefore(build))
  const tests = input.testResults[asset.name]?.tests ?? []
  return {
    name: asset.name,
    path: asset.path,
    kind: definition.ingest.type === 'none' ? 'model' : 'source',
    description: definition.description ?? null,
    owner: definition.owner ?? null,
    tags: definition.tags,
    columns: withTerms(asset, entry.schema.columns, input),
    raw_sql: asset.sql?.text ?? '',
    compiled_sql: readerSql(asset, input.project, input.environment) ?? '',
    definition_hash: entry.definition_hash,
    active_hash: live?.definition_hash ?? null,
    status: seen?.status ?? null,
    last_run: seen?.at ?? null,
    seconds: seen?.seconds ?? null,
    loaded_at: loaded ?? build?.created_at ?? null,
    ...(seen?.repaired === undefined ? {} : { repaired: seen.repaired }),
    ...(seen?.failure === undefined ? {} : { failure: seen.failure }),
    rows: build?.rows ?? null,
    freshness: freshnessOf(asset, input.newestRows),
    tests,
    summary: summaryOf(tests),
    upstream: input.project.parents(asset.name),
    downstream: input.project.children(asset.name),
  }
}

/** Without a glossary the columns are returned unchanged. */
function withTerms(
  asset: Asset,
  columns: readonly ColumnEntry[],
  { project, analysis }: CatalogInput,
): readonly CatalogColumn[] {
  if (project.glossary.terms.length === 0) return columns
  return columns.map(column => {
    const found = inheritedTerm(project, analysis, asset, column.name)
    if (found === undefined) return column
    const { term, from } = found
    return {
      ...column,
      term: { name: term.name, description: term.description, from: from === asset ? null : from.name },
    }
  })
}

interface LastRun {
  readonly status: 'deployed' | 'Failed' | 'skipped'
  readonly at: string
  readonly seconds: number | null
  readonly repaired?: string | undefined
  readonly failure?: NonNullable<CatalogAsset['failure']>
}

/**
 * Per asset the newest finished run that looked at it; previews are no deployments. Of a run before all of that nothing is
 * read: its list of assets is long.
 */
function lastRunOf(history: readonly HistoryRecord[], assets: readonly Asset[]): Map<string, LastRun> {
  const found = new Map<string, LastRun>()
  for (const run of history) {
    if (run.kind === 'preview' || run.status === 'running') continue
    if (assets.every(({ name }) => found.has(name))) break
    for (const asset of run.assets) {
      if (found.has(asset.name) || asset.status === 'kept') continue
      const status = statusIn(run, asset)
      if (status === undefined) continue
      found.set(asset.name, {
        status,
        at: run.finished_at ?? run.started_at,
        seconds: secondsOf(asset),
        ...(status === 'Failed' ? failureOf(asset) : { repaired: asset.repaired }),
      })
    }
  }
  return found
}

/** An older svc did not write down why an asset failed. */
function failureOf({ because, hint, place, text_hash }: HistoryAsset): Pick<LastRun, 'failure'> {
  if (because === undefined) return {}
  return {
    failure: {
      message: because,
      hint: hint ?? null,
      place: place ?? null,
      text_hash: text_hash ?? null,
    },
  }
}

/** Returns undefined for an asset of a failed run that had no part in the failure: it is as it was before. */
function statusIn(run: HistoryRecord, { status }: HistoryAsset): LastRun['status'] | undefined {
  if (status === 'failed' || status === 'test_failed') return 'Failed'
  if (status === 'skipped') return 'skipped'
  return run.status === 'Failed' ? undefined : 'deployed'
}

/** Returns the end of the newest run that built or verified each asset, as `svc freshness` counts it. */
function lastLoads(history: readonly HistoryRecord[]): Map<string, string> {
  const loads = new Map<string, string>()
  for (const run of history) {
    if (run.kind !== 'run' || run.status !== 'deployed') continue
    for (const { name, status } of run.assets) {
      const isLoaded = status === 'built' || status === 'unchanged'
      if (isLoaded && !loads.has(name)) loads.set(name, run.finished_at ?? run.started_at)
    }
  }
  return loads
}

/** Returns the run of a build that was live before the runs that were read. */
function builtBefore({ created_at, seconds }: BuildRecord): LastRun {
  return { status: 'deployed', at: created_at, seconds }
}

function freshnessOf(
  { name, definition: { freshness } }: Asset,
  newestRows: NewestRows | undefined,
): CatalogAsset['freshness'] {
  if (freshness === undefined) return null
  const seconds = (ms: number | undefined) => (ms === undefined ? null : ms / 1000)
  const newest = newestRows?.get(name)
  return {
    warn_after_seconds: seconds(freshness.warnAfterMs),
    error_after_seconds: seconds(freshness.errorAfterMs),
    column: freshness.column ?? null,
    ...(newest !== undefined && 'at' in newest && { newest_row: newest.at?.toISOString() ?? null }),
  }
}

function exposuresOf(asset: Asset): CatalogExposure[] {
  return asset.definition.exposures.map(exposure => ({
    name: exposure.name,
    asset: asset.name,
    type: exposure.type,
    url: exposure.url ?? null,
    owner: exposure.owner ?? null,
    description: exposure.description ?? null,
  }))
}

/** Counts the entries that name a column where nobody knows what the source delivers, as for a web service. */
function excludedCount(
  { name, definition: { ingest } }: Asset,
  excluded: ReadonlyMap<string, readonly string[]>,
): number {
  if (ingest.type === 'none') return 0
  const isSeen = localFilesOf(ingest) !== undefined || ownRecordsOf(ingest) !== undefined
  const named = isSeen ? [] : ingest.exclude.filter(entry => !/[*?]/.test(entry))
  return excluded.get(name)?.length ?? named.length
}
