/** What several files, events and outputs have in common. */
import {
  anything,
  count,
  flag,
  list,
  mapOf,
  nullable,
  number,
  object,
  oneOf,
  optional,
  place,
  type Shape,
  text,
} from './schema.ts'

export const RunKind = oneOf('run', 'preview', 'promote', 'rollback')
export type RunKind = Shape<typeof RunKind>

export const RunStatus = oneOf('running', 'deployed', 'Failed')
export type RunStatus = Shape<typeof RunStatus>

/**
 * What a plan means to do with an asset. `rebuilt`: its own definition is as deployed, but something upstream changed.
 */
export const AssetChange = oneOf('new', 'modified', 'rebuilt', 'reused', 'removed', 'volatile')
export type AssetChange = Shape<typeof AssetChange>

/**
 * What became of one asset in a run. `unchanged`: verified, and its build was reused. `kept`: not part of the run;
 * its live build stays in the map (only in the history, never in a report).
 */
export const AssetOutcome = oneOf('built', 'unchanged', 'kept', 'failed', 'skipped', 'test_failed')
export type AssetOutcome = Shape<typeof AssetOutcome>

/** One folder says what each of them is: `server/language/materialize`. */
export const Materialize = oneOf('table', 'view', 'ephemeral')
export type Materialize = Shape<typeof Materialize>

export const Severity = oneOf('error', 'warn')
export const TestStatus = oneOf('pass', 'fail')

export const TypedColumn = object({ name: text, type: nullable(text) })

const Position = object({ line: count, column: count })

/** A change that mends the problem: all its edits together. */
const Fix = object({
  title: text,
  edits: list(object({ path: text, start: Position, end: Position, new_text: text })),
})

export const Diagnostic = object({
  code: text,
  severity: oneOf('error', 'warning', 'information', 'hint'),
  message: text,
  hint: nullable(text),
  path: text,
  start: Position,
  end: Position,
  suggestions: list(text),
  fixes: list(Fix),
})
export type Diagnostic = Shape<typeof Diagnostic>

const UnitDiffCell = object({
  /** As the warehouse writes it, null for NULL; absent: the row does not look at this column, or is not expected. */
  expected: optional(nullable(text)),
  /** Absent: there is no such row. */
  actual: optional(nullable(text)),
  same: flag,
})

/** What a unit test gave and what it expected. */
const UnitDiff = object({
  /** Those that are expected, in the order of their first mention; where nothing is, all that came. */
  columns: list(text),
  /** Rows in the order of `expect`, then those that came besides; not all of a long list. */
  rows: list(
    object({
      kind: oneOf('changed', 'missing', 'unexpected'),
      /** Position in `expect`, from 0; absent of what came besides. */
      row: optional(count),
      /** One for each of the diff's columns. */
      cells: list(UnitDiffCell),
    }),
  ),
  /** Further rows that differ. */
  more: count,
  /** Numbers of rows. */
  expected: count,
  actual: count,
})
export type UnitDiff = Shape<typeof UnitDiff>

const verdict = {
  asset: text,
  name: text,
  kind: text,
  column: nullable(text),
  severity: Severity,
  /** A warned test is `fail` with severity `warn` and does not block. */
  status: TestStatus,
  /** Failing rows, groups or the missed bound, by kind. */
  failures: count,
  message: nullable(text),
  /** Some of the failing rows, personal data masked. */
  sample: list(mapOf(anything)),
}

/** The outcome of one test as an event carries it: seconds under the name that the engine gives them. */
export const TestResult = object({
  ...verdict,
  /** Of a unit test that gave other rows than expected. */
  diff: optional(UnitDiff),
  seconds: number,
  /** False: the last result stands, because neither the test nor what it reads changed. */
  ran: flag,
  place,
})
export type TestResult = Shape<typeof TestResult>

/** The same as reports tell it (interface.md 2.14). */
export const ReportedTest = object({
  /** Stays the same as long as asset and test keep their names. */
  id: text,
  ...verdict,
  diff: nullable(UnitDiff),
  execution_time: number,
  ran: flag,
  place,
})
export type ReportedTest = Shape<typeof ReportedTest>

export const TestSummary = object({ total: count, passed: count, failed: count })
export type TestSummary = Shape<typeof TestSummary>

export const driftProperties = {
  kind: oneOf('added', 'vanished', 'retyped'),
  /** The child table; absent: the table of `{{ source }}`. */
  child: optional(nullable(text)),
  /** Absent: the whole child table. */
  column: optional(nullable(text)),
  from: optional(nullable(text)),
  to: optional(nullable(text)),
  /** Between the pages of one fetch: the first page that is so. Absent: since the last load. */
  page: optional(count),
}
export const DriftChange = object(driftProperties)
export type DriftChange = Shape<typeof DriftChange>

/** What a contract keeps out of a load. */
export const rejectCounts = {
  /** Records left out whole, with their child rows. */
  rows: count,
  /** Values left out, of columns that stay. */
  values: count,
  /** New columns left out: `name`, of a child table `child.name`. */
  columns: list(text),
  /** New child tables left out. */
  tables: list(text),
  /** The source was refused as a whole: nothing of it was loaded. */
  refused: flag,
}
