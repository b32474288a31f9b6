/** The result of a run as data, for the command's output, the written files and the history. */
import type { TestResult } from '@svc/server/contract'
import { errorCodes } from '../errors.ts'
import { liveBuild } from '../plan/last-load.ts'
import { leftBehind } from '../plan/make-plan.ts'
import { unitResults } from '../quality/unit-results.ts'
import { hasFailed, isVerified } from '../state/asset-versions.ts'
import type { HistoryAsset } from '../state/state.ts'
import type { Failure } from './asset-failure.ts'
import type { Deployed } from './deploy.ts'
import type { RunReport } from './events.ts'
import type { PreparedRun } from './prepare-run.ts'
import { repairWords } from './repairs.ts'
import { promotesPassed, type Run } from './run.ts'
import { type AssetProgress, type RunProgress, workSeconds } from './run-progress.ts'

/** `deployed` is undefined for a run that promoted nothing. */
export function runReport(
  run: Run,
  prepared: PreparedRun,
  tests: readonly TestResult[],
  deployed: Deployed | undefined,
): RunReport {
  const { workspace, progress, startedAt } = run
  const { environment } = workspace
  const { names, analysis, plan } = prepared
  const finishedAt = workspace.world.now()
  const { schema, branch } = environment
  // Whatever was left to promote: what did not pass is kept, and each of it is told.
  const keeps = progress.failure !== undefined && (deployed !== undefined || promotesPassed(run))
  return {
    runId: run.runId,
    kind: run.request.kind,
    environment: environment.name,
    branchSchema: branch === undefined ? undefined : { schema, branch },
    status: progress.failure === undefined || deployed !== undefined ? 'deployed' : 'Failed',
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    seconds: (finishedAt.getTime() - startedAt.getTime()) / 1000,
    generation: deployed?.generation,
    promotedViews: deployed?.views ?? 0,
    removedViews: deployed?.dropped ?? 0,
    grantedViews: deployed?.granted ?? 0,
    assets: names.flatMap(name => reportedAsset(name, run, prepared)),
    tests: [...unitResults(workspace, analysis, names), ...tests],
    rejects: [...progress.rejects].map(([asset, rejects]) => ({ asset, ...rejects })),
    leftBehind: leftBy(run, prepared, deployed),
    kept: keeps ? keptAssets(run, prepared) : [],
    before: plan.lastDeployment,
    problems: [...new Set(progress.problems)],
    warnings: progress.warnings,
    failure: failureOf(progress, keeps),
  }
}

/** A run that promotes what passed ends with exit code 1, whatever made the rest fail, also where nothing new has passed. */
function failureOf({ failure }: RunProgress, keeps: boolean): Failure | undefined {
  return failure === undefined || !keeps ? failure : { ...failure, exitCode: 1 }
}

function reportedAsset(
  name: string,
  { progress }: Run,
  { identities }: PreparedRun,
): RunReport['assets'][number][] {
  const asset = progress.assets.get(name)
  if (asset === undefined) return []
  const { status, rows, because, place } = asset
  const seconds = workSeconds(progress, name)
  return [{ name, status, rows, seconds, definitionHash: identities.definitionHash(name), because, place }]
}

/** A run that failed moved nothing, so that nothing stays behind it. */
function leftBy(
  { workspace, progress }: Run,
  { names, state, full }: PreparedRun,
  deployed: Deployed | undefined,
): readonly string[] {
  if (full || (deployed === undefined && progress.failure !== undefined)) return []
  const moved = names.filter(
    name => progress.assets.get(name)?.build?.build_key !== state.live.get(name)?.build_key,
  )
  return leftBehind(workspace.project, state, names, new Set(moved))
}

function keptAssets({ progress }: Run, { names, state }: PreparedRun): RunReport['kept'] {
  return names.flatMap(asset => {
    const because = progress.assets.get(asset)?.because
    return because === undefined
      ? []
      : [{ asset, because, since: state.live.get(asset)?.deployed_at ?? null }]
  })
}

/**
 * Marks assets with a failed test of severity `error`; the first one is the run's failure if nothing failed
 * before.
 */
export function noteTestFailures(progress: RunProgress, tests: readonly TestResult[]): void {
  for (const test of tests) {
    if (test.status === 'pass' || test.severity !== 'error') continue
    const asset = progress.assets.get(test.asset)
    const failure = testFailure(test)
    // The first of its failed tests is the reason, as it is of the run.
    if (asset !== undefined && asset.because === undefined)
      progress.assets.set(test.asset, { ...asset, status: 'test_failed', ...reasonIn(failure) })
    progress.failure ??= failure
  }
}

/** Returns what a failed test says of an asset that it holds back. */
export function reasonIn({ message, place }: Failure): Pick<AssetProgress, 'because' | 'place'> {
  return { because: message, place }
}

export function testFailure(test: TestResult): Failure {
  return {
    code: 'test-failed',
    message: `test ${test.name} of ${test.asset} failed${test.message === null ? '' : `: ${test.message}`}`,
    asset: test.asset,
    place: test.place,
    exitCode: errorCodes['test-failed'],
  }
}

/** Returns the map of a run for the history: its own assets and, for a partial run, the other live assets. */
export function historyAssets(run: Run, prepared: PreparedRun): HistoryAsset[] {
  const { state, names, full } = prepared
  const own = new Set(names)
  const kept = full ? [] : [...state.live.values()].filter(({ asset }) => !own.has(asset))
  return [
    ...names.flatMap(name => ownAsset(name, run, prepared)),
    ...kept.map(({ asset, definition_hash, build_key }) => ({
      name: asset,
      definition_hash,
      build_key,
      rows: liveBuild(state, asset)?.rows ?? null,
      seconds: 0,
      status: 'kept' as const,
    })),
  ]
}

function ownAsset(name: string, { workspace, progress }: Run, prepared: PreparedRun): HistoryAsset[] {
  const asset = progress.assets.get(name)
  if (asset === undefined) return []
  const { status, because, hint, place, build } = asset
  const definitionHash = prepared.identities.definitionHash(name)
  // What somebody had done to its relations; empty for nothing.
  const repaired = (isVerified(asset) && prepared.repairs.get(name)?.map(repairWords).join('; ')) || ''
  return [
    {
      name,
      definition_hash: because === undefined ? definitionHash : (build?.definition_hash ?? definitionHash),
      build_key: build?.build_key ?? null,
      rows: asset.rows ?? null,
      seconds: workSeconds(progress, name),
      status,
      ...(repaired === '' ? {} : { repaired }),
      ...(because === undefined ? {} : { because }),
      ...(hint === undefined ? {} : { hint }),
      ...(place === undefined ? {} : { place }),
      ...(hasFailed(asset) ? { text_hash: workspace.project.byName.get(name)?.textHash ?? '' } : {}),
    },
  ]
}
