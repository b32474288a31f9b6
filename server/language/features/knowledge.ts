/**
 * The input of editor features: a snapshot of the project and everything known about it. A feature is a pure
 * function of this, a path and an offset; it never waits, reads files or uses a warehouse. The language
 * server makes one for each state of its documents, a test from a Markdown spec. Offsets and ranges are
 * UTF-16 offsets in the file with a path relative to the project's root.
 */
import type { ProjectAnalysis } from '../analysis.ts'
import type { FunctionKind } from '../engines/engine-help.ts'
import type { Glossary } from '../glossary/glossary.ts'
import type { FreshnessLimits } from '../project/freshness-verdict.ts'
import type { Project } from '../project/project.ts'
import type { SourceShapes } from '../source/source-shape.ts'
import type { Diagnostic } from '../text/diagnostic.ts'

export interface Knowledge {
  readonly project: Project
  /**
   * The analysis of this snapshot, or the newest one: an asset whose SQL is broken keeps its last columns.
   */
  readonly analysis: ProjectAnalysis
  readonly sources: SourceShapes
  readonly glossary: Glossary
  readonly functions: FunctionBook
  /**
   * False if the other files of the project are not read yet, or the file belongs to no project. Absent means
   * true.
   */
  readonly isWhole?: boolean
  /** The text of `schemas.lock.json`; undefined if there is none. */
  readonly lock?: string | undefined
  /** Returns the diagnostics of a file in text order. */
  diagnostics(path: string): readonly Diagnostic[]
  /** The names of the environment variables that are set. Their values are never passed here. */
  readonly environmentVariables: readonly string[]
  /** The last runs by asset, from the files under `.svc/`; empty before the first run. */
  readonly lastRuns: ReadonlyMap<string, LastRun>
  /**
   * Last results by asset and test name; absent or empty before the first run. Unit tests are in `analysis`
   * too.
   */
  readonly lastTests?: ReadonlyMap<string, LastTests>
}

/** The warehouse's functions by lower-case name. */
export type FunctionBook = ReadonlyMap<string, SqlFunction>

export interface SqlFunction {
  readonly name: string
  readonly kind: FunctionKind
  /** Whether OVER must follow a call. */
  readonly needsOver?: true
  readonly overloads: readonly FunctionOverload[]
  /** The warehouse's description; '' if it has none. */
  readonly description: string
  readonly examples: readonly string[]
}

export interface FunctionOverload {
  readonly parameters: readonly { readonly name: string; readonly type: string }[]
  /** The type of further arguments, if any number may follow. */
  readonly varargs: string | undefined
  readonly returns: string | undefined
}

/** The results of the last tests of an asset. */
export interface LastTests {
  /** The time of the newest result, in ISO 8601. */
  readonly at: string | undefined
  readonly results: ReadonlyMap<string, 'pass' | 'fail'>
}

export interface LastRun {
  readonly environment: string
  readonly status: string
  /** Whether anything of it is live. */
  readonly isLive: boolean
  /** What somebody has done to what is live; absent if nothing. */
  readonly gone?: string | undefined
  /** The clocks and limits of its freshness; absent if it has none. */
  readonly freshness?: FreshnessClocks
  /** The time in ISO 8601. */
  readonly finishedAt: string | undefined
  readonly rows: number | undefined
  /** Undefined if the run had nothing to build for it. */
  readonly seconds: number | undefined
  /** What somebody had done to a relation of it, so that the run made it again. */
  readonly repaired?: string | undefined
  /** Why it failed; absent if it did not, or if that is not known. */
  readonly failure?: LastFailure
  /** What is warned of in what it shows; absent if nothing is. */
  readonly warnings?: readonly LastWarning[]
}

export interface FreshnessClocks extends FreshnessLimits {
  /** When it was loaded, in ISO 8601. */
  readonly loadedAt: string
  /** Null if no row has a value; absent if only the time of loading counts. */
  readonly newestRow?: string | null
}

export interface LastWarning {
  readonly code: string
  readonly message: string
  readonly hint: string | undefined
  /** Where it was published to; absent of a warning of a run. */
  readonly target?: string
}

export interface LastFailure {
  readonly message: string
  readonly hint: string | undefined
  /** `path:line:column` of the text that the file had then. */
  readonly place: string | undefined
  /** The hash of that text. */
  readonly textHash: string
}
