/**
 * What a feature of the editor may know: a snapshot of the project and everything that was found out about it. A
 * feature is a pure function of this, a path and an offset; it never waits, reads files or touches a warehouse. The
 * language server makes one of these for each state of its documents; a test makes one from a Markdown spec.
 *
 * Offsets and ranges are UTF-16 offsets in the file named by a path relative to the project's root.
 */
import type { ProjectAnalysis } from '../analysis.ts'
import type { Glossary } from '../glossary/glossary.ts'
import type { Project } from '../project/project.ts'
import type { SourceShapes } from '../source/source-shape.ts'
import type { Diagnostic } from '../text/diagnostic.ts'

export interface Knowledge {
  readonly project: Project
  /** Of this snapshot, or the newest known: an asset whose SQL is broken just now keeps the columns it last had. */
  readonly analysis: ProjectAnalysis
  readonly sources: SourceShapes
  readonly glossary: Glossary
  readonly functions: FunctionBook
  /** False: other files of the project are not read yet, or the file belongs to none. Absent: true. */
  readonly isWhole?: boolean
  /** Text of `schemas.lock.json`; undefined where there is none. */
  readonly lock?: string | undefined
  /** What the editor shows for a file, in text order. */
  diagnostics(path: string): readonly Diagnostic[]
  /** Names of the environment variables that are set; values never come here. */
  readonly environmentVariables: readonly string[]
  /** By asset, as the files under `.svc/` tell it; empty before the first run. */
  readonly lastRuns: ReadonlyMap<string, LastRun>
  /** By asset, then by the test's name; absent or empty before the first run. Unit tests are in `analysis` too. */
  readonly lastTests?: ReadonlyMap<string, LastTests>
}

/** The functions that the warehouse knows, by lower-case name. */
export type FunctionBook = ReadonlyMap<string, SqlFunction>

export interface SqlFunction {
  readonly name: string
  readonly kind: 'scalar' | 'aggregate' | 'table' | 'macro'
  readonly overloads: readonly FunctionOverload[]
  /** In the warehouse's own words; '' where it says nothing. */
  readonly description: string
  readonly examples: readonly string[]
}

export interface FunctionOverload {
  readonly parameters: readonly { readonly name: string; readonly type: string }[]
  /** Type of further arguments, where any number may follow. */
  readonly varargs: string | undefined
  readonly returns: string | undefined
}

/** What the last tests of an asset came to. */
export interface LastTests {
  /** ISO 8601: when the newest of them ran. */
  readonly at: string | undefined
  readonly results: ReadonlyMap<string, { readonly status: 'pass' | 'fail'; readonly seconds: number }>
}

export interface LastRun {
  readonly environment: string
  readonly status: string
  /** ISO 8601. */
  readonly finishedAt: string | undefined
  readonly rows: number | undefined
  /** Undefined where the run had nothing to do for it. */
  readonly seconds: number | undefined
  /** First 12 hex digits of the definition hash that is live; undefined: never deployed. */
  readonly activeHash: string | undefined
}
