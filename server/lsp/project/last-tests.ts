/**
 * Reads the test results of each asset from `.svc/test_results.json`. A missing or broken file gives none.
 */
import type { LastTests } from '../../language/features/knowledge.ts'
import { isRecord, readJson } from './read-json.ts'

export const testResultsFile = '.svc/test_results.json'

export async function readLastTests(root: string): Promise<ReadonlyMap<string, LastTests>> {
  return lastTestsIn(await readJson(root, testResultsFile))
}

function lastTestsIn(value: unknown): ReadonlyMap<string, LastTests> {
  const found = new Map<string, LastTests>()
  if (!isRecord(value)) return found
  for (const [asset, entry] of Object.entries(value)) {
    if (!isRecord(entry) || !Array.isArray(entry['tests'])) continue
    const at = typeof entry['timestamp'] === 'string' ? entry['timestamp'] : undefined
    found.set(asset, { at, results: new Map((entry['tests'] as readonly unknown[]).flatMap(resultIn)) })
  }
  return found
}

type Result = readonly [string, { readonly status: 'pass' | 'fail'; readonly seconds: number }]

function resultIn(test: unknown): Result[] {
  if (!isRecord(test) || typeof test['name'] !== 'string') return []
  const { name, status, execution_time: seconds } = test
  if (status !== 'pass' && status !== 'fail') return []
  return [[name, { status, seconds: typeof seconds === 'number' ? seconds : 0 }]]
}
