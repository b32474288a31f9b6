/**
 * The events of a run, in the order in which they happen. Renderers turn them into terminal lines, plain
 * lines or NDJSON (`--log-format json`); logs store them, and the dashboard streams them.
 */
import type { TProperties } from '@sinclair/typebox'
import {
  AssetChange,
  Cause,
  ChangesTold,
  DriftChange,
  errorProperties,
  Materialize,
  publishDifference,
  RunKind,
  RunStatus,
  RunVerdict,
  rejectCounts,
  TestResult,
} from './parts.ts'
import {
  anyOf,
  anything,
  count,
  document,
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
import { warningProperties } from './warnings.ts'

const RunStage = oneOf('fetch', 'build', 'test', 'promote', 'collect')
export type RunStage = Shape<typeof RunStage>

/** `all` is null if it is not known any more. */
const Complete = object({ complete: count, all: nullable(count) })

const TestCounts = object({
  passed: count,
  failed: count,
  warned: count,
  unchanged: count,
  seconds: number,
})

const events = {
  'run-started': object({
    kind: RunKind,
    environment: text,
    /** The git branch of `dev`, which has an environment of its own. */
    branch: optional(text),
    /** The selector as it was given; null for all assets. */
    selector: nullable(text),
    assets: count,
    to_fetch: count,
    to_build: count,
    // Only in the log of a run.
    pid: optional(count),
    host: optional(text),
    process_start: optional(text),
  }),
  /** A run starts one of its stages; `items` counts the sources, assets, tests or views in it. */
  stage: object({ stage: RunStage, items: count }),
  /**
   * The assets that are to be built, as far as known, parents first, each with the assets of this run that it
   * waits for (none if it can start). Sent again once the sources are fetched; the last event counts.
   */
  pending: object({ assets: list(object({ asset: text, after: list(text) })) }),
  /** The run found that the process of an earlier run had died. */
  recovered: object({
    stopped_run_id: text,
    kind: oneOf('run', 'preview', 'promote', 'rollback', 'publish', 'gc'),
    environment: text,
    stopped_at: text,
    /** The time since its last heartbeat. */
    seconds_ago: number,
    production: oneOf('as-before', 'promoted'),
    /** The sources that a retry takes as they were fetched; a run fetches every source again. */
    sources: Complete,
    /** The number of sources whose fetch broke off, which the next run goes on with. */
    begun: count,
    builds: Complete,
    /** The run that continues the interrupted work. */
    next: oneOf('now', 'next-run', 'nothing'),
  }),
  waiting: object({ reason: text }),
  'fetch-started': object({ asset: text }),
  'fetch-progress': object({
    asset: text,
    rows: count,
    bytes: count,
    pages: count,
    note: optional(nullable(text)),
  }),
  /** `told`: its rows were not read, because `ingest.changed_by` says what tells a change. */
  'fetch-finished': object({
    asset: text,
    rows: count,
    bytes: count,
    seconds: number,
    unchanged: flag,
    told: optional(ChangesTold),
  }),
  /**
   * The tables, columns or types of a source differ from those at its last load, or from those on earlier
   * pages.
   */
  'source-drift': object({ asset: text, between: oneOf('loads', 'pages'), changes: list(DriftChange) }),
  /** Something is not as expected, and nothing forbids it. */
  warning: object(warningProperties),
  'records-rejected': object({ asset: text, ...rejectCounts }),
  /** Records that an earlier load had to leave out are loaded now. */
  'records-replayed': object({ asset: text, records: count }),
  /** Somebody has dropped, or `replaced`, the table, view or load of a live build; the run makes it again. */
  'relation-gone': object({ asset: text, relation: text, replaced: optional(flag) }),
  /** The fetched records are in the warehouse, as the raw tables of the asset. */
  'load-finished': object({ asset: text, rows: nullable(count), seconds: number }),
  'build-started': object({ asset: text }),
  'build-finished': object({
    asset: text,
    rows: nullable(count),
    seconds: number,
    materialize: Materialize,
  }),
  /** `made_by`: the run that made the build, where another one, or none, was live in this environment before. */
  'asset-reused': object({ asset: text, made_by: optional(text), rows: optional(nullable(count)) }),
  'asset-failed': object({
    asset: text,
    code: text,
    message: text,
    hint: optional(nullable(text)),
    place: optional(nullable(place)),
    /** How many errors its file has; absent where it failed for another reason. */
    problems: optional(count),
    seconds: number,
  }),
  'asset-skipped': object({ asset: text, because: text }),
  /** It failed or reads what failed, and stays as it is live, while the others are promoted; since: null if nothing is live. */
  'asset-kept': object({ asset: text, because: text, since: nullable(text) }),
  'test-finished': object({ result: TestResult }),
  /**
   * The unit tests of the run's assets, before anything is fetched. A failure with severity `error` fails its
   * asset.
   */
  'unit-tests-finished': TestCounts,
  'tests-finished': TestCounts,
  /** `granted`: views whose readers changed. */
  promoted: object({
    views: count,
    dropped: count,
    granted: optional(count),
    generation: count,
    seconds: number,
  }),
  /** What a publish is about to send: the difference between production and what the target acknowledged. */
  'publish-planned': object({ asset: text, target: text, ...publishDifference }),
  /** An earlier publish had stopped: its rows in doubt are planned anew with all others. */
  'publish-resumed': object({
    asset: text,
    target: text,
    stopped_run_id: text,
    acknowledged: count,
    in_doubt: count,
  }),
  'publish-progress': object({ asset: text, target: text, sent: count, refused: count, all: count }),
  /** A target asks for patience, or something about it is not as expected. */
  'publish-noted': object({ asset: text, target: text, message: text }),
  'publish-finished': object({
    asset: text,
    target: text,
    ...publishDifference,
    refused: count,
    seconds: number,
  }),
  collected: object({ relations: count, schemas: count }),
  'run-finished': object({
    kind: RunKind,
    environment: text,
    selector: nullable(text),
    status: RunStatus,
    promoted: flag,
    /** Absent in logs of an older svc. */
    verdict: optional(RunVerdict),
    /** How many warnings it had, with the tests that warn. */
    warnings: optional(count),
    /** The first of all that failed, in the order of the run; absent if nothing did. */
    causes: optional(list(Cause)),
    /** How many more there are. */
    more_causes: optional(count),
    /** The first failure. */
    failure: nullable(
      object({
        code: text,
        message: text,
        hint: optional(text),
        asset: nullable(text),
        place: nullable(place),
      }),
    ),
    seconds: number,
  }),
  // The next three events appear only with `--debug` and in the log.
  statement: object({ sql: text, seconds: number, rows: optional(count), failed: flag }),
  /** An HTTP request, its address without credentials; no status if there was no response. */
  request: object({
    asset: text,
    method: text,
    url: text,
    status: optional(count),
    seconds: number,
    error: optional(text),
  }),
  /** The planned change of an asset, and the reason for it. */
  decision: object({ asset: text, change: AssetChange, because: text }),
}

/**
 * The time of an event and its run: the first and the last event of a run contain these themselves, the
 * others get them here.
 */
interface Stamp {
  readonly run_id: string
  readonly at: string
}

type Ends = 'run-started' | 'run-finished'

export type RunEvent = {
  [T in keyof typeof events]: { readonly type: T } & Shape<(typeof events)[T]> &
    (T extends Ends ? Stamp : unknown)
}[keyof typeof events]

export type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { readonly type: T }>

export type PendingAsset = EventOf<'pending'>['assets'][number]

/** Events of the command line alone: the error that ends a command, and the plan of a dry run. */
const others = {
  error: object(errorProperties),
  plan: object({ plan: mapOf(anything) }),
}

function lineOf([type, { properties }]: readonly [string, { readonly properties: TProperties }]) {
  return object({ at: time, run_id: nullable(text), type: oneOf(type), ...properties })
}

export const eventSchema = document(
  'svc run --log-format json: one line',
  anyOf(Object.entries({ ...events, ...others }).map(lineOf)),
)
