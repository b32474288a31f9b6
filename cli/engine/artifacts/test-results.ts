/** Makes `.svc/test_results.json` (interface.md 2.14): the latest results of each asset, by asset name. */
import type { TestResult, TestResultsEntry, TestResultsFile, TestSummary } from '@svc/server/contract'
import type { TestRecord } from '../state/state.ts'

interface Outcome {
  readonly asset: string
  readonly name: string
  readonly status: 'pass' | 'fail'
  readonly seconds: number
  readonly at: string
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
  for (const { asset, name, status, seconds, ran_at: at } of records)
    note({ asset, name, status, seconds, at })
  for (const result of fresh) if (result.ran || result.kind === 'unit') note({ ...result, at })
  const byAsset = groupByAsset(byTest.values())
  return Object.fromEntries(
    [...byAsset]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([asset, outcomes]) => [asset, entryOf(asset, outcomes)]),
  )
}

function entryOf(asset: string, outcomes: readonly Outcome[]): TestResultsEntry {
  const sorted = [...outcomes].sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    asset_name: asset,
    timestamp: new Date(Math.max(...sorted.map(outcome => Date.parse(outcome.at)))).toISOString(),
    tests: sorted.map(({ name, status, seconds }) => ({ name, status, execution_time: seconds })),
    summary: summaryOf(sorted),
  }
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
