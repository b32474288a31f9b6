/** The services that a live project needs from the server. */
import {
  type Diagnostic,
  type Engine,
  EngineMissing,
  type FunctionBook,
  type Variables,
} from '../../language/index.ts'
import type { Log } from '../log.ts'
import type { LiveProject } from './live-project.ts'

export interface ProjectHost {
  readonly now: () => Date
  readonly program: string | undefined
  readonly isTrusted: boolean
  /** The environment of projects for which none was chosen. */
  readonly environment: string
  readonly env: Variables
  readonly environmentVariables: readonly string[]
  readonly log: Log
  /** Shows progress; `end` may be called more than once. */
  progress(title: string): Progress
  /** Publishes diagnostics by path; an empty list clears those of a file. Called once per round of work. */
  onDiagnostics(project: LiveProject, changed: ReadonlyMap<string, readonly Diagnostic[]>): void
  /** Called when the summary of the project may have changed. */
  onChanged(project: LiveProject): void
  /** Called with a sentence when the project cannot be checked at all, so that no problem does not read as none found. */
  onFailure(message: string): void
  /** Called after work on many files, which leaves much garbage in memory. */
  onLargeWork(): void
  functions(engine: Engine): FunctionBook
  /** Called when extensions are loaded, whose functions must be added. */
  onExtensions(engine: Engine, load: readonly string[]): void
}

export interface Progress {
  report(message: string, percentage?: number): void
  end(): void
}

/** Tells the editor and its log why a project cannot be checked. */
export function tellFailure(
  { log, onFailure }: Pick<ProjectHost, 'log' | 'onFailure'>,
  error: unknown,
): void {
  log.error('cannot check the project', error)
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
  const hint = error instanceof EngineMissing ? ` ${error.hint}` : ''
  onFailure(`The project cannot be checked: ${reason}.${hint}`)
}
