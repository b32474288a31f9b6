/** Runs from the dashboard: started, watched, cancelled; what they say goes into the store. */
import type { HostError } from '../host/host.ts'
import type { RunMode } from '../protocol.ts'
import { type Store } from './store.ts'
/** Events of one frame are taken together: `later` calls back once, soon. */
export type Later = (callback: () => void) => void
export declare function startRun(store: Store, asset: string, mode: RunMode, later: Later): Promise<void>
export declare function startRollback(store: Store, names: readonly string[], later: Later): Promise<void>
export declare function watchRun(store: Store, runId: string, later: Later): Promise<void>
export declare function cancelRun(store: Store, runId: string): Promise<void>
export declare function sentence(problem: HostError): string
