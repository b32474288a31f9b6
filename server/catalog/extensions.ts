/** What is asked of an embedded engine about the extensions that `svc.yaml` names, and what it answers. */
import type { ExtensionSetting } from '../language/index.ts'

export interface ExtensionProblem {
  /** In the list of the settings. */
  readonly index: number
  readonly message: string
  readonly hint: string
}

export interface ReadyExtensions {
  /** Statements that load them, in order. */
  readonly load: readonly string[]
  readonly problems: readonly ExtensionProblem[]
}

export interface ExtensionsRequest {
  /** The project's root, absolute. */
  readonly root: string
  readonly extensions: readonly ExtensionSetting[]
  /** Whether the engine may fetch what is not installed. */
  readonly mayInstall: boolean
}

export const noExtensions: ReadyExtensions = { load: [], problems: [] }
