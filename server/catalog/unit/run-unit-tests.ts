/**
 * Runs the unit tests of one asset: given rows become tables in memory, the SQL runs over them, what comes is compared
 * with what is expected. What is wrong with a test is a finding at its place, never an exception.
 */

import { cteQuery, ctesOf } from '../../language/compile/cte-query.ts'
import type { Asset, Diagnostic } from '../../language/index.ts'
import { resolve } from '../../language/lineage/lineage.ts'
import type { Range } from '../../language/text/range.ts'
import { acceptEdits } from '../../language/unit/accept-expected.ts'
import { checkCase, unknownName } from '../../language/unit/check-case.ts'
import { type ActualRows, compareRows } from '../../language/unit/compare-rows.ts'
import { type UnitCase, unitCases } from '../../language/unit/unit-case.ts'
import { diffMessage, failedDiagnostic, severityOf } from '../../language/unit/unit-diagnostics.ts'
import type { UnitTestResult } from '../../language/unit/unit-result.ts'
import { parsed } from '../bind-level.ts'
import type { Binder } from '../binder.ts'
import type { Bound } from '../bound.ts'
import { byteOffsets } from '../byte-offsets.ts'
import { withoutEnd } from '../sql-places.ts'
import { type Input, prepareStatement, type Statement, type World } from '../statement.ts'
import { isFailure, isTimeProblem, type UnitDatabase, type UnitFailure } from './unit-database.ts'
import { expectationOf } from './unit-expected.ts'
import { badValues, schemaSql, unitColumns, unitTableSql } from './unit-tables.ts'

export interface UnitLab {
  readonly binder: Binder
  readonly database: () => Promise<UnitDatabase>
  /** After an internal error of DuckDB the next test has a database of its own. */
  readonly reopen: () => void
  /** The SQL that made a table, by relation: a table that is there already need not be made again. */
  readonly made: Map<string, string>
  readonly world: World
}

/** Rows of a result that are looked at. */
const mostRows = 10_000

/** Undefined: nobody wants to know any more. */
export async function runUnitTests(
  lab: UnitLab,
  asset: Asset,
  bound: Bound,
): Promise<UnitTestResult[] | undefined> {
  const results: UnitTestResult[] = []
  for (const test of unitCases(asset)) {
    const started = performance.now()
    const outcome = await outcomeOf(lab, asset, bound, test)
    if (outcome === 'aborted') return undefined
    const { name, index, severity, range } = test
    const seconds = (performance.now() - started) / 1000
    results.push({ name, index, severity, range, seconds, ran: true, ...outcome })
  }
  return results
}

type Outcome = Pick<UnitTestResult, 'status' | 'message' | 'diff' | 'diagnostics' | 'stopped'>

const passed: Outcome = { status: 'pass', diagnostics: [] }

async function outcomeOf(
  lab: UnitLab,
  asset: Asset,
  bound: Bound,
  test: UnitCase,
): Promise<Outcome | 'aborted'> {
  if (asset.sql === undefined || bound.diagnostics.some(({ severity }) => severity === 'error'))
    return { status: 'fail', message: 'the SQL of the asset has errors', diagnostics: [] }
  const ready = await makeReady(lab, asset, asset.sql, test)
  if (ready === 'aborted') return ready
  if (!('statement' in ready)) return broken(ready)
  const database = await lab.database()
  const unset = await database.setNow(test.now?.text)
  if (unset !== undefined) return unset.stopped === 'aborted' ? 'aborted' : broken([noSuchTime(asset, test)])
  const columns = await columnsOf(database, bound, ready)
  const actual = isFailure(columns) ? columns : await actualRows(database, ready.sql, columns)
  if (isFailure(actual)) {
    if (actual.kind === 'fatal') lab.reopen()
    return actual.stopped === 'aborted' ? 'aborted' : failure(asset, test, ready, actual)
  }
  if (test.expect === undefined) return unfailed(asset, test)
  if (actual.rows.length > mostRows) return broken([tooMany(asset, test)])
  const what = test.cte === undefined ? `"${asset.name}"` : `the CTE "${test.cte.name}"`
  const expectation = await expectationOf(database, asset.path, test.expect.table, actual.columns, what)
  if (!('rows' in expectation)) return broken(expectation)
  return judged(asset, test, actual, expectation)
}

function judged(
  asset: Asset,
  test: UnitCase,
  actual: ActualRows,
  { rows, shown }: Extract<Awaited<ReturnType<typeof expectationOf>>, { readonly rows: unknown }>,
): Outcome {
  const { ordered, contains, tolerance, expect } = test
  const found = compareRows(rows, actual, { ordered, contains, tolerance, shown })
  if (found === undefined || expect === undefined) return passed
  const edits = acceptEdits({
    text: asset.text,
    table: expect.table,
    actual,
    shown,
    ordered,
    contains,
    ...found,
  })
  return {
    status: 'fail',
    message: diffMessage(found.diff),
    diff: found.diff,
    diagnostics: [failedDiagnostic(asset.path, test, found.diff, edits)],
  }
}

// ---------------------------------------------------------------- inputs and query

interface Ready {
  readonly statement: Statement
  /** What is run: the asset's SQL, or that of one of its CTEs. Offsets are those of the statement. */
  readonly sql: string
  readonly isWhole: boolean
}

async function makeReady(
  lab: UnitLab,
  asset: Asset,
  template: NonNullable<Asset['sql']>,
  test: UnitCase,
): Promise<Ready | readonly Diagnostic[] | 'aborted'> {
  const vars = new Map(test.vars.map(({ name, value }) => [name, value]))
  const world: World = {
    ...lab.world,
    varValue: name => (vars.has(name) ? vars.get(name) : lab.world.varValue(name)),
  }
  const statement = prepareStatement({ asset, template, reader: asset.name, allowThis: false }, world)
  const inputs = [...statement.inputs.values()]
  const isKnown = inputs.every(({ shape }) => shape.complete)
  if (!isKnown) await askNames(lab.binder, asset, statement)
  const variables = [...new Set(template.tags.flatMap(tag => (tag.kind === 'var' ? [tag.name] : [])))]
  const known = inputs.map(({ key, shape }) => ({ key, columns: shape.columns, complete: shape.complete }))
  const problems = checkCase(test, { path: asset.path, inputs: known, variables })
  if (problems.some(({ code }) => code !== 'unit-test-value')) return problems
  if (problems.length > 0) return [...problems, ...(await badValuesIn(lab, asset, test, inputs))]
  const query = queryOf(asset, test, withoutEnd(statement.sql))
  if (typeof query !== 'string') return [query]
  const unmade = await fill(lab, asset, test, inputs)
  if (unmade !== undefined) return unmade
  return { statement, sql: query, isWhole: test.cte === undefined && isKnown }
}

/** What the SQL asks of inputs that are not fully known is part of their tables. */
async function askNames(binder: Binder, asset: Asset, statement: Statement): Promise<void> {
  const [job] = await parsed({ binder }, [{ asset, statement }])
  if (job?.query) resolve(job.query, statement.lookUp)
}

function queryOf(asset: Asset, { cte }: UnitCase, sql: string): string | Diagnostic {
  if (cte === undefined) return sql
  const names = ctesOf(sql).map(({ name }) => name)
  const unknown = `the SQL of "${asset.name}" has no CTE "${cte.name}"`
  return cteQuery(sql, cte.name) ?? unknownName(asset.path, cte.range, unknown, cte.name, names)
}

/** Beside those that the warehouse would round. */
async function badValuesIn(
  lab: UnitLab,
  { path }: Asset,
  test: UnitCase,
  inputs: readonly Input[],
): Promise<readonly Diagnostic[]> {
  const tables = new Map(test.given.map(({ input, table }) => [input, table]))
  const columnsOf = (key: string) => {
    const input = inputs.find(each => each.key === key)
    return input === undefined ? [] : unitColumns(input, tables.get(key))
  }
  return await badValues(await lab.database(), path, test, columnsOf)
}

/** Undefined: every table is there. */
async function fill(
  lab: UnitLab,
  asset: Asset,
  test: UnitCase,
  inputs: readonly Input[],
): Promise<readonly Diagnostic[] | 'aborted' | undefined> {
  const { made } = lab
  const statements: string[] = []
  const fresh = new Map<string, string>()
  for (const input of inputs) {
    const table = test.given.find(given => given.input === input.key)?.table
    const schema = schemaSql(input)
    const sql = unitTableSql(input, unitColumns(input, table), table)
    const key = `${input.relation.schema}\0${input.relation.table}`
    if (made.get(key) === sql) continue
    if (!made.has(schema)) statements.push(schema)
    made.set(schema, '')
    statements.push(sql)
    fresh.set(key, sql)
  }
  for (const key of fresh.keys()) made.delete(key)
  const database = await lab.database()
  const failed = statements.length === 0 ? undefined : await database.run(statements.join(';\n'))
  if (failed === undefined) {
    for (const [key, sql] of fresh) made.set(key, sql)
    return undefined
  }
  if (failed.stopped === 'aborted') return 'aborted'
  const found = await badValuesIn(lab, asset, test, inputs)
  return found.length > 0 ? found : [brokenDiagnostic(asset, test, failed, undefined)]
}

/** As the catalogue knows them, where it knows all of the types. */
async function columnsOf(
  database: UnitDatabase,
  bound: Bound,
  { sql, isWhole }: Ready,
): Promise<ActualRows['columns'] | UnitFailure> {
  const known = bound.columns.flatMap(({ name, type }) => (type === undefined ? [] : [{ name, type }]))
  if (isWhole && known.length === bound.columns.length && known.length > 0) return known
  return await database.describe(`${beforeQuery}${sql}${afterQuery}`)
}

const beforeQuery = 'FROM (\n'
const afterQuery = '\n)'

async function actualRows(
  database: UnitDatabase,
  sql: string,
  columns: ActualRows['columns'],
): Promise<ActualRows | UnitFailure> {
  const names = columns.map((_, index) => `c${index}`)
  const texts = names.map(name => `CAST(${name} AS VARCHAR)`).join(', ')
  const from = `${beforeQuery}${sql}${afterQuery} AS svc_result(${names.join(', ')})`
  const rows = await database.texts(`${from} SELECT ${texts} LIMIT ${mostRows + 1}`)
  return isFailure(rows) ? rows : { columns, rows }
}

// ---------------------------------------------------------------- what goes wrong

function broken(diagnostics: readonly Diagnostic[]): Outcome {
  const [first] = diagnostics
  return { status: 'fail', ...(first && { message: first.message }), diagnostics }
}

function failure(asset: Asset, test: UnitCase, ready: Ready, failed: UnitFailure): Outcome {
  if (isTimeProblem(failed)) return broken([timeDiagnostic(asset, test)])
  if (failed.stopped === 'too-long')
    return { ...broken([brokenDiagnostic(asset, test, failed, undefined)]), stopped: true }
  if (test.error !== undefined && failed.message.toLowerCase().includes(test.error.text.toLowerCase()))
    return passed
  return broken([brokenDiagnostic(asset, test, failed, ready)])
}

function unfailed(asset: Asset, test: UnitCase): Outcome {
  const range = test.error?.range ?? test.range
  return broken([
    testDiagnostic(
      asset,
      test,
      'unit-test-failed',
      `unit test "${test.name}" fails: the SQL did not fail`,
      range,
    ),
  ])
}

function tooMany(asset: Asset, test: UnitCase): Diagnostic {
  const message = `unit test "${test.name}" fails: more than ${mostRows} rows came`
  return {
    ...testDiagnostic(asset, test, 'unit-test-broken', message, test.range),
    hint: 'Give it fewer rows, or expect those of a CTE.',
  }
}

function noSuchTime({ path }: Asset, { now, range }: UnitCase): Diagnostic {
  const message = `there is no time "${now?.text ?? ''}"`
  return {
    code: 'unit-test-value',
    severity: 'error',
    message,
    hint: 'Write a time that the calendar has.',
    path,
    range: now?.range ?? range,
  }
}

const someTime = '2024-01-31 09:30:00'

/** In front of the test's other keys. */
function addedKey({ text }: Asset, { keys: { start, isFlow } }: UnitCase, key: string) {
  const line = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1
  const ending = isFlow ? ', ' : `${text.includes('\r\n') ? '\r\n' : '\n'}${' '.repeat(start - line)}`
  return { range: { start, end: start }, newText: key + ending }
}

function timeDiagnostic(asset: Asset, test: UnitCase): Diagnostic {
  const message = `the SQL asks for the time, and unit test "${test.name}" does not say which`
  const diagnostic = testDiagnostic(asset, test, 'unit-test-time', message, test.range)
  const edits = [{ path: asset.path, ...addedKey(asset, test, `now: ${someTime}`) }]
  return {
    ...diagnostic,
    severity: 'error',
    hint: `Add now: ${someTime} to the test.`,
    fixes: [{ title: 'Say what the time is', edits }],
  }
}

function brokenDiagnostic(
  asset: Asset,
  test: UnitCase,
  failed: UnitFailure,
  ready: Ready | undefined,
): Diagnostic {
  const isLong = failed.stopped === 'too-long'
  const what = isLong ? 'it took too long and was stopped' : oneClause(failed.message)
  const message = `unit test "${test.name}" fails: ${what}`
  const place = ready === undefined ? undefined : placeIn(ready, failed.position)
  const related = place && [{ path: asset.path, range: place, message: 'the SQL fails here' }]
  return {
    ...testDiagnostic(asset, test, 'unit-test-broken', message, test.range),
    ...(isLong && { hint: 'Does a join lack its condition?' }),
    ...(related && { related }),
  }
}

function testDiagnostic(
  { path }: Asset,
  test: UnitCase,
  code: string,
  message: string,
  range: Range,
): Diagnostic {
  return { code, severity: severityOf(test), message, path, range }
}

function oneClause(message: string): string {
  return (message.split('\n', 1)[0] ?? '').trim().replace(/\.$/, '')
}

/** In the file. */
function placeIn({ statement, sql }: Ready, position: number | undefined): Range | undefined {
  if (position === undefined) return undefined
  const offset = byteOffsets(beforeQuery + sql)(position) - beforeQuery.length
  if (offset < 0 || offset >= statement.sql.length) return undefined
  const word = /^[\w"]+|^\S/.exec(statement.sql.slice(offset))?.[0] ?? ' '
  return statement.toFile.rangeToOriginal({ start: offset, end: offset + word.length })
}
