/**
 * What the dashboard and its host say to each other, the same in VS Code (messages) and in a browser (HTTP). Whole
 * snapshots, never deltas. A guard in `host/` checks every message on both sides: what comes from a page is untrusted,
 * so it may name an asset and a mode, never a command line.
 */
import type {
  CatalogFile,
  ColumnName,
  GlossaryFile,
  HistoryFile,
  QualityFile,
  StreamFact,
} from '@svc/server/contract'

export type {
  CatalogAsset,
  CatalogExposure,
  CatalogFile,
  ColumnName,
  ColumnPath,
  GlossaryFile,
  GlossaryTerm,
  HistoryRun,
  QualityFile,
  QualityTest,
  RollbackPreview,
} from '@svc/server/contract'

/** `/api/catalog.json`, `quality.json`, `history.json` and `glossary.json`, read at one moment. */
export interface DashboardData {
  readonly catalog: CatalogFile
  readonly quality: QualityFile
  readonly history: Pick<HistoryFile, 'runs'>
  readonly glossary: GlossaryFile
  /** Files of the project are newer than the catalogue: what is shown may be out of date. */
  readonly stale: boolean
}

export type RunMode = 'asset' | 'upstream' | 'downstream'

/** `id` is `<run>:<sequence>`. */
export type StreamEvent = StreamFact & { readonly id: string }

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
