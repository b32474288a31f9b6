/** Executes planned data tests on builds: those of a run before the promotion, or the live ones. */
import type { EventOf, TestResult } from '@svc/server/contract'
import type { ProjectAnalysis } from '@svc/server/language'
import type { PlannedTest } from '../plan/plan-tests.ts'
import { personalColumns } from '../quality/personal-columns.ts'
import { columnOf, runTests, type TestGround, testPlace } from '../quality/run-tests.ts'
import { sharedScans } from '../quality/shared-scans.ts'
import type { TestRecord } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'

export interface TestWork extends Omit<TestGround, 'personal'> {
  readonly runId: string
  /** The analysis of the run, which knows the columns that were fetched. */
  readonly analysis?: ProjectAnalysis
}

export interface TestOutcome {
  /** The results in the order of assets and of tests in their files. */
  readonly results: readonly TestResult[]
  /** The tests that ran, as they are stored. */
  readonly records: readonly TestRecord[]
}

/** Executes the tests; a test whose last result is still valid is reported with that result. */
export async function executeTests(
  session: WarehouseSession,
  planned: readonly PlannedTest[],
  work: TestWork,
): Promise<TestOutcome> {
  const started = performance.now()
  const due = planned.filter(({ standing }) => standing === undefined)
  const analysis = work.analysis ?? (await work.workspace.analysis())
  const personal = personalColumns(work.workspace.project, analysis)
  const ran = await runTests(session, due, { ...work, personal })
  const byTest = new Map(due.map((test, position) => [test, ran[position]]))
  const scanOf = sharedScans(work.state.tests.values())
  const results = planned.flatMap(test => byTest.get(test) ?? standingResult(test, scanOf) ?? [])
  work.emit(testsFinished(results, (performance.now() - started) / 1000))
  return { results, records: due.flatMap((test, position) => recordOf(test, ran[position], work)) }
}

function standingResult(
  { asset, test, standing }: PlannedTest,
  scanOf: ReturnType<typeof sharedScans>,
): TestResult | undefined {
  if (standing === undefined) return undefined
  const scan = scanOf(standing)
  return {
    asset: asset.name,
    name: test.name,
    kind: test.kind,
    column: columnOf(test),
    severity: test.severity,
    status: standing.status,
    failures: standing.failures,
    message: standing.message,
    sample: [],
    seconds: standing.seconds,
    ...(scan !== undefined && { scan }),
    ran: false,
    // The place is computed only when it is shown, because it means parsing the file, and thousands of
    // results may be reused.
    get place() {
      return testPlace(asset, test)
    },
  }
}

function recordOf(planned: PlannedTest, result: TestResult | undefined, work: TestWork): TestRecord[] {
  const { testHash, inputKey } = planned
  return result === undefined || inputKey === undefined
    ? []
    : [testRecord(work, { testHash, inputKey }, result)]
}

/** Returns the result as it is stored. */
export function testRecord(
  { workspace, runId }: Pick<TestWork, 'workspace' | 'runId'>,
  { testHash, inputKey }: { readonly testHash: string; readonly inputKey: string },
  { asset, name, status, severity, failures, message, seconds }: TestResult,
): TestRecord {
  return {
    asset,
    name,
    test_hash: testHash,
    input_key: inputKey,
    status,
    severity,
    failures,
    message,
    seconds,
    run_id: runId,
    ran_at: workspace.world.now().toISOString(),
  }
}

export function testsFinished(results: readonly TestResult[], seconds: number): EventOf<'tests-finished'> {
  const count = (matches: (result: TestResult) => boolean) => results.filter(matches).length
  return {
    type: 'tests-finished',
    passed: count(({ status, ran }) => status === 'pass' && ran),
    failed: count(({ status, severity }) => status === 'fail' && severity === 'error'),
    warned: count(({ status, severity }) => status === 'fail' && severity === 'warn'),
    unchanged: count(({ ran }) => !ran),
    seconds,
  }
}
