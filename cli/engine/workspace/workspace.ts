/**
 * A project on disk with its surroundings. Everything that the engine takes from outside (clock, ids,
 * environment variables, files) is here, so that tests can replace it.
 */
import type { SourceShapeCache } from '@svc/server/catalog'
import type {
  Catalog,
  Diagnostic,
  IsClean,
  Project,
  ProjectAnalysis,
  PromotionMode,
  PromotionPatience,
  RawTable,
  SourceShapes,
  WarningMode,
} from '@svc/server/language'
import type { EditorLink } from '../ai/editor-link.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'

/** A target environment, resolved (decisions 2, "Schemas"). */
export interface Environment {
  readonly name: string
  /**
   * The name in the state tables and of the lease. It is `name`, but `dev_<branch slug>` on a git branch: two
   * branches have different schemas, so each needs its own state.
   */
  readonly stateName: string
  /** The production schema of assets without `deploy.schema`. */
  readonly schema: string
  /**
   * Returns the production schema of a `deploy.schema` (or `default_schema`) base name in this environment.
   */
  readonly schemaFor: (base: string) => string
  /** The resolved URL. It may contain a secret and is never printed. */
  readonly warehouseUrl: string
  readonly vars: Readonly<Record<string, string | number | boolean | null>>
  readonly promotion: PromotionMode
  readonly patience: PromotionPatience
  readonly warnings: WarningMode
  /** The git branch that decides the `dev` schema. */
  readonly branch: string | undefined
  /** Whether `dev` has the schema of no branch although the folder is a checkout, as a CI system makes it. */
  readonly isDetached?: boolean
}

export interface World {
  readonly now: () => Date
  readonly newRunId: () => string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly user: string
  readonly host: string
  readonly pid: number
  readonly cores: number
  /**
   * The version of the running program, because caches of another version are not trusted. If absent, nothing
   * is cached.
   */
  readonly program?: string
  /**
   * Runs `work` so that an interrupt aborts the workspace's signal instead of ending the process, because
   * something has to be released. If absent, there are no interrupts.
   */
  readonly guard?: <T>(work: () => Promise<T>) => Promise<T>
  /** Whether the process ends with the command, which frees all that it holds. */
  readonly endsSoon?: boolean
  /** The editor that started this command and answers for a person; absent on a terminal. */
  readonly editor?: EditorLink
}

export interface Workspace {
  readonly root: string
  readonly world: World
  readonly environment: Environment
  readonly project: Project
  readonly sources: SourceShapes
  /** The assets whose columns are known from `schemas.lock.json` alone, as they were at the last promotion. */
  readonly lockedSources: ReadonlySet<string>
  /** Cached analyses of local files, valid while the files are unchanged. */
  readonly looks?: SourceShapeCache
  /**
   * Problems that are not in the text of a file: invalid bytes, and problems of sources (equal names, a
   * missing file), once they are read.
   */
  readonly sourceDiagnostics: readonly Diagnostic[]
  readonly catalog: Catalog
  /** Returns columns, lineage and SQL errors; computed on first use. */
  analysis(): Promise<ProjectAnalysis>
  /**
   * Replaces what is known of these sources, and only of these (undefined: nothing is known); `sources` and `analysis()` are
   * then computed again.
   */
  reshape(shapes: ReadonlyMap<string, readonly RawTable[] | undefined>): Promise<ProjectAnalysis>
  /** Returns the text of any file that a diagnostic may name. */
  textOf(path: string): string | undefined
  /**
   * Returns which assets need no checks, because nothing changed since checks found no problem; after the
   * analysis.
   */
  cleanAssets?(): IsClean | undefined
  warehouse(): Promise<Warehouse>
  /** Returns a text without the secrets of the project's files. Absent where no secret is known. */
  withoutSecrets?(text: string): string
  /** Returns statements that load extensions of the engine; absent if there are none. */
  extensions?(): Promise<readonly string[]>
  /** Returns the folder `.svc/<environment>/`, created on first use. */
  stateFolder(): Promise<string>
  readonly signal: AbortSignal
  close(): Promise<void>
}
