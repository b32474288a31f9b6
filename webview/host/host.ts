/**
 * The interface to the dashboard's environment: a browser (`svc ui`), VS Code's webview, a static site (`svc
 * lineage`). Each host implements it in its own file; nothing else differs. Independent of DOM and transport.
 */
import type {
  ChangedFile,
  ColumnPath,
  DashboardData,
  HostAbilities,
  ProjectProblems,
  RollbackPreview,
  RunKind,
  RunMode,
  StreamEvent,
} from '../protocol.ts'
import type { ViewState } from './view-state.ts'

export interface Host {
  readonly abilities: HostAbilities
  /** Loads a complete snapshot. Rejects with a `HostError`. */
  load(): Promise<DashboardData>
  /** Returns the problems of the project's files, as far as they were checked. */
  problems(): Promise<ProjectProblems>
  /** Returns the files that differ from what the catalogue was made of. */
  changed(): Promise<readonly ChangedFile[]>
  /** Reports outside changes. */
  onChange(listener: (change: HostChange) => void): void
  /**
   * Resolves with undefined if nothing is known of this column (no schema, or it is computed from nothing).
   */
  columnPath(asset: string, column: string): Promise<ColumnPath | undefined>
  /**
   * Starts a run once, however often the connection is restored. Rejects with `busy` while another run is in
   * progress.
   */
  run(asset: string, mode: RunMode): Promise<RunStream>
  /** Follows a run that was started before, from its first stored event. Rejects with `unknown-run`. */
  attach(runId: string, about?: RunAbout): Promise<RunStream>
  cancel(runId: string): Promise<void>
  /** An empty list means the whole environment (interface.md 3.1). */
  rollbackPreview(names: readonly string[]): Promise<RollbackPreview>
  rollback(names: readonly string[]): Promise<RunStream>
  /** `line` is one-based. Does nothing if `abilities.openFile` is false. */
  openFile(path: string, line: number): void
  readonly state: HostState
}

/** What is known of a run that is to be followed. */
export interface RunAbout {
  readonly kind: RunKind
  /** Null for all assets. */
  readonly selector: string | null
}

export interface HostState {
  /** The asset of a link that was followed to this page; undefined after a reload. */
  readonly linked?: string | undefined
  /** Returns undefined if nothing is saved, or it is not a `ViewState` of this version. */
  load(): ViewState | undefined
  /** Called at most four times a second. */
  save(state: ViewState): void
}

export type HostChange =
  /** The data on disk differ from the last snapshot, so load again. */
  | { readonly type: 'data' }
  /** Files of the project changed, but the catalogue did not. */
  | { readonly type: 'stale' }
  /** The files of the project were checked. */
  | { readonly type: 'problems' }
  | { readonly type: 'connection'; readonly state: ConnectionState }
  /** A run that this page did not start has begun, and can be followed. */
  | { readonly type: 'run'; readonly runId: string }
  /** The editor shows another asset, or a command requests one. */
  | { readonly type: 'reveal'; readonly asset: string }
  | { readonly type: 'search' }

/**
 * `stopped`: the server is gone; `expired`: it no longer accepts this page. In both cases the data stay
 * visible, read-only.
 */
export type ConnectionState = 'open' | 'lost' | 'stopped' | 'expired'

/** The events of one run. A listener gets earlier events first, then new ones, each once and in order. */
export interface RunStream {
  readonly runId: string
  readonly kind: RunKind
  /** The selector as on the command line: `orders`, `+orders`, `orders+`; the names of a rollback. */
  readonly selector: string
  onEvent(listener: (event: StreamEvent) => void): void
  /** Reports `lost` while the connection is being restored, then `open`. */
  onConnection(listener: (state: 'open' | 'lost') => void): void
  /** Stops listening; the run continues. */
  close(): void
}

export type HostProblem = 'aborted' | 'busy' | 'expired' | 'failed' | 'refused' | 'stopped' | 'unknown-run'

/**
 * The only kind of error that a host throws. `message` is for people, without a full stop; `hint` is a
 * sentence.
 */
export class HostError extends Error {
  readonly problem: HostProblem
  readonly hint: string | undefined
  /** With `busy`: the run in progress. */
  readonly runId: string | undefined

  constructor(problem: HostProblem, message: string, more: { hint?: string; runId?: string } = {}) {
    super(message)
    this.name = 'HostError'
    this.problem = problem
    this.hint = more.hint
    this.runId = more.runId
  }
}
