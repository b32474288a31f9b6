/**
 * Makes `.svc/<environment>/test_history.json`: past results of each test of the project, for the dashboard.
 * Pure. Reused results are not added; tests that were removed from the files are deleted.
 */
import type { TestHistory, TestHistoryFile, TestResult } from '@svc/server/contract'
import { type Asset, appliesTo, type Project } from '@svc/server/language'
import type { PrivacyTest } from '../quality/privacy-test.ts'

const longestHistory = 30
const shortestHistory = 3
const mostMoments = 60_000

export interface TestNews {
  readonly results: readonly TestResult[]
  readonly at: string
  /** The keys of every test of the project. */
  readonly known: ReadonlySet<string>
  readonly clean: (text: string) => string
}

/** Returns undefined if there is nothing to write. */
export function makeTestHistory(
  before: TestHistoryFile | undefined,
  { results, at, known, clean }: TestNews,
): TestHistoryFile | undefined {
  const tests = new Map<string, TestHistory>()
  for (const test of before?.tests ?? []) if (known.has(keyOf(test))) tests.set(keyOf(test), test)
  const isShorter = tests.size < (before?.tests.length ?? 0)
  const news = results.filter(result => known.has(keyOf(result)) && isNews(result, tests.get(keyOf(result))))
  if (news.length === 0 && !isShorter) return undefined
  const length = Math.max(shortestHistory, Math.min(longestHistory, Math.floor(mostMoments / known.size)))
  for (const result of news) {
    const { asset, name, message, status, seconds, scan } = result
    const moment = { at, status, execution_time: seconds, ...(scan !== undefined && { scan }) }
    const history = [moment, ...(tests.get(keyOf(result))?.history ?? [])].slice(0, length)
    tests.set(keyOf(result), { asset, name, message: message === null ? null : clean(message), history })
  }
  return { version: 1, tests: [...tests.values()].sort(byName) }
}

/** Returns the keys of all tests that the assets of a project have now, with those that svc adds by itself. */
export function testKeys(project: Project): ReadonlySet<string> {
  return new Set(
    [...project.byName.values()].flatMap(asset =>
      [...asset.definition.tests.map(({ name }) => name), ...privacyTests(project, asset)].map(name =>
        keyOf({ asset: asset.name, name }),
      ),
    ),
  )
}

function privacyTests(project: Project, asset: Asset): PrivacyTest['name'][] {
  const isStrict = project.glossary.policies.some(
    policy => policy.enforcement === 'strict' && appliesTo(policy, project, asset),
  )
  return [
    ...(asset.definition.deploy.kAnonymity === undefined ? [] : (['k_anonymity'] as const)),
    ...(isStrict ? (['privacy-scan'] as const) : []),
  ]
}

export function keyOf({ asset, name }: { readonly asset: string; readonly name: string }): string {
  return `${asset}\n${name}`
}

/** A unit test's result may come from the cache; it is added only if it differs from the last known one. */
function isNews(result: TestResult, known: TestHistory | undefined): boolean {
  if (result.ran) return true
  return result.kind === 'unit' && known?.history[0]?.status !== result.status
}

function byName(a: TestHistory, b: TestHistory): number {
  return keyOf(a) < keyOf(b) ? -1 : 1
}

/** Writes one test per line. */
export function testHistoryText({ version, tests }: TestHistoryFile): string {
  const lines = tests.map(test => JSON.stringify(test)).join(',\n')
  return `{"version":${version},"tests":[\n${lines}\n]}\n`
}

/** Returns undefined if the text is not such a file, which is then written again. */
export function parseTestHistory(text: string): TestHistoryFile | undefined {
  try {
    const value = JSON.parse(text) as TestHistoryFile
    return value.version === 1 && Array.isArray(value.tests) ? value : undefined
  } catch {
    return undefined
  }
}
