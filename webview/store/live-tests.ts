/**
 * Merges the test results of a running run into the shown snapshot, so that marks, counts and pass rates are
 * updated test by test until the run has ended and a new snapshot is loaded. Pure.
 */
import { grouped } from '../graph/grouped.ts'
import type { CatalogAsset, DashboardData, QualityFile, QualityTest, StreamEvent } from '../protocol.ts'

export type TestEvent = Extract<StreamEvent, { type: 'test' }>
type QualityAsset = QualityFile['assets'][number]

/** `at` is an ISO 8601 UTC time. */
export function withTests(data: DashboardData, told: readonly TestEvent[], at: string): DashboardData {
  const byAsset = grouped(told, event => event.asset)
  const assets = data.quality.assets.map(asset => {
    const events = byAsset.get(asset.name)
    return events === undefined ? asset : withResults(asset, events, at)
  })
  const known = new Map(assets.map(asset => [asset.name, asset]))
  return {
    ...data,
    quality: { overall: overallOf(assets), assets },
    catalog: {
      ...data.catalog,
      assets: data.catalog.assets.map(asset => {
        const quality = byAsset.has(asset.name) ? known.get(asset.name) : undefined
        return quality === undefined ? asset : withSummary(asset, quality)
      }),
    },
  }
}

function withResults(asset: QualityAsset, events: readonly TestEvent[], at: string): QualityAsset {
  const last = new Map(events.map(event => [event.test, event]))
  const kept = asset.tests.map(test => {
    const event = last.get(test.name)
    last.delete(test.name)
    return event === undefined ? test : resultOf(event, test.history, at)
  })
  const tests = [...kept, ...[...last.values()].map(event => resultOf(event, [], at))]
  return {
    ...asset,
    tests,
    last_run: at,
    summary: { ...countsOf(tests), pass_rate: rateOf(countsOf(tests)) },
  }
}

function resultOf(
  { test: name, status, seconds, scan, kind, column, severity, message }: TestEvent,
  before: QualityTest['history'],
  at: string,
): QualityTest {
  const time = { execution_time: seconds, ...(scan !== undefined && { scan }) }
  const history = [{ at, status, ...time }, ...before]
  return { name, status, ...time, kind, column, severity, message, history }
}

interface Counts {
  readonly total: number
  readonly passed: number
  readonly failed: number
}

function countsOf(tests: readonly QualityTest[]): Counts {
  const passed = tests.filter(test => test.status === 'pass').length
  return { total: tests.length, passed, failed: tests.length - passed }
}

function rateOf({ total, passed }: Counts): number {
  return total === 0 ? 0 : passed / total
}

function overallOf(assets: readonly QualityAsset[]): QualityFile['overall'] {
  const sum = (of: keyof Counts) => assets.reduce((all, { summary }) => all + summary[of], 0)
  const counts = { total: sum('total'), passed: sum('passed'), failed: sum('failed') }
  const { total: total_tests, passed, failed } = counts
  return { total_tests, passed, failed, pass_rate: rateOf(counts) }
}

function withSummary(asset: CatalogAsset, { tests, summary }: QualityAsset): CatalogAsset {
  const { total, passed, failed } = summary
  const results = tests.map(({ name, status, execution_time, scan }) => ({
    name,
    status,
    execution_time,
    ...(scan !== undefined && { scan }),
  }))
  return { ...asset, tests: results, summary: { total, passed, failed } }
}
