/** Lists functions and operators that are known to take or return texts. */
import type { Expression } from '../../language/sql/tree.ts'

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/))
}

/** A text literal as an argument of these is never cast and cannot fail at run time. */
const takingTexts = names(
  `lower upper trim ltrim rtrim replace concat concat_ws string_agg listagg group_concat split_part string_split starts_with
  ends_with prefix suffix strftime strptime try_strptime date_trunc date_part datepart datetrunc extract regexp_matches
  regexp_full_match json_extract json_extract_string json_extract_path_text md5 sha256 length strlen row`,
)

const textOperators: ReadonlySet<string> = new Set(
  '||, ->, ->>, like, not like, ilike, not ilike, glob, similar to, not similar to, ~~, !~~, ~~*, !~~*, ~~~, ~, !~'.split(
    ', ',
  ),
)

/** These functions always return a text or NULL. */
const givingTexts = names(
  `lower upper trim ltrim rtrim replace concat_ws string_agg listagg group_concat split_part strftime substr substring lpad rpad
  reverse regexp_replace dayname monthname json_extract_string md5 sha256 format printf`,
)

export function takesTexts(node: Expression): boolean {
  if (node.kind === 'binary') return textOperators.has(node.operator)
  return node.kind === 'call' && takingTexts.has(nameOf(node))
}

export function givesText(node: Expression): boolean {
  if (node.kind === 'binary') return node.operator === '->>'
  return node.kind === 'call' && givingTexts.has(nameOf(node))
}

/** Returns the name of the function in lower case. */
export function nameOf(node: Extract<Expression, { kind: 'call' }>): string {
  return (node.path.at(-1)?.text ?? '').toLowerCase()
}
