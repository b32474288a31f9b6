/**
 * `promotion: passed` (decisions 8, "How much is promoted"): assets that failed, and all that read them, keep their live builds;
 * everything else is promoted together. What is promoted has passed its tests beside exactly the builds that will be live.
 */
import type { TestResult } from '@svc/server/contract'
import { liveBuild } from '../plan/last-load.ts'
import { testedAssets } from '../plan/plan-steps.ts'
import { type PlannedTest, planTests } from '../plan/plan-tests.ts'
import type { BuildRecord } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import { executeTests, type TestOutcome } from './planned-tests.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import type { AssetProgress } from './run-progress.ts'
import { newBuilds } from './run-records.ts'
import { reasonIn, testFailure } from './run-report.ts'

/** Returns the tests with those that had to run again because another build of something that they read stays live. */
export async function keepFailed(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  tests: TestOutcome,
): Promise<TestOutcome> {
  const known = new Map(tests.records.map(record => [idOf(record), record.input_key]))
  let all = tests
  for (;;) {
    keepReaders(run, prepared)
    const map = newBuilds(prepared, run.progress)
    const mixed = mixedTests(run, prepared, map)
    if (holdUntestable(run, mixed, map)) continue
    // A test that only warns, of an asset that reads one without a build, is left to the next run.
    const due = mixed.filter(
      test =>
        test.inputKey !== undefined &&
        test.standing === undefined &&
        known.get(testId(test)) !== test.inputKey,
    )
    if (due.length === 0) break
    const { workspace, runId, emit } = run
    const { state, analysis } = prepared
    const again = await executeTests(session, due, { workspace, state, runId, builds: map, emit, analysis })
    for (const test of due) known.set(testId(test), test.inputKey ?? '')
    holdBroken(run, due, again.results)
    all = merged(all, again)
  }
  for (const name of prepared.names) sayKept(name, run, prepared)
  return all
}

/** Returns whether an asset of the run keeps its live build. */
export function isKept(progress: AssetProgress | undefined): boolean {
  return progress === undefined || progress.because !== undefined
}

function keepReaders({ workspace, progress }: Run, { names, state }: PreparedRun): void {
  const kept = new Set<string>()
  for (const name of names) {
    const own = progress.assets.get(name)
    const failed = workspace.project.parents(name).find(parent => kept.has(parent))
    if (!isKept(own) && failed === undefined) continue
    kept.add(name)
    const build = liveBuild(state, name)
    const isOwnFailure = own !== undefined && own.because !== undefined
    progress.assets.set(name, {
      ...(isOwnFailure ? own : { status: 'skipped', because: `"${failed}" is kept as it was` }),
      seconds: own?.seconds ?? 0,
      rows: build?.rows ?? undefined,
      build,
    })
  }
}

/** Returns the tests of promoted assets, and those of others that read something promoted. */
function mixedTests(
  { workspace, request, progress }: Run,
  { names, state, identities }: PreparedRun,
  map: ReadonlyMap<string, BuildRecord>,
): PlannedTest[] {
  return planTests({
    project: workspace.project,
    names: names.filter(name => !isKept(progress.assets.get(name))),
    keys: new Map([...map].map(([name, { build_key }]) => [name, build_key])),
    state,
    definitionHash: identities.definitionHash,
    allTests: request.allTests,
    vars: workspace.environment.vars,
    hash: sha256,
  })
}

/** A test that reads an asset without any build cannot pass. Returns whether an asset is held back for that. */
function holdUntestable(
  run: Run,
  tests: readonly PlannedTest[],
  map: ReadonlyMap<string, BuildRecord>,
): boolean {
  let held = false
  for (const planned of tests) {
    const missing = testedAssets(planned).find(name => !map.has(name))
    if (missing === undefined || planned.test.severity !== 'error') continue
    const because = `test ${planned.test.name} reads "${missing}", which has no build`
    held = hold(planned.asset.name, { because }, run) || held
  }
  return held
}

/** A failed test holds back everything new that it reads. */
function holdBroken(run: Run, tests: readonly PlannedTest[], results: readonly TestResult[]): void {
  const failed = new Map(
    results.flatMap(result =>
      result.status === 'fail' && result.severity === 'error' ? [[resultId(result), result] as const] : [],
    ),
  )
  for (const planned of tests) {
    const result = failed.get(testId(planned))
    if (result === undefined) continue
    run.progress.failure ??= testFailure(result)
    for (const name of testedAssets(planned)) hold(name, reasonIn(testFailure(result)), run)
  }
}

function hold(name: string, reason: Pick<AssetProgress, 'because' | 'place'>, { progress }: Run): boolean {
  const own = progress.assets.get(name)
  if (own === undefined || isKept(own)) return false
  progress.assets.set(name, { ...own, status: 'test_failed', ...reason })
  return true
}

function sayKept(name: string, { progress, emit }: Run, { state }: PreparedRun): void {
  const because = progress.assets.get(name)?.because
  if (because === undefined) return
  emit({ type: 'asset-kept', asset: name, because, since: state.live.get(name)?.deployed_at ?? null })
}

function merged(before: TestOutcome, again: TestOutcome): TestOutcome {
  const results = new Map(before.results.map(result => [resultId(result), result]))
  for (const result of again.results) results.set(resultId(result), result)
  const records = new Map(before.records.map(record => [idOf(record), record]))
  for (const record of again.records) records.set(idOf(record), record)
  return { results: [...results.values()], records: [...records.values()] }
}

function testId({ asset, test }: PlannedTest): string {
  return idOf({ asset: asset.name, name: test.name })
}

function resultId({ asset, name }: TestResult): string {
  return idOf({ asset, name })
}

function idOf({ asset, name }: { readonly asset: string; readonly name: string }): string {
  return `${asset}\n${name}`
}
