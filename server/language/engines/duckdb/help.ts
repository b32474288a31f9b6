/** What is offered and explained of DuckDB. */
import { type EngineHelp, usualTypes } from '../engine-help.ts'
import { functionWords } from './function-words.ts'

export const duckdbHelp: EngineHelp = {
  everydayFunctions:
    'count sum avg min max coalesce round row_number date_trunc lower upper concat any_value arg_max arg_min bool_or bool_and string_agg list median quantile_cont rank dense_rank lag lead first_value nullif ifnull if abs floor ceil greatest least length substring replace trim split_part regexp_matches regexp_replace regexp_extract starts_with contains date_diff date_part date_add extract year month day strftime strptime cast try_cast json_extract json_extract_string list_contains unnest'.split(
      ' ',
    ),
  everydayTableFunctions: ['unnest', 'range', 'generate_series'],
  calls: new Map([
    ['count', '(‹*›)'],
    ['cast', '(‹value› AS ‹type›)'],
    ['try_cast', '(‹value› AS ‹type›)'],
    ['extract', '(‹year› FROM ‹date›)'],
    ['date_trunc', "('‹month›', ‹timestamp›)"],
    ['date_part', "('‹year›', ‹timestamp›)"],
    ['date_diff', "('‹day›', ‹start›, ‹end›)"],
  ]),
  get functions() {
    return functionWords()
  },
  types: new Map([
    ...usualTypes,
    ['decimal', { description: 'exact numbers with digits after the point', written: 'DECIMAL(‹18›,‹2›)' }],
    ['double', { description: 'numbers with about 15 digits' }],
    ['json', { description: 'a JSON text' }],
    ['struct', { description: 'named fields', written: 'STRUCT(‹name› ‹VARCHAR›)' }],
    ['varchar', { description: 'text' }],
  ]),
}
