/**
 * A project on disk and the world around it. Everything that the engine takes from outside (clock, ids, environment
 * variables, files) is in here, so that a test can give its own.
 */
import type { SourceShapeCache } from '@svc/server/catalog'
import type {
  Catalog,
  Diagnostic,
  IsClean,
  Project,
  ProjectAnalysis,
  SourceShapes,
} from '@svc/server/language'
import type { Warehouse } from '../warehouse/warehouse.ts'

/** A target environment, resolved (decisions 2, "Schemas"). */
export interface Environment {
  readonly name: string
  /**
   * The name in the state tables and of the lease. It is `name`, but on a git branch `dev_<branch slug>`: two branches
   * have different schemas, so what is live in one says nothing about the other.
   */
  readonly stateName: string
  /** Production schema of assets without `deploy.schema`. */
  readonly schema: string
  /** Production schema for a `deploy.schema` (or `default_schema`) base name in this environment. */
  readonly schemaFor: (base: string) => string
  /** The resolved URL; may hold a secret and is never printed. */
  readonly warehouseUrl: string
  readonly vars: Readonly<Record<string, string | number | boolean | null>>
  /** The git branch that a `dev` schema follows. */
  readonly branch: string | undefined
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
  /** The exact program that runs: what one found out is not believed by another. Absent: nothing is kept. */
  readonly program?: string
  /**
   * While `work` runs, an interrupt aborts the workspace's signal instead of ending the process: there is something to
   * give back. Absent: nobody interrupts.
   */
  readonly guard?: <T>(work: () => Promise<T>) => Promise<T>
}

export interface Workspace {
  readonly root: string
  readonly world: World
  readonly environment: Environment
  readonly project: Project
  readonly sources: SourceShapes
  /** Looks at local files that need not be repeated while the files stay as they are. */
  readonly looks?: SourceShapeCache
  /**
   * Problems that no text shows: bytes that are none, and what sources deliver (names that meet, a file that is
   * missing), once they are read.
   */
  readonly sourceDiagnostics: readonly Diagnostic[]
  readonly catalog: Catalog
  /** Columns, lineage and SQL errors; computed once, on first use. */
  analysis(): Promise<ProjectAnalysis>
  /** Which assets need no checks, because nothing changed since they found nothing; once they are analysed. */
  cleanAssets?(): IsClean | undefined
  warehouse(): Promise<Warehouse>
  /** Statements that load extensions of the engine; absent: there are none. */
  extensions?(): Promise<readonly string[]>
  /** `.svc/<environment>/`, made on first use. */
  stateFolder(): Promise<string>
  readonly signal: AbortSignal
  close(): Promise<void>
}
