/**
 * The data between dashboard and host, the same in VS Code (messages) and in a browser (HTTP). Complete
 * snapshots, never deltas. A guard in `host/` checks every message on both sides: a page is untrusted, so it
 * may name an asset and a mode, never a command line.
 */
import type {
  AttemptedRuns,
  CatalogFile,
  ChangedFile,
  GlossaryFile,
  QualityFile,
  StreamFact,
} from '@svc/server/contract'

export type * from '@svc/server/contract'

/** The content of `/api/catalog.json`, `quality.json`, `history.json` and `glossary.json` at one moment. */
export interface DashboardData {
  readonly catalog: CatalogFile
  readonly quality: QualityFile
  readonly history: Pick<AttemptedRuns, 'runs'>
  readonly glossary: GlossaryFile
  /** The files of the project that differ from what the catalogue was made of. */
  readonly changed: readonly ChangedFile[]
}

export const runModes = ['asset', 'upstream', 'downstream'] as const
export type RunMode = (typeof runModes)[number]

/** Returns what a run is asked for on the command line: `orders`, `+orders`, `orders+`. */
export function selectorOf(asset: string, mode: RunMode): string {
  return { asset, upstream: `+${asset}`, downstream: `${asset}+` }[mode]
}

/** `id` has the form `<run>:<sequence>`. */
export type StreamEvent = StreamFact & { readonly id: string }

/** The abilities of a host; the dashboard hides what is not possible. */
export interface HostAbilities {
  /** Whether it starts runs and rolls back. */
  readonly run: boolean
  readonly openFile: boolean
  /** Whether the host itself shows runs (VS Code's terminal). */
  readonly ownTerminal: boolean
}
