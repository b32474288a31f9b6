/**
 * What a `.svc` file says, as plain typed data (interface.md 2.12, decisions 1): defaults filled in, short forms
 * expanded, durations in milliseconds. Places are not kept here; `locate(asset, path)` finds them in the tree.
 */

import type { MaterializeKind } from '../materialize/index.ts'
import type { DataTestParts } from '../tests/index.ts'

export interface AssetDefinition {
  readonly name: string
  readonly description?: string
  readonly owner?: string
  readonly tags: readonly string[]
  readonly ingest: Ingest
  readonly contract?: Contract
  readonly transform: Transform
  /** Documentation of output columns, by column name. */
  readonly columns: Readonly<Record<string, ColumnDoc>>
  readonly tests: readonly TestDefinition[]
  readonly freshness?: Freshness
  readonly deploy: Deploy
  readonly exposures: readonly Exposure[]
}

// ---------------------------------------------------------------- ingest

export type Ingest = NoIngest | RestIngest | FileIngest | RowsIngest

/** Keys that every source shares. */
export interface SourceOptions {
  /** A literal or `env:NAME`; default `env:SOURCE__<ASSET>__CREDENTIALS`, used when that variable is set. */
  readonly credentials: string
  /** Only `replace` is built so far. */
  readonly write: 'replace'
  readonly primaryKey: readonly string[]
  /** Source names (or `a.b` paths, `*` wildcards) to keep; empty keeps all. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly naming: 'snake' | 'source'
  readonly nested: { readonly mode: 'tables' | 'json'; readonly depth: number }
  readonly limits: SourceLimits
}

export interface SourceLimits {
  /** Requests per second; undefined: no limit. */
  readonly ratePerSecond?: number
  readonly concurrency: number
  readonly timeoutMs: number
  /** How often a failed request is tried again. */
  readonly retries: number
  readonly maxRows?: number
}

export interface NoIngest {
  readonly type: 'none'
}

export interface RowsIngest extends SourceOptions {
  readonly type: 'rows'
  readonly rows: readonly Readonly<Record<string, JsonValue>>[]
}

export interface FileIngest extends SourceOptions {
  readonly type: 'file'
  /** A folder, relative to the project's root. (Addresses with a scheme are not built yet.) */
  readonly endpoint: string
  /** A glob below it. */
  readonly resource: string
  readonly format?: 'csv' | 'json' | 'ndjson' | 'parquet'
  /** Reader options by name: delimiter, header, quote, escape, null_string, encoding, records (JSON path)… */
  readonly options: Readonly<Record<string, JsonValue>>
}

export interface RestIngest extends SourceOptions {
  readonly type: 'rest_api'
  readonly endpoint: string
  readonly resource: string
  readonly method: 'GET' | 'POST'
  readonly params: Readonly<Record<string, JsonValue>>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: JsonValue
  readonly auth: RestAuth
  /** Path to the list of records in a page; undefined: detected. */
  readonly records?: string
  readonly paginate: Paginate
  readonly onStatus: Readonly<Record<string, 'retry' | 'skip' | 'fail' | 'end'>>
  /** Further hosts that a next-page address or a redirect may lead to. */
  readonly allowHosts: readonly string[]
}

export type RestAuth =
  | { readonly type: 'none' }
  /** Without a token here, the asset's `credentials` are the token. */
  | { readonly type: 'bearer'; readonly token?: string }
  | { readonly type: 'basic'; readonly username: string; readonly password?: string }
  | {
      readonly type: 'api_key'
      readonly name: string
      readonly value?: string
      readonly in: 'header' | 'query' | 'cookie'
    }

export interface Paginate {
  readonly type: 'auto' | 'none' | 'link_header' | 'next_url' | 'cursor' | 'page' | 'offset'
  /** Path of the next address (next_url) or of the next cursor in the response body. */
  readonly path?: string
  /** Response header that holds the next cursor, instead of `path`. */
  readonly header?: string
  /** Name of the parameter that carries cursor, page number or offset. */
  readonly param?: string
  readonly in: 'query' | 'body'
  readonly sizeParam?: string
  readonly size?: number
  /** First page number or offset; default 1 for page, 0 for offset. */
  readonly start?: number
  /** Path of the total number of records (offset) or pages (page) in the body. */
  readonly total?: string
  /** Path of a boolean that says whether there are more pages. */
  readonly more?: string
  readonly maxPages?: number
}

// ---------------------------------------------------------------- contract

export type Evolution = 'evolve' | 'freeze' | 'discard_row' | 'discard_value'

export interface Contract {
  readonly evolution: { readonly tables: Evolution; readonly columns: Evolution; readonly types: Evolution }
  readonly enforceTypes: boolean
  readonly requiredColumns: readonly string[]
  readonly columns: Readonly<Record<string, ContractColumn>>
  /** Undefined: none, unless a discard mode asks for rejects. */
  readonly maxRejects?: Amount
}

/** `10` records, or `1%` of them. */
export interface Amount {
  readonly unit: 'rows' | 'percent'
  readonly value: number
}

export interface ContractColumn {
  /** A type of the warehouse, as written; undefined: inferred. */
  readonly type?: string
  readonly nullable: boolean
  readonly pii: boolean
  readonly description?: string
  /** The name at the source when it is not this one. */
  readonly from?: string
}

// ---------------------------------------------------------------- transform, tests, the rest

/** The SQL text itself is `asset.sql`. Python is not built yet. */
export interface Transform {
  readonly kind: 'sql'
}

export interface ColumnDoc {
  readonly description?: string
  readonly type?: string
  readonly term?: string
  readonly role?: 'primary_key' | 'foreign_key' | 'attribute'
  readonly pii: boolean
}

export type TestSeverity = 'error' | 'warn'

/** A threshold on the number of failing rows, such as `> 10`. */
export interface Threshold {
  readonly operator: '>' | '>=' | '=' | '!=' | '<' | '<='
  readonly value: number
}

export interface TestOptions {
  /** Given, or made from kind and column; unique within the asset (`not_null_id`). */
  readonly name: string
  readonly description?: string
  readonly severity: TestSeverity
  /** SQL condition that limits the rows looked at. */
  readonly where?: string
  readonly warnIf?: Threshold
  readonly errorIf?: Threshold
  readonly tags: readonly string[]
  /** Position in the file's `tests` list; a list such as `not_null: [a, b]` gives one test a column. */
  readonly index: number
}

/** What a kind holds besides the options is said in its file in `server/language/tests`. */
export type TestDefinition = TestOptions & (DataTestParts | UnitTest)

/** Given rows in, expected rows out; runs in memory. `unit/unit-case.ts` has the same with its places. */
export interface UnitTest {
  readonly kind: 'unit'
  /** By input: the name of an asset, `source` or `source('child')`. What is not given is empty. */
  readonly given: Readonly<Record<string, UnitRows>>
  /** Instead of those of the project. */
  readonly vars: Readonly<Record<string, JsonScalar>>
  /** What `now()` is: a date, or a timestamp in UTC or with an offset. */
  readonly now?: string
  /** Either this or `error`. */
  readonly expect?: UnitRows
  /** A part of the message with which the SQL is to fail. */
  readonly error?: string
  /** The rows must come in this order. */
  readonly ordered: boolean
  /** There may be more rows than expected. */
  readonly contains: boolean
  /** The CTE whose rows are expected, instead of those of the whole query. */
  readonly cte?: string
  /** How far numbers may be apart. */
  readonly tolerance?: number
}

/** Columns that a row does not name are NULL where rows are given, and not looked at where they are expected. */
export type UnitRows = readonly Readonly<Record<string, JsonValue>>[]

/** A test of rows in the warehouse: every kind but `unit`. */
export type DataTest = TestOptions & DataTestParts

export interface Freshness {
  readonly warnAfterMs?: number
  readonly errorAfterMs?: number
  /** A timestamp column of the asset; without it the last run time counts (interface.md 3.2). */
  readonly column?: string
}

export interface Deploy {
  /** `incremental` is not built yet. */
  readonly materialize: MaterializeKind
  /** Replaces the project's `default_schema` for this asset. */
  readonly schema?: string
  /** Archives kept for rollback. */
  readonly keep: number
  readonly enabled: boolean
}

export interface Exposure {
  readonly name: string
  readonly type: string
  readonly url?: string
  readonly owner?: string
  readonly description?: string
}

export type JsonScalar = string | number | boolean | null
export type JsonValue = JsonScalar | readonly JsonValue[] | { readonly [key: string]: JsonValue }
