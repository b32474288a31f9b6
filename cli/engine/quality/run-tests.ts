/**
 * Runs data tests on builds: new ones before a promotion, live ones, or those of a preview. All tests of an
 * asset are computed in one scan, and many assets in one statement; only a failing test queries its rows. A
 * test that cannot run is a failed test with a message, never an exception. `plan/plan-tests.ts` decides
 * which tests run.
 */
import type { TestResult } from '@svc/server/contract'
import {
  type Asset,
  type Column,
  columnCalled,
  compileSql,
  type DataTest,
  groupBy,
  locate,
  type Measure,
  type MeasureContext,
  measureOf,
  type SqlTemplate,
  type TestDefinition,
  testColumns,
  testKindOf,
  testWord,
  withShownNames,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { liveBuild } from '../plan/last-load.ts'
import { testRefs } from '../plan/plan-tests.ts'
import { withoutSemicolon } from '../run/compile-asset.ts'
import type { EmitEvent } from '../run/events.ts'
import { type Vars, variableSql } from '../run/variable-sql.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { Dialect } from '../warehouse/dialect.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { maskRows, type PersonalColumns } from './personal-columns.ts'
import { placeIn } from './place-in.ts'
import { numbersOf, type Scan, scanName, scanStatement } from './scan.ts'
import { judge } from './threshold.ts'

export interface TestTask {
  readonly asset: Asset
  readonly test: DataTest
}

export interface TestGround {
  readonly workspace: Workspace
  readonly state: StateSnapshot
  /** The builds of the complete map under test, by asset. */
  readonly builds: ReadonlyMap<string, BuildRecord>
  readonly personal: PersonalColumns
  readonly emit: EmitEvent
}

/** The number of failing rows that are kept of each test. */
const sampleRows = 100
/** Limits of one statement: large enough to save round trips, small enough to be planned quickly. */
const numbersAStatement = 120
const assetsAStatement = 40
/** A subquery is a scan, a grouping or a join of its own, which an engine plans together with all others of the statement. */
const numbersASubquery = 3

/** A run of tests. */
interface Bench extends TestGround {
  readonly session: WarehouseSession
  readonly finish: (task: TestTask, result: TestResult) => void
}

/**
 * Returns results in the order of `tasks`. Throws only for failures that no test caused (interrupted,
 * connection lost).
 */
export async function runTests(
  session: WarehouseSession,
  tasks: readonly TestTask[],
  ground: TestGround,
): Promise<TestResult[]> {
  const results = new Map<TestTask, TestResult>()
  const finish = (task: TestTask, result: TestResult) => {
    results.set(task, result)
    ground.emit({ type: 'test-finished', result })
  }
  const bench = { ...ground, session, finish }
  const prepared: Prepared[] = []
  for (const task of tasks) {
    const measure = prepare(task, bench)
    if (measure instanceof SvcError) finish(task, brokenResult(task, measure.message, 0))
    else prepared.push({ task, measure })
  }
  const groups = [...groupBy(prepared, ({ task }) => task.asset).values()]
  for (const batch of batches(groups.flatMap(partsOf))) await runBatch(batch, bench)
  return tasks.flatMap(task => results.get(task) ?? [])
}

interface Prepared {
  readonly task: TestTask
  readonly measure: Measure
}

/** The time of a statement, and how many tests shared it: what each of them took nobody can measure. */
type ScanTime = Pick<TestResult, 'seconds' | 'scan'>

function prepare({ asset, test }: TestTask, { session, workspace, state, builds }: Bench) {
  const { dialect } = session
  const { environment, world } = workspace
  const nameOf = (name: string) => {
    const relation = builds.get(name)?.relation
    if (relation !== undefined) return dialect.relation(relation)
    throw new SvcError('parent-not-built', `"${name}" has no build in ${environment.name} to test against`)
  }
  try {
    // The live build before this run, for `row_count: {change}`.
    const live = liveBuild(state, asset.name)
    const measureContext: MeasureContext = {
      dialect,
      relation: nameOf(asset.name),
      column: (name, of = asset.name) => columnSql(name, builds.get(of)?.columns ?? [], dialect),
      shown: shownColumns(testColumns(test), builds.get(asset.name)?.columns ?? [], dialect),
      relationOf: nameOf,
      baseline: live && { relation: dialect.relation(live.relation), rows: live.rows ?? undefined },
      compile: template => compileTest(template, asset, nameOf, environment.vars, dialect),
      template: asset.testSql.get(test.index),
      nowMs: world.now().getTime(),
    }
    return measureOf(test, measureContext)
  } catch (error) {
    if (error instanceof SvcError) return error
    throw error
  }
}

/** The most columns of a failing row that are kept: each of a thousand tests of a wide asset may have failing rows. */
const mostShown = 100

/** Returns the select list of failing rows: the columns that the test names, and the first of the others. */
function shownColumns(
  own: readonly string[],
  columns: readonly Column[],
  { engine, identifier }: Dialect,
): string {
  if (columns.length <= mostShown) return '*'
  const named = new Set(own.flatMap(name => columnCalled(columns, name, engine) ?? []))
  const first = new Set(columns.slice(0, mostShown))
  const others = [...first].filter(column => !named.has(column))
  const kept = new Set([...named, ...others.slice(0, Math.max(0, mostShown - named.size))])
  return [...first, ...[...named].filter(column => !first.has(column))]
    .flatMap(column => (kept.has(column) ? [identifier(column.name)] : []))
    .join(', ')
}

/** Uses the column's spelling in the relation, because a test may write it in another case. */
function columnSql(name: string, columns: readonly Column[], { engine, identifier }: Dialect): string {
  return identifier(columnCalled(columns, name, engine)?.name ?? name)
}

function compileTest(
  template: SqlTemplate,
  asset: Asset,
  nameOf: (name: string) => string,
  vars: Vars,
  dialect: Dialect,
): string {
  const { sql } = compileSql(template, tag => {
    if (tag.kind === 'this') return nameOf(asset.name)
    if (tag.kind === 'ref') return nameOf(tag.name)
    if (tag.kind === 'var') return variableSql(template, tag, vars, dialect)
    throw new SvcError('invalid-project', `a test can read {{ this }} and {{ ref('x') }}, not this tag`)
  })
  return withoutSemicolon(sql, dialect)
}

// ---------------------------------------------------------------- batches

/** The tests of a wide asset make several scans: an engine plans many numbers at once in the square of their number. */
function partsOf(group: readonly Prepared[]): Prepared[][] {
  return inParts(group, prepared => numbersOfAll([prepared]), Number.POSITIVE_INFINITY)
}

function batches(groups: readonly Prepared[][]): Prepared[][][] {
  return inParts(groups, numbersOfAll, assetsAStatement)
}

/** What tests weigh in a statement. */
function numbersOfAll(group: readonly Prepared[]): number {
  return group.reduce(
    (sum, { measure }) => sum + measure.aggregates.length + measure.subqueries.length * numbersASubquery,
    0,
  )
}

/** Cuts a list into parts of at most `most` items that weigh no more than a statement may, or of one that weighs more. */
function inParts<T>(all: readonly T[], weightOf: (item: T) => number, most: number): T[][] {
  const parts: T[][] = []
  let part: T[] = []
  let weight = 0
  for (const item of all) {
    const more = weightOf(item)
    if (part.length > 0 && (part.length === most || weight + more > numbersAStatement)) {
      parts.push(part)
      part = []
      weight = 0
    }
    part.push(item)
    weight += more
  }
  return part.length === 0 ? parts : [...parts, part]
}

async function runBatch(groups: readonly Prepared[][], bench: Bench): Promise<void> {
  const { session, workspace, finish } = bench
  const { signal } = workspace
  signal.throwIfAborted()
  const scans = groups.map(group => scanOf(group, bench))
  const started = performance.now()
  const rows = await attempt(() => session.query(scanStatement(scans, session.dialect), signal))
  const seconds = (performance.now() - started) / 1000
  if (rows instanceof Error) return divide(groups, bench, rows, seconds)
  const tests = groups.flat().length
  const time: ScanTime = { seconds, ...(tests > 1 && { scan: { tests } }) }
  for (const row of rows.toSorted((a, b) => Number(a[scanName]) - Number(b[scanName]))) {
    const group = groups[Number(row[scanName])] ?? []
    const scan = scans[Number(row[scanName])]
    if (scan === undefined) continue
    for (const [position, numbers] of numbersOf(scan, row).entries()) {
      const item = group[position]
      if (item !== undefined) finish(item.task, await resultOf(item, numbers, time, bench))
    }
  }
}

/** Splits a failing statement until the test that causes the failure is alone. */
async function divide(
  groups: readonly Prepared[][],
  bench: Bench,
  error: Error,
  seconds: number,
): Promise<void> {
  bench.workspace.signal.throwIfAborted()
  const [only = []] = groups
  const [item, ...others] = only
  const parts = groups.length > 1 ? groups.map(group => [group]) : only.map(each => [[each]])
  if (groups.length > 1 || others.length > 0) {
    for (const part of parts) await runBatch(part, bench)
  } else if (item !== undefined) {
    const message = engineMessage(error, item.task, bench)
    bench.finish(item.task, brokenResult(item.task, `the test cannot run: ${message}`, seconds))
  }
}

function scanOf(group: readonly Prepared[], { session, builds }: Bench): Scan {
  const name = group[0]?.task.asset.name ?? ''
  const relation = builds.get(name)?.relation
  if (relation === undefined) throw new Error(`no relation to test for "${name}"`)
  return { relation: session.dialect.relation(relation), measures: group.map(({ measure }) => measure) }
}

async function attempt<T>(work: () => Promise<T>): Promise<T | Error> {
  try {
    return await work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

// ---------------------------------------------------------------- results

async function resultOf(
  { task, measure }: Prepared,
  numbers: readonly (number | null)[],
  time: ScanTime,
  bench: Bench,
): Promise<TestResult> {
  const { failures, message, onlyWarns } = measure.read(numbers)
  const judged = judge(task.test, failures)
  const verdict = onlyWarns === true ? { ...judged, severity: 'warn' as const } : judged
  const failed = verdict.status === 'fail'
  const sample = failed && measure.rows !== undefined ? await failingRows(task, measure.rows, bench) : []
  return {
    ...common(task),
    ...verdict,
    failures,
    message: failed ? message : null,
    sample,
    ...time,
    ran: true,
  }
}

async function failingRows(
  { asset, test }: TestTask,
  query: string,
  { session, personal, workspace }: Bench,
): Promise<TestResult['sample']> {
  const found = await attempt(() => session.query(`${query}\nLIMIT ${sampleRows}`, workspace.signal))
  // If the rows cannot be queried, the result is reported without them.
  if (found instanceof Error) return []
  const rows = found.map(withShownNames)
  const template = asset.testSql.get(test.index)
  if (testKindOf(test).isQuery !== true || template === undefined)
    return maskRows(
      rows,
      new Set([asset.name, ...testRefs(asset, test)].flatMap(name => [...personal.of(name)])),
    )
  const marks = personal.inQuery(asset, template)
  const names = rows.flatMap(row => Object.keys(row)).filter(name => marks.isPersonal(name))
  return maskRows(rows, new Set(names.map(name => name.toLowerCase())))
}

function brokenResult(task: TestTask, message: string, seconds: number): TestResult {
  return {
    ...common(task),
    severity: task.test.severity,
    status: 'fail',
    failures: 0,
    message,
    sample: [],
    seconds,
    ran: true,
  }
}

function common({ asset, test }: TestTask) {
  return {
    asset: asset.name,
    name: test.name,
    kind: testWord(test),
    column: columnOf(test),
    place: testPlace(asset, test),
  }
}

/** Returns the column that a test is about; several of a composite `unique` are joined by commas. */
export function columnOf(test: TestDefinition): string | null {
  const columns = testColumns(test)
  return columns.length === 0 ? null : columns.join(', ')
}

/** Returns `path:line:column` of a test in its file. */
export function testPlace(asset: Asset, test: TestDefinition): string {
  return placeIn(asset, locate(asset, ['tests', test.index]).start)
}

/** Views are computed when a test reads them, so anything upstream may be what failed. */
function engineMessage(error: Error, { asset, test }: TestTask, { personal }: Bench): string {
  const isNear = [asset.name, ...testRefs(asset, test)].some(name => personal.isNear(name))
  const bare = error instanceof SvcError ? error.withoutValues : undefined
  return isNear && bare !== undefined ? bare : firstLine(error)
}

function firstLine(error: Error): string {
  return error.message.split('\n', 1)[0] ?? error.message
}
