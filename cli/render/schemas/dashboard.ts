/** What the dashboard answers over HTTP (interface.md 4.3, 2.15; decisions 6), beside the catalogue and the glossary. */
import {
  count,
  document,
  flag,
  hash,
  list,
  nullable,
  number,
  object,
  oneOf,
  severity,
  testStatus,
  text,
  time,
} from './schema.ts'

const passRate = { type: 'number', minimum: 0, maximum: 1 }

const qualityTest = object({
  name: text,
  status: testStatus,
  execution_time: number,
  kind: text,
  column: nullable(text),
  severity,
  message: nullable(text),
  history: list(object({ at: time, status: testStatus, execution_time: number })),
})

export const qualitySchema = document(
  '/api/quality.json of svc ui',
  object({
    overall: object({ total_tests: count, passed: count, failed: count, pass_rate: passRate }),
    assets: list(
      object({
        name: text,
        tests: list(qualityTest),
        last_run: nullable(time),
        summary: object({ total: count, passed: count, failed: count, pass_rate: passRate }),
      }),
    ),
  }),
)

export const historySchema = document(
  '/api/history.json of svc ui, .svc/<environment>/history.json',
  object({
    version: { const: 1 },
    environment: text,
    runs: list(
      object({
        run_id: text,
        kind: oneOf('run', 'preview', 'promote', 'rollback'),
        status: oneOf('running', 'deployed', 'Failed'),
        selector: nullable(text),
        started_at: time,
        finished_at: nullable(time),
        generation: nullable(count),
        error: nullable(text),
        unchanged: count,
        assets: list(
          object({ name: text, status: text, rows: nullable(count), seconds: number, definition_hash: hash }),
        ),
      }),
    ),
  }),
)

const startedRun = object({
  run: text,
  kind: oneOf('run', 'preview', 'promote', 'rollback'),
  selector: nullable(text),
  started_at: time,
  running: flag,
  origin: oneOf('dashboard', 'elsewhere'),
  pid: nullable(count),
})

export const dashboardSchema = document(
  '/api/dashboard.json of svc ui',
  object({
    project: text,
    environment: text,
    read_only: flag,
    has_run: flag,
    stale: flag,
    run: nullable(startedRun),
  }),
)

const columnName = { asset: text, column: text }

export const columnPathSchema = document(
  '/api/column-path.json?asset=<name>&column=<name> of svc ui',
  object({
    columns: list(object({ ...columnName, pii: flag })),
    edges: list(object({ from: object(columnName), to: object(columnName) })),
  }),
)

/** The `data` of one event of `/api/stream/run`; its `id` is `<run>:<number>`. */
export const streamEventSchema = document('an event of /api/stream/run of svc ui', {
  anyOf: [
    object({ type: { const: 'log' }, line: text, asset: nullable(text) }),
    object({
      type: { const: 'status' },
      asset: text,
      status: oneOf('waiting', 'running', 'done', 'reused', 'failed', 'skipped'),
      rows: nullable(count),
      seconds: nullable(number),
    }),
    object({
      type: { const: 'test' },
      asset: text,
      test: text,
      kind: text,
      column: nullable(text),
      status: testStatus,
      severity,
      seconds: number,
      message: nullable(text),
    }),
    object({
      type: { const: 'end' },
      status: oneOf('deployed', 'Failed', 'cancelled'),
      exit_code: { type: 'integer' },
      seconds: number,
    }),
  ],
})
