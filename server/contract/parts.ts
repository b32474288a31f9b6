/** Schemas that several files, events and outputs share. */
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
  time,
} from './schema.ts'
import { runVerdicts } from './verdicts.ts'

export const RunKind = oneOf('run', 'preview', 'promote', 'rollback', 'publish')
export type RunKind = Shape<typeof RunKind>

/** How a run ended: by itself, by Ctrl-C, or without a word because its process was killed. */
export const RunEnding = oneOf('finished', 'cancelled', 'killed', 'running')
export type RunEnding = Shape<typeof RunEnding>

export const RunStatus = oneOf('running', 'deployed', 'Failed')
export type RunStatus = Shape<typeof RunStatus>

/** The word for what a run came to (`verdicts.ts`). */
export const RunVerdict = oneOf(...runVerdicts)
export type RunVerdict = Shape<typeof RunVerdict>

/** What made a run, or a part of it, fail. */
export const Cause = object({
  /** Null if it is about no single asset. */
  asset: nullable(text),
  message: text,
  place: nullable(place),
})
export type Cause = Shape<typeof Cause>

/**
 * The planned change of an asset. `rebuilt`: its own definition is as deployed, but something upstream
 * changed.
 */
export const AssetChange = oneOf('new', 'modified', 'rebuilt', 'reused', 'removed', 'volatile')
export type AssetChange = Shape<typeof AssetChange>

/**
 * The outcome of an asset in a run. `unchanged`: verified, and what was live stays. `taken_over`: it shows another
 * build than before, which another environment or an earlier run had made. `kept`: not part of the
 * run; its live build stays in the map (only in the history, never in a report).
 */
export const AssetOutcome = oneOf(
  'built',
  'taken_over',
  'unchanged',
  'kept',
  'failed',
  'skipped',
  'test_failed',
)
export type AssetOutcome = Shape<typeof AssetOutcome>

/** `server/language/materialize` defines each of them. */
export const Materialize = oneOf('table', 'view', 'ephemeral')
export type Materialize = Shape<typeof Materialize>

export const Severity = oneOf('error', 'warn')
export const TestStatus = oneOf('pass', 'fail')

/** An error that ends something, as every program is told it. */
export const errorProperties = {
  code: text,
  message: text,
  hint: nullable(text),
  asset: nullable(text),
  place: nullable(place),
  /** What the message tells in words, as values; absent if nothing. */
  facts: optional(mapOf(anything)),
}

/** What an asset is to its target: the difference between production and what the target acknowledged. */
export const publishDifference = {
  inserts: count,
  updates: count,
  deletes: count,
  unchanged: count,
  /** Rows that have no key, or one that another row has too: they are not sent. */
  invalid: count,
}

/** What a metric of the glossary has besides the names. */
export const metricProperties = {
  sql_definition: nullable(text),
  time_grain: nullable(text),
  source_assets: list(text),
  owner: nullable(text),
}

/** What a link says that a column is to its term. */
export const linkRole = nullable(oneOf('primary_key', 'foreign_key', 'attribute'))

export const TypedColumn = object({ name: text, type: nullable(text) })

const Position = object({ line: count, column: count })

/** A change that fixes the problem; all its edits belong together. */
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
  /**
   * The value in the engine's text form, null for NULL; absent if the row does not check this column or is
   * not expected.
   */
  expected: optional(nullable(text)),
  /** Absent if there is no such row. */
  actual: optional(nullable(text)),
  same: flag,
})

/** The difference between the actual and the expected rows of a unit test. */
const UnitDiff = object({
  /**
   * The expected columns, in the order of their first mention; all actual columns if no rows are expected.
   */
  columns: list(text),
  /** Rows in the order of `expect`, then the additional actual rows; a long list is cut. */
  rows: list(
    object({
      kind: oneOf('changed', 'missing', 'unexpected'),
      /** The position in `expect`, from 0; absent for additional rows. */
      row: optional(count),
      /** One cell for each of the diff's columns. */
      cells: list(UnitDiffCell),
    }),
  ),
  /** The number of differing rows that are not listed. */
  more: count,
  /** The numbers of rows. */
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
  /** The number of failing rows or groups, or the value that missed its bound, by kind. */
  failures: count,
  message: nullable(text),
  /** Some of the failing rows, with personal data masked. */
  sample: list(mapOf(anything)),
}

/**
 * One statement computes many tests, and what each of them took is not known: their time is that of the
 * statement, and `tests` is the number of tests that shared it. Absent for a test with a time of its own.
 */
export const SharedScan = object({ tests: count })
export type SharedScan = Shape<typeof SharedScan>

/** The result of one test in an event; the member for seconds has the engine's name. */
export const TestResult = object({
  ...verdict,
  /** The difference, for a unit test whose rows are not as expected. */
  diff: optional(UnitDiff),
  seconds: number,
  scan: optional(SharedScan),
  /** False if the last result was reused, because neither the test nor its inputs changed. */
  ran: flag,
  /** When a unit test ran whose last result was reused, if that is known. */
  ran_at: optional(time),
  place,
})
export type TestResult = Shape<typeof TestResult>

/** The result of one test in a report (interface.md 2.14). */
export const ReportedTest = object({
  /** Stable as long as asset and test keep their names. */
  id: text,
  ...verdict,
  diff: nullable(UnitDiff),
  execution_time: number,
  scan: nullable(SharedScan),
  ran: flag,
  place,
})
export type ReportedTest = Shape<typeof ReportedTest>

export const TestSummary = object({ total: count, passed: count, failed: count })
export type TestSummary = Shape<typeof TestSummary>

export const driftProperties = {
  kind: oneOf('added', 'vanished', 'retyped'),
  /** The child table; absent for the table of `{{ source }}`. */
  child: optional(nullable(text)),
  /** Absent if the change is about the whole child table. */
  column: optional(nullable(text)),
  from: optional(nullable(text)),
  to: optional(nullable(text)),
  /**
   * For a change between the pages of one fetch: the first page that differs. Absent for a change since the
   * last load.
   */
  page: optional(count),
  /** Whether the contract declares the new type, which not every value of the old one fits; absent if not. */
  declared: optional(flag),
}
export const DriftChange = object(driftProperties)
export type DriftChange = Shape<typeof DriftChange>

/** By what a user says that the rows of a source have changed, so that they are not read for that. */
export const ChangesTold = object({ by: oneOf('never', 'column'), column: optional(text) })

/** The data that a contract excludes from a load. */
export const rejectCounts = {
  /** Records that were left out as a whole, with their child rows. */
  rows: count,
  /** Values that were left out, of columns that are loaded. */
  values: count,
  /** New columns that were left out: `name`, or `child.name` for a child table. */
  columns: list(text),
  /** New child tables that were left out. */
  tables: list(text),
  /** The source was rejected as a whole: none of its data was loaded. */
  refused: flag,
}

/** How text files of a source are written. Its keys are those of `ingest.options`, where there is such an option. */
export const FileLayout = object({
  encoding: text,
  /** Empty for a single column. */
  delimiter: text,
  /** Null where no value stands in quotes. */
  quote: nullable(text),
  /** Null where a second quote is before a quote. */
  escape: nullable(text),
  /** Empty for none. */
  comment: text,
  header: flag,
  skip: count,
  line_ends: nullable(oneOf('lf', 'crlf', 'cr', 'mixed')),
  /** Whether `schemas.lock.json` agrees to it. */
  locked: flag,
  /** The first files on this disk that are written so; none for those elsewhere. */
  files: object({ count, first: list(text) }),
})

/** The names of the tests that svc adds to assets by itself, from what policies and `deploy.k_anonymity` ask for. */
export const privacyTests = ['k_anonymity', 'privacy-scan'] as const
