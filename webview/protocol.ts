/**
 * The data between dashboard and host, the same in VS Code (messages) and in a browser (HTTP). Complete
 * snapshots, never deltas. A guard in `host/` checks every message on both sides: a page is untrusted, so it
 * may name an asset and a mode, never a command line.
 */
import type {
  AttemptedRuns,
  CatalogFile,
  ChangedFile,
  ColumnName,
  GlossaryFile,
  QualityFile,
  StreamFact,
} from '@svc/server/contract'

export type {
  AttemptedRun,
  CatalogAsset,
  CatalogExposure,
  CatalogFile,
  CatalogPublish,
  ChangedFile,
  ColumnName,
  ColumnPath,
  GlossaryFile,
  GlossaryTerm,
  ProjectProblems,
  QualityFile,
  QualityTest,
  RollbackPreview,
  RunKind,
} from '@svc/server/contract'

/** The content of `/api/catalog.json`, `quality.json`, `history.json` and `glossary.json` at one moment. */
export interface DashboardData {
  readonly catalog: CatalogFile
  readonly quality: QualityFile
  readonly history: Pick<AttemptedRuns, 'runs'>
  readonly glossary: GlossaryFile
  /** The files of the project that differ from what the catalogue was made of. */
  readonly changed: readonly ChangedFile[]
}

export type RunMode = 'asset' | 'upstream' | 'downstream'

/** `id` has the form `<run>:<sequence>`. */
export type StreamEvent = StreamFact & { readonly id: string }

/** The abilities of a host; the dashboard hides what is not possible. */
export interface HostAbilities {
  readonly run: boolean
  readonly rollback: boolean
  readonly openFile: boolean
  /** Whether the host itself shows runs (VS Code's terminal). */
  readonly ownTerminal: boolean
}

/** The state that is restored after a reload. Less than 10 kB; never the catalogue. */
export interface ViewState {
  readonly version: 1
  readonly selected: string | null
  readonly tab: 'overview' | 'code' | 'quality'
  readonly view: 'graph' | 'table' | 'runs' | 'freshness' | 'glossary' | 'problems'
  readonly scope: 'direct' | 'near' | 'connected' | 'all'
  /** The id of the node around which the scope is drawn; null means everything. */
  readonly focus: string | null
  /** The meaning of card colours. */
  readonly lens: 'kind' | 'status' | 'freshness' | 'tests'
  readonly filter: string
  /** The hidden legend entries, as lens and entry: `kind:source`, `tests:pass`. */
  readonly hidden: readonly string[]
  /** The column whose path is drawn. */
  readonly column: ColumnName | null
  /** Whether the details take the whole width. */
  readonly wide: boolean
  /** The width of the details in CSS pixels. */
  readonly drawer: number
  /** The closed folders of the navigator. */
  readonly closed: readonly string[]
  readonly camera: { readonly x: number; readonly y: number; readonly zoom: number } | null
  /** The positions of nodes that were dragged, in graph units. */
  readonly moved: Readonly<Record<string, readonly [number, number]>>
  readonly expanded: readonly string[]
}
