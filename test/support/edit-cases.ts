/** The edits of sources whose loads gather rows, each with what is meant to become of these. */
import { typeUnderTest } from './warehouse-under-test.ts'

export type Row = Readonly<Record<string, unknown>>

export interface Edit {
  readonly name: string
  readonly kind: SourceName
  /** The keys of `ingest` behind those of the place, and what stands below `ingest`. */
  readonly before: string
  readonly after: string
  readonly wanted: 'kept' | 'asked' | 'told'
  /** What the source has at the second load, where it is not what others have. */
  readonly second?: readonly Row[]
  /** What a query of the asset gives after the second load; `$t` is its table. */
  readonly finds?: readonly [sql: string, rows: readonly Row[]]
  /** The records that are in the table at the end. */
  readonly ids?: readonly number[]
  /** A warning of it says this. */
  readonly warns?: RegExp
}

export type SourceName =
  | 'ndjson'
  | 'csv'
  | 'files'
  | 'sqlite'
  | 'duckdb'
  | 'mysql'
  | 'postgres'
  | 'http'
  | 'nested'
  | 'rest'
  | 'rows'

/** Where each kind of source is, before its edit; an edit that writes another place writes all of it. */
export const placeOf: Readonly<Record<SourceName, (at: Place) => string>> = {
  ndjson: ({ name }) => `type: file, endpoint: data/${name}, resource: r.ndjson`,
  csv: ({ name }) => `type: file, endpoint: data/${name}, resource: r.csv`,
  files: ({ name }) => `type: file, endpoint: data/${name}, resource: "*.csv", only_new: true`,
  sqlite: ({ name }) => `type: sql, endpoint: "sqlite:shop.db", resource: ${name}`,
  duckdb: ({ name }) => `type: sql, endpoint: "duckdb:shop.duckdb", resource: ${name}`,
  rest: ({ name, port }) =>
    `type: rest_api, endpoint: "http://127.0.0.1:${port}", resource: ${name}, paginate: none`,
  rows: () => 'type: rows',
  mysql: ({ name }) => `type: sql, endpoint: env:MARIADB, resource: ${name}`,
  postgres: ({ name }) => `type: sql, endpoint: env:POSTGRES, resource: public.${name}`,
  http: ({ name, port }) =>
    `type: file, endpoint: "http://127.0.0.1:${port}/files/${name}", resource: r.ndjson`,
  nested: ({ name }) => `type: file, endpoint: data/${name}, resource: r.ndjson`,
}

interface Place {
  readonly name: string
  readonly port: number
}

export const row = (id: number, more: Row = {}): Row => ({
  id,
  at: `2026-01-0${id}`,
  seq: id * 10,
  v: `v${id}`,
  w: id,
  mail: `p${id}@example.com`,
  maybe: id === 2 ? 1 : null,
  updatedAt: `2026-02-0${id}`,
  ...more,
})

export const firstRows = [row(1), row(2), row(3)]
export const secondRows = [row(3), row(4)]

export const merge = 'write: merge, primary_key: id, incremental: {cursor: at}'
export const append = 'write: append, incremental: {cursor: at}'
export const scd2 = 'write: scd2, primary_key: id'
const newFiles = 'write: append'
export const contract = (text: string) => `}\ncontract: {${text}`

/** `keys`: keys of `ingest`, or more behind `}`; where it begins with `=` it is the whole `ingest`. */
export function edit(
  kind: SourceName,
  name: string,
  [before, after]: readonly [string, string],
  more: Partial<Omit<Edit, 'name' | 'kind' | 'before' | 'after'>> = {},
): Edit {
  return { wanted: 'kept', ...more, kind, name, before, after }
}

export const add = (base: string, more: string): [string, string] => [
  base,
  `${base}${more.startsWith('}') ? '' : ', '}${more}`,
]
export const values = (column: string, ...texts: readonly unknown[]): NonNullable<Edit['finds']> => [
  `SELECT ${column} AS x FROM $t WHERE id < 3 ORDER BY id`,
  texts.map(x => ({ x })),
]

/** The edits that the review found to throw gathered rows away, and their kin. */
export function allEdits(): readonly Edit[] {
  const [double, integer, varchar] = (['DOUBLE', 'INTEGER', 'VARCHAR'] as const).map(typeUnderTest)
  const asked = { wanted: 'asked' } as const
  return [
    // The contract.
    edit('ndjson', 'describe', add(merge, contract('columns: {v: {description: The value}}'))),
    edit('ndjson', 'pii', add(merge, contract('columns: {mail: {pii: true}}'))),
    edit('ndjson', 'type_as_it_is', add(merge, contract(`columns: {v: ${varchar}}`))),
    edit('ndjson', 'type_wider', add(merge, contract(`columns: {w: ${double}}`)), {
      finds: ['SELECT w / 2 AS x FROM $t WHERE id = 1', [{ x: 0.5 }]],
    }),
    edit('ndjson', 'type_impossible', add(merge, contract(`columns: {v: ${integer}}`)), asked),
    edit('ndjson', 'type_lossy', add(merge, contract(`columns: {half: ${integer}}`)), asked),
    edit('ndjson', 'required', add(merge, contract('required_columns: [v]'))),
    edit('ndjson', 'required_missing', add(merge, contract('required_columns: [maybe]')), {
      second: [row(3, { maybe: 1 }), row(4, { maybe: 1 })],
      warns: /2 rows that were gathered before have no "maybe"/,
    }),
    edit('ndjson', 'not_null', add(merge, contract('columns: {v: {nullable: false}}'))),
    edit('ndjson', 'evolution', add(merge, contract('evolution: {columns: freeze}'))),
    edit('ndjson', 'enforce', add(merge, contract('enforce_types: true'))),
    edit('ndjson', 'rejects', add(merge, contract('max_rejects: 10'))),
    edit('ndjson', 'allow_empty', add(merge, contract('allow_empty: true'))),
    edit('ndjson', 'rename', add(merge, contract('columns: {value: {from: v}}')), {
      finds: values('value', 'v1', 'v2'),
    }),
    // The place, in another spelling and as another one.
    edit('ndjson', 'dot_folder', [
      merge,
      `=type: file, endpoint: ./data/dot_folder, resource: r.ndjson, ${merge}`,
    ]),
    edit('ndjson', 'slash_folder', [
      merge,
      `=type: file, endpoint: data/slash_folder/, resource: ./r.ndjson, ${merge}`,
    ]),
    edit('ndjson', 'format', add(merge, 'format: ndjson')),
    edit(
      'ndjson',
      'other_file',
      [merge, `=type: file, endpoint: data/other_file, resource: q.ndjson, ${merge}`],
      asked,
    ),
    edit(
      'ndjson',
      'other_folder',
      [merge, `=type: file, endpoint: data/describe, resource: r.ndjson, ${merge}`],
      asked,
    ),
    edit(
      'ndjson',
      'other_kind',
      [merge, `=type: sql, endpoint: "sqlite:shop.db", resource: s_where, ${merge}`],
      asked,
    ),
    edit('ndjson', 'no_source', [merge, '=none'], asked),
    // Columns.
    edit('ndjson', 'exclude', add(merge, 'exclude: w'), {
      finds: ['SELECT id FROM $t WHERE id = 1', [{ id: 1 }]],
    }),
    edit('ndjson', 'exclude_less', [`${merge}, exclude: w`, merge], {
      finds: values('w', null, null),
      warns: /3 rows that were gathered before are NULL in "w"/,
    }),
    edit('ndjson', 'include', add(merge, 'include: [id, at, v]')),
    edit('ndjson', 'include_more', [`${merge}, include: [id, at]`, `${merge}, include: [id, at, v]`], {
      warns: /are NULL in "v"/,
    }),
    edit('ndjson', 'naming', add(merge, 'naming: source'), {
      finds: ['SELECT count("updatedAt") AS n FROM $t', [{ n: 4 }]],
    }),
    edit('ndjson', 'nested', add(merge, 'nested: json'), asked),
    // Masks.
    edit('ndjson', 'mask', add(merge, 'mask: {mail: redact}'), { finds: values('mail', '***', '***') }),
    edit('ndjson', 'mask_partial', add(merge, 'mask: {mail: partial}'), {
      finds: values('mail', '****com', '****com'),
    }),
    edit('ndjson', 'mask_email', add(merge, 'mask: {mail: email}'), {
      finds: values('mail', 'p***@example.com', 'p***@example.com'),
    }),
    edit('ndjson', 'mask_number', add(merge, 'mask: {w: redact}'), { finds: values('w', '***', '***') }),
    edit('ndjson', 'mask_hash', add(merge, 'mask: {mail: hash}'), asked),
    edit('ndjson', 'mask_hash_forward', add(merge, 'mask: {mail: hash}, on_change: forward'), {
      finds: values('mail', null, null),
      warns: /3 rows are NULL in "mail"/,
    }),
    edit('ndjson', 'mask_less', [`${merge}, mask: {mail: redact}`, merge], asked),
    edit('ndjson', 'mask_more', [`${merge}, mask: {mail: email}`, `${merge}, mask: {mail: redact}`], {
      finds: values('mail', '***', '***'),
    }),
    edit('ndjson', 'mask_spelling', [
      `${merge}, mask: {updatedAt: redact}`,
      `${merge}, mask: {updated_at: redact}`,
    ]),
    // Cursor and key.
    edit('ndjson', 'start', [merge, merge.replace('cursor: at', 'cursor: at, start: 2025-01-01')]),
    edit('ndjson', 'start_later', [
      merge.replace('cursor: at', 'cursor: at, start: 2025-01-01'),
      merge.replace('cursor: at', 'cursor: at, start: 2026-01-04'),
    ]),
    edit('ndjson', 'start_less', [merge.replace('cursor: at', 'cursor: at, start: 2025-01-01'), merge]),
    edit('ndjson', 'lag', [merge, merge.replace('cursor: at', 'cursor: at, lag: 1d')]),
    edit('ndjson', 'cursor_letters', [merge, merge.replace('cursor: at', 'cursor: AT')]),
    edit('ndjson', 'cursor_spelling', [
      merge.replace('cursor: at', 'cursor: updated_at'),
      merge.replace('cursor: at', 'cursor: updatedAt'),
    ]),
    edit('ndjson', 'cursor_other', [merge, merge.replace('cursor: at', 'cursor: seq')]),
    edit('ndjson', 'key_letters', [merge, merge.replace('primary_key: id', 'primary_key: ID')]),
    edit('ndjson', 'key_list', [merge, merge.replace('primary_key: id', 'primary_key: [id]')]),
    edit('ndjson', 'key_other', [merge, merge.replace('primary_key: id', 'primary_key: v')], asked),
    edit('ndjson', 'key_other_forward', [
      merge,
      `${merge.replace('primary_key: id', 'primary_key: v')}, on_change: forward`,
    ]),
    // The way of writing.
    edit('ndjson', 'append_to_merge', [append, merge]),
    edit('ndjson', 'merge_to_append', [merge, append]),
    edit('ndjson', 'merge_to_scd2', [merge, `${scd2}, incremental: {cursor: at}`], {
      finds: [
        'SELECT count(*) AS n FROM $t WHERE _svc_valid_from IS NOT NULL AND _svc_valid_to IS NULL',
        [{ n: 4 }],
      ],
    }),
    edit('ndjson', 'merge_to_whole_scd2', [merge, scd2], {
      finds: ['SELECT count(*) AS n FROM $t WHERE _svc_valid_to IS NULL', [{ n: 2 }]],
    }),
    edit('ndjson', 'append_to_scd2', [append, `${scd2}, incremental: {cursor: at}`], asked),
    edit('ndjson', 'scd2_to_merge', [`${scd2}, incremental: {cursor: at}`, merge], asked),
    edit('ndjson', 'merge_to_replace', [merge, ''], asked),
    edit('ndjson', 'scd2_to_replace', [scd2, ''], asked),
    edit('ndjson', 'replace_rebuild', [merge, 'on_change: rebuild'], { wanted: 'told', ids: [3, 4] }),
    // Keys that mean nothing for what a table holds.
    edit('ndjson', 'limits', add(merge, 'limits: {record: 1MB}')),
    edit('ndjson', 'on_change', add(merge, 'on_change: forward')),
    edit('ndjson', 'elsewhere', [merge, `${merge}}\ncolumns: {v: {description: The value}`]),
    // Appends, which have no key to know a record by.
    edit('ndjson', 'a_describe', add(append, contract('columns: {v: {description: The value}}'))),
    edit('ndjson', 'a_exclude', add(append, 'exclude: w')),
    edit('ndjson', 'a_exclude_less', [`${append}, exclude: w`, append], { warns: /NULL in "w"/ }),
    edit('ndjson', 'a_mask', add(append, 'mask: {mail: redact}'), { finds: values('mail', '***', '***') }),
    edit('ndjson', 'a_start', [append, append.replace('cursor: at', 'cursor: at, start: 2025-01-01')]),
    edit('ndjson', 'a_cursor', [append, append.replace('cursor: at', 'cursor: seq')]),
    edit('ndjson', 'a_key', add(append, 'primary_key: id')),
    edit(
      'ndjson',
      'a_other_file',
      [append, `=type: file, endpoint: data/a_other_file, resource: q.ndjson, ${append}`],
      asked,
    ),
    edit(
      'ndjson',
      'a_rebuild',
      [append, `=type: file, endpoint: data/a_rebuild, resource: q.ndjson, ${append}, on_change: rebuild`],
      {
        wanted: 'told',
        ids: [8],
      },
    ),
    edit(
      'ndjson',
      'a_forward',
      [append, `=type: file, endpoint: data/a_forward, resource: q.ndjson, ${append}, on_change: forward`],
      {
        ids: [1, 2, 3, 8],
      },
    ),
    // Loads that bring nothing new.
    edit('ndjson', 'n_describe', add(merge, contract('columns: {v: {description: The value}}')), {
      second: [],
      ids: [1, 2, 3],
    }),
    edit('ndjson', 'n_exclude', add(merge, 'exclude: w'), { second: [], ids: [1, 2, 3] }),
    edit('ndjson', 'n_mask', add(append, 'mask: {mail: redact}'), {
      second: [],
      ids: [1, 2, 3],
      finds: values('mail', '***', '***'),
    }),
    edit('ndjson', 'n_rename', add(merge, contract('columns: {value: {from: v}}')), {
      second: [],
      ids: [1, 2, 3],
      finds: values('value', 'v1', 'v2'),
    }),
    edit('ndjson', 'n_old', add(merge, 'exclude: w'), { second: [row(2)], ids: [1, 2, 3] }),
    edit('files', 'n_files', add(newFiles, 'mask: {mail: redact}'), {
      second: [],
      ids: [1, 2, 3],
      finds: values('mail', '***', '***'),
    }),
    // Versions.
    edit('ndjson', 'h_describe', add(scd2, contract('columns: {v: {description: The value}}'))),
    edit('ndjson', 'h_exclude', add(scd2, 'exclude: w')),
    edit('ndjson', 'h_exclude_less', [`${scd2}, exclude: w`, scd2]),
    edit('ndjson', 'h_mask', add(scd2, 'mask: {mail: redact}'), { finds: values('mail', '***', '***') }),
    edit('ndjson', 'h_type', add(scd2, contract(`columns: {w: ${double}}`))),
    edit('ndjson', 'h_impossible', add(scd2, contract(`columns: {v: ${integer}}`)), asked),
    edit('ndjson', 'h_key', [scd2, 'write: scd2, primary_key: v'], asked),
    edit('ndjson', 'h_folder', [
      scd2,
      `=type: file, endpoint: ./data/h_folder/, resource: r.ndjson, ${scd2}`,
    ]),
    edit(
      'ndjson',
      'h_other_file',
      [scd2, `=type: file, endpoint: data/h_other_file, resource: q.ndjson, ${scd2}`],
      asked,
    ),
    edit('ndjson', 'h_rename', add(scd2, contract('columns: {value: {from: v}}')), {
      finds: values('value', 'v1', 'v2'),
    }),
    edit('rows', 'h_rows', [`${scd2}, rows: $first`, `${scd2}, rows: $second`]),
    edit('rows', 'h_rows_describe', [
      `${scd2}, rows: $first`,
      `${scd2}, rows: $second${contract('columns: {v: {description: The value}}')}`,
    ]),
    // CSV, and files that are read once.
    edit('csv', 'c_format', add(merge, 'format: csv')),
    edit('csv', 'c_options', add(merge, 'options: {header: true}')),
    edit('csv', 'c_delimiter', add(append, 'options: {delimiter: ","}')),
    edit('files', 'f_describe', add(newFiles, contract('columns: {v: {description: The value}}'))),
    edit('files', 'f_exclude', add(newFiles, 'exclude: w')),
    edit(
      'files',
      'f_pattern',
      [newFiles, `=type: file, endpoint: data/f_pattern, resource: "b*.csv", only_new: true, ${newFiles}`],
      asked,
    ),
    edit('files', 'f_merge', [newFiles, 'write: merge, primary_key: id']),
    edit('files', 'f_partitions', add(newFiles, 'partitions: none')),
    edit('csv', 'f_once', [
      append,
      '=type: file, endpoint: data/f_once, resource: r.csv, only_new: true, write: append',
    ]),
    edit('files', 'f_cursor', [
      newFiles,
      `=type: file, endpoint: data/f_cursor, resource: "*.csv", ${append}`,
    ]),
    // Databases.
    edit('sqlite', 's_describe', add(merge, contract('columns: {v: {description: The value}}'))),
    edit('sqlite', 's_exclude', add(merge, 'exclude: w')),
    edit('sqlite', 's_where', add(merge, 'where: id > 0'), asked),
    edit('sqlite', 's_where_forward', add(merge, 'where: id > 0, on_change: forward')),
    edit(
      'sqlite',
      's_table',
      [merge, `=type: sql, endpoint: "sqlite:shop.db", resource: s_where, ${merge}`],
      asked,
    ),
    edit('sqlite', 's_quoted', [
      merge,
      `=type: sql, endpoint: "sqlite:./shop.db", resource: '"s_quoted"', ${merge}`,
    ]),
    edit(
      'sqlite',
      's_query',
      [merge, `=type: sql, endpoint: "sqlite:shop.db", query: SELECT * FROM s_query, ${merge}`],
      asked,
    ),
    edit('sqlite', 's_history', add(scd2, 'exclude: w')),
    edit('duckdb', 'd_describe', add(merge, contract('columns: {v: {description: The value}}'))),
    edit('duckdb', 'd_type', add(append, contract(`columns: {w: ${double}}`))),
    edit('duckdb', 'd_where', add(append, 'where: id > 0'), asked),
    // Web services.
    edit('rest', 'r_describe', add(merge, contract('columns: {v: {description: The value}}'))),
    edit('rest', 'r_cursor', add(merge, 'params: {since: "{cursor}"}')),
    edit('rest', 'r_params', add(merge, 'params: {shop: 2}'), asked),
    edit('rest', 'r_params_forward', add(merge, 'params: {shop: 2}, on_change: forward')),
    edit('rest', 'r_headers', add(merge, 'headers: {X-Version: "2"}')),
    edit('rest', 'r_hosts', add(merge, 'allow_hosts: [example.com]')),
    edit('rest', 'r_status', add(append, 'on_status: {404: skip}')),
    edit('rest', 'r_auth', add(merge, 'auth: {type: bearer, token: "env:TOKEN"}')),
    edit('rest', 'r_paginate', [
      merge,
      `=type: rest_api, endpoint: "http://127.0.0.1:$port/", resource: /r_paginate, ${merge}`,
    ]),
    edit(
      'rest',
      'r_resource',
      [
        merge,
        `=type: rest_api, endpoint: "http://127.0.0.1:$port", resource: r_describe, paginate: none, ${merge}`,
      ],
      asked,
    ),
    edit('rest', 'r_history', add(scd2, 'mask: {mail: redact}'), { finds: values('mail', '***', '***') }),
  ]
}

/** A few of each kind, for every test run. */
const sampled: ReadonlySet<string> = new Set(
  `describe dot_folder format exclude mask required start cursor_spelling key_letters append_to_merge other_file
  type_impossible n_describe n_mask h_describe h_key f_describe merge_to_replace replace_rebuild a_forward`.split(
    /\s+/,
  ),
)

export function sampleOfEdits(): readonly Edit[] {
  return allEdits().filter(({ name }) => sampled.has(name))
}
