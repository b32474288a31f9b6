/**
 * The one place of what the dashboard knows and shows, as signals; views read them and call the functions. Everything
 * that can be worked out is worked out here, so that it is tested without a page.
 */
import { type ReadonlySignal, type Signal } from '@preact/signals-core'
import { type GraphModel } from '../graph/model.ts'
import { type ConnectionState, type Host, type HostChange, HostError } from '../host/host.ts'
import type { CatalogAsset, DashboardData, ViewState } from '../protocol.ts'
import type { RunLog } from './run-log.ts'
export type Panel = ViewState['view']
export type Tab = ViewState['tab']
export type LoadState =
  | {
      readonly is: 'loading'
    }
  | {
      readonly is: 'ready'
    }
  | {
      readonly is: 'failed'
      readonly problem: HostError
    }
export interface Store {
  readonly host: Host
  readonly data: Signal<DashboardData | undefined>
  readonly load: Signal<LoadState>
  readonly connection: Signal<ConnectionState>
  readonly nowMs: Signal<number>
  /** The name of an asset or `exposure:<name>`. */
  readonly selected: Signal<string | null>
  readonly tab: Signal<Tab>
  readonly panel: Signal<Panel>
  readonly scope: Signal<ViewState['scope']>
  readonly filter: Signal<string>
  /** The selected asset over the whole width. */
  readonly wide: Signal<boolean>
  readonly paletteOpen: Signal<boolean>
  readonly recent: Signal<readonly string[]>
  readonly runs: Signal<readonly RunLog[]>
  /** The run whose lines are shown; null: the panel is closed. */
  readonly shownRun: Signal<string | null>
  readonly rollbackOf: Signal<readonly string[] | null>
  /** Said to everybody once: in the line at the bottom and by screen readers. */
  readonly notice: Signal<string>
  readonly graph: Signal<Pick<ViewState, 'camera' | 'moved' | 'expanded'>>
  readonly model: ReadonlySignal<GraphModel | undefined>
  readonly asset: ReadonlySignal<CatalogAsset | undefined>
  /** A run was started from here and has not ended. */
  readonly activeRun: ReadonlySignal<RunLog | undefined>
  readonly canRun: ReadonlySignal<boolean>
  readonly canRollback: ReadonlySignal<boolean>
  readonly viewState: ReadonlySignal<ViewState>
}
export declare function makeStore(host: Host, nowMs: number): Store
/** Shows an asset beside the graph. An unknown name is said, never an empty drawer. */
export declare function openAsset(store: Store, id: string): void
/** What is shown stays until the new snapshot is there; an error leaves it in place. */
export declare function reload(store: Store, signal?: AbortSignal): Promise<void>
export declare function asHostError(error: unknown): HostError
export declare function takeChange(store: Store, change: HostChange, watch: (runId: string) => void): void
