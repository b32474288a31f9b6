/**
 * The kinds of sources and destinations and what they can be asked for: columns and rows of the tables in `docs/sources.md` and
 * `docs/publish.md`. Each has what the file of an asset says for it, so that the checks tell what is refused.
 */

/** The lines of `ingest` that say which source it is. */
export const sources = {
  rest_api: ['web service', 'type: rest_api, endpoint: "https://example.com", resource: o'],
  postgres: ['PostgreSQL', 'type: sql, endpoint: "postgres://reader@h/d", resource: public.o'],
  mysql: ['MySQL, MariaDB', 'type: sql, endpoint: "mysql://reader@h/d", resource: o'],
  sqlite: ['SQLite file', 'type: sql, endpoint: "sqlite:o.db", resource: o'],
  duckdb: ['DuckDB file', 'type: sql, endpoint: "duckdb:o.duckdb", resource: o'],
  folder: ['local files', 'type: file, endpoint: data, resource: "*.csv"'],
  https: ['https files', 'type: file, endpoint: "https://example.com/", resource: o.csv'],
  s3: ['S3 files', 'type: file, endpoint: "s3://lake/in", resource: "*.csv"'],
  sftp: ['SFTP files', 'type: file, endpoint: "sftp://reader@h/in", resource: "*.csv"'],
  warehouse: ['table of the warehouse', 'type: warehouse, resource: raw.o'],
  rows: ['rows in the file', 'type: rows, rows: [{id: 1}]'],
} as const

const cursor = 'write: append, incremental: {cursor: id}'

/** The keys of a feature; undefined for what no key asks for. A web service is asked in its own way. */
export const sourceFeatures = {
  replace: ['all of it, at every run', undefined],
  append: ['`write: append`', cursor],
  merge: ['`write: merge`', 'write: merge, primary_key: id, incremental: {cursor: id}'],
  scd2: ['`write: scd2`', 'write: scd2, primary_key: id'],
  order: [
    '`order: asc` with `max_rows`',
    'write: append, incremental: {cursor: id, order: asc}, limits: {max_rows: 9}',
  ],
  newest: ['`order: desc`', 'write: append, incremental: {cursor: id, order: desc}'],
  window: [
    '`window`',
    'write: merge, primary_key: id, incremental: {cursor: id, start: 2024-01-01, window: 7d}',
  ],
  only_new: ['`only_new`', 'write: append, only_new: true'],
  mask: ['`mask`', 'mask: {email: redact}'],
  max_rows: ['`limits.max_rows`', 'limits: {max_rows: 9}'],
  where: ['`where`', 'where: id > 0'],
  split: ['`split`', 'split: {by: id}'],
  for_each: ['`for_each`', 'for_each: {asset: other, columns: id}'],
  partitions: ['`partitions`', 'partitions: auto'],
  discover: ['`svc discover`', undefined],
  retries: ['tries again after a connection that broke', undefined],
  resume: ['goes on after a fetch that broke off', undefined],
} as const satisfies Features

/** What a web service needs beside the keys of a feature. */
export const requestKeys: Readonly<Partial<Record<SourceFeature, string>>> = {
  order: 'params: {since: "{cursor}"}',
  window: 'params: {since: "{cursor}", until: "{cursor.end}"}',
  for_each: 'params: {of: "{parent.id}"}',
}

/** What a web service needs beside the keys of a feature: where the keys of rows go that are gone. */
export const removeKeys: Readonly<Partial<Record<DestinationFeature, string>>> = {
  delete: 'remove: {resource: gone}',
  mirror: 'remove: {resource: gone}',
}

/** The keys of a target that say which destination it is. */
export const destinations = {
  postgres: ['PostgreSQL', 'type: postgres, endpoint: "postgres://writer@h/d", resource: o'],
  mysql: ['MySQL, MariaDB', 'type: mysql, endpoint: "mysql://writer@h/d", resource: o'],
  duckdb: ['DuckDB file', 'type: duckdb, endpoint: "duckdb:o.duckdb", resource: o'],
  http: ['web service', 'type: http, endpoint: "https://example.com", resource: o'],
  folder: ['local file', 'type: file, endpoint: out, resource: o.csv'],
  s3: ['S3 file', 'type: file, endpoint: "s3://lake/out", resource: o.csv'],
  sftp: ['SFTP file', 'type: file, endpoint: "sftp://writer@h/out", resource: o.csv'],
} as const

export const destinationFeatures = {
  upsert: ['`mode: upsert`', 'mode: upsert, key: id'],
  insert: ['`mode: insert`', 'mode: insert, key: id'],
  update: ['`mode: update`', 'mode: update, key: id'],
  mirror: ['`mode: mirror`', 'mode: mirror, key: id'],
  replace: ['`mode: replace`', 'mode: replace'],
  delete: ['`on_delete: delete`', 'on_delete: delete, key: id'],
  mark: ['`on_delete: mark`', 'on_delete: mark, key: id'],
  creates: ['makes what is not there', undefined],
  difference: ['sends nothing when nothing has changed', undefined],
  dry_run: ['`--dry-run`', undefined],
  outcomes: ['keeps hold of the rows that are refused, and sends all others', undefined],
  killed: ['is as production in the end, after a kill', undefined],
} as const satisfies Features

/** Where a feature means nothing to a kind, and why; nothing has to refuse it. */
export const pointlessSources: readonly Pointless<Source, SourceFeature>[] = [
  {
    kinds: ['folder', 'warehouse', 'rows'],
    features: ['retries', 'resume'],
    why: 'It is read where it is: there is no connection that could break, and nothing is fetched.',
  },
  { kinds: ['rows'], features: ['discover'], why: 'The rows are in the file of the asset already.' },
  {
    kinds: ['https'],
    features: ['partitions'],
    why: 'A web server does not list its folders: there is one file.',
  },
  { kinds: ['https'], features: ['resume'], why: 'There is one file, which is fetched again as a whole.' },
]

export const pointlessDestinations: readonly Pointless<Destination, DestinationFeature>[] = [
  { kinds: ['http'], features: ['creates'], why: 'What a web service keeps, it makes itself.' },
  {
    kinds: ['folder', 's3', 'sftp'],
    features: ['outcomes'],
    why: 'A file refuses no row: it is replaced as a whole, or stays as it was.',
  },
]

export interface Pointless<Kind extends string = string, Feature extends string = string> {
  readonly kinds: readonly Kind[]
  readonly features: readonly Feature[]
  readonly why: string
}

type Features = Readonly<Record<string, readonly [title: string, keys: string | undefined]>>

export type Source = keyof typeof sources
export type SourceFeature = keyof typeof sourceFeatures
export type Destination = keyof typeof destinations
export type DestinationFeature = keyof typeof destinationFeatures
