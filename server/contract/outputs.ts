/** The `--json` outputs of the commands, one schema per command. */
import { ColumnReach } from './column-path.ts'
import {
  AssetChange,
  AssetOutcome,
  ChangesTold,
  Diagnostic,
  driftProperties,
  errorProperties,
  FileLayout,
  Materialize,
  metricProperties,
  ReportedTest,
  RunKind,
  RunStatus,
  RunVerdict,
  rejectCounts,
  TestSummary,
  TypedColumn,
} from './parts.ts'
import {
  anyOf,
  anything,
  count,
  document,
  flag,
  hash,
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
import { Warning } from './warnings.ts'

/** What somebody did to relations of svc; absent if nothing. */
const repairs = optional(list(object({ asset: text, relation: text, replaced: flag })))

export const notifyTestSchema = document(
  'svc notify test --json',
  object({
    environment: text,
    notifiers: list(
      object({
        notifier: text,
        type: oneOf('webhook', 'slack', 'teams', 'email'),
        /** Null if it was sent. */
        problem: nullable(text),
      }),
    ),
  }),
)

export const discoverSchema = document(
  'svc discover --json',
  object({
    assets: list(
      object({
        name: text,
        path: text,
        written: flag,
        text,
        columns: list(object({ name: text, from: text, type: nullable(text), pii: flag })),
        primary_key: list(text),
        /** The asset or destination whose login was taken; null if none. */
        login_of: nullable(text),
      }),
    ),
    unset_variables: list(text),
  }),
)

const keyLine = {
  name: text,
  value: text,
  required: flag,
  default: nullable(text),
  means: text,
}
const wordLine = { value: text, means: text }

export const explainSchema = document(
  'svc explain --json',
  object({
    /** The keys of files that were asked about; texts are Markdown. */
    keys: list(
      object({
        file: oneOf('asset', 'settings', 'glossary'),
        path: text,
        ...keyLine,
        /** The types (of a source, of a destination) that have the key; empty if it does not depend on one. */
        of_types: list(text),
        notes: list(text),
        values: list(object(wordLine)),
        types: list(object({ ...wordLine, notes: list(text), keys: list(object(keyLine)) })),
        keys: list(object(keyLine)),
      }),
    ),
    explanations: list(
      object({
        code: text,
        kind: oneOf('diagnostic', 'error', 'warning'),
        severity: text,
        means: text,
        fix: text,
        example: list(object({ path: text, text })),
        fixed: nullable(text),
      }),
    ),
  }),
)

export const validateSchema = document(
  'svc validate --json',
  object({
    files: list(object({ path: text, status: oneOf('PASS', 'FAIL'), diagnostics: list(Diagnostic) })),
    summary: object({ passed: count, failed: count }),
    seconds: number,
  }),
)

export const fmtSchema = document(
  'svc fmt --json',
  object({
    files: list(
      object({
        path: text,
        status: oneOf('formatted', 'unchanged', 'broken'),
        diagnostics: list(Diagnostic),
      }),
    ),
    summary: object({ formatted: count, unchanged: count, broken: count }),
    seconds: number,
  }),
)

const columnChange = object({
  kind: oneOf('added', 'removed', 'retyped'),
  column: text,
  from_type: nullable(text),
  to_type: nullable(text),
  breaks: list(object({ asset: text, column: text, place })),
  /** Of a removed or retyped column: all that has something of it, as its path is drawn. */
  reaches: optional(ColumnReach),
})

/** The asset is null if it is about none. */
const fileWarning = object({ asset: nullable(text), code: text, message: text, place: text })

const plannedAsset = object({
  name: text,
  path: text,
  change: AssetChange,
  fetches: flag,
  told: optional(ChangesTold),
  materialize: Materialize,
  definition_hash: text,
  deployed_hash: nullable(hash),
  reason: nullable(text),
  changed_keys: list(text),
  definition_changes: list(
    object({ key: text, before: anything, after: anything, inherited_from: optional(text) }),
  ),
  sql_diff: list(text),
  live_rows: nullable(count),
  live_seconds: nullable(number),
  columns: list(TypedColumn),
  column_changes: list(columnChange),
})

const stage = anyOf([
  object({ kind: oneOf('fetch'), assets: list(text) }),
  object({ kind: oneOf('build'), assets: list(text), reuse: list(text) }),
  object({ kind: oneOf('test'), tests: list(object({ asset: text, name: text, reason: optional(text) })) }),
  object({ kind: oneOf('promote'), views: list(text), drops: list(text) }),
  object({ kind: oneOf('collect') }),
])

const sourceDrift = object({
  ...driftProperties,
  columns: list(object({ asset: text, column: text })),
  readers: list(object({ asset: text, column: text, place })),
})

export const planSchema = document(
  'svc plan --json, svc run --dry-run --json',
  object({
    environment: text,
    schema: text,
    warehouse: text,
    selector: nullable(text),
    nothing_to_do: flag,
    assets: list(plannedAsset),
    stages: list(stage),
    left_behind: list(text),
    exposures: list(object({ name: text, asset: text })),
    contracts: list(
      object({
        asset: text,
        status: oneOf('kept', 'broken', 'undone'),
        detail: nullable(text),
        drift: list(sourceDrift),
      }),
    ),
    last_loads: list(object({ asset: text, run_id: text, drift: list(sourceDrift) })),
    /** What a run would refuse, because rows that loads have gathered would go; absent if nothing. */
    refusals: optional(list(object({ ...errorProperties, asset: text }))),
    repairs,
    /** What policies say without stopping a run; absent if they say nothing. */
    policy_warnings: optional(list(fileWarning)),
    /** What the files ask for that a run does not do; absent if nothing. */
    file_warnings: optional(list(fileWarning)),
    /** The marks of personal data that a run changes; absent if it changes none. */
    mark_changes: optional(
      list(
        object({
          asset: text,
          column: text,
          source: flag,
          before: nullable(flag),
          after: nullable(flag),
        }),
      ),
    ),
    /** The roles that may read a view from now on, and those that may no longer; absent if none change. */
    grant_changes: optional(list(object({ asset: text, grant: list(text), revoke: list(text) }))),
    last_deployment: nullable(object({ run_id: text, finished_at: time })),
    /** The assets of the plan whose last run failed; `because` is null if an older svc ran it. */
    last_failures: optional(
      list(object({ asset: text, run_id: text, finished_at: time, because: nullable(text) })),
    ),
  }),
)

const runAsset = object({
  name: text,
  status: AssetOutcome,
  rows: nullable(count),
  seconds: number,
  definition_hash: text,
  /** Why it failed, was skipped or is kept. */
  because: nullable(text),
  /** Of its own failure. */
  place: nullable(place),
})

const keptAsset = object({ asset: text, because: text, since: nullable(text) })

const failure = object({ ...errorProperties, exit_code: count })

const runReport = object({
  run_id: text,
  kind: RunKind,
  environment: text,
  status: RunStatus,
  verdict: RunVerdict,
  started_at: time,
  finished_at: time,
  seconds: number,
  generation: nullable(count),
  promoted_views: count,
  /** The views whose readers changed; absent if none did. */
  granted_views: optional(count),
  assets: list(runAsset),
  tests: list(ReportedTest),
  rejects: list(object({ asset: text, ...rejectCounts })),
  /** Everything that it warned of; tests that warn are among the tests. */
  warnings: list(Warning),
  left_behind: list(text),
  /** Assets that failed, or read such ones, and keep their live builds while the others were promoted. */
  kept: list(keptAsset),
  failure: nullable(failure),
})

export const runSchema = document('svc run, preview, promote and rollback --json', runReport)

/** 12 digits. */
const shortHash = nullable(text)

/** Assets whose live version would change. */
const RollbackPreview = object({
  repairs,
  assets: list(
    object({
      name: text,
      /** Null if it is not live now. */
      from: shortHash,
      /** Null if it would be removed. */
      to: shortHash,
      /** The time when the version to go back to was built. */
      deployed_at: nullable(time),
      /** Null if they were not counted. */
      rows: object({ from: nullable(count), to: nullable(count) }),
      columns: object({ added: list(text), removed: list(text) }),
      /** The keys of the definition that differ; none if it is the same one, built from other data. */
      changes: list(text),
      /** The lines of the SQL that differ, each with `-`, `+` or a space before it. */
      sql_diff: list(text),
    }),
  ),
})
export type RollbackPreview = Shape<typeof RollbackPreview>
export const rollbackPreviewSchema = document('svc rollback --dry-run --json', RollbackPreview)

export const retrySchema = document(
  'svc retry --json',
  object({ retried: nullable(text), again: list(text), report: nullable(runReport) }),
)

/** Exactly the shape in the contract (interface.md 4.4). */
export const statusSchema = document(
  'svc status --format json',
  object({ assets: list(object({ name: text, active_hash: text })) }),
)

export const versionsSchema = document(
  'svc versions --json',
  object({
    asset: text,
    environment: text,
    versions: list(
      object({
        hash: text,
        deployed_at: time,
        status: oneOf('deployed', 'Failed'),
        run_id: text,
        active: flag,
      }),
    ),
  }),
)

export const sampleSchema = document(
  'svc sample --json',
  object({
    asset: text,
    environment: text,
    source: oneOf('raw', 'model', 'view', 'query'),
    relation: nullable(text),
    cte: nullable(text),
    sample_table: nullable(text),
    columns: list(TypedColumn),
    rows: list(mapOf(anything)),
    masked: list(text),
  }),
)

export const querySchema = document(
  'svc query --json',
  object({
    environment: text,
    columns: list(TypedColumn),
    rows: list(mapOf(anything)),
    masked: list(text),
    /** Whether there are more rows than --limit. */
    more: flag,
  }),
)

export const compileSchema = document(
  'svc compile --json',
  object({ asset: text, path: text, environment: text, sql: text }),
)

export const metricSchema = document(
  'svc metric --json',
  object({
    /** All metrics; with a metric named, that one. */
    metrics: list(object({ id: text, name: text, description: text, ...metricProperties })),
    /** Null for the list. */
    result: nullable(
      object({
        environment: text,
        /** The SQL as it ran, before {{ ref() }} was replaced. */
        sql: text,
        columns: list(TypedColumn),
        rows: list(mapOf(anything)),
        masked: list(text),
      }),
    ),
  }),
)

export const freshnessSchema = document(
  'svc freshness --json',
  object({
    environment: text,
    assets: list(
      object({
        name: text,
        status: oneOf('OK', 'WARN', 'ERROR'),
        /** The clock that says it is oldest: when it was loaded, or its newest row. */
        clock: oneOf('loaded', 'newest_row'),
        /** The time of that clock. */
        last: nullable(time),
        loaded_at: nullable(time),
        newest_row: nullable(time),
        column: nullable(text),
        age_seconds: nullable(number),
        warn_after_seconds: nullable(number),
        error_after_seconds: nullable(number),
        message: nullable(text),
      }),
    ),
  }),
)

export const doctorSchema = document(
  'svc doctor --json',
  object({
    checks: list(
      object({ name: text, status: oneOf('OK', 'FAIL'), detail: text, recommendation: nullable(text) }),
    ),
    failed: count,
  }),
)

const origin = object({ asset: text, column: text, source: nullable(text) })

export const inspectSchema = document(
  'svc inspect --json',
  object({
    name: text,
    path: text,
    /** The SHA-256 of the file's bytes: the `base_sha256` of a patch. */
    sha256: hash,
    /** The file without credentials; null for a link that leads out of the project. */
    text: nullable(text),
    blocks: mapOf(anything),
    /** What the file does not say and `defaults` in `svc.yaml` do. */
    inherited: optional(mapOf(anything)),
    schema: object({ columns: list(TypedColumn), complete: flag }),
    /** How the text files of the source are written. */
    layouts: optional(list(FileLayout)),
    lineage: object({
      upstream: list(text),
      downstream: list(text),
      columns: list(object({ column: text, kind: oneOf('direct', 'derived'), from: list(origin) })),
    }),
    tests: list(mapOf(anything)),
    diagnostics: list(Diagnostic),
  }),
)

export const lsSchema = document(
  'svc ls --json',
  object({
    selector: nullable(text),
    assets: list(
      object({
        name: text,
        path: text,
        kind: oneOf('source', 'model'),
        ingest: text,
        materialize: Materialize,
        description: nullable(text),
        owner: nullable(text),
        tags: list(text),
        upstream: list(text),
        downstream: list(text),
      }),
    ),
  }),
)

export const testSchema = document(
  'svc test --json',
  object({
    environment: text,
    run_id: nullable(text),
    tests: list(ReportedTest),
    summary: TestSummary,
    seconds: number,
  }),
)

export const errorSchema = document(
  'What any command prints on stdout with --json when it stops',
  object({ error: object(errorProperties) }),
)
