/** The test stage of a run, on its new builds. */
import { type StepPlan, testedAssets } from '../plan/plan-steps.ts'
import type { BuildRecord } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { executeTests, type TestOutcome } from './planned-tests.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { noteTestFailures } from './run-report.ts'

/** A test that reads an asset which this run could not build is left to the next run. */
export async function testStage(
  session: WarehouseSession,
  run: Run,
  { names, state, analysis }: PreparedRun,
  { tests }: StepPlan,
  builds: ReadonlyMap<string, BuildRecord>,
): Promise<TestOutcome> {
  const { workspace, runId, progress, emit } = run
  const absent = new Set(names.filter(name => !builds.has(name)))
  emit({ type: 'stage', stage: 'test', items: names.length - absent.size })
  const planned = tests.filter(test => !testedAssets(test).some(name => absent.has(name)))
  const outcome = await executeTests(session, planned, { workspace, state, runId, builds, emit, analysis })
  noteTestFailures(progress, outcome.results)
  return outcome
}
