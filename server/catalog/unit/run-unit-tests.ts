/**
 * Runs the unit tests of one asset: creates tables with the given rows, runs the SQL over them, and compares
 * the result with the expected rows. A mistake in a test becomes a diagnostic at its place, never an
 * exception.
 */

import type { Asset, Diagnostic } from '../../language/index.ts'
import { acceptEdits } from '../../language/unit/accept-expected.ts'
import { type ActualRows, compareRows } from '../../language/unit/compare-rows.ts'
import { type UnitCase, unitCases } from '../../language/unit/unit-case.ts'
import { diffMessage, failedDiagnostic } from '../../language/unit/unit-diagnostics.ts'
import type { UnitTestResult } from '../../language/unit/unit-result.ts'
import type { Bound } from '../bound.ts'
import { endedDiagnostic } from '../too-expensive.ts'
import { answerTo, mostRows, timedSession, type UnitAnswer } from './unit-answer.ts'
import type { UnitContext } from './unit-context.ts'
import { type Expectation, expectationOf } from './unit-expected.ts'
import { isEnd, isFailure, isTimeProblem, type UnitFailure } from './unit-failure.ts'
import {
  noSuchTime,
  noTime,
  notFailed,
  sqlFailed,
  tooExpensive,
  tooMany,
  waitsForSource,
} from './unit-problems.ts'
import { questionOf, type UnitQuestion } from './unit-question.ts'
import { badValues } from './unit-tables.ts'

/**
 * The outcome without results: the caller cancelled, or the database was lost and another asset may be the cause, so that
 * these tests must be run again alone.
 */
export type NoResults = 'aborted' | 'again'

export async function runUnitTests(
  context: UnitContext,
  asset: Asset,
  bound: Bound,
): Promise<readonly UnitTestResult[] | NoResults> {
  const results: UnitTestResult[] = []
  for (const test of unitCases(asset)) {
    let ms = 0
    const open = () =>
      timedSession(context.open(), took => {
        ms += took
      })
    const outcome = await outcomeOf({ ...context, open, asset, test }, bound)
    if (outcome === 'aborted' || outcome === 'again') return outcome
    const { name, index, severity, range } = test
    const at = new Date().toISOString()
    results.push({ name, index, severity, range, seconds: ms / 1000, ran: true, at, ...outcome })
  }
  return results
}

type Outcome = Pick<UnitTestResult, 'status' | 'message' | 'diff' | 'diagnostics' | 'stopped' | 'waits'>

const passed: Outcome = { status: 'pass', diagnostics: [] }

function broken(diagnostics: readonly Diagnostic[]): Outcome {
  const [first] = diagnostics
  return { status: 'fail', ...(first && { message: first.message }), diagnostics }
}

/** One test of an asset, and what it runs on. */
interface TestRun extends UnitContext {
  readonly asset: Asset
  readonly test: UnitCase
}

async function outcomeOf(run: TestRun, bound: Bound): Promise<Outcome | NoResults> {
  const { asset, test } = run
  if (asset.sql === undefined || bound.diagnostics.some(({ severity }) => severity === 'error'))
    return { status: 'fail', message: 'the SQL of the asset has errors', diagnostics: [] }
  const question = questionOf(run.world, asset, asset.sql, test)
  if (!('statement' in question)) return broken(question)
  if (question.problems.length > 0) {
    const wrong = await wrongValues(run, question)
    return isFailure(wrong) ? ended(run, wrong) : broken([...question.problems, ...wrong])
  }
  const answer = await answerTo(run, question, test.now?.text, bound.columns)
  if (!('rows' in answer)) return await failure(run, question, answer)
  if (test.expect === undefined) return judgedLater(run, question, broken([notFailed(asset, test)]))
  if (answer.rows.length > mostRows) return broken([tooMany(asset, test)])
  const what = test.cte === undefined ? `"${asset.name}"` : `the CTE "${test.cte.text}"`
  const expectation = await expectationOf(run, asset.path, test.expect.table, answer.columns, what)
  if (isFailure(expectation)) return ended(run, expectation)
  if ('rows' in expectation) return judgedLater(run, question, judged(run, answer, expectation))
  return judgedLater(run, question, broken(expectation))
}

/** A failure on types that were guessed, because nothing is known of a source yet, says nothing: it waits for the source. */
function judgedLater({ asset, test }: TestRun, { tables }: UnitQuestion, outcome: Outcome): Outcome {
  const isGuess = tables.some(({ columns }) => columns.some(({ isGuessed }) => isGuessed))
  if (outcome.status === 'pass' || !isGuess) return outcome
  return { ...outcome, waits: true, diagnostics: [waitsForSource(asset, test)] }
}

async function failure(
  run: TestRun,
  question: UnitQuestion,
  { at, failure: failed }: Exclude<UnitAnswer, ActualRows>,
): Promise<Outcome | NoResults> {
  const { asset, test } = run
  if (isEnd(failed)) return ended(run, failed)
  if (at === 'time') return broken([noSuchTime(asset, test)])
  if (at === 'tables') {
    const wrong = await wrongValues(run, question)
    if (isFailure(wrong)) return ended(run, wrong)
    if (wrong.length > 0) return broken(wrong)
    return judgedLater(run, question, broken([sqlFailed(asset, test, failed, undefined)]))
  }
  if (isTimeProblem(failed)) return broken([noTime(asset, test)])
  const isExpected =
    test.error !== undefined && failed.message.toLowerCase().includes(test.error.text.toLowerCase())
  return isExpected ? passed : judgedLater(run, question, broken([sqlFailed(asset, test, failed, question)]))
}

/** Returns the outcome of a test that failed before its rows could be compared. */
function ended(
  { asset, test, isUnsure, isLastTry, limits }: TestRun,
  failed: UnitFailure,
): Outcome | NoResults {
  if (failed.stopped === 'aborted') return 'aborted'
  if (failed.stopped === 'ended') {
    if (!isLastTry) return 'again'
    return { ...broken([endedDiagnostic({ path: asset.path, range: test.range })]), stopped: true }
  }
  if (isUnsure()) return 'again'
  return failed.stopped === undefined
    ? broken([sqlFailed(asset, test, failed, undefined)])
    : { ...broken([tooExpensive(asset, test, failed.stopped, limits)]), stopped: true }
}

/** Checks the values of all given rows. */
async function wrongValues(
  { asset, test, open }: TestRun,
  question: UnitQuestion,
): Promise<readonly Diagnostic[] | UnitFailure> {
  return await badValues(open().database, asset.path, test, question)
}

function judged(
  { world: { engine }, asset, test }: TestRun,
  actual: ActualRows,
  { rows, shown }: Expectation,
): Outcome {
  const { ordered, contains, tolerance, expect } = test
  const found = compareRows(rows, actual, { ordered, contains, tolerance, shown, types: engine.types })
  if (found === undefined || expect === undefined) return passed
  const { text } = asset
  const kind = { ordered, contains, engine }
  const edits = acceptEdits({ text, table: expect.table, actual, shown, ...kind, ...found })
  return {
    status: 'fail',
    message: diffMessage(found.diff),
    diff: found.diff,
    diagnostics: [failedDiagnostic(asset.path, test, found.diff, edits)],
  }
}
