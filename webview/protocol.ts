/**
 * What the dashboard and its host say to each other, the same in VS Code (messages) and in a browser (HTTP). Whole
 * snapshots, never deltas. A guard in `host/` checks every message on both sides: what comes from a page is untrusted,
 * so it may name an asset and a mode, never a command line.
 */
import type { CatalogFile } from '../cli/engine/artifacts/catalog.ts'

export type { CatalogAsset, CatalogExposure, CatalogFile } from '../cli/engine/artifacts/catalog.ts'

/** `/api/catalog.json`, `quality.json`, `history.json` and `glossary.json`, read at one moment. */
export interface DashboardData {
  readonly catalog: CatalogFile
  readonly quality: QualityFile
  readonly history: HistoryFile
  readonly glossary: GlossaryFile
  /** Files of the project are newer than the catalogue: what is shown may be out of date. */
  readonly stale: boolean
}

/** Quality metrics (interface.md 2.15). Rates are fractions from 0 to 1. */
export interface QualityFile {
  readonly overall: {
    readonly total_tests: number
    readonly passed: number
    readonly failed: number
    readonly pass_rate: number
  }
  readonly assets: readonly {
    readonly name: string
    readonly tests: readonly QualityTest[]
    /** ISO 8601 UTC; null: never. */
    readonly last_run: string | null
    readonly summary: {
      readonly total: number
      readonly passed: number
      readonly failed: number
      readonly pass_rate: number
    }
  }[]
}

export interface QualityTest {
  readonly name: string
  readonly status: 'pass' | 'fail'
  /** Seconds. */
  readonly execution_time: number
  readonly kind: string
  readonly column: string | null
  readonly severity: 'error' | 'warn'
  readonly message: string | null
  /** Newest first, at most 30. */
  readonly history: readonly {
    readonly at: string
    readonly status: 'pass' | 'fail'
    readonly execution_time: number
  }[]
}

/** Runs of the environment, newest first. */
export interface HistoryFile {
  readonly runs: readonly HistoryRun[]
}

export interface HistoryRun {
  readonly run_id: string
  readonly kind: 'run' | 'preview' | 'promote' | 'rollback'
  readonly status: 'running' | 'deployed' | 'Failed'
  readonly selector: string | null
  readonly started_at: string
  readonly finished_at: string | null
  readonly generation: number | null
  readonly error: string | null
  /** Assets that were verified and reused: they are counted, not listed. */
  readonly unchanged: number
  readonly assets: readonly {
    readonly name: string
    readonly status: string
    readonly rows: number | null
    readonly seconds: number
    readonly definition_hash: string
  }[]
}

/** `glossary.yaml` (interface.md 2.7); empty lists where there is none. */
export interface GlossaryFile {
  readonly project: { readonly id: number; readonly name: string }
  readonly terms: readonly GlossaryTerm[]
  readonly metrics: readonly (GlossaryEntry & {
    readonly sql_definition: string | null
    readonly time_grain: string | null
    readonly source_assets: readonly string[]
    readonly owner: string | null
  })[]
  readonly dimensions: readonly (GlossaryEntry & {
    readonly values: readonly unknown[]
    readonly type: string
  })[]
  readonly policies: readonly {
    readonly id: number
    readonly name: string
    readonly rule: string
    /** `asset.column`; empty: every column marked as personal. */
    readonly pii_columns: readonly string[]
    readonly applies_to: readonly string[]
    readonly enforcement: 'strict' | 'warn' | 'off'
  }[]
}

export interface GlossaryEntry {
  readonly id: number
  /** As written in the file: `term.customer`. */
  readonly identifier: string
  readonly name: string
  readonly description: string
}

export interface GlossaryTerm extends GlossaryEntry {
  readonly synonyms: readonly string[]
  readonly owner: string | null
  /** What the term stands for: an asset by its name, or a column of it. */
  readonly links: readonly {
    readonly asset: string
    readonly column: string | null
    readonly role: 'primary_key' | 'foreign_key' | 'attribute' | null
  }[]
}

export type RunMode = 'asset' | 'upstream' | 'downstream'

/** One line or fact of a run, in order; `id` is `<run>:<sequence>`. */
export type StreamEvent =
  | { readonly id: string; readonly type: 'log'; readonly line: string; readonly asset: string | null }
  | {
      readonly id: string
      readonly type: 'status'
      readonly asset: string
      readonly status: 'waiting' | 'running' | 'done' | 'reused' | 'failed' | 'skipped'
      readonly rows: number | null
      readonly seconds: number | null
    }
  /** A data test has been run. */
  | {
      readonly id: string
      readonly type: 'test'
      readonly asset: string
      readonly test: string
      readonly kind: string
      readonly column: string | null
      readonly status: 'pass' | 'fail'
      readonly severity: 'error' | 'warn'
      readonly seconds: number
      readonly message: string | null
    }
  | {
      readonly id: string
      readonly type: 'end'
      readonly status: 'deployed' | 'Failed' | 'cancelled'
      readonly exit_code: number
      readonly seconds: number
    }

export interface ColumnName {
  readonly asset: string
  readonly column: string
}

export interface ColumnPath {
  /** Every column that the chosen one comes from or flows into, and the edges between them. */
  readonly columns: readonly (ColumnName & { readonly pii: boolean })[]
  readonly edges: readonly { readonly from: ColumnName; readonly to: ColumnName }[]
}

export interface RollbackPreview {
  /** Assets whose live version would change, with the hashes (12 digits) and the time to go back to. */
  readonly assets: readonly {
    readonly name: string
    readonly from: string | null
    readonly to: string | null
    readonly deployed_at: string | null
  }[]
}

/** What a host can do; the dashboard hides what it cannot. */
export interface HostAbilities {
  readonly run: boolean
  readonly rollback: boolean
  readonly openFile: boolean
  /** Runs are shown by the host itself (VS Code's terminal), not by the dashboard. */
  readonly ownTerminal: boolean
}

/** What a user can come back to after a reload. Less than 10 kB; never the catalogue. */
export interface ViewState {
  readonly version: 1
  readonly selected: string | null
  readonly tab: 'overview' | 'code' | 'quality'
  readonly view: 'graph' | 'table' | 'runs' | 'freshness' | 'glossary'
  readonly scope: 'direct' | 'near' | 'connected' | 'all'
  /** What the scope is about: the id of a node; null: everything. */
  readonly focus: string | null
  /** What the colour of a card says. */
  readonly lens: 'kind' | 'status' | 'freshness' | 'tests'
  readonly filter: string
  /** What is filtered out, as lens and entry of its legend: `kind:source`, `tests:pass`. */
  readonly hidden: readonly string[]
  /** The column whose path is drawn. */
  readonly column: ColumnName | null
  /** The details go over the whole width. */
  readonly wide: boolean
  /** Width of the details in CSS pixels. */
  readonly drawer: number
  /** Folders of the navigator that are closed. */
  readonly closed: readonly string[]
  readonly camera: { readonly x: number; readonly y: number; readonly zoom: number } | null
  /** Positions of nodes that were dragged, in graph units. */
  readonly moved: Readonly<Record<string, readonly [number, number]>>
  readonly expanded: readonly string[]
}
