/** The events of `--log-format json`: one of these objects a line. */
import { materializeKinds } from '@svc/server/language'
import type { RunEvent } from '../../engine/run/events.ts'
import {
  anything,
  count,
  document,
  driftChange,
  flag,
  type JsonSchema,
  list,
  mapOf,
  nullable,
  number,
  object,
  oneOf,
  place,
  rejectCounts,
  severity,
  testStatus,
  text,
  time,
  unitDiff,
} from './schema.ts'

const kind = oneOf('run', 'preview', 'promote', 'rollback')

/** The result of a test as an event carries it: seconds under the name that the engine gives them. */
const result = object(
  {
    asset: text,
    name: text,
    kind: text,
    column: nullable(text),
    severity,
    status: testStatus,
    failures: count,
    message: nullable(text),
    sample: list(mapOf(anything)),
    diff: unitDiff,
    seconds: number,
    ran: flag,
    place,
  },
  ['diff'],
)

interface EventShape {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly optional?: readonly string[]
}

/** Every type of event that there is: the compiler asks for a new one's shape. */
const shapes: Readonly<Record<RunEvent['type'], EventShape>> = {
  'run-started': {
    properties: {
      kind,
      environment: text,
      selector: nullable(text),
      assets: count,
      to_fetch: count,
      to_build: count,
      // In the log of a run alone.
      pid: count,
      host: text,
    },
    optional: ['pid', 'host'],
  },
  stage: {
    properties: { stage: oneOf('fetch', 'build', 'test', 'promote', 'collect'), items: count },
  },
  pending: { properties: { assets: list(object({ asset: text, after: list(text) })) } },
  recovered: {
    properties: {
      stopped_run_id: text,
      kind: oneOf('run', 'preview', 'promote', 'rollback', 'gc'),
      environment: text,
      stopped_at: text,
      seconds_ago: number,
      production: oneOf('as-before', 'promoted'),
      sources: object({ complete: count, all: nullable(count) }),
      builds: object({ complete: count, all: nullable(count) }),
      next: oneOf('now', 'next-run', 'nothing'),
    },
  },
  waiting: { properties: { reason: text } },
  'fetch-started': { properties: { asset: text } },
  'fetch-progress': {
    properties: { asset: text, rows: count, bytes: count, pages: count, note: nullable(text) },
    optional: ['note'],
  },
  'fetch-finished': {
    properties: { asset: text, rows: count, bytes: count, seconds: number, unchanged: flag },
  },
  'source-drift': {
    properties: { asset: text, between: oneOf('loads', 'pages'), changes: list(driftChange) },
  },
  'records-rejected': { properties: { asset: text, ...rejectCounts } },
  'records-replayed': { properties: { asset: text, records: count } },
  'build-started': { properties: { asset: text } },
  'build-finished': {
    properties: {
      asset: text,
      rows: nullable(count),
      seconds: number,
      materialize: oneOf(...materializeKinds),
    },
  },
  'asset-reused': { properties: { asset: text } },
  'asset-failed': {
    properties: {
      asset: text,
      code: text,
      message: text,
      hint: nullable(text),
      place: nullable(place),
      seconds: number,
    },
    optional: ['hint', 'place'],
  },
  'asset-skipped': { properties: { asset: text, because: text } },
  'test-finished': { properties: { result } },
  'unit-tests-finished': {
    properties: { passed: count, warned: count, unchanged: count, seconds: number },
  },
  'tests-finished': {
    properties: { passed: count, failed: count, warned: count, unchanged: count, seconds: number },
  },
  promoted: { properties: { views: count, dropped: count, generation: count, seconds: number } },
  collected: { properties: { relations: count, schemas: count } },
  'run-finished': {
    properties: {
      kind,
      environment: text,
      selector: nullable(text),
      status: oneOf('running', 'deployed', 'Failed'),
      promoted: flag,
      failure: nullable(object({ code: text, message: text, asset: nullable(text), place: nullable(place) })),
      seconds: number,
    },
  },
  statement: {
    properties: { sql: text, seconds: number, rows: count, failed: flag },
    optional: ['rows'],
  },
  request: {
    properties: { asset: text, method: text, url: text, status: count, seconds: number, error: text },
    optional: ['status', 'error'],
  },
  decision: {
    properties: {
      asset: text,
      change: oneOf('new', 'modified', 'rebuilt', 'reused', 'removed', 'volatile'),
      because: text,
    },
  },
}

/** What only the command line says: why it cannot go on, and the plan of a dry run. */
const others: Readonly<Record<string, EventShape>> = {
  error: {
    properties: {
      code: text,
      message: text,
      hint: nullable(text),
      asset: nullable(text),
      place: nullable(place),
    },
  },
  plan: { properties: { plan: mapOf(anything) } },
}

const envelope = { at: time, run_id: nullable(text) }

export const eventSchema = document('svc run --log-format json: one line', {
  anyOf: Object.entries({ ...shapes, ...others }).map(([type, { properties, optional }]) =>
    object({ ...envelope, type: oneOf(type), ...properties }, optional),
  ),
})
