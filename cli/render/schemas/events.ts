/** The events of `--log-format json`: one of these objects a line. */
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

function event(
  type: string,
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  return object({ type: oneOf(type), ...properties }, optional)
}

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

export const eventSchema = document('svc run --log-format json: one line', {
  anyOf: [
    event('run-started', {
      run_id: text,
      kind,
      environment: text,
      assets: count,
      to_fetch: count,
      to_build: count,
      at: time,
    }),
    event('recovered', { run_id: text, stopped_at: text, detail: text }),
    event('waiting', { reason: text }),
    event('fetch-started', { asset: text }),
    event('fetch-progress', { asset: text, rows: count, bytes: count, pages: count, note: nullable(text) }, [
      'note',
    ]),
    event('fetch-finished', { asset: text, rows: count, bytes: count, seconds: number, unchanged: flag }),
    event('build-started', { asset: text }),
    event('build-finished', {
      asset: text,
      rows: nullable(count),
      seconds: number,
      materialize: oneOf('table', 'view', 'ephemeral'),
    }),
    event('asset-reused', { asset: text }),
    event(
      'asset-failed',
      {
        asset: text,
        code: text,
        message: text,
        hint: nullable(text),
        place: nullable(place),
        seconds: number,
      },
      ['hint', 'place'],
    ),
    event('asset-skipped', { asset: text, because: text }),
    event('test-finished', { result }),
    event('tests-finished', {
      passed: count,
      failed: count,
      warned: count,
      unchanged: count,
      seconds: number,
    }),
    event('promoted', { views: count, dropped: count, generation: count, seconds: number }),
    event('collected', { relations: count, schemas: count }),
    event('run-finished', {
      run_id: text,
      status: oneOf('running', 'deployed', 'Failed'),
      promoted: flag,
      seconds: number,
      at: time,
    }),
  ],
})
