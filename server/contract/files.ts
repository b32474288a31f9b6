/** The files that runs, `svc manifest` and the glossary's commands write, and that other programs read (decisions 4). */
import {
  linkRole,
  metricProperties,
  RunKind,
  RunStatus,
  RunVerdict,
  Severity,
  SharedScan,
  TestStatus,
  TestSummary,
} from './parts.ts'
import {
  always,
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

const ProjectEntry = object({ id: text, name: text, warehouse: text, default_schema: text })
export type ProjectEntry = Shape<typeof ProjectEntry>

const aboutColumn = {
  name: text,
  type: nullable(text),
  nullable: flag,
  description: nullable(text),
  pii: flag,
  /**
   * No value of a personal column can be read in it: only hashes, counts and comparisons. Present only if
   * true.
   */
  masked: optional(always(true)),
}

const ColumnEntry = object(aboutColumn)
export type ColumnEntry = Shape<typeof ColumnEntry>

const SchemaEntry = object({
  columns: list(ColumnEntry),
  /** There may be more columns than these, as those of a source that was not fetched yet. Present only if false. */
  complete: optional(always(false)),
})
export type SchemaEntry = Shape<typeof SchemaEntry>

/**
 * `ref`: one asset reads another. `exposure`: a consumer outside the project reads an asset. `publish`: an asset is sent to a
 * target, which is `publish.<target>` here.
 */
const LineageEdge = object({
  from: text,
  to: text,
  kind: oneOf('ref', 'exposure', 'publish'),
  /**
   * `masking`: no value of `from` can be read in `to`. Present only if true. `transform`: what is done to the values
   * (`sum()`, `CAST`, `computed`); absent where they are passed on, also under another name.
   */
  columns: list(object({ from: text, to: text, masking: optional(always(true)), transform: optional(text) })),
  /**
   * The columns of `from` that decide which rows `to` has, or in what order, with the clauses that name them (`WHERE`,
   * `JOIN`); absent if there are none, and in files of an older svc.
   */
  uses: optional(list(object({ column: text, clauses: list(text) }))),
})
export type LineageEdge = Shape<typeof LineageEdge>

const TestEntry = object({
  asset: text,
  name: text,
  kind: text,
  column: nullable(text),
  severity: Severity,
  definition: mapOf(anything),
})
export type TestEntry = Shape<typeof TestEntry>

const AssetEntry = object({
  id: text,
  name: text,
  path: text,
  definition_hash: hash,
  /** The hash of the file's text, which `--update` compares. */
  text_hash: hash,
  /** As they are written in the file. */
  blocks: mapOf(anything),
  schema: SchemaEntry,
  /** What the file does not say and `defaults` in `svc.yaml` do, in the same form. */
  inherited: optional(mapOf(anything)),
})
export type AssetEntry = Shape<typeof AssetEntry>

/** `.svc/manifest.json`; its last three members are also written as separate files. */
const Manifest = object({
  version: always(1),
  generated_at: time,
  project: ProjectEntry,
  /** The hash of the text of `svc.yaml`; absent if there is none, and in files of an older svc. */
  settings_hash: optional(hash),
  assets: list(AssetEntry),
  lineage: list(LineageEdge),
  schemas: mapOf(SchemaEntry),
  tests: list(TestEntry),
})
export type Manifest = Shape<typeof Manifest>
export const manifestSchema = document('.svc/manifest.json, svc manifest --json', Manifest)

/** `execution_time` is in seconds. */
const Outcome = object({
  name: text,
  status: TestStatus,
  execution_time: number,
  scan: optional(SharedScan),
  /** When the verdict was reached: a run uses an earlier one where nothing changed. Absent in files of an older svc. */
  at: optional(time),
})

const TestResultsEntry = object({
  asset_name: text,
  timestamp: time,
  tests: list(Outcome),
  summary: TestSummary,
})
export type TestResultsEntry = Shape<typeof TestResultsEntry>

/** The latest results of each asset, by its name (interface.md 2.14). */
const TestResultsFile = mapOf(TestResultsEntry)
export type TestResultsFile = Shape<typeof TestResultsFile>
export const testResultsSchema = document('.svc/test_results.json', TestResultsFile)

/** The glossary term that a column is linked to. */
const CatalogTerm = object({
  name: text,
  description: text,
  /**
   * The upstream asset that the link is inherited from; null for the column's own file or a link in the
   * glossary.
   */
  from: nullable(text),
})

const CatalogColumn = object({ ...aboutColumn, term: optional(CatalogTerm) })
export type CatalogColumn = Shape<typeof CatalogColumn>

const CatalogAsset = object({
  name: text,
  path: text,
  kind: oneOf('source', 'model', 'publish'),
  description: nullable(text),
  owner: nullable(text),
  tags: list(text),
  columns: list(CatalogColumn),
  /** There may be more columns than these. Present only if false. */
  columns_complete: optional(always(false)),
  raw_sql: text,
  compiled_sql: text,
  definition_hash: hash,
  active_hash: nullable(hash),
  /** When the live build became live, and by which run; null if none is live, absent in files of an older svc. */
  deployed_at: optional(nullable(time)),
  deployed_by: optional(nullable(text)),
  /**
   * The status in the last run that included it; null if it never ran. `skipped`: the run did not try it, because
   * something that it reads had failed.
   */
  status: nullable(oneOf('deployed', 'Failed', 'skipped')),
  last_run: nullable(time),
  /** The time that it took in that run; null if the run had nothing to build for it. */
  seconds: nullable(number),
  /** When the rows that are live were last fetched, or built and verified where no source gave them, as `svc freshness` says. */
  loaded_at: optional(nullable(time)),
  /** What somebody had done to a relation of it, so that its last run made it again. Absent for others. */
  repaired: optional(text),
  /** What somebody has done to what is live of it, beside svc, as `its view was dropped from the warehouse, not by svc`. Absent if nothing. */
  gone: optional(text),
  /** The last run that looked at it, where what is live is not of that run: it failed, or held the asset back. */
  attempt: optional(
    object({
      run_id: text,
      state: oneOf('Failed', 'Held back'),
      at: time,
      seconds: nullable(number),
      because: nullable(text),
    }),
  ),
  /** Why its last run failed, and what to do. Absent if it did not fail, and in files of an older svc. */
  failure: optional(
    object({
      message: text,
      hint: nullable(text),
      place: nullable(place),
      /** The hash of the text that its file had then; null if it is not known. */
      text_hash: nullable(hash),
    }),
  ),
  /** What the newest run that made or verified its live build has warned of. Absent if of nothing. */
  warnings: optional(list(Warning)),
  /** The rows of what is live. */
  rows: nullable(count),
  freshness: nullable(
    object({
      warn_after_seconds: nullable(number),
      error_after_seconds: nullable(number),
      /** The column that tells the age of a row; null if only the time of loading counts. */
      column: optional(nullable(text)),
      /** The newest value of the column in the live build; null if no row has one, absent if it was not measured. */
      newest_row: optional(nullable(time)),
    }),
  ),
  tests: list(Outcome),
  summary: TestSummary,
  upstream: list(text),
  downstream: list(text),
})
export type CatalogAsset = Shape<typeof CatalogAsset>

const CatalogExposure = object({
  name: text,
  asset: text,
  type: text,
  url: nullable(text),
  owner: nullable(text),
  description: nullable(text),
})
export type CatalogExposure = Shape<typeof CatalogExposure>

/** A target of an asset: a node of the lineage, like an exposure. Several assets may have one of that name. */
const CatalogPublish = object({
  kind: always('publish'),
  /** The name of the target. */
  name: text,
  asset: text,
  /** The kind of system, which is not known where the target is described wrongly. */
  type: nullable(text),
  resource: nullable(text),
  mode: nullable(text),
  /** What is sent: names at the target, each with its column; null for all columns under their own names. */
  fields: nullable(mapOf(text)),
  /** The columns that identify a row there, which are sent too; present only beside `fields`. */
  key: optional(list(text)),
  /** The last attempt; null if there was none. */
  last: nullable(
    object({
      run_id: text,
      status: oneOf('running', 'published', 'Failed'),
      /** Absent in files of an older svc. */
      verdict: optional(RunVerdict),
      at: time,
      /** How many rows the target has acknowledged, as of that attempt. */
      rows: nullable(count),
      /** How many rows were not taken. */
      untaken: nullable(count),
      error: nullable(text),
      /** What it warned of; absent if of nothing. */
      warnings: optional(list(Warning)),
    }),
  ),
})
export type CatalogPublish = Shape<typeof CatalogPublish>

const CatalogFile = object({
  version: always(1),
  generated_at: time,
  environment: text,
  project: ProjectEntry,
  assets: list(CatalogAsset),
  exposures: list(CatalogExposure),
  /** Absent in files of an older svc. */
  publishes: optional(list(CatalogPublish)),
  lineage: list(LineageEdge),
  excluded_columns: count,
  active_assets: count,
})
export type CatalogFile = Shape<typeof CatalogFile>
export const catalogSchema = document('svc_catalog.json, /api/catalog.json', CatalogFile)

export const HistoryRun = object({
  run_id: text,
  kind: RunKind,
  status: RunStatus,
  /** Absent in runs of an older svc. */
  verdict: optional(RunVerdict),
  selector: nullable(text),
  started_at: time,
  finished_at: nullable(time),
  generation: nullable(count),
  error: nullable(text),
  /** What it warned of; absent if of nothing, and in runs of an older svc. */
  warnings: optional(list(Warning)),
  /** The number of assets that were verified and reused; these are not listed. */
  unchanged: count,
  /** The assets that the run built, deployed or failed to; empty in old runs with too many of them. */
  assets: list(
    object({
      name: text,
      status: text,
      rows: nullable(count),
      /** Null if nothing was done for it: it was skipped, or failed before it was its turn. */
      seconds: nullable(number),
      definition_hash: hash,
      /**
       * Whether it shows another build since this run, be it built, reused, promoted or rolled back. Absent in runs of an older
       * svc.
       */
      deployed: optional(flag),
      /** What somebody had done to a relation of it, so that the run made it again. Absent for others. */
      repaired: optional(text),
      /** Why it failed or was skipped, what to do and where. Absent for others, and in runs of an older svc. */
      because: optional(text),
      hint: optional(text),
      place: optional(place),
    }),
  ),
})
export type HistoryRun = Shape<typeof HistoryRun>

const HistoryFile = object({
  version: always(1),
  /** The environment as in the state tables: in `dev`, each git branch has runs of its own. */
  environment: text,
  /** Newest first, at most 200. */
  runs: list(HistoryRun),
})
export type HistoryFile = Shape<typeof HistoryFile>
export const historySchema = document('.svc/<environment>/history.json', HistoryFile)

/** Earlier results of a test, newest first. */
export const TestMoments = list(
  object({ at: time, status: TestStatus, execution_time: number, scan: optional(SharedScan) }),
)

/** `.svc/<environment>/test_history.json`, which only the dashboard reads. */
const TestHistoryFile = object({
  version: always(1),
  /** Sorted by asset, then by name. */
  tests: list(
    object({
      asset: text,
      name: text,
      /** The message of the newest result. */
      message: nullable(text),
      /** At most 30, and fewer in a project of thousands of tests. */
      history: TestMoments,
    }),
  ),
})
export type TestHistoryFile = Shape<typeof TestHistoryFile>
export type TestHistory = TestHistoryFile['tests'][number]

/** `id`: the position in the file, from 1 on, because a file has no record numbers. */
const glossaryEntry = { id: count, name: text }
/** `identifier`: as written in the file, `term.customer`. */
const described = { ...glossaryEntry, identifier: text, description: text }

/** `glossary.yaml` as programs read it (interface.md 2.7); its lists are empty if there is none. */
const GlossaryFile = object({
  project: object({ id: count, name: text }),
  terms: list(
    object({
      ...described,
      synonyms: list(text),
      owner: nullable(text),
      /** The links of the term: an asset, or a column of it. */
      links: list(
        object({
          asset: text,
          column: nullable(text),
          role: linkRole,
        }),
      ),
    }),
  ),
  metrics: list(
    object({
      ...described,
      ...metricProperties,
    }),
  ),
  dimensions: list(object({ ...described, values: list(anything), type: text })),
  policies: list(
    object({
      ...glossaryEntry,
      rule: text,
      /** Entries of the form `asset.column`; empty for every column marked as personal. */
      pii_columns: list(text),
      applies_to: list(text),
      enforcement: oneOf('strict', 'warn', 'off'),
      derived: oneOf('allow', 'deny'),
    }),
  ),
})
export type GlossaryFile = Shape<typeof GlossaryFile>
export type GlossaryTerm = GlossaryFile['terms'][number]
export const glossarySchema = document('.svc/glossary.json, svc glossary export', GlossaryFile)
