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
import { isOfWorld, SvcError } from '../errors.ts'
import { liveBuild } from '../plan/last-load.ts'
import { testRefs } from '../plan/plan-tests.ts'
import { withoutSemicolon } from '../run/compile-asset.ts'
import type { EmitEvent } from '../run/events.ts'
import { type Vars, variableSql } from '../run/variable-sql.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { Dialect } from '../warehouse/dialect.ts'
import type { JsonRow, WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { columnsRead, excerptName, mostColumns, mostOfNarrow, onExcerpt } from './excerpt.ts'
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
    const item = prepare(task, bench)
    if (item instanceof SvcError) finish(task, brokenResult(task, item.message, 0))
    else prepared.push(item)
  }
  const groups: (readonly Prepared[])[] = []
  for (const group of groupBy(prepared, ({ task }) => task.asset).values())
    groups.push(await withoutExcerpts(group, bench))
  for (const batch of batches(groups.flatMap(partsOf))) await runBatch(batch, bench)
  return tasks.flatMap(task => results.get(task) ?? [])
}

interface Prepared {
  readonly task: TestTask
  readonly measure: Measure
  /** The measure on another relation that has the columns of the test. */
  readonly measureOn: (relation: string) => Measure
  /** The columns that it reads, if that can be said. */
  readonly columns: ReadonlySet<Column> | undefined
  /** The columns of its failing rows that are kept; undefined for all. */
  readonly shown: readonly Column[] | undefined
}

/** The time of a statement, and how many tests shared it: what each of them took nobody can measure. */
type ScanTime = Pick<TestResult, 'seconds' | 'scan'>

function prepare(task: TestTask, bench: Bench): Prepared | SvcError {
  const { asset, test } = task
  const { dialect } = bench.session
  const columns = bench.builds.get(asset.name)?.columns ?? []
  try {
    const shown = shownColumns(testColumns(test), columns, dialect)
    const context = measureContext(task, shown, bench)
    const measureOn = (relation: string) => measureOf(test, { ...context, relation })
    const measure = measureOf(test, context)
    return { task, measure, measureOn, shown, columns: columnsRead(test, columns, dialect.engine) }
  } catch (error) {
    if (error instanceof SvcError) return error
    throw error
  }
}

function measureContext(
  { asset, test }: TestTask,
  shown: readonly Column[] | undefined,
  { session, workspace, state, builds }: Bench,
): MeasureContext {
  const { dialect } = session
  const { environment, world } = workspace
  const nameOf = (name: string) => {
    const relation = builds.get(name)?.relation
    if (relation !== undefined) return dialect.relation(relation)
    throw new SvcError('parent-not-built', `"${name}" has no build in ${environment.name} to test against`)
  }
  // The live build before this run, for `row_count: {change}`.
  const live = liveBuild(state, asset.name)
  return {
    dialect,
    relation: nameOf(asset.name),
    column: (name, of = asset.name) => columnSql(name, builds.get(of)?.columns ?? [], dialect),
    shown: shown?.map(({ name }) => dialect.identifier(name)).join(', ') ?? '*',
    relationOf: nameOf,
    baseline: live && { relation: dialect.relation(live.relation), rows: live.rows ?? undefined },
    compile: template => compileTest(template, asset, nameOf, environment.vars, dialect),
    template: asset.testSql.get(test.index),
    nowMs: world.now().getTime(),
  }
}

/**
 * Returns the columns of failing rows that are kept, because each of a thousand tests of a wide asset may have some: those that
 * the test names, and the first of the others; undefined for all.
 */
function shownColumns(
  own: readonly string[],
  columns: readonly Column[],
  { engine }: Dialect,
): Column[] | undefined {
  if (columns.length <= mostOfNarrow) return undefined
  const named = new Set(own.flatMap(name => columnCalled(columns, name, engine) ?? []))
  const first = new Set(columns.slice(0, mostOfNarrow))
  const others = [...first].filter(column => !named.has(column))
  const kept = new Set([...named, ...others.slice(0, Math.max(0, mostOfNarrow - named.size))])
  return [...first, ...[...named].filter(column => !first.has(column))].filter(column => kept.has(column))
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

async function runBatch(groups: readonly (readonly Prepared[])[], bench: Bench): Promise<void> {
  const { session, workspace } = bench
  const { signal } = workspace
  signal.throwIfAborted()
  const scans = groups.map(group => scanOf(group, bench))
  const started = performance.now()
  const rows = await attempt(() => session.query(scanStatement(scans, session.dialect), signal))
  const seconds = (performance.now() - started) / 1000
  if (rows instanceof Error) return divide(groups, bench, rows, seconds)
  const time = scanTime(seconds, groups.flat().length)
  for (const row of rows.toSorted((a, b) => Number(a[scanName]) - Number(b[scanName]))) {
    const group = groups[Number(row[scanName])] ?? []
    const scan = scans[Number(row[scanName])]
    if (scan !== undefined) await finishAll(group, numbersOf(scan, row), time, bench)
  }
}

function scanTime(seconds: number, tests: number): ScanTime {
  return { seconds, ...(tests > 1 && { scan: { tests } }) }
}

/** Splits a failing statement until the test that causes the failure is alone. */
async function divide(
  groups: readonly (readonly Prepared[])[],
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

/** Throws where disk, network or server failed: that says nothing about a test. */
async function attempt<T>(work: () => Promise<T>): Promise<T | Error> {
  try {
    return await work()
  } catch (error) {
    if (isOfWorld(error)) throw error
    return error instanceof Error ? error : new Error(String(error))
  }
}

// ---------------------------------------------------------------- wide assets

/** Runs the tests of a wide asset for which excerpts pay, and returns the others. */
async function withoutExcerpts(group: readonly Prepared[], bench: Bench): Promise<readonly Prepared[]> {
  const { session, workspace } = bench
  const { signal } = workspace
  const build = wideBuild(group, bench)
  const narrow = group.filter(({ measure, columns }) => measure.subqueries.length > 0 && columns?.size)
  if (build === undefined || narrow.length < 2) return group
  const most = await attempt(() => mostColumns(session, build, signal))
  if (most instanceof Error || most < 2) return group
  const weightOf = (part: readonly Prepared[]) =>
    Math.max(numbersOfAll(part), (columnsOf(part).size / most) * numbersAStatement)
  for (const part of inParts(narrow, item => weightOf([item]), Number.POSITIVE_INFINITY))
    await runOnExcerpt(part, build, bench)
  const done = new Set(narrow)
  return group.filter(item => !done.has(item))
}

function wideBuild(group: readonly Prepared[], { builds }: Bench): BuildRecord | undefined {
  const build = builds.get(group[0]?.task.asset.name ?? '')
  return build !== undefined && build.columns.length > mostOfNarrow ? build : undefined
}

function columnsOf(group: readonly Prepared[]): Set<Column> {
  return new Set(group.flatMap(({ columns }) => [...(columns ?? [])]))
}

async function runOnExcerpt(part: readonly Prepared[], build: BuildRecord, bench: Bench): Promise<void> {
  const { session, workspace } = bench
  const { signal } = workspace
  signal.throwIfAborted()
  const measures = part.map(({ measureOn }) => measureOn(excerptName))
  const scan: Scan = { relation: excerptName, measures }
  const started = performance.now()
  const rows = await attempt(() =>
    onExcerpt(
      session,
      build,
      columnsOf(part),
      query => query(scanStatement([scan], session.dialect)),
      signal,
    ),
  )
  const row = rows instanceof Error ? undefined : rows[0]
  if (row === undefined) return runBatch([part], bench)
  const time = scanTime((performance.now() - started) / 1000, part.length)
  await finishAll(part, numbersOf(scan, row), time, bench)
}

// ---------------------------------------------------------------- results

interface Judged {
  readonly item: Prepared
  readonly result: TestResult
}

/** `numbers`: of each item of one asset. */
async function finishAll(
  group: readonly Prepared[],
  numbers: readonly (readonly (number | null)[])[],
  time: ScanTime,
  bench: Bench,
): Promise<void> {
  const judged = group.map((item, position): Judged => {
    return { item, result: resultOf(item, numbers[position] ?? [], time) }
  })
  const failing = judged.flatMap(({ item, result }) => (result.status === 'fail' ? [item] : []))
  const samples = await samplesOf(
    failing.filter(({ measure }) => measure.rows !== undefined),
    bench,
  )
  for (const { item, result } of judged)
    bench.finish(item.task, { ...result, sample: samples.get(item) ?? [] })
}

function resultOf({ task, measure }: Prepared, numbers: readonly (number | null)[], time: ScanTime) {
  const { failures, message, onlyWarns } = measure.read(numbers)
  const judged = judge(task.test, failures)
  const verdict = onlyWarns === true ? { ...judged, severity: 'warn' as const } : judged
  return {
    ...common(task),
    ...verdict,
    failures,
    message: verdict.status === 'fail' ? message : null,
    sample: [],
    ...time,
    ran: true,
  } satisfies TestResult
}

type Samples = Map<Prepared, TestResult['sample']>

/** Returns the failing rows of tests of one asset; if they cannot be queried, the result is reported without them. */
async function samplesOf(failing: readonly Prepared[], bench: Bench): Promise<Samples> {
  const samples: Samples = new Map()
  const found = await samplesOnExcerpt(failing, bench)
  for (const [position, item] of failing.entries()) {
    const rows =
      found[position] ??
      (await attempt(() => bench.session.query(limited(item.measure.rows), bench.workspace.signal)))
    if (!(rows instanceof Error)) samples.set(item, shownRows(rows, item.task, bench))
  }
  return samples
}

/** As few failing tests are worth an excerpt of their own. */
const fewestOnExcerpt = 4

/** Returns the rows of those tests for which an excerpt had them. */
async function samplesOnExcerpt(
  failing: readonly Prepared[],
  bench: Bench,
): Promise<readonly (readonly JsonRow[] | undefined)[]> {
  const { session, workspace } = bench
  const { signal } = workspace
  const build = wideBuild(failing, bench)
  if (build === undefined || failing.length < fewestOnExcerpt) return []
  const columns = new Set([...columnsOf(failing), ...failing.flatMap(({ shown }) => shown ?? [])])
  const most = await attempt(() => mostColumns(session, build, signal))
  if (most instanceof Error || columns.size > most) return []
  const found = await attempt(() =>
    onExcerpt(session, build, columns, query => rowsOnExcerpt(failing, query), signal),
  )
  return found instanceof Error ? [] : found
}

async function rowsOnExcerpt(failing: readonly Prepared[], query: WarehouseSession['query']) {
  const found: (readonly JsonRow[] | undefined)[] = []
  for (const { columns, measureOn } of failing) {
    const rows = columns && (await attempt(() => query(limited(measureOn(excerptName).rows))))
    found.push(rows instanceof Error ? undefined : rows)
  }
  return found
}

function limited(query: string | undefined): string {
  return `${query}\nLIMIT ${sampleRows}`
}

function shownRows(
  found: readonly JsonRow[],
  { asset, test }: TestTask,
  { personal }: Bench,
): TestResult['sample'] {
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
