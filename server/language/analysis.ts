/**
 * What is known about the SQL of a project: columns, types, lineage, errors. The interface through which the pure
 * language sees the shadow catalogue (`server/catalog` implements it with an in-memory DuckDB).
 */
import type { Project } from './project/project.ts'
import type { SourceShapes } from './source/source-shape.ts'
import type { Diagnostic } from './text/diagnostic.ts'
import type { Range } from './text/range.ts'
import type { UnitTestResult } from './unit/unit-result.ts'

export interface Column {
  readonly name: string
  /** In the warehouse's own words (`DECIMAL(12,2)`); undefined: not known (rests on a source never loaded). */
  readonly type: string | undefined
}

/** Where an output column's values come from: a column of another asset, or of the asset's own raw source. */
export interface ColumnOrigin {
  readonly asset: string
  readonly column: string
  /** Set when the origin is the asset's own raw table: '' for `{{ source }}`, else the child's name. */
  readonly source?: string
}

export interface ColumnLineage {
  readonly column: string
  /** Sorted by asset, then column. Empty for constants and `count(*)`. */
  readonly from: readonly ColumnOrigin[]
  /** `direct`: passed through unchanged (renamed at most). */
  readonly kind: 'direct' | 'derived'
  /** Those of `from` of which only a hash, a count or an answer of yes or no comes through: no value can be read. */
  readonly hidden?: readonly ColumnOrigin[]
}

/** One mention of an asset's column in SQL, for hover, references and rename. `range` is in the file. */
export interface ColumnUse {
  readonly range: Range
  readonly origin: ColumnOrigin
}

export interface AssetAnalysis {
  readonly name: string
  /** Output columns in order. Empty when the SQL cannot be bound at all. */
  readonly columns: readonly Column[]
  /** False: there may be more columns than listed (`SELECT *` over an unknown source). */
  readonly complete: boolean
  /**
   * While its SQL has mistakes: every name that its own tests may use, those included that a misspelt column may have
   * been meant to have. Absent: `columns` says it, or nobody knows.
   */
  readonly ownColumns?: readonly string[] | undefined
  readonly lineage: readonly ColumnLineage[]
  /** Columns whose values become names of its columns (a PIVOT without a list of values). Absent: there are none. */
  readonly namesFrom?: readonly ColumnOrigin[] | undefined
  /** Columns read anywhere in the SQL (WHERE and JOIN too), with their places. */
  readonly uses: readonly ColumnUse[]
  /** SQL problems, each on its range in the file. */
  readonly diagnostics: readonly Diagnostic[]
  /** SQL calls now(), random() and the like: its result is never reused (decisions 2). */
  readonly volatile: boolean
  /**
   * What came of the asset's unit tests, in the order of the file; what the file shows of them is in `diagnostics`
   * too. Absent: there are none, or they have not run since something changed.
   */
  readonly unitTests?: readonly UnitTestResult[] | undefined
}

export interface ProjectAnalysis {
  /** Undefined for names that are not in the project. */
  of(name: string): AssetAnalysis | undefined
  /** Names of which another analysis of the same catalogue may say something else; undefined: nobody knows which. */
  changedSince?(before: ProjectAnalysis): readonly string[] | undefined
}

export interface AnalyzeOptions {
  /** Only these and what they read. */
  readonly names?: readonly string[]
  /** Asked from time to time, also while a unit test runs; what was not looked at then is looked at next time. */
  readonly signal?: { readonly aborted: boolean }
  /**
   * `due` (the default): unit tests run whose asset, inputs or variables have changed. `none`: they are left for
   * another call, and until then nothing is said of them. `all`: every one of `names` runs again.
   */
  readonly unitTests?: 'due' | 'none' | 'all'
}

export interface Catalog {
  /**
   * Analyses every asset of the snapshot, or only `names` and what they read. A catalogue remembers its last
   * snapshot: only what changed since, and what depends on changed columns, is looked at again.
   */
  analyze(project: Project, sources: SourceShapes, options?: AnalyzeOptions): Promise<ProjectAnalysis>
  close(): void
}
