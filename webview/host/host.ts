/**
 * What the dashboard asks of where it runs: a browser (`svc ui`), VS Code's webview, a static site (`svc lineage`). Each
 * host implements it in a file of its own and nothing else of the dashboard differs. Knows no DOM and no transport.
 */
import type {
  ColumnPath,
  DashboardData,
  HostAbilities,
  RollbackPreview,
  RunMode,
  StreamEvent,
  ViewState,
} from '../protocol.ts'

export interface Host {
  readonly kind: 'browser' | 'vscode' | 'static'
  readonly abilities: HostAbilities
  /** One whole snapshot. Rejects with a `HostError`, also when `signal` ends it (`aborted`). */
  load(signal?: AbortSignal): Promise<DashboardData>
  /** Tells what happens outside until the returned function is called. */
  onChange(listener: (change: HostChange) => void): () => void
  /** undefined: nothing is known of this column (no schema, or it is computed from nothing). */
  columnPath(asset: string, column: string, signal?: AbortSignal): Promise<ColumnPath | undefined>
  /** Starts a run once, however often the connection is made again. Rejects with `busy` while another run runs. */
  run(asset: string, mode: RunMode): Promise<RunStream>
  /** A run that was started before, from its first kept event. Rejects with `unknown-run`. */
  attach(runId: string): Promise<RunStream>
  cancel(runId: string): Promise<void>
  /** No names: the whole environment (interface.md 3.1). */
  rollbackPreview(names: readonly string[]): Promise<RollbackPreview>
  rollback(names: readonly string[]): Promise<RunStream>
  /** `line` counts from 1. Does nothing where `abilities.openFile` is false. */
  openFile(path: string, line: number): void
  readonly state: HostState
}

export interface HostState {
  /** undefined: nothing saved, or what was saved is not a `ViewState` of this version. */
  load(): ViewState | undefined
  /** The dashboard calls it at most four times a second. */
  save(state: ViewState): void
}

export type HostChange =
  /** Load again: what is on disk differs from the last snapshot. */
  | { readonly type: 'data' }
  /** Files of the project changed; the catalogue did not. */
  | { readonly type: 'stale' }
  | { readonly type: 'connection'; readonly state: ConnectionState }
  /** A run began that this page did not start, and can be attached to. */
  | { readonly type: 'run'; readonly runId: string }
  /** The editor shows another asset, or a command asks for one. */
  | { readonly type: 'reveal'; readonly asset: string }
  | { readonly type: 'search' }

/** `stopped`: the server is gone; `expired`: it no longer knows this page. Both keep what is shown, read-only. */
export type ConnectionState = 'open' | 'lost' | 'stopped' | 'expired'

/** The events of one run. Listeners get what came before they listened, then the rest, each event once and in order. */
export interface RunStream {
  readonly runId: string
  /** As on the command line: `orders`, `+orders`, `orders+`; of a rollback its names. */
  readonly selector: string
  onEvent(listener: (event: StreamEvent) => void): () => void
  /** `lost` while the connection is made again, then `open`. */
  onConnection(listener: (state: 'open' | 'lost') => void): () => void
  /** Stops listening; the run goes on. */
  close(): void
}

export type HostProblem =
  | 'aborted'
  | 'busy'
  | 'expired'
  | 'failed'
  | 'never-run'
  | 'refused'
  | 'stopped'
  | 'unknown-run'

/** The one error that a host gives. `message` is for people, without a full stop; `hint` is a sentence. */
export class HostError extends Error {
  readonly problem: HostProblem
  readonly hint: string | undefined
  /** `busy`: the run that runs. */
  readonly runId: string | undefined

  constructor(problem: HostProblem, message: string, more: { hint?: string; runId?: string } = {}) {
    super(message)
    this.name = 'HostError'
    this.problem = problem
    this.hint = more.hint
    this.runId = more.runId
  }
}
