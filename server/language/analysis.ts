/**
 * The analysis of a project's SQL: columns, types, lineage, errors. It is the interface between the pure
 * language and the shadow catalogue (`server/catalog` implements it with an in-memory DuckDB).
 */
import type { Project } from './project/project.ts'
import type { SourceShapes } from './source/source-shape.ts'
import type { Diagnostic } from './text/diagnostic.ts'
import type { Range } from './text/range.ts'
import type { UnitTestResult } from './unit/unit-result.ts'

export interface Column {
  readonly name: string
  /**
   * The engine's name of the type (`DECIMAL(12,2)`); undefined if it is not known (it depends on a source
   * that was never loaded).
   */
  readonly type: string | undefined
}

/** The origin of an output column's values: a column of another asset, or of the asset's own raw source. */
export interface ColumnOrigin {
  readonly asset: string
  readonly column: string
  /**
   * Set if the origin is the asset's own raw table: '' for `{{ source }}`, otherwise the name of the child
   * table.
   */
  readonly source?: string
}

export interface ColumnLineage {
  readonly column: string
  /** Sorted by asset, then column. Empty for constants and `count(*)`. */
  readonly from: readonly ColumnOrigin[]
  /** `direct`: passed through unchanged, though possibly renamed. */
  readonly kind: 'direct' | 'derived'
  /**
   * Those of `from` of which only a hash, a count or a boolean reaches the column, so that no value can be
   * read.
   */
  readonly hidden?: readonly ColumnOrigin[]
  /** What is done to the values, if one word says it: `sum()`, `CAST`. */
  readonly transform?: string | undefined
}

/**
 * The places where a column decides about rows. `SELECT`: it is read, and reaches no column (in EXISTS, in a CTE that
 * nobody reads).
 */
export const useClauses = [
  'WHERE',
  'JOIN',
  'GROUP BY',
  'HAVING',
  'QUALIFY',
  'WINDOW',
  'ORDER BY',
  'LIMIT',
  'DISTINCT',
  'UNION',
  'EXCEPT',
  'INTERSECT',
  'PIVOT',
  'EXCLUDE',
  'SELECT',
] as const
export type UseClause = (typeof useClauses)[number]

/** A column that decides which rows there are, or in what order: nothing of it need be in the output. */
export interface RowUse {
  readonly origin: ColumnOrigin
  /** In the order of `useClauses`. */
  readonly clauses: readonly UseClause[]
}

/** A mention of an asset's column in SQL, for hover, references and rename. `range` is in the file. */
export interface ColumnUse {
  readonly range: Range
  readonly origin: ColumnOrigin
}

export interface AssetAnalysis {
  readonly name: string
  /** The output columns in order; empty if the SQL cannot be bound at all. */
  readonly columns: readonly Column[]
  /** False if there may be more columns than these (`SELECT *` over an unknown source). */
  readonly complete: boolean
  /**
   * While the SQL has mistakes: every name that the asset's own tests may use, including the columns that
   * misspelt ones may be meant to be. Absent if `columns` has them, or if they are not known.
   */
  readonly ownColumns?: readonly string[] | undefined
  readonly lineage: readonly ColumnLineage[]
  readonly rowUses: readonly RowUse[]
  /**
   * Columns whose values become column names (a PIVOT without a list of values). Absent if there are none.
   */
  readonly namesFrom?: readonly ColumnOrigin[] | undefined
  /** The columns that the SQL reads anywhere (WHERE and JOIN too), with their places. */
  readonly uses: readonly ColumnUse[]
  /** The problems of the SQL, with ranges in the file. */
  readonly diagnostics: readonly Diagnostic[]
  /** The SQL calls now(), random() or the like: its result is never reused (decisions 2). */
  readonly volatile: boolean
  /**
   * The results of the asset's unit tests, in the order of the file; what the file shows of them is in
   * `diagnostics` too. Absent if there are none, or if they have not run since a change.
   */
  readonly unitTests?: readonly UnitTestResult[] | undefined
}

export interface ProjectAnalysis {
  /** Returns undefined for names that are not in the project. */
  of(name: string): AssetAnalysis | undefined
  /**
   * Returns the names whose analysis may differ from another one of the same catalogue; undefined if that is
   * not known.
   */
  changedSince?(before: ProjectAnalysis): readonly string[] | undefined
}

export interface AnalyzeOptions {
  /** Analyzes only these assets and what they read. */
  readonly names?: readonly string[]
  /**
   * Polled during the analysis, also while a unit test runs. Assets that were left out are analyzed by the
   * next call.
   */
  readonly signal?: { readonly aborted: boolean }
  /**
   * `due` (the default) runs the unit tests whose asset, inputs or variables have changed. `none` leaves them
   * for another call, and has no results for them until then. `all` runs every test of `names` again.
   */
  readonly unitTests?: 'due' | 'none' | 'all'
}

export interface Catalog {
  /**
   * Analyzes every asset of the snapshot, or only `names` and what they read. A catalogue remembers its last
   * snapshot: only changed assets, and those that depend on changed columns, are analyzed again.
   */
  analyze(project: Project, sources: SourceShapes, options?: AnalyzeOptions): Promise<ProjectAnalysis>
  close(): void
}
