/**
 * The answers of the dashboard's HTTP API (interface.md 4.3, 2.15; decisions 6), besides the catalogue and
 * the glossary.
 */
import { ColumnPath } from './column-path.ts'
import { HistoryRun, TestMoments } from './files.ts'
import { Cause, RunEnding, RunKind, RunVerdict, Severity, SharedScan, TestStatus } from './parts.ts'
import {
  always,
  anyOf,
  count,
  document,
  flag,
  fraction,
  integer,
  list,
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

/** 0 if there is no result. */
const passRate = fraction

const QualityTest = object({
  name: text,
  status: TestStatus,
  execution_time: number,
  scan: optional(SharedScan),
  kind: text,
  column: nullable(text),
  severity: Severity,
  message: nullable(text),
  history: TestMoments,
})
export type QualityTest = Shape<typeof QualityTest>

const QualityFile = object({
  overall: object({ total_tests: count, passed: count, failed: count, pass_rate: passRate }),
  assets: list(
    object({
      name: text,
      tests: list(QualityTest),
      /** Null if it never ran. */
      last_run: nullable(time),
      summary: object({ total: count, passed: count, failed: count, pass_rate: passRate }),
    }),
  ),
})
export type QualityFile = Shape<typeof QualityFile>
export const qualitySchema = document('/api/quality.json of svc ui', QualityFile)

/** A run that the dashboard has started or follows. */
const RunFacts = object({
  run: text,
  kind: RunKind,
  selector: nullable(text),
  started_at: time,
  running: flag,
  /** The starter of the run: a dashboard can cancel only the runs that it started. */
  origin: oneOf('dashboard', 'elsewhere'),
  /** The process id, if it is known. */
  pid: nullable(count),
})
export type RunFacts = Shape<typeof RunFacts>

/** A file of the project that differs from what the catalogue was made of. */
const ChangedFile = object({ path: text, change: oneOf('edited', 'added', 'deleted') })
export type ChangedFile = Shape<typeof ChangedFile>

export const dashboardSchema = document(
  '/api/dashboard.json of svc ui',
  object({
    project: text,
    environment: text,
    read_only: flag,
    has_run: flag,
    /** Whether any file has changed. */
    stale: flag,
    changed: list(ChangedFile),
    run: nullable(RunFacts),
  }),
)

const ProjectProblems = object({
  /** The time of the check; null if the files have not been checked yet. */
  checked_at: nullable(time),
  /** Why the files could not be checked. */
  failure: nullable(text),
  problems: list(
    object({
      code: text,
      severity: oneOf('error', 'warning', 'information', 'hint'),
      message: text,
      hint: nullable(text),
      path: text,
      line: count,
      column: count,
    }),
  ),
})
export type ProjectProblems = Shape<typeof ProjectProblems>
export const problemsSchema = document('/api/problems.json of svc ui', ProjectProblems)

const AttemptedRun = object({
  ...HistoryRun.properties,
  ending: RunEnding,
  verdict: RunVerdict,
  /** How many warnings it had, with the tests that warn. */
  warned: count,
  /** All that failed, as far as it is known; the first of thousands. */
  causes: list(Cause),
  more_causes: count,
  /** Whether its lines can be shown. */
  has_log: flag,
  /** The asset of the first failure, as the log names it. */
  failed_asset: nullable(text),
  /** What to do about the first failure, and its place, as far as they are known. */
  hint: optional(text),
  place: optional(place),
})
export type AttemptedRun = Shape<typeof AttemptedRun>

/** Every run that was asked for, newest first, also those that were killed or refused. */
const AttemptedRuns = object({ version: always(1), environment: text, runs: list(AttemptedRun) })
export type AttemptedRuns = Shape<typeof AttemptedRuns>
export const attemptedRunsSchema = document('/api/history.json of svc ui', AttemptedRuns)

export const columnPathSchema = document(
  '/api/column-path.json?asset=<name>&column=<name> of svc ui',
  ColumnPath,
)

const AssetMark = oneOf('waiting', 'running', 'done', 'reused', 'failed', 'skipped')
export type AssetMark = Shape<typeof AssetMark>

/** One line or event of a run, in order. */
const StreamFact = anyOf([
  object({ type: always('log'), line: text, asset: nullable(text) }),
  object({
    type: always('status'),
    asset: text,
    status: AssetMark,
    rows: nullable(count),
    seconds: nullable(number),
  }),
  /** A data test has finished. */
  object({
    type: always('test'),
    asset: text,
    test: text,
    kind: text,
    column: nullable(text),
    status: TestStatus,
    severity: Severity,
    seconds: number,
    scan: optional(SharedScan),
    message: nullable(text),
  }),
  object({
    type: always('end'),
    /** `killed`: the process ended without a word. */
    status: oneOf('deployed', 'Failed', 'cancelled', 'killed'),
    verdict: RunVerdict,
    warned: count,
    /** Null if the process gave none, or its exit code is not known here. */
    exit_code: nullable(integer),
    /** Null if it is not known. */
    seconds: nullable(number),
    /** Why it did not deploy, if that is known. */
    reason: nullable(text),
  }),
])
export type StreamFact = Shape<typeof StreamFact>
/** The `data` of one event of `/api/stream/run`; its `id` is `<run>:<number>`. */
export const streamEventSchema = document('an event of /api/stream/run of svc ui', StreamFact)
