/**
 * The protocol between the language server and the extension beyond LSP. Whole snapshots, never deltas; URIs
 * as in LSP. The extension imports the types of this file and nothing else of the server.
 */
import type { VerdictRole } from '../contract/verdicts.ts'

/**
 * A request of the client: every project of the workspace with its assets, for the tree view and the pickers.
 */
export const projectsRequest = 'svc/projects'
export type ProjectsResult = readonly ProjectSummary[]

/** A request of the client that is answered at once: whether the server still answers. */
export const aliveRequest = 'svc/alive'

/** A notification of the server: a result of `svc/projects` has changed. Sent at most every 200 ms. */
export const projectsChanged = 'svc/projectsChanged'

/**
 * A notification of the client: the environment of a project that is chosen in the editor. Hover, types and completion are
 * those of its engine. Default: that of `svc lsp --env`.
 */
export const environmentChosen = 'svc/environment'
export interface EnvironmentChosen {
  /** The URI of the folder with `svc.yaml`. */
  readonly root: string
  readonly environment: string
}

export interface ProjectSummary {
  /** The URI of the folder with `svc.yaml`. */
  readonly root: string
  readonly name: string
  /** The environments that a command accepts: `dev`, `prod` and those of `svc.yaml`. */
  readonly environments: readonly string[]
  readonly assets: readonly AssetSummary[]
  readonly glossary: readonly GlossaryEntry[]
  /** Present while many files are checked: the counts in `problems` are incomplete or outdated. */
  readonly checking?: { readonly done: number; readonly of: number }
  readonly problems: { readonly errors: number; readonly warnings: number }
}

export interface AssetSummary {
  readonly name: string
  readonly uri: string
  /** The folder below the models folder, '' for the models folder itself; the tree groups by it. */
  readonly layer: string
  readonly kind: 'source' | 'model' | 'publish'
  readonly description: string
  readonly tags: readonly string[]
  /** The targets that it is published to; absent if there is none. */
  readonly publishes?: readonly string[]
  readonly errors: number
  readonly warnings: number
  /** The word for it, as the dashboard and `svc status` have it, and how it is shown. */
  readonly state: { readonly word: string; readonly role: VerdictRole }
  /** The last run, from the files under `.svc/`; undefined before the first run. */
  readonly lastRun:
    | {
        readonly environment: string
        readonly status: string
        readonly finishedAt: string | undefined
        readonly rows: number | undefined
      }
    | undefined
}

export interface GlossaryEntry {
  readonly kind: 'term' | 'metric' | 'dimension' | 'policy'
  readonly name: string
  readonly description: string
  readonly uri: string
  readonly range: LspRange
  /** Entries are `asset` or `asset.column`. */
  readonly links: readonly string[]
}

export interface LspRange {
  readonly start: { readonly line: number; readonly character: number }
  readonly end: { readonly line: number; readonly character: number }
}

/** A request: the SQL that the warehouse would get for the present text of a document. */
export const compiledSqlRequest = 'svc/compiledSql'
export interface CompiledSqlParams {
  readonly uri: string
  /** The environment whose schemas and variables are used; default `dev`. */
  readonly environment?: string
}
export interface CompiledSqlResult {
  /** Undefined if the document has no SQL to compile; `reason` explains it. */
  readonly sql: string | undefined
  readonly reason?: string
  /** Pieces of equal text in both, in order: offsets in `sql`, ranges in the document. */
  readonly map: readonly { readonly from: number; readonly to: number; readonly range: LspRange }[]
}

/** A request: the tests of one document, for the Test Explorer. */
export const testsRequest = 'svc/tests'
export interface TestsParams {
  readonly uri: string
}
export type TestsResult = readonly TestSummary[]
export interface TestSummary {
  readonly asset: string
  /** The name in `svc test` and `tests.json`; unique within the asset. */
  readonly name: string
  readonly kind: string
  readonly severity: 'error' | 'warn'
  readonly range: LspRange
}

/** A request: the query at the cursor, for previews. */
export const queryAtRequest = 'svc/queryAt'
export interface QueryAtParams {
  readonly uri: string
  readonly position: { readonly line: number; readonly character: number }
}
export interface QueryAtResult {
  readonly asset: string
  /** The CTE under the cursor; undefined for the whole model. */
  readonly cte: string | undefined
}

/**
 * The commands of code lenses, which the extension registers and other editors ignore. All take one argument,
 * {@link LensArgument}.
 */
export const lensCommands = {
  run: 'svc.runAsset',
  preview: 'svc.previewAsset',
  test: 'svc.testAsset',
  sample: 'svc.sampleAsset',
  lineage: 'svc.openLineage',
  history: 'svc.showRuns',
} as const

export interface LensArgument {
  readonly asset: string
  readonly uri: string
}
