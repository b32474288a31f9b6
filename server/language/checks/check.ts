/**
 * What a check is: a pure function from an asset (and, for some, its project) to findings. One file a check, named
 * after its code. A check never throws, never reads anything but its arguments and never repeats what the parser said.
 */
import type { AssetAnalysis, ProjectAnalysis } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import type { Asset, Project } from '../project/project.ts'
import type { RawTable } from '../source/source-shape.ts'
import type { Diagnostic, Severity } from '../text/diagnostic.ts'
import type { Problem, Remedy } from './fix.ts'
import type { ProjectFacts } from './project-facts.ts'

/** A diagnostic without what the check itself says already. `severity` only where it differs from the check's. */
export type Finding = Omit<Diagnostic, 'code' | 'severity' | 'path'> & { readonly severity?: Severity }

interface CheckDescription {
  /** Kebab-case; the file's name. */
  readonly code: string
  readonly severity: Severity
  /** One sentence for the reference page. */
  readonly doc: string
  /** What an editor offers besides what came with the finding. */
  fix?(problem: Problem, asset: Asset): readonly Remedy[]
}

/** Depends on the file and the engine alone, so its findings are kept as long as the file is unchanged. */
export interface FileCheck extends CheckDescription {
  readonly scope: 'file'
  run(asset: Asset, engine: Engine): Iterable<Finding>
}

/** Depends on other files or on what the catalogue knows. */
export interface ProjectCheck extends CheckDescription {
  readonly scope: 'project'
  run(asset: Asset, context: CheckContext): Iterable<Finding>
}

export type Check = FileCheck | ProjectCheck

/** What a project check may look at besides its asset. */
export interface CheckContext {
  readonly project: Project
  readonly facts: ProjectFacts
  /** Names of assets like one that there is not, best first. */
  readonly nearestAssets: (name: string) => readonly string[]
  /** What is known of this asset's SQL; undefined without a catalogue, for disabled assets and for second namesakes. */
  readonly analysis: AssetAnalysis | undefined
  /** The same for other assets. */
  readonly others: ProjectAnalysis | undefined
  /** The raw tables of this asset's source; undefined where nothing is known of them. */
  readonly rawTables: readonly RawTable[] | undefined
  /** Assets that read a source of which nothing is known, in path order; empty where nobody looked at sources. */
  readonly unknownSources: readonly Asset[]
}
