/** Makes `.svc/test_results.json` (interface.md 2.14): the latest results of each asset, by asset name. */
import type { TestResult, TestResultsEntry, TestResultsFile, TestSummary } from '@svc/server/contract'
import type { Project } from '@svc/server/language'
import { testRefs } from '../plan/plan-tests.ts'
import { sharedScans, type Timed } from '../quality/shared-scans.ts'
import type { StateSnapshot, TestRecord } from '../state/state.ts'
import { keyOf, testKeys } from './test-history.ts'

interface Outcome {
  readonly asset: string
  readonly name: string
  readonly status: 'pass' | 'fail'
  readonly seconds: number
  /** When the verdict was reached; undefined for that of a unit test which an older svc kept. */
  readonly at: string | undefined
  /** The run that it is the result of; undefined for a unit test. */
  readonly run_id?: string
}

export interface Verdicts {
  readonly state: Pick<StateSnapshot, 'live' | 'tests'> | undefined
  /** The results of this run, and of all unit tests. */
  readonly fresh: readonly TestResult[]
  /** The time of this run. */
  readonly at: string
  /** Of no other tests than its own is told. */
  readonly project: Project
}

/**
 * Merges the results of the state tables with those of this run (a failed run stores fewer in the tables).
 * Unit tests are not in the tables.
 */
export function makeTestResults({ state, fresh, at, project }: Verdicts): TestResultsFile {
  const known = testKeys(project)
  const byTest = new Map<string, Outcome>()
  const note = (outcome: Outcome) => {
    if (known.has(keyOf(outcome))) byTest.set(keyOf(outcome), outcome)
  }
  for (const record of state === undefined ? [] : standingVerdicts(state, project)) {
    const { asset, name, status, seconds, ran_at, run_id } = record
    note({ asset, name, status, seconds, at: ran_at, run_id })
  }
  for (const { asset, name, status, seconds, kind, ran, ran_at } of fresh) {
    if (kind === 'unit') note({ asset, name, status, seconds, at: ran ? at : ran_at })
    else if (ran && !isSameResult(byTest.get(keyOf({ asset, name })), { status, seconds }))
      note({ asset, name, status, seconds, at, run_id: 'this run' })
  }
  const byAsset = groupByAsset(byTest.values())
  const scanOf = sharedScans([...byTest.values()].filter(isTimed))
  return Object.fromEntries(
    [...byAsset]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([asset, outcomes]) => [asset, entryOf(asset, outcomes, scanOf, at)]),
  )
}

/**
 * Returns the results that are of what is live, or newer than it. One that an earlier version had says nothing about the version
 * that a rollback or a promotion made live after it, be it of the asset or of another that the test reads.
 */
export function* standingVerdicts(
  { live, tests }: Pick<StateSnapshot, 'live' | 'tests'>,
  { byName }: Pick<Project, 'byName'>,
): Generator<TestRecord> {
  const keys = new Set([...live.values()].map(({ build_key }) => build_key))
  const isNewer = (record: TestRecord, name: string) => {
    const { run_id, deployed_at } = live.get(name) ?? {}
    return deployed_at === undefined || run_id === record.run_id || record.ran_at >= deployed_at
  }
  let read: ReturnType<typeof assetsReadByTests> | undefined
  for (const record of tests.values()) {
    const [first, ...others] = record.input_key.split(',')
    const isOfLive = live.get(record.asset)?.build_key === first && others.every(key => keys.has(key))
    if (isOfLive) yield record
    else {
      read ??= assetsReadByTests(byName)
      const names = [record.asset, ...(read.get(keyOf(record)) ?? [])]
      if (names.every(name => isNewer(record, name))) yield record
    }
  }
}

/** Returns the other assets that each test reads, by its key. */
function assetsReadByTests(byName: Project['byName']): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...byName.values()].flatMap(asset =>
      asset.definition.tests.map(
        test => [keyOf({ asset: asset.name, name: test.name }), testRefs(asset, test)] as const,
      ),
    ),
  )
}

type Found = Pick<TestRecord, 'status' | 'seconds'>

/** Returns whether a stored result is the one that a run has just found: then its own time counts. */
export function isSameResult(stored: Found | undefined, { status, seconds }: Found): boolean {
  return stored?.status === status && stored.seconds === seconds
}

function entryOf(
  asset: string,
  outcomes: readonly Outcome[],
  scanOf: ReturnType<typeof sharedScans>,
  at: string,
): TestResultsEntry {
  const sorted = [...outcomes].sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    asset_name: asset,
    timestamp: latest(sorted, at),
    tests: sorted.map(outcome => {
      const { name, status, seconds, at: reached } = outcome
      const scan = isTimed(outcome) ? scanOf(outcome) : undefined
      return {
        ...{ name, status, execution_time: seconds },
        ...(scan !== undefined && { scan }),
        ...(reached !== undefined && { at: reached }),
      }
    }),
    summary: summaryOf(sorted),
  }
}

/** The time of the newest verdict; that of the file where none has one. */
function latest(outcomes: readonly Outcome[], at: string): string {
  const times = outcomes.flatMap(outcome => (outcome.at === undefined ? [] : Date.parse(outcome.at)))
  return times.length === 0 ? at : new Date(Math.max(...times)).toISOString()
}

function isTimed(outcome: Outcome): outcome is Outcome & Timed {
  return outcome.run_id !== undefined
}

export function summaryOf(outcomes: readonly { readonly status: 'pass' | 'fail' }[]): TestSummary {
  const passed = outcomes.filter(outcome => outcome.status === 'pass').length
  return { total: outcomes.length, passed, failed: outcomes.length - passed }
}

function groupByAsset(outcomes: Iterable<Outcome>): Map<string, Outcome[]> {
  const groups = new Map<string, Outcome[]>()
  for (const outcome of outcomes) {
    const group = groups.get(outcome.asset)
    if (group === undefined) groups.set(outcome.asset, [outcome])
    else group.push(outcome)
  }
  return groups
}
