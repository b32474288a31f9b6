/**
 * What a run says while it works: whole facts, in the order in which they happen. Renderers turn them into terminal
 * lines, plain lines or NDJSON (`--log-format json`, one a line); logs keep them, and the dashboard streams them.
 */
import type { TProperties } from '@sinclair/typebox'
import {
  AssetChange,
  DriftChange,
  Materialize,
  RunKind,
  RunStatus,
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

const RunStage = oneOf('fetch', 'build', 'test', 'promote', 'collect')
export type RunStage = Shape<typeof RunStage>

/** `all` null: not known any more. */
const Complete = object({ complete: count, all: nullable(count) })

const events = {
  'run-started': object({
    kind: RunKind,
    environment: text,
    /** As it was asked for; null: all assets. */
    selector: nullable(text),
    assets: count,
    to_fetch: count,
    to_build: count,
    // In the log of a run alone.
    pid: optional(count),
    host: optional(text),
  }),
  /** A run begins one of its stages, with this many sources, assets, tests or views before it. */
  stage: object({ stage: RunStage, items: count }),
  /**
   * What is to be built, as far as is known by now, parents first, each with the assets of this run that it waits for
   * (none: it can begin). Told again once the sources are fetched; the last one counts.
   */
  pending: object({ assets: list(object({ asset: text, after: list(text) })) }),
  /** The process of an earlier run died. */
  recovered: object({
    stopped_run_id: text,
    kind: oneOf('run', 'preview', 'promote', 'rollback', 'gc'),
    environment: text,
    stopped_at: text,
    /** Since its last sign of life. */
    seconds_ago: number,
    production: oneOf('as-before', 'promoted'),
    sources: Complete,
    builds: Complete,
    /** Who goes on from it. */
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
  'fetch-finished': object({ asset: text, rows: count, bytes: count, seconds: number, unchanged: flag }),
  /** The source has other tables, columns or types than at its last load, or on one page than on those before. */
  'source-drift': object({ asset: text, between: oneOf('loads', 'pages'), changes: list(DriftChange) }),
  'records-rejected': object({ asset: text, ...rejectCounts }),
  /** Records that an earlier load had to leave out are live now. */
  'records-replayed': object({ asset: text, records: count }),
  'build-started': object({ asset: text }),
  'build-finished': object({
    asset: text,
    rows: nullable(count),
    seconds: number,
    materialize: Materialize,
  }),
  'asset-reused': object({ asset: text }),
  'asset-failed': object({
    asset: text,
    code: text,
    message: text,
    hint: optional(nullable(text)),
    place: optional(nullable(place)),
    seconds: number,
  }),
  'asset-skipped': object({ asset: text, because: text }),
  'test-finished': object({ result: TestResult }),
  /** Those of the run's assets, before anything is fetched; one of severity `error` that fails lets no run begin. */
  'unit-tests-finished': object({ passed: count, warned: count, unchanged: count, seconds: number }),
  'tests-finished': object({
    passed: count,
    failed: count,
    warned: count,
    unchanged: count,
    seconds: number,
  }),
  promoted: object({ views: count, dropped: count, generation: count, seconds: number }),
  collected: object({ relations: count, schemas: count }),
  'run-finished': object({
    kind: RunKind,
    environment: text,
    selector: nullable(text),
    status: RunStatus,
    promoted: flag,
    /** The first one. */
    failure: nullable(object({ code: text, message: text, asset: nullable(text), place: nullable(place) })),
    seconds: number,
  }),
  // These three are said on `--debug` and in the log only.
  statement: object({ sql: text, seconds: number, rows: optional(count), failed: flag }),
  /** An address without credentials; no status: no answer came. */
  request: object({
    asset: text,
    method: text,
    url: text,
    status: optional(count),
    seconds: number,
    error: optional(text),
  }),
  /** What the plan of the run means to do with an asset, and why. */
  decision: object({ asset: text, change: AssetChange, because: text }),
}

/** When an event was said, and by which run: the two ends of a run bring it along, others are told in between. */
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

/** What only the command line says: why it cannot go on, and the plan of a dry run. */
const others = {
  error: object({
    code: text,
    message: text,
    hint: nullable(text),
    asset: nullable(text),
    place: nullable(place),
  }),
  plan: object({ plan: mapOf(anything) }),
}

function lineOf([type, { properties }]: readonly [string, { readonly properties: TProperties }]) {
  return object({ at: time, run_id: nullable(text), type: oneOf(type), ...properties })
}

export const eventSchema = document(
  'svc run --log-format json: one line',
  anyOf(Object.entries({ ...events, ...others }).map(lineOf)),
)
