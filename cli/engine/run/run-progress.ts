/** The progress of each asset in a run, and the first failure. */
import type { AssetOutcome, Warning } from '@svc/server/contract'
import type { Diagnostic } from '@svc/server/language'
import type { RefusedRecords, RejectCounts } from '../ingest/source.ts'
import type { BuildRecord } from '../state/state.ts'
import type { Failure } from './asset-failure.ts'
import type { Run } from './run.ts'

export interface AssetProgress {
  readonly status: AssetOutcome
  readonly rows: number | undefined
  readonly seconds: number
  /** The build in the new map; undefined for failed and skipped assets, unless they keep their live builds. */
  readonly build: BuildRecord | undefined
  /** Why it failed or was skipped; undefined if it did not. */
  readonly because?: string | undefined
  /** What to do about its own failure, if that is known. */
  readonly hint?: string | undefined
  /** `path:line:column` of its own failure. */
  readonly place?: string | undefined
}

export interface AssetRejects extends RejectCounts {
  /** Whether the source was refused as a whole, so that nothing of it was loaded. */
  readonly refused: boolean
}

export interface RunProgress {
  readonly assets: Map<string, AssetProgress>
  /** How long it took to fetch each source that was fetched. */
  readonly fetchSeconds: Map<string, number>
  /** What contracts rejected, by asset, for every source that was fetched or refused. */
  readonly rejects: Map<string, AssetRejects>
  /** The sources that their contracts refused, with the first records that broke them. */
  readonly refused: Map<string, RefusedRecords>
  /** The errors of files by which assets failed. */
  readonly problems: Diagnostic[]
  /** Everything that the run has warned of, in its order. */
  readonly warnings: Warning[]
  /** The tests that warn, which are told among the tests and recorded as warnings. */
  testWarnings: readonly Warning[]
  failure: Failure | undefined
  /** Set when production shows this run; a later error does not make it a failed run. */
  promoted: boolean
  /** Whether the history has a row of this run. */
  recorded: boolean
}

export function startProgress(): RunProgress {
  return {
    assets: new Map(),
    fetchSeconds: new Map(),
    rejects: new Map(),
    refused: new Map(),
    problems: [],
    warnings: [],
    testWarnings: [],
    failure: undefined,
    promoted: false,
    recorded: false,
  }
}

const hasWorked: ReadonlySet<AssetOutcome> = new Set(['built', 'failed', 'test_failed'])

/** Returns how long the work of a run for an asset took, from the first request to its table. */
export function workSeconds(progress: RunProgress, name: string): number {
  const { status, seconds } = progress.assets.get(name) ?? { status: 'skipped' as const, seconds: 0 }
  return seconds + (hasWorked.has(status) ? (progress.fetchSeconds.get(name) ?? 0) : 0)
}

/** Marks an asset as failed, and skips its descendants among `names` (parents first). */
export function failAsset(
  run: FailingRun,
  names: readonly string[],
  failure: Failure & { readonly asset: string },
  seconds = 0,
): void {
  const { progress, emit } = run
  progress.failure ??= failure
  const { asset, code, message, hint, place, problems } = failure
  const said = {
    ...(hint === undefined ? {} : { hint }),
    ...(place === undefined ? {} : { place }),
  }
  progress.assets.set(asset, {
    status: 'failed',
    rows: undefined,
    seconds,
    build: undefined,
    because: message,
    ...said,
  })
  const inFile = problems === undefined ? {} : { problems }
  emit({ type: 'asset-failed', asset, code, message, ...said, ...inFile, seconds })
  skipDescendants(run, names, asset)
}

type FailingRun = Pick<Run, 'workspace' | 'progress' | 'emit'>

function skipDescendants(
  { workspace, progress, emit }: FailingRun,
  names: readonly string[],
  failed: string,
): void {
  const gone = new Set([failed])
  for (const name of names) {
    if (gone.has(name) || !workspace.project.parents(name).some(parent => gone.has(parent))) continue
    gone.add(name)
    if (progress.assets.has(name)) continue
    const because = `"${failed}" failed`
    progress.assets.set(name, { status: 'skipped', rows: undefined, seconds: 0, build: undefined, because })
    emit({ type: 'asset-skipped', asset: name, because: failed })
  }
}
