/** The key `deploy` of a `.svc` file as typed data. */
import type { MaterializeKind } from '../materialize/index.ts'

export interface Deploy {
  /** `incremental` is not implemented yet. */
  readonly materialize: MaterializeKind
  /** Replaces the project's `default_schema` for this asset. */
  readonly schema?: string
  readonly indexes: readonly TableIndex[]
  readonly grants: Grants
  /** Whether its table is left out of the server's log: a crash of the server empties it. */
  readonly unlogged: boolean
  /** Where the server keeps the table and its indexes; undefined for the place of the database. */
  readonly tablespace?: string
  /** Settings of the engine's session while it is built, by name. */
  readonly settings: Readonly<Record<string, string | number | boolean>>
  /** SQL statements around the build; `asset.hooks` has them with their tags. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** The number of archives that are kept for rollback. */
  readonly keep: number
  readonly enabled: boolean
  /** The least number of rows behind each row of an aggregate; undefined if none is promised. */
  readonly kAnonymity?: number
}

/** An index of the table of an asset. */
export interface TableIndex {
  readonly columns: readonly string[]
  readonly unique: boolean
  /** A method of the engine; undefined for its usual one. */
  readonly method?: string
  /** Undefined where the warehouse chooses. */
  readonly name?: string
  /** An SQL condition: only these rows are in it. */
  readonly where?: string
}

/** Who may do what with the production view. */
export interface Grants {
  readonly select: readonly string[]
}
