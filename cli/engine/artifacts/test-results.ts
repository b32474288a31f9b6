/** Makes `.svc/test_results.json` (interface.md 2.14): the latest results of each asset, by asset name. */
import type { TestResult, TestResultsEntry, TestResultsFile, TestSummary } from '@svc/server/contract'
import { sharedScans, type Timed } from '../quality/shared-scans.ts'
import type { TestRecord } from '../state/state.ts'

interface Outcome {
  readonly asset: string
  readonly name: string
  readonly status: 'pass' | 'fail'
  readonly seconds: number
  readonly at: string
  /** The run that it is the result of; undefined for a unit test. */
  readonly run_id?: string
}

/**
 * Merges the results of the state tables with those of this run (a failed run stores fewer in the tables).
 * Unit tests are not in the tables.
 */
export function makeTestResults(
  records: Iterable<TestRecord>,
  fresh: readonly TestResult[],
  at: string,
): TestResultsFile {
  const byTest = new Map<string, Outcome>()
  const note = (outcome: Outcome) => byTest.set(`${outcome.asset}\n${outcome.name}`, outcome)
  for (const { asset, name, status, seconds, ran_at: at, run_id } of records)
    note({ asset, name, status, seconds, at, run_id })
  for (const { asset, name, status, seconds, kind, ran } of fresh) {
    if (kind === 'unit') note({ asset, name, status, seconds, at })
    else if (ran && !isSameResult(byTest.get(`${asset}\n${name}`), { status, seconds }))
      note({ asset, name, status, seconds, at, run_id: 'this run' })
  }
  const byAsset = groupByAsset(byTest.values())
  const scanOf = sharedScans([...byTest.values()].filter(isTimed))
  return Object.fromEntries(
    [...byAsset]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([asset, outcomes]) => [asset, entryOf(asset, outcomes, scanOf)]),
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
): TestResultsEntry {
  const sorted = [...outcomes].sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    asset_name: asset,
    timestamp: new Date(Math.max(...sorted.map(outcome => Date.parse(outcome.at)))).toISOString(),
    tests: sorted.map(outcome => {
      const { name, status, seconds } = outcome
      const scan = isTimed(outcome) ? scanOf(outcome) : undefined
      return { name, status, execution_time: seconds, ...(scan !== undefined && { scan }) }
    }),
    summary: summaryOf(sorted),
  }
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
