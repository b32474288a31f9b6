/**
 * The content of a `.svc` file as typed data (interface.md 2.12, decisions 1): defaults filled in, short
 * forms expanded, durations in milliseconds. It has no places; `locate(asset, path)` finds them in the tree.
 */

import type { DestinationType } from '../destinations/index.ts'
import type { NoticeEvent, NotifierType } from '../notifiers/index.ts'
import type { MaskKind } from '../source/masks.ts'
import type { DataTestParts } from '../tests/index.ts'
import type { Constraints } from './constraints-definition.ts'
import type { Deploy } from './deploy-definition.ts'

export type { Constraints, ForeignKey } from './constraints-definition.ts'
export type { Deploy, Grants, TableIndex } from './deploy-definition.ts'

export interface AssetDefinition {
  readonly name: string
  readonly description?: string
  readonly owner?: string
  readonly tags: readonly string[]
  readonly ingest: Ingest
  readonly contract?: Contract
  readonly transform: Transform
  /** The documentation of output columns by column name. */
  readonly columns: Readonly<Record<string, ColumnDoc>>
  readonly tests: readonly TestDefinition[]
  readonly freshness?: Freshness
  readonly deploy: Deploy
  /** Where the asset is sent to, by the name of the destination; `svc.yaml` may say the rest. */
  readonly publish: Readonly<Record<string, Destination>>
  readonly exposures: readonly Exposure[]
}

// ---------------------------------------------------------------- ingest

export type Ingest = NoIngest | RestIngest | SqlIngest | FileIngest | WarehouseIngest | RowsIngest

/** Keys that all kinds of source share. */
export interface SourceOptions {
  /**
   * A literal or `env:NAME`; default `env:SOURCE__<ASSET>__CREDENTIALS`, which is used if that variable is
   * set.
   */
  readonly credentials: string
  readonly write: 'replace' | 'append' | 'merge' | 'scd2'
  /** What becomes of gathered rows when the source is defined as another one. */
  readonly onChange: 'fail' | 'forward' | 'rebuild'
  readonly incremental?: Incremental
  readonly primaryKey: readonly string[]
  /** Source names (or `a.b` paths, `*` wildcards) to keep; empty keeps all. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** How values are hidden before they are stored, by source name or path as in `exclude`. */
  readonly mask: Readonly<Record<string, MaskKind>>
  readonly naming: 'snake' | 'source'
  readonly nested: { readonly mode: NestedMode; readonly depth: number }
  readonly limits: SourceLimits
}

export type NestedMode = 'tables' | 'json' | 'struct'

/** A step along a cursor: an amount of time, or of numbers. */
export interface Step {
  readonly unit: 'ms' | 'number'
  readonly value: number
}

/** Which records a load asks for, with `write: append` or `merge`. */
export interface Incremental {
  /** A column of the table of `{{ source }}`. */
  readonly cursor: string
  readonly start?: JsonScalar
  /** How far before the last value a load begins. */
  readonly lagMs?: number
  /** The order in which the source has its records, by the cursor. */
  readonly order?: 'asc' | 'desc'
  /** How much of the cursor one request asks for. */
  readonly window?: Step
}

export interface SourceLimits {
  /** Requests per second; undefined for no limit. */
  readonly ratePerSecond?: number
  readonly concurrency: number
  readonly timeoutMs: number
  /** The number of retries of a failed request. */
  readonly retries: number
  readonly maxRows?: number
  /** The size of one response, unpacked. */
  readonly bodyBytes: number
  /** How many times larger than its packed form a response or file may be. */
  readonly ratio: number
  /** The size of one record. */
  readonly recordBytes: number
  /** The levels of nesting of one record of JSON. */
  readonly depth: number
  readonly pages: number
  /** The size of all responses together, unpacked. */
  readonly totalBytes: number
  readonly files: number
  /** The number of names that a walk through folders may see. */
  readonly names: number
}

export interface NoIngest {
  readonly type: 'none'
}

export interface RowsIngest extends SourceOptions {
  readonly type: 'rows'
  readonly rows: readonly Readonly<Record<string, JsonValue>>[]
}

/** A table of the warehouse that svc does not write. */
export interface WarehouseIngest extends SourceOptions {
  readonly type: 'warehouse'
  /** `schema.table`. */
  readonly resource: string
  /** How a run knows whether its rows have changed: `scan`, `never`, or a column. */
  readonly changedBy: string
}

export interface FileIngest extends SourceOptions {
  readonly type: 'file'
  /** A folder relative to the project's root, or an address `https://`, `s3://` or `sftp://`. */
  readonly endpoint: string
  /** A glob below the folder; one name below an address of the web. */
  readonly resource: string
  readonly format?: 'csv' | 'json' | 'ndjson' | 'parquet'
  /** Reader options by name: delimiter, header, quote, escape, null_string, encoding, records (JSON path)… */
  readonly options: Readonly<Record<string, JsonValue>>
  /** Whether a load reads only files that no load before has. */
  readonly onlyNew: boolean
  /** Whether folders named `key=value` are columns. */
  readonly partitions: 'auto' | 'none'
  /** Further hosts that a redirect may lead to. */
  readonly allowHosts: readonly string[]
  readonly s3?: S3Settings
  readonly sftp?: SftpSettings
}

/** How an address `s3://` is reached. */
export interface S3Settings {
  readonly endpoint?: string
  readonly region?: string
  readonly pathStyle?: boolean
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  readonly sessionToken?: string
  readonly profile?: string
  readonly anonymous: boolean
}

/** How an address `sftp://` is reached. */
export interface SftpSettings {
  readonly hostKey?: string
  readonly privateKey?: string
  readonly passphrase?: string
  readonly password?: string
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
  /** The path to the list of records in a page; undefined to detect it. */
  readonly records?: string
  readonly paginate: Paginate
  readonly onStatus: Readonly<Record<string, 'retry' | 'skip' | 'fail' | 'end'>>
  /** Further hosts to which next-page addresses and redirects may lead. */
  readonly allowHosts: readonly string[]
  readonly forEach?: ForEach
}

/** One request for each row of another asset. */
export interface ForEach {
  readonly asset: string
  /** Its columns that requests may name; empty allows all. */
  readonly columns: readonly string[]
  /** A condition in the SQL of the warehouse. */
  readonly where?: string
  /** Its columns that each record gets, as `<asset>_<column>`. */
  readonly carry: readonly string[]
}

/** A table or a query of another database. */
export interface SqlIngest extends SourceOptions {
  readonly type: 'sql'
  /** The address of the database, or `env:NAME`. */
  readonly endpoint: string
  /** `schema.table`; absent where there is a query. */
  readonly resource?: string
  readonly query?: string
  readonly where?: string
  readonly split?: { readonly by?: string; readonly parts: number }
}

export type RestAuth =
  | { readonly type: 'none' }
  /** Without a token, the asset's `credentials` are the token. */
  | { readonly type: 'bearer'; readonly token?: string }
  | { readonly type: 'basic'; readonly username: string; readonly password?: string }
  | {
      readonly type: 'api_key'
      readonly name: string
      readonly value?: string
      readonly in: 'header' | 'query' | 'cookie'
    }
  /** Without a secret of the client, the asset's `credentials` are it. */
  | {
      readonly type: 'oauth2'
      readonly tokenUrl: string
      readonly clientId: string
      readonly clientSecret?: string
      readonly refreshToken?: string
      readonly scope?: string
      readonly audience?: string
      readonly client: 'basic' | 'form'
    }
  | SessionAuth

/** A login whose answer has a token, or sets cookies. */
export interface SessionAuth {
  readonly type: 'session'
  readonly loginUrl: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  /** Texts in it may be `env:NAME`. */
  readonly body?: JsonValue
  readonly format: 'json' | 'form'
  /** The path of the token in the answer; without it the cookies of the answer are sent. */
  readonly tokenPath?: string
  readonly name: string
  readonly in: 'header' | 'query' | 'cookie'
  readonly prefix?: string
  readonly expiresPath?: string
  /** Statuses by which the service says that the session has ended. */
  readonly renewOn: readonly string[]
}

export interface Paginate {
  readonly type: 'auto' | 'none' | 'link_header' | 'next_url' | 'cursor' | 'keyset' | 'page' | 'offset'
  /**
   * The path of the next address (next_url) or of the next cursor. As all paths of `paginate` it is one in the response body, or a
   * header as `header:X-Next-Page`.
   */
  readonly path?: string
  /** The response header that has the next cursor, instead of `path`. */
  readonly header?: string
  /** The path in a record of the value from which the next page goes on (keyset). */
  readonly key?: string
  /** The parameter for the cursor, key, page number or offset. */
  readonly param?: string
  readonly in: 'query' | 'body' | 'header'
  readonly sizeParam?: string
  readonly size?: number
  /** The first page number or offset; default 1 for page, 0 for offset. */
  readonly start?: number
  /** The path of the total number of records (offset) or pages (page). */
  readonly total?: string
  /** The path of the total number of records (page). */
  readonly count?: string
  /** The path of a boolean that tells whether there are more pages. */
  readonly more?: string
  /** The path of a boolean that tells whether this page is the last. */
  readonly last?: string
  readonly maxPages?: number
  /** Whether what answers say of more is compared with what was loaded; absent means `check`. */
  readonly claims?: 'check' | 'ignore'
}

// ---------------------------------------------------------------- contract

export type Evolution = 'evolve' | 'freeze' | 'discard_row' | 'discard_value'

export interface Contract extends TableContract {
  readonly evolution: { readonly tables: Evolution; readonly columns: Evolution; readonly types: Evolution }
  readonly enforceTypes: boolean
  /** What is promised of child tables, by the name in `{{ source('name') }}`. */
  readonly tables: Readonly<Record<string, TableContract>>
  /** Keys of the built table, which no load depends on. */
  readonly constraints?: Constraints
  /** Whether a source that had records may have none. */
  readonly allowEmpty: boolean
  /** Undefined means none, unless a discard mode allows rejects. */
  readonly maxRejects?: Amount
}

/** What is promised of one table of the source. */
export interface TableContract {
  readonly requiredColumns: readonly string[]
  readonly columns: Readonly<Record<string, ContractColumn>>
}

/** An amount such as `10` records, or `1%` of them. */
export interface Amount {
  readonly unit: 'rows' | 'percent'
  readonly value: number
}

export interface ContractColumn {
  /** A type of the warehouse as written; undefined to infer it. */
  readonly type?: string
  readonly nullable: boolean
  readonly pii: boolean
  readonly description?: string
  /** The name at the source if it differs. */
  readonly from?: string
}

// ---------------------------------------------------------------- transform, tests, the rest

/** The transform; its SQL text is `asset.sql`. Python is not implemented yet. */
export interface Transform {
  readonly kind: 'sql'
}

export interface ColumnDoc {
  readonly description?: string
  readonly type?: string
  readonly term?: string
  readonly role?: 'primary_key' | 'foreign_key' | 'attribute'
  /** Undefined means that the lineage decides; `false` ends a mark. */
  readonly pii?: boolean
}

export type TestSeverity = 'error' | 'warn'

/** A threshold for the number of failing rows, such as `> 10`. */
export interface Threshold {
  readonly operator: '>' | '>=' | '=' | '!=' | '<' | '<='
  readonly value: number
}

export interface TestOptions {
  /** The given name, or one made from kind and column; unique within the asset (`not_null_id`). */
  readonly name: string
  readonly description?: string
  readonly severity: TestSeverity
  /** An SQL condition that limits the rows of the test. */
  readonly where?: string
  readonly warnIf?: Threshold
  readonly errorIf?: Threshold
  readonly tags: readonly string[]
  /** The index in the file's `tests` list; a list such as `not_null: [a, b]` gives one test per column. */
  readonly index: number
}

/** A test. The members of each kind are defined in its file in `server/language/tests`. */
export type TestDefinition = TestOptions & (DataTestParts | UnitTest)

/**
 * A unit test with given and expected rows, which runs in memory. `unit/unit-case.ts` has the same with
 * places.
 */
export interface UnitTest {
  readonly kind: 'unit'
  /** Rows by input: the name of an asset, `source` or `source('child')`. An input without rows is empty. */
  readonly given: Readonly<Record<string, UnitRows>>
  /** Variables that replace those of the project. */
  readonly vars: Readonly<Record<string, JsonScalar>>
  /** The result of `now()`: a date, or a timestamp in UTC or with an offset. */
  readonly now?: string
  /** The expected rows; excludes `error`. */
  readonly expect?: UnitRows
  /** A part of the message with which the SQL must fail. */
  readonly error?: string
  /** Whether the rows must come in this order. */
  readonly ordered: boolean
  /** Whether there may be more rows than expected. */
  readonly contains: boolean
  /** The CTE whose rows are expected, instead of the whole query's. */
  readonly cte?: string
  /** The allowed difference between numbers. */
  readonly tolerance?: number
}

/**
 * Rows of a unit test. A column that a row does not name is NULL in given rows and not compared in expected
 * ones.
 */
export type UnitRows = readonly Readonly<Record<string, JsonValue>>[]

/** A test of rows in the warehouse: every kind except `unit`. */
export type DataTest = TestOptions & DataTestParts

export interface Freshness {
  readonly warnAfterMs?: number
  readonly errorAfterMs?: number
  /** A timestamp column of the asset; by default the time of the last run counts (interface.md 3.2). */
  readonly column?: string
}

export interface Exposure {
  readonly name: string
  readonly type: string
  readonly url?: string
  readonly owner?: string
  readonly description?: string
}

// ---------------------------------------------------------------- publish

export type PublishMode = 'upsert' | 'insert' | 'update' | 'mirror' | 'replace'

/** A destination as it is written in `svc.yaml`, or a target in an asset: what is absent the other one may say. */
export interface Destination {
  readonly type?: DestinationType
  readonly endpoint?: string
  readonly resource?: string
  readonly credentials?: string
  readonly environments?: readonly string[]
  readonly limits?: Partial<PublishLimits>
  readonly mode?: PublishMode
  readonly key?: readonly string[]
  /** Columns by the name that they have at the destination. */
  readonly fields?: Readonly<Record<string, string>>
  readonly where?: string
  readonly batch?: number
  readonly maxChange?: Amount
  readonly onDelete?: OnDelete
  /** The field that gets the time when a row has gone. */
  readonly mark?: string
  // HTTP alone.
  readonly recipe?: 'rows' | 'hubspot' | 'salesforce' | 'sheets'
  readonly method?: HttpMethod
  readonly headers?: Readonly<Record<string, string>>
  readonly auth?: RestAuth
  readonly records?: string
  readonly results?: string
  readonly errorPath?: string
  readonly idPath?: string
  readonly remove?: { readonly method?: HttpMethod; readonly resource: string }
  readonly idempotencyHeader?: string
  // Files alone.
  readonly format?: 'csv' | 'ndjson' | 'parquet'
  readonly s3?: S3Settings
  readonly sftp?: SftpSettings
}

/** What becomes of a row that was published and is gone. */
export type OnDelete = 'ignore' | 'delete' | 'mark'

export type HttpMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface PublishLimits {
  /** Batches per second; undefined for no limit. */
  readonly ratePerSecond?: number
  readonly concurrency: number
  readonly timeoutMs: number
  /** The number of retries of a batch. */
  readonly retries: number
}

// ---------------------------------------------------------------- notify

/** Who is told, as it is written in `svc.yaml`. */
export interface Notifier {
  readonly type: NotifierType
  /** An address, or `env:NAME`. */
  readonly endpoint: string
  readonly on: readonly NoticeEvent[]
  readonly environments?: readonly string[]
  readonly select?: string
  readonly repeatMs: number
  readonly limits: { readonly perHour: number; readonly timeoutMs: number; readonly retries: number }
  // Webhooks alone.
  readonly headers?: Readonly<Record<string, string>>
  readonly secret?: string
  // E-mail alone.
  readonly from?: string
  readonly to?: readonly string[]
  readonly username?: string
  readonly password?: string
  readonly tls?: 'required' | 'never'
}

// ---------------------------------------------------------------- openlineage

/** Where OpenLineage events go, as it is written in `svc.yaml`. */
export type OpenLineage = { readonly namespace?: string; readonly environments?: readonly string[] } & (
  | { readonly type: 'http'; readonly endpoint: string; readonly credentials?: string }
  | { readonly type: 'file'; readonly path: string }
)

export type JsonScalar = string | number | boolean | null
export type JsonValue = JsonScalar | readonly JsonValue[] | { readonly [key: string]: JsonValue }
