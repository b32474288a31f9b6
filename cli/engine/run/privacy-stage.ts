/**
 * The tests of personal data in a run, on its builds before they are promoted (decisions 8): `k_anonymity` of
 * aggregates, and `privacy-scan`, which looks in assets under strict policies for values that marked columns hold.
 */
import type { TestResult } from '@svc/server/contract'
import { type Asset, internalNames, locate, smallGroups } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { FetchedSource } from '../ingest/source.ts'
import { pinnedLoad, relationOf } from '../plan/last-load.ts'
import { placeIn } from '../quality/place-in.ts'
import { scansOf } from '../quality/privacy-scan.ts'
import type { Finding, PrivacyTest } from '../quality/privacy-test.ts'
import type { BuildRecord, TestRecord } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import { rawName } from './building.ts'
import { compileAsset } from './compile-asset.ts'
import { greenSchema } from './green-schema.ts'
import { type TestOutcome, testRecord } from './planned-tests.ts'
import type { PreparedRun } from './prepare-run.ts'
import { rawTablesOf } from './raw-builds.ts'
import type { Run } from './run.ts'
import { noteTestFailures } from './run-report.ts'

const own = internalNames('rows', 'small')

/** Returns the outcome of the data tests together with that of these tests. */
export async function privacyStage(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
  builds: ReadonlyMap<string, BuildRecord>,
  others: TestOutcome,
): Promise<TestOutcome> {
  const results: TestResult[] = []
  const records: TestRecord[] = []
  const tests = [
    ...groupTests(session, run, prepared, builds),
    ...scansOf(session, run.workspace, {
      names: prepared.names,
      builds,
      analysis: prepared.analysis,
      rawTables: name => rawTablesOf(run, prepared.state, fetched, builds.get(name)),
    }),
  ]
  for (const test of tests) {
    const key = builds.get(test.asset.name)?.build_key
    if (key === undefined || stands(prepared, test, key)) continue
    run.workspace.signal.throwIfAborted()
    const started = performance.now()
    const finding = await test.find()
    const result = resultOf(test, finding, (performance.now() - started) / 1000)
    results.push(result)
    records.push(testRecord(run, { testHash: hashOf(test), inputKey: key }, result))
    run.emit({ type: 'test-finished', result })
  }
  noteTestFailures(run.progress, results)
  return { results: [...others.results, ...results], records: [...others.records, ...records] }
}

function hashOf({ question }: PrivacyTest): string {
  return sha256(`privacy\n${question}`)
}

function stands({ state }: PreparedRun, test: PrivacyTest, key: string): boolean {
  const last = state.tests.get(`${test.asset.name}\n${test.name}`)
  return last?.status === 'pass' && last.input_key === key && last.test_hash === hashOf(test)
}

function resultOf({ asset, name }: PrivacyTest, finding: Finding | undefined, seconds: number): TestResult {
  const path = name === 'k_anonymity' ? ['deploy', name] : ['transform']
  return {
    asset: asset.name,
    name,
    kind: name,
    column: finding?.column ?? null,
    severity: 'error',
    status: finding === undefined ? 'pass' : 'fail',
    failures: finding?.failures ?? 0,
    message: finding?.message ?? null,
    sample: [],
    seconds,
    ran: true,
    place: placeIn(asset, locate(asset, path).start),
  }
}

// ---------------------------------------------------------------- k_anonymity

function groupTests(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  builds: ReadonlyMap<string, BuildRecord>,
): PrivacyTest[] {
  const { project } = run.workspace
  return prepared.names.flatMap(name => {
    const asset = project.byName.get(name)
    const least = asset?.definition.deploy.kAnonymity
    if (asset === undefined || least === undefined || !builds.has(name)) return []
    const find = () => findSmallGroups(session, run, prepared, builds, asset, least)
    return [{ asset, name: 'k_anonymity', question: String(least), find }]
  })
}

async function findSmallGroups(
  session: WarehouseSession,
  run: Run,
  { state }: PreparedRun,
  builds: ReadonlyMap<string, BuildRecord>,
  asset: Asset,
  least: number,
): Promise<Finding | undefined> {
  const load = pinnedLoad(state, builds.get(asset.name))
  const inputs = {
    loadOf: () => load,
    buildOf: (name: string) => knownBuild(builds, name),
    sourceOf: (child: string | undefined) =>
      relationOf(load, child) ?? { schema: greenSchema(run.runId), name: rawName(asset.name, child) },
    vars: run.workspace.environment.vars,
    sqlLimits: run.workspace.project.settings.limits.sql,
  }
  const compiled = compileAsset(asset, inputs, session.dialect)
  if (compiled instanceof SvcError) throw compiled
  const sql = smallGroups(compiled.sql, least, session.dialect.engine)
  if (sql === undefined)
    return { column: null, failures: 1, message: 'the SQL is no aggregate, so there is nothing to count' }
  const counted = `SELECT count(*) AS ${own.rows} FROM (\n${sql}\n) AS ${own.small}`
  const rows = await session.query(counted, run.workspace.signal).catch(() => undefined)
  if (rows === undefined) return { column: null, failures: 1, message: 'the groups cannot be counted' }
  const failures = Number(rows[0]?.[own.rows] ?? 0)
  const message = `${failures === 1 ? '1 row is' : `${failures} rows are`} made of fewer than ${least} rows`
  return failures === 0 ? undefined : { column: null, failures, message }
}

function knownBuild(builds: ReadonlyMap<string, BuildRecord>, name: string): BuildRecord {
  const build = builds.get(name)
  if (build === undefined) throw new Error(`"${name}" is read before it is built`)
  return build
}
