/** Makes `/api/quality.json` (interface.md 2.15) from the files that runs write. Pure. */
import type { CatalogFile, QualityFile, QualityTest, TestEntry, TestHistory } from '@svc/server/contract'
import { keyOf } from '../engine/artifacts/test-history.ts'

/** Assets without results are included, with no tests. */
export function makeQuality(
  catalog: CatalogFile,
  entries: readonly TestEntry[],
  histories: readonly TestHistory[],
): QualityFile {
  const definitions = new Map(entries.map(entry => [keyOf(entry), entry]))
  const past = new Map(histories.map(history => [keyOf(history), history]))
  const assets = catalog.assets.map(({ name, tests, last_run, summary }) => ({
    name,
    tests: tests.map(test => {
      const key = keyOf({ asset: name, name: test.name })
      return qualityTest(test, definitions.get(key), past.get(key))
    }),
    last_run: newest(tests) ?? last_run,
    summary: { ...summary, pass_rate: rate(summary.passed, summary.total) },
  }))
  const total = sum(assets.map(({ summary }) => summary.total))
  const passed = sum(assets.map(({ summary }) => summary.passed))
  const overall = { total_tests: total, passed, failed: total - passed, pass_rate: rate(passed, total) }
  return { overall, assets }
}

/** The time of the newest verdict: the last run of the asset may have used those of earlier ones. */
function newest(tests: CatalogFile['assets'][number]['tests']): string | undefined {
  return tests.reduce<string | undefined>(
    (last, { at }) => (at !== undefined && (last === undefined || at > last) ? at : last),
    undefined,
  )
}

function qualityTest(
  { name, status, execution_time, scan }: CatalogFile['assets'][number]['tests'][number],
  entry: TestEntry | undefined,
  past: TestHistory | undefined,
): QualityTest {
  return {
    name,
    status,
    execution_time,
    ...(scan !== undefined && { scan }),
    kind: entry?.kind ?? '',
    column: entry?.column ?? null,
    severity: entry?.severity ?? 'error',
    message: past?.message ?? null,
    history: past?.history ?? [],
  }
}

function rate(passed: number, total: number): number {
  return total === 0 ? 0 : passed / total
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}
