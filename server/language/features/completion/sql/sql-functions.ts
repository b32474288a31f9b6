/** Offers functions at a place of SQL, with placeholders for their parameters. */

import { placeholder } from '../../../text/snippet.ts'
import { callLabel, isWindowOnly, returnsOf } from '../../functions/function-text.ts'
import type { SqlFunction } from '../../knowledge.ts'
import { openBracket, textOf } from '../../sql/sql-cursor.ts'
import { sortKey } from '../completion.ts'
import { mayMatch, type SqlAsk, type SqlItem } from './sql-offer.ts'

/** The functions that are offered before anything is typed, instead of nine hundred names. */
const everyday: readonly string[] =
  'count sum avg min max coalesce round row_number date_trunc lower upper concat any_value arg_max arg_min bool_or bool_and string_agg list median quantile_cont rank dense_rank lag lead first_value nullif ifnull if abs floor ceil greatest least length substring replace trim split_part regexp_matches regexp_replace regexp_extract starts_with contains date_diff date_part date_add extract year month day strftime strptime cast try_cast json_extract json_extract_string list_contains unnest'.split(
    ' ',
  )

export function functionItems(ask: SqlAsk): readonly SqlItem[] {
  const { functions } = ask.knowledge
  const names = ask.prefix === '' ? everyday : matching(functions.keys(), ask.prefix)
  const allows = allowedKinds(ask)
  return names.flatMap(name => {
    const candidate = functions.get(name)
    if (candidate === undefined || candidate.kind === 'table' || !allows(candidate)) return []
    const rank = everyday.indexOf(name)
    return [functionItem(ask, candidate, rank >= 0 ? sortKey('f', rank) : sortKey('g'))]
  })
}

/** The limit is more than anybody reads through. */
const most = 150

function matching(names: Iterable<string>, prefix: string): readonly string[] {
  const matches = [...names].filter(name => mayMatch(prefix, name))
  const begins = matches.filter(name => name.startsWith(prefix))
  return [...begins, ...matches.filter(name => !name.startsWith(prefix))].slice(0, most)
}

/** Returns a filter that removes aggregates in FROM, WHERE and GROUP BY, and in FILTER. */
function allowedKinds({ scope, cursor }: SqlAsk): (candidate: SqlFunction) => boolean {
  const isFilter = openBracket(cursor)?.words[0] === 'where'
  const { clauseKind } = scope
  const isRowwise = clauseKind === 'where' || clauseKind === 'from' || clauseKind === 'group' || isFilter
  return candidate => candidate.kind !== 'aggregate' || !isRowwise
}

export function tableFunctionItems(ask: SqlAsk): readonly SqlItem[] {
  return ['unnest', 'range', 'generate_series'].flatMap((name, index) => {
    const tableFunction = ask.knowledge.functions.get(name)
    return tableFunction === undefined ? [] : [functionItem(ask, tableFunction, sortKey('f', index))]
  })
}

function functionItem(ask: SqlAsk, described: SqlFunction, sort: string): SqlItem {
  const { cursor } = ask
  const hasBracket = /^\s*\(/.test(cursor.text.slice(cursor.word.end))
  const noBrackets = withoutBrackets.has(described.name)
  const label = matchCase(ask, described.name)
  const insert = hasBracket || noBrackets ? label : `${label}${argumentsOf(described)}`
  const detail = returnsOf(described)
  return {
    label,
    kind: 'function',
    detail: `${callLabel(described).slice(described.name.length)}${detail === undefined ? '' : ` → ${detail}`}`,
    about: { kind: 'function', name: described.name },
    insert,
    ...(insert === label ? {} : { isSnippet: true, next: 'signature' }),
    sort,
  }
}

const withoutBrackets: ReadonlySet<string> = new Set(['current_date', 'current_timestamp', 'current_time'])

/** Writes the name in upper case if the typed prefix is. */
function matchCase({ cursor, prefix }: SqlAsk, name: string): string {
  const typed = textOf(cursor, cursor.at).slice(0, prefix.length)
  return prefix.length > 0 && typed === typed.toUpperCase() && typed !== typed.toLowerCase()
    ? name.toUpperCase()
    : name
}

const value = placeholder(1, 'value')

const special: Readonly<Record<string, string>> = {
  count: `(${placeholder(1, '*')})$0`,
  cast: `(${value} AS ${placeholder(2, 'type')})$0`,
  try_cast: `(${value} AS ${placeholder(2, 'type')})$0`,
  extract: `(${placeholder(1, 'year')} FROM ${placeholder(2, 'date')})$0`,
  date_trunc: `('${placeholder(1, 'month')}', ${placeholder(2, 'timestamp')})$0`,
  date_part: `('${placeholder(1, 'year')}', ${placeholder(2, 'timestamp')})$0`,
  date_diff: `('${placeholder(1, 'day')}', ${placeholder(2, 'start')}, ${placeholder(3, 'end')})$0`,
}

/** Returns the arguments of the shortest overload as placeholders. */
function argumentsOf(described: SqlFunction): string {
  const own = special[described.name]
  if (own !== undefined) return own
  const shortest = [...described.overloads].sort((a, b) => a.parameters.length - b.parameters.length)[0]
  const names = (shortest?.parameters ?? []).map(parameter => parameter.name)
  const places = names.map((name, index) => placeholder(index + 1, name))
  const window = isWindowOnly(described.name) ? ` OVER ($${places.length + 1})` : ''
  if (names.length === 0 && (shortest?.varargs !== undefined || described.overloads.length === 0))
    return `($1)${window}$0`
  return `(${places.join(', ')})${window}$0`
}
