/**
 * What the language server and the extension say to each other beyond LSP. Whole snapshots, never deltas; URIs as in
 * LSP. The extension imports the types of this file and nothing else of the server.
 */

/** Request, client to server. Every project of the workspace with its assets; for the tree view and the pickers. */
export const projectsRequest = 'svc/projects'
export type ProjectsResult = readonly ProjectSummary[]

/** Notification, server to client: something that `svc/projects` tells has changed. Sent at most every 200 ms. */
export const projectsChanged = 'svc/projectsChanged'

export interface ProjectSummary {
  /** URI of the folder that holds `svc.yaml`. */
  readonly root: string
  readonly name: string
  /** Names of the environments that a command may be given: `dev`, `prod` and those of `svc.yaml`. */
  readonly environments: readonly string[]
  readonly assets: readonly AssetSummary[]
  readonly glossary: readonly GlossaryEntry[]
  /** Present while many files are looked at: what `problems` counts is not all of it yet, or not true any more. */
  readonly checking?: { readonly done: number; readonly of: number }
  readonly problems: { readonly errors: number; readonly warnings: number }
}

export interface AssetSummary {
  readonly name: string
  readonly uri: string
  /** Folder under the models folder, '' at its root: what the tree groups by. */
  readonly layer: string
  readonly kind: 'source' | 'model' | 'publish'
  readonly description: string
  readonly tags: readonly string[]
  readonly errors: number
  readonly warnings: number
  /** As the files under `.svc/` tell it; undefined before the first run. */
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
  /** `asset` or `asset.column`. */
  readonly links: readonly string[]
}

export interface LspRange {
  readonly start: { readonly line: number; readonly character: number }
  readonly end: { readonly line: number; readonly character: number }
}

/** Request. The SQL that the warehouse would be given for a document as it stands in the editor. */
export const compiledSqlRequest = 'svc/compiledSql'
export interface CompiledSqlParams {
  readonly uri: string
  /** Whose schemas and variables; default `dev`. */
  readonly environment?: string
}
export interface CompiledSqlResult {
  /** Undefined: the document has no SQL to compile; `reason` says why. */
  readonly sql: string | undefined
  readonly reason?: string
  /** Pieces that are the same text in both, in order: offsets in `sql`, ranges in the document. */
  readonly map: readonly { readonly from: number; readonly to: number; readonly range: LspRange }[]
}

/** Request. The tests of one document, for the Test Explorer. */
export const testsRequest = 'svc/tests'
export interface TestsParams {
  readonly uri: string
}
export type TestsResult = readonly TestSummary[]
export interface TestSummary {
  readonly asset: string
  /** As `svc test` and `tests.json` name it; unique within the asset. */
  readonly name: string
  readonly kind: string
  readonly severity: 'error' | 'warn'
  readonly range: LspRange
}

/** Request. Which query the cursor is in, for previews. */
export const queryAtRequest = 'svc/queryAt'
export interface QueryAtParams {
  readonly uri: string
  readonly position: { readonly line: number; readonly character: number }
}
export interface QueryAtResult {
  readonly asset: string
  /** Name of the CTE under the cursor; undefined: the whole model. */
  readonly cte: string | undefined
}

/**
 * Commands that code lenses name; the extension registers them, another editor ignores them. All take one argument,
 * {@link LensArgument}.
 */
export const lensCommands = {
  run: 'svc.runAsset',
  runUpstream: 'svc.runWithUpstreams',
  runDownstream: 'svc.runWithDownstreams',
  preview: 'svc.previewAsset',
  test: 'svc.testAsset',
  sample: 'svc.sampleAsset',
  lineage: 'svc.openLineage',
  rollback: 'svc.rollbackAsset',
  history: 'svc.showRuns',
} as const

export interface LensArgument {
  readonly asset: string
  readonly uri: string
  /** Of one test to run, as `svc/tests` names it. */
  readonly test?: string
}
