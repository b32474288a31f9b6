/** What must be known of DuckDB's functions without asking it. A test compares the lists with `duckdb_functions()`. */

/** Words that are calls without parentheses. */
export const valueKeywords: ReadonlySet<string> = new Set([
  'current_catalog',
  'current_date',
  'current_role',
  'current_schema',
  'current_time',
  'current_timestamp',
  'current_user',
  'localtime',
  'localtimestamp',
  'session_user',
  'user',
])

/** Calls whose result differs from run to run although the data are the same. */
export const volatileFunctions: ReadonlySet<string> = new Set([
  ...valueKeywords,
  'age',
  'current_database',
  'current_query',
  'current_setting',
  'currval',
  'current_localtime',
  'current_localtimestamp',
  'current_query_id',
  'current_connection_id',
  'current_transaction_id',
  'gen_random_uuid',
  'get_current_time',
  'get_current_timestamp',
  'getvariable',
  'in_search_path',
  'nextval',
  'now',
  'pg_conf_load_time',
  'pg_postmaster_start_time',
  'random',
  'setseed',
  'today',
  'transaction_timestamp',
  'txid_current',
  'uuid',
  'uuidv4',
  'uuidv7',
])

/** Functions whose argument may be `x -> …`; elsewhere the arrow reads JSON. */
export const lambdaFunctions: ReadonlySet<string> = new Set([
  'apply',
  'array_apply',
  'array_filter',
  'array_reduce',
  'array_transform',
  'filter',
  'list_apply',
  'list_filter',
  'list_reduce',
  'list_transform',
  'reduce',
])

/** Functions whose result tells nothing that could be read of what they are given. */
export const concealingFunctions: ReadonlySet<string> = new Set([
  'approx_count_distinct',
  'count',
  'count_if',
  'hash',
  'md5',
  'md5_number',
  'sha1',
  'sha256',
])

/** Functions that give one type whatever their arguments: their result is known over unknown columns. */
export const fixedTypeFunctions: ReadonlySet<string> = new Set([
  'concat',
  'concat_ws',
  'contains',
  'count',
  'count_star',
  'dense_rank',
  'ends_with',
  'lower',
  'lcase',
  'md5',
  'ntile',
  'printf',
  'rank',
  'regexp_matches',
  'regexp_replace',
  'row_number',
  'starts_with',
  'strftime',
  'trim',
  'ucase',
  'upper',
])

/** Operators and predicates that give BOOLEAN whatever their operands. */
export function isPredicate(type: string): boolean {
  return (
    type.startsWith('COMPARE_') ||
    type.startsWith('CONJUNCTION_') ||
    type === 'OPERATOR_NOT' ||
    type === 'OPERATOR_IS_NULL' ||
    type === 'OPERATOR_IS_NOT_NULL'
  )
}
