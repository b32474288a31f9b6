/** What a live project needs of the server around it. */
import type { Diagnostic, FunctionBook } from '../../language/index.ts'
import type { Log } from '../log.ts'
import type { LiveProject } from './live-project.ts'

export interface ProjectHost {
  readonly now: () => Date
  readonly program: string | undefined
  readonly isTrusted: boolean
  readonly environmentVariables: readonly string[]
  readonly log: Log
  /** Shows that work is going on; `end` may be called more than once. */
  progress(title: string): Progress
  /** Diagnostics by path; an empty list where all is well now. Called once for each round of work. */
  onDiagnostics(project: LiveProject, changed: ReadonlyMap<string, readonly Diagnostic[]>): void
  /** Something that a summary of the project tells may be another by now. */
  onChanged(project: LiveProject): void
  /** Many files were looked at: much of what that took is of no use any more. */
  onLargeWork(): void
  functions(): FunctionBook
  /** Extensions are loaded: their functions are to be known too. */
  onExtensions(load: readonly string[]): void
}

export interface Progress {
  report(message: string, percentage?: number): void
  end(): void
}
