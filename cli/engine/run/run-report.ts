/** The result of a run as data, for the command's output, the written files and the history. */

import type { TestResult } from '@svc/server/contract'
import { errorCodes } from '../errors.ts'
import type { HistoryAsset, StateSnapshot } from '../state/state.ts'
import type { Failure } from './asset-failure.ts'
import type { RunReport } from './events.ts'
import { type AssetProgress, type RunProgress, workSeconds } from './run-progress.ts'

export interface ReportFacts {
  readonly runId: string
  readonly kind: RunReport['kind']
  readonly environment: string
  readonly branchSchema: RunReport['branchSchema']
  readonly startedAt: Date
  readonly finishedAt: Date
  readonly names: readonly string[]
  readonly definitionHash: (name: string) => string
  readonly progress: RunProgress
  readonly tests: readonly TestResult[]
  readonly leftBehind: readonly string[]
  readonly kept: RunReport['kept']
  readonly generation: number | undefined
  readonly promotedViews: number
  readonly grantedViews: number
  readonly before: RunReport['before']
}

/** A run that promoted what passed ends with exit code 1, whatever made the rest fail. */
function failureOf({ progress: { failure }, generation }: ReportFacts): Failure | undefined {
  return failure === undefined || generation === undefined ? failure : { ...failure, exitCode: 1 }
}

export function runReport(facts: ReportFacts): RunReport {
  const { progress, startedAt, finishedAt } = facts
  return {
    runId: facts.runId,
    kind: facts.kind,
    environment: facts.environment,
    branchSchema: facts.branchSchema,
    status: progress.failure === undefined || facts.generation !== undefined ? 'deployed' : 'Failed',
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    seconds: (finishedAt.getTime() - startedAt.getTime()) / 1000,
    generation: facts.generation,
    promotedViews: facts.promotedViews,
    grantedViews: facts.grantedViews,
    assets: facts.names.flatMap(name => {
      const asset = progress.assets.get(name)
      if (asset === undefined) return []
      const { status, rows, because, place } = asset
      const reason = {
        ...(because === undefined ? {} : { because }),
        ...(place === undefined ? {} : { place }),
      }
      const seconds = workSeconds(progress, name)
      return [{ name, status, rows, seconds, definitionHash: facts.definitionHash(name), ...reason }]
    }),
    tests: facts.tests,
    rejects: [...progress.rejects].map(([asset, rejects]) => ({ asset, ...rejects })),
    leftBehind: facts.leftBehind,
    kept: facts.kept,
    before: facts.before,
    problems: [...new Set(progress.problems)],
    failure: failureOf(facts),
  }
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
  return { because: message, ...(place === undefined ? {} : { place }) }
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

export interface AssetFacts {
  readonly definitionHash: (name: string) => string
  /** Of the text of its file. */
  readonly textHash: (name: string) => string
  /** What somebody had done to its relations; empty for nothing. */
  readonly repaired: (name: string) => string
}

/** Returns the map of a run for the history: its own assets and, for a partial run, the other live assets. */
export function historyAssets(
  state: StateSnapshot,
  names: readonly string[],
  full: boolean,
  facts: AssetFacts,
  progress: RunProgress,
): HistoryAsset[] {
  const own = new Set(names)
  const kept = full ? [] : [...state.live.values()].filter(({ asset }) => !own.has(asset))
  return [
    ...names.flatMap(name => ownAsset(name, facts, progress)),
    ...kept.map(({ asset, definition_hash, build_key }) => ({
      name: asset,
      definition_hash,
      build_key,
      rows: state.builds.get(build_key)?.rows ?? null,
      seconds: 0,
      status: 'kept' as const,
    })),
  ]
}

function ownAsset(
  name: string,
  { definitionHash, textHash, repaired }: AssetFacts,
  progress: RunProgress,
): HistoryAsset[] {
  const asset = progress.assets.get(name)
  if (asset === undefined) return []
  const { because, hint, place } = asset
  const wasDamaged = asset.status === 'built' || asset.status === 'unchanged' ? repaired(name) : ''
  const hasFailed = asset.status === 'failed' || asset.status === 'test_failed'
  return [
    {
      name,
      definition_hash:
        because === undefined ? definitionHash(name) : (asset.build?.definition_hash ?? definitionHash(name)),
      build_key: asset.build?.build_key ?? null,
      rows: asset.rows ?? null,
      seconds: workSeconds(progress, name),
      status: asset.status,
      ...(wasDamaged === '' ? {} : { repaired: wasDamaged }),
      ...(because === undefined ? {} : { because }),
      ...(hint === undefined ? {} : { hint }),
      ...(place === undefined ? {} : { place }),
      ...(hasFailed ? { text_hash: textHash(name) } : {}),
    },
  ]
}
