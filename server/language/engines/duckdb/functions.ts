/**
 * The facts about DuckDB's functions that must be known without asking it; each list exists only here. A test
 * compares them with `duckdb_functions()`.
 */
import type { EngineFunctions } from '../engine.ts'
import { effectOf, ownEffects } from './function-effects.ts'
import { functionOptions } from './function-options.ts'

const words = (text: string): readonly string[] => text.split(/\s+/)

const valueWords = words(
  `current_catalog current_date current_role current_schema current_time current_timestamp current_user
  localtime localtimestamp session_user user`,
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

export const duckdbFunctions: EngineFunctions = {
  valueWords: new Set(valueWords),
  effectOf,
  effects: ownEffects.listed,
  isVolatile: (name, count) => valueWords.includes(name) || ownEffects.isVolatile(name, count),
  ofAnything: 'row',
  withLambda: new Set(withLambda),
  aggregates: new Set(aggregates),
  windows: new Set(windows),
  summarizing: new Set(summarizing),
  ofAnyRow: 'any_value',
  ofOneType: new Set(ofOneType),
  options: functionOptions,
}
