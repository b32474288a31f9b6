/**
 * The interface of a check: a pure function from an asset (and, for some, its project) to findings. There is
 * one file per check, named after its code. A check never throws, reads nothing but its arguments and does
 * not repeat the parser's findings.
 */
import type { AssetAnalysis, ProjectAnalysis } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import type { Asset, Project } from '../project/project.ts'
import type { RawTable } from '../source/source-shape.ts'
import type { NodePath } from '../syntax/node.ts'
import type { Diagnostic, Severity } from '../text/diagnostic.ts'
import type { Problem, Remedy } from './fix.ts'
import type { ProjectFacts } from './project-facts.ts'

/**
 * A diagnostic without the members that the check itself defines. `severity` is set only if it differs from
 * the check's.
 */
export type Finding = Omit<Diagnostic, 'code' | 'severity' | 'path'> & { readonly severity?: Severity }

interface CheckDescription {
  /** The code in kebab case, which is also the name of the file. */
  readonly code: string
  /** An error if absent. */
  readonly severity?: Severity
  /** One sentence for the reference page. */
  readonly doc: string
  /** The key that the findings are about, if the file may inherit it instead of having it. */
  readonly about?: NodePath
  /** The fixes that an editor offers besides those of the finding. */
  fix?(problem: Problem, asset: Asset): readonly Remedy[]
}

/**
 * A check that depends on the file and the engine alone; its findings are cached as long as the file is
 * unchanged.
 */
export interface FileCheck extends CheckDescription {
  run(asset: Asset, engine: Engine): Iterable<Finding>
  /** What the same check says once the catalogue knows the result; these findings are not cached. */
  runInProject?(asset: Asset, context: CheckContext): Iterable<Finding>
}

/** A check that depends on other files or on the catalogue. */
export interface ProjectCheck extends CheckDescription {
  run(asset: Asset, context: CheckContext): Iterable<Finding>
}

export type Check = FileCheck | ProjectCheck

/** The data that a project check may use besides its asset. */
export interface CheckContext {
  readonly project: Project
  readonly facts: ProjectFacts
  /** Returns the names of assets that are similar to a missing one, best first. */
  readonly nearestAssets: (name: string) => readonly string[]
  /**
   * The analysis of this asset's SQL; undefined without a catalogue, for disabled assets, and for later
   * assets of the same name.
   */
  readonly analysis: AssetAnalysis | undefined
  /** The analyses of other assets. */
  readonly others: ProjectAnalysis | undefined
  /** The raw tables of this asset's source; undefined if they are not known. */
  readonly rawTables: readonly RawTable[] | undefined
  /** Assets that read a source of which nothing is known, in path order; empty if sources were not read. */
  readonly unknownSources: readonly Asset[]
}
