/** Functions of which it is known without asking that they take or give texts. */
import type { Expression } from '../../language/lineage/sql-tree.ts'

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

/** No text written as an argument of these is ever cast, and what it says cannot be wrong at run time. */
const takingTexts = names(
  'lower upper trim ltrim rtrim replace concat concat_ws || string_agg listagg group_concat split_part string_split starts_with ends_with prefix suffix strftime strptime try_strptime date_trunc date_part datepart datetrunc ~~ !~~ ~~* !~~* ~~~ regexp_matches regexp_full_match -> ->> json_extract json_extract_string json_extract_path_text md5 sha256 length strlen row',
)

/** Always a text, or NULL. */
const givingTexts = names(
  'lower upper trim ltrim rtrim replace concat_ws string_agg listagg group_concat split_part strftime substr substring lpad rpad reverse regexp_replace dayname monthname ->> json_extract_string md5 sha256 format printf',
)

export function hasOnlyTexts(call: Expression): boolean {
  return takingTexts.has(call.function_name ?? '')
}

export function isText(call: Expression): boolean {
  return call.type === 'FUNCTION' && givingTexts.has(call.function_name ?? '')
}
