/** Diagnostics for unit tests that could not be run. */
import type { Asset, Diagnostic } from '../../language/index.ts'
import type { Range } from '../../language/text/range.ts'
import type { UnitCase } from '../../language/unit/unit-case.ts'
import { severityOf } from '../../language/unit/unit-diagnostics.ts'
import { byteOffsets } from '../byte-offsets.ts'
import type { BudgetLimit, Limits } from '../limits.ts'
import { expensiveCode, passedLimit, raiseLimit } from '../too-expensive.ts'
import { mostRows } from './unit-answer.ts'
import type { UnitFailure } from './unit-failure.ts'
import type { UnitQuestion } from './unit-question.ts'

/** Reports that the SQL was expected to fail and did not. */
export function notFailed(asset: Asset, test: UnitCase): Diagnostic {
  const message = `unit test "${test.name}" fails: the SQL did not fail`
  return testDiagnostic(asset, test, 'unit-test-failed', message, test.error?.range)
}

export function tooMany(asset: Asset, test: UnitCase): Diagnostic {
  const message = `unit test "${test.name}" fails: more than ${mostRows} rows came`
  const hint = 'Give it fewer rows, or expect those of a CTE.'
  return { ...testDiagnostic(asset, test, 'unit-test-broken', message), hint }
}

export function noSuchTime(asset: Asset, test: UnitCase): Diagnostic {
  const message = `there is no time "${test.now?.text ?? ''}"`
  const hint = 'Write a time that the calendar has.'
  return {
    ...testDiagnostic(asset, test, 'unit-test-value', message, test.now?.range),
    severity: 'error',
    hint,
  }
}

const someTime = '2024-01-31 09:30:00'

export function noTime(asset: Asset, test: UnitCase): Diagnostic {
  const message = `the SQL asks for the time, and unit test "${test.name}" does not say which`
  const edits = [{ path: asset.path, ...addedKey(asset, test, `now: ${someTime}`) }]
  return {
    ...testDiagnostic(asset, test, 'unit-test-time', message),
    severity: 'error',
    hint: `Add now: ${someTime} to the test.`,
    fixes: [{ title: 'Say what the time is', edits }],
  }
}

/** Inserts a key before the test's other keys. */
function addedKey({ text }: Asset, { keys: { start, isFlow } }: UnitCase, key: string) {
  const line = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1
  const ending = isFlow ? ', ' : `${text.includes('\r\n') ? '\r\n' : '\n'}${' '.repeat(start - line)}`
  return { range: { start, end: start }, newText: key + ending }
}

/** Reports the engine's error. `question` is given if the error has a place in its SQL. */
export function sqlFailed(
  asset: Asset,
  test: UnitCase,
  failure: UnitFailure,
  question: UnitQuestion | undefined,
): Diagnostic {
  const message = `unit test "${test.name}" fails: ${oneClause(failure.message)}`
  const place = question === undefined ? undefined : placeIn(question, failure.position)
  const related = place && [{ path: asset.path, range: place, message: 'the SQL fails here' }]
  return {
    ...testDiagnostic(asset, test, 'unit-test-broken', message),
    ...(related && { related }),
  }
}

/** Says that a test is judged when its source has been looked at. */
export function waitsForSource(asset: Asset, test: UnitCase): Diagnostic {
  const message = `unit test "${test.name}" waits: the types of the columns that it gives are not known yet`
  return {
    ...testDiagnostic(asset, test, 'unit-test-broken', message),
    severity: 'hint',
    hint: 'The first "svc run" looks at the source before it judges; until then name the types in contract.columns.',
  }
}

export function tooExpensive(asset: Asset, test: UnitCase, limit: BudgetLimit, limits: Limits): Diagnostic {
  const message = `unit test "${test.name}" fails: it ${passedLimit(limit, limits)} and was stopped`
  const hint = `Does a join lack its condition? ${raiseLimit(limit)}`
  return { ...testDiagnostic(asset, test, expensiveCode, message), hint }
}

function testDiagnostic(
  { path }: Asset,
  test: UnitCase,
  code: string,
  message: string,
  range: Range = test.range,
): Diagnostic {
  return { code, severity: severityOf(test), message, path, range }
}

function oneClause(message: string): string {
  return (message.split('\n', 1)[0] ?? '').trim().replace(/\.$/, '')
}

/** Returns the range in the file. */
function placeIn({ statement, sql }: UnitQuestion, position: number | undefined): Range | undefined {
  if (position === undefined) return undefined
  const offset = byteOffsets(sql)(position)
  if (offset < 0 || offset >= statement.sql.length) return undefined
  const word = /^[\w"]+|^\S/.exec(statement.sql.slice(offset))?.[0] ?? ' '
  return statement.toFile.rangeToOriginal({ start: offset, end: offset + word.length })
}
