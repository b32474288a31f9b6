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
import type { LoadTimes } from '../quality/load-times.ts'
import type { NewestRows } from '../quality/newest-rows.ts'
import { lastOutcomes } from '../state/asset-versions.ts'
import { standingWarnings } from '../state/standing-warnings.ts'
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
  /** When the rows of live assets were last fetched or verified. */
  readonly loadTimes?: LoadTimes
  /** What somebody has done to what is live, by asset. */
  readonly gone?: ReadonlyMap<string, string>
  /** The names of the columns that are left out of files and rows, by asset. */
  readonly excluded: ReadonlyMap<string, readonly string[]>
}

export function makeCatalog(input: CatalogInput): CatalogFile {
  const { project, manifest, testResults } = input
  const { entryOf } = catalogEntries(input)
  return {
    ...catalogHead(input, manifest),
    assets: manifest.assets.flatMap(outline => {
      const asset = project.byName.get(outline.name)
      return asset === undefined ? [] : [entryOf(asset, outline, testResults[asset.name]?.tests ?? [])]
    }),
    ...catalogEnds(input),
    lineage: manifest.lineage,
    ...catalogCounts(input),
  }
}

export function catalogHead(
  { environment }: Pick<CatalogInput, 'environment'>,
  { generated_at, project }: Pick<CatalogFile, 'generated_at' | 'project'>,
): Pick<CatalogFile, 'version' | 'generated_at' | 'environment' | 'project'> {
  return { version: fileVersion, generated_at, environment: environment.name, project }
}

/** Returns what stands at the ends of the lineage. */
export function catalogEnds({ project, publishes = [] }: Pick<CatalogInput, 'project' | 'publishes'>) {
  const exposures = [...project.byName.values()].flatMap(exposuresOf)
  return { exposures, publishes: publishesOf(project, publishes) }
}

export function catalogCounts({
  project,
  state,
  excluded,
}: Pick<CatalogInput, 'project' | 'state' | 'excluded'>) {
  const assets = [...project.byName.values()]
  return {
    excluded_columns: assets.reduce((sum, asset) => sum + excludedCount(asset, excluded), 0),
    active_assets: assets.filter(asset => state?.live.has(asset.name) === true).length,
  }
}

type EntryInput = Omit<CatalogInput, 'manifest' | 'testResults' | 'publishes' | 'excluded'>

/** Those of the keys of an asset that every run changes. */
export type RunTimes = Pick<
  CatalogAsset,
  | 'deployed_at'
  | 'deployed_by'
  | 'status'
  | 'last_run'
  | 'seconds'
  | 'loaded_at'
  | 'repaired'
  | 'failure'
  | 'attempt'
  | 'gone'
  | 'warnings'
>

type Standing = ReturnType<typeof standingWarnings>

/** Returns what makes the entry of an asset, and its `RunTimes` alone. */
export function catalogEntries(input: EntryInput) {
  const { project, state } = input
  const assets = [...project.byName.values()]
  const lastRuns = lastRunsOf(state?.history ?? [], assets)
  const standing: Standing = state === undefined ? new Map() : standingWarnings(state)
  const timesOf = ({ name }: Asset): RunTimes => {
    const live = state?.live.get(name)
    const build = state?.builds.get(live?.build_key ?? '')
    const seen = lastRuns.get(name) ?? (build === undefined ? undefined : builtBefore(build))
    const gone = input.gone?.get(name)
    return {
      deployed_at: live?.deployed_at ?? null,
      deployed_by: live?.run_id ?? null,
      status: statusNow(seen?.status, live !== undefined),
      last_run: seen?.at ?? null,
      seconds: seen?.seconds ?? null,
      loaded_at: input.loadTimes?.get(name) ?? null,
      ...(seen?.repaired === undefined ? {} : { repaired: seen.repaired }),
      ...(seen?.failure === undefined ? {} : { failure: seen.failure }),
      ...(seen?.attempt === undefined ? {} : { attempt: seen.attempt }),
      ...(gone === undefined ? {} : { gone }),
      ...(standing.get(name)?.length ? { warnings: standing.get(name) } : {}),
    }
  }
  return {
    timesOf,
    entryOf: (asset: Asset, outline: AssetOutline, tests: CatalogAsset['tests']) =>
      catalogAsset(asset, outline, { tests, times: timesOf(asset) }, input),
  }
}

function catalogAsset(
  asset: Asset,
  outline: AssetOutline,
  { tests, times }: { readonly tests: CatalogAsset['tests']; readonly times: RunTimes },
  input: EntryInput,
): CatalogAsset {
  const { name, path, definition } = asset
  const live = input.state?.live.get(name)
  const build = input.state?.builds.get(live?.build_key ?? '')
  return {
    name,
    path,
    kind: definition.ingest.type === 'none' ? 'model' : 'source',
    description: definition.description ?? null,
    owner: definition.owner ?? null,
    tags: definition.tags,
    columns: withTerms(asset, outline.schema.columns, input),
    ...(outline.schema.complete === false && { columns_complete: false as const }),
    raw_sql: asset.sql?.text ?? '',
    compiled_sql: readerSql(asset, input.project, input.environment) ?? '',
    definition_hash: outline.definition_hash,
    active_hash: live?.definition_hash ?? null,
    ...times,
    rows: build?.rows ?? null,
    freshness: freshnessOf(asset, input.newestRows),
    tests,
    summary: summaryOf(tests),
    upstream: input.project.parents(name),
    downstream: input.project.children(name),
  }
}

/** Without a glossary the columns are returned unchanged. */
function withTerms(
  asset: Asset,
  columns: readonly ColumnEntry[],
  { project, analysis }: Pick<CatalogInput, 'project' | 'analysis'>,
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

/** What a rollback took away is not deployed, whatever its last run was. */
function statusNow(last: CatalogAsset['status'] | undefined, isLive: boolean): CatalogAsset['status'] {
  return last === undefined || (last === 'deployed' && !isLive) ? null : last
}

interface LastRun {
  readonly status: 'deployed' | 'Failed' | 'skipped'
  readonly at: string
  readonly seconds: number | null
  readonly repaired?: string | undefined
  readonly failure?: NonNullable<CatalogAsset['failure']>
  readonly attempt?: NonNullable<CatalogAsset['attempt']>
}

function lastRunsOf(history: readonly HistoryRecord[], assets: readonly Asset[]): Map<string, LastRun> {
  const outcomes = lastOutcomes(
    history,
    assets.map(({ name }) => name),
  )
  return new Map(
    [...outcomes].map(([name, { run, asset, status }]) => [
      name,
      {
        status,
        at: run.finished_at ?? run.started_at,
        seconds: secondsOf(asset),
        ...(status === 'Failed' ? failureOf(asset) : { repaired: asset.repaired }),
        ...attemptOf(run, asset, status),
      },
    ]),
  )
}

/** Returns what did not become live. */
function attemptOf(
  { run_id, finished_at, started_at }: HistoryRecord,
  asset: HistoryAsset,
  status: LastRun['status'],
): Pick<LastRun, 'attempt'> {
  if (status === 'deployed') return {}
  const state = status === 'Failed' ? 'Failed' : 'Held back'
  const [at, seconds, because] = [finished_at ?? started_at, secondsOf(asset), asset.because ?? null]
  return { attempt: { run_id, state, at, seconds, because } }
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
