/** The events of `--log-format json`: one of these objects a line. */
import type { RunEvent } from '../../engine/run/events.ts'
import {
  anything,
  count,
  document,
  flag,
  type JsonSchema,
  list,
  mapOf,
  nullable,
  number,
  object,
  oneOf,
  place,
  severity,
  testStatus,
  text,
  time,
} from './schema.ts'

const kind = oneOf('run', 'preview', 'promote', 'rollback')

/** The result of a test as an event carries it: seconds under the name that the engine gives them. */
const result = object({
  asset: text,
  name: text,
  kind: text,
  column: nullable(text),
  severity,
  status: testStatus,
  failures: count,
  message: nullable(text),
  sample: list(mapOf(anything)),
  seconds: number,
  ran: flag,
  place,
})

interface EventShape {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly optional?: readonly string[]
}

/** Every type of event that there is: the compiler asks for a new one's shape. */
const shapes: Readonly<Record<RunEvent['type'], EventShape>> = {
  'run-started': {
    properties: {
      run_id: text,
      kind,
      environment: text,
      assets: count,
      to_fetch: count,
      to_build: count,
      at: time,
    },
  },
  recovered: { properties: { run_id: text, stopped_at: text, detail: text } },
  waiting: { properties: { reason: text } },
  'fetch-started': { properties: { asset: text } },
  'fetch-progress': {
    properties: { asset: text, rows: count, bytes: count, pages: count, note: nullable(text) },
    optional: ['note'],
  },
  'fetch-finished': {
    properties: { asset: text, rows: count, bytes: count, seconds: number, unchanged: flag },
  },
  'build-started': { properties: { asset: text } },
  'build-finished': {
    properties: {
      asset: text,
      rows: nullable(count),
      seconds: number,
      materialize: oneOf('table', 'view', 'ephemeral'),
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
  'tests-finished': {
    properties: { passed: count, failed: count, warned: count, unchanged: count, seconds: number },
  },
  promoted: { properties: { views: count, dropped: count, generation: count, seconds: number } },
  collected: { properties: { relations: count, schemas: count } },
  'run-finished': {
    properties: {
      run_id: text,
      status: oneOf('running', 'deployed', 'Failed'),
      promoted: flag,
      seconds: number,
      at: time,
    },
  },
}

export const eventSchema = document('svc run --log-format json: one line', {
  anyOf: Object.entries(shapes).map(([type, { properties, optional }]) =>
    object({ type: oneOf(type), ...properties }, optional),
  ),
})
