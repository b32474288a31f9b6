/**
 * Reads the test results of each asset from `.svc/test_results.json`. A missing or broken file gives none.
 */
import type { LastTests } from '../../language/features/knowledge.ts'
import { isRecord, readJson, textOf } from './read-json.ts'

export const testResultsFile = '.svc/test_results.json'

export async function readLastTests(root: string): Promise<ReadonlyMap<string, LastTests>> {
  return lastTestsIn(await readJson(root, testResultsFile))
}

function lastTestsIn(value: unknown): ReadonlyMap<string, LastTests> {
  const found = new Map<string, LastTests>()
  if (!isRecord(value)) return found
  for (const [asset, entry] of Object.entries(value)) {
    if (!isRecord(entry) || !Array.isArray(entry['tests'])) continue
    const results = new Map((entry['tests'] as readonly unknown[]).flatMap(resultIn))
    found.set(asset, { at: textOf(entry['timestamp']), results })
  }
  return found
}

function resultIn(test: unknown): (readonly [string, 'pass' | 'fail'])[] {
  if (!isRecord(test)) return []
  const { name, status } = test
  return typeof name === 'string' && (status === 'pass' || status === 'fail') ? [[name, status]] : []
}
