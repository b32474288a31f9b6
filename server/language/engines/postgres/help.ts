/** What is offered and explained of PostgreSQL. */
import { type EngineHelp, usualTypes } from '../engine-help.ts'
import { functionWords } from './function-words.ts'

export const postgresHelp: EngineHelp = {
  everydayFunctions:
    'count sum avg min max coalesce round row_number date_trunc lower upper concat any_value bool_or bool_and string_agg array_agg jsonb_agg percentile_cont rank dense_rank lag lead first_value nullif abs floor ceil greatest least length substring replace trim split_part regexp_replace regexp_match regexp_substr starts_with strpos age date_part extract to_char to_date to_timestamp make_date now cast jsonb_build_object jsonb_extract_path_text jsonb_array_elements array_length cardinality array_to_string unnest'.split(
      ' ',
    ),
  everydayTableFunctions: [
    'generate_series',
    'unnest',
    'jsonb_array_elements',
    'jsonb_array_elements_text',
    'jsonb_each',
    'jsonb_each_text',
    'jsonb_to_recordset',
    'regexp_split_to_table',
    'string_to_table',
  ],
  calls: new Map([
    ['count', '(‹*›)'],
    ['cast', '(‹value› AS ‹type›)'],
    ['extract', '(‹year› FROM ‹date›)'],
    ['date_trunc', "('‹month›', ‹timestamp›)"],
    ['date_part', "('‹year›', ‹timestamp›)"],
    ['position', '(‹text› IN ‹string›)'],
    ['overlay', '(‹string› PLACING ‹text› FROM ‹start›)'],
    ['percentile_cont', '(‹0.5›) WITHIN GROUP (ORDER BY ‹value›)'],
    ['percentile_disc', '(‹0.5›) WITHIN GROUP (ORDER BY ‹value›)'],
    ['mode', '() WITHIN GROUP (ORDER BY ‹value›)'],
    ['jsonb_to_recordset', '(‹json›) AS ‹t› (‹name› ‹text›)'],
    ['json_to_recordset', '(‹json›) AS ‹t› (‹name› ‹text›)'],
  ]),
  get functions() {
    return functionWords()
  },
  types: new Map([
    ...usualTypes,
    ['bytea', { description: 'bytes' }],
    ['jsonb', { description: 'a JSON value, stored in parts' }],
    ['numeric', { description: 'exact numbers with digits after the point', written: 'NUMERIC(‹18›,‹2›)' }],
    ['real', { description: 'numbers with about 6 digits' }],
    ['text', { description: 'text' }],
    ['varchar', { description: 'text up to a length', written: 'VARCHAR(‹100›)' }],
  ]),
}
