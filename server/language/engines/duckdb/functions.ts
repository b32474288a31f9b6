/**
 * The facts about DuckDB's functions that must be known without asking it; each list exists only here. A test
 * compares them with `duckdb_functions()`.
 */
import type { EngineFunctions } from '../engine.ts'
import { functionOptions } from './function-options.ts'

const words = (text: string): readonly string[] => text.split(/\s+/)

const valueWords = words(
  `current_catalog current_date current_role current_schema current_time current_timestamp current_user
  localtime localtimestamp session_user user`,
)

const volatile = words(
  `age current_connection_id current_database current_localtime current_localtimestamp current_query
  current_query_id current_setting current_transaction_id currval gen_random_uuid get_current_time
  get_current_timestamp getvariable in_search_path nextval now pg_conf_load_time
  pg_postmaster_start_time random setseed today transaction_timestamp txid_current uuid uuidv4 uuidv7`,
)

const withLambda = words(
  `apply array_apply array_filter array_reduce array_transform filter list_apply list_filter list_reduce
  list_transform reduce`,
)

const aggregates = words(
  `any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null
  arg_max_nulls_last arg_min arg_min_null arg_min_nulls_last argmax argmin array_agg avg bit_and bit_or
  bit_xor bitstring_agg bool_and bool_or corr count count_if count_star countif covar_pop covar_samp
  entropy favg first fsum group_concat histogram histogram_exact kahan_sum kurtosis kurtosis_pop last
  list listagg mad max max_by mean median min min_by mode product quantile quantile_cont quantile_disc
  regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
  reservoir_quantile sem skewness stddev stddev_pop stddev_samp string_agg sum sum_no_overflow sumkahan
  var_pop var_samp variance`,
)

/** `coalesce` and `nullif` are not functions in DuckDB's catalogue either, but need no OVER. */
const windows = words(
  `cume_dist dense_rank fill first_value lag last_value lead nth_value ntile percent_rank rank rank_dense
  row_number`,
)

const summarizing = words(
  `avg count favg fsum kahan_sum mean sem stddev stddev_pop stddev_samp sum sumkahan var_pop var_samp variance`,
)

const ofOneType = words(
  `concat concat_ws contains count count_star dense_rank ends_with lcase lower md5 ntile printf rank
  regexp_matches regexp_replace row_number starts_with strftime trim ucase upper`,
)

const reachesOut = new Set(
  words(
    `arrow_scan arrow_scan_dumb checkpoint current_setting delta_scan force_checkpoint from_substrait
    from_substrait_json get_substrait get_substrait_json getenv getvariable glob json_execute_serialized_sql
    load_aws_credentials nextval open_prompt parquet_scan query query_table repeat_row seq_scan setseed
    sniff_csv storage_info which_secret write_log`,
  ),
)
/** Readers of files, of other databases and of what the process has open, also those of extensions. */
const outsideNames = /^(?:duckdb|pragma|read|parquet|iceberg|postgres|mysql|sqlite|st_read|http|shapefile)_?/

export const duckdbFunctions: EngineFunctions = {
  valueWords: new Set(valueWords),
  volatile: new Set([...valueWords, ...volatile]),
  readsCatalogue: name => /^(?:duckdb|pragma)_/.test(name),
  ofAnything: 'row',
  withLambda: new Set(withLambda),
  aggregates: new Set(aggregates),
  windows: new Set(windows),
  summarizing: new Set(summarizing),
  ofAnyRow: 'any_value',
  ofOneType: new Set(ofOneType),
  reachesOut: name => reachesOut.has(name) || outsideNames.test(name),
  closed: new Set(),
  options: functionOptions,
}
