/** Offers functions at a place of SQL, with placeholders for their parameters. */

import type { Engine } from '../../../engines/engine.ts'
import { placeholder, snippetOf } from '../../../text/snippet.ts'
import { callLabel, returnsOf } from '../../functions/function-text.ts'
import type { SqlFunction } from '../../knowledge.ts'
import { openBracket, textOf } from '../../sql/sql-cursor.ts'
import { sortKey } from '../completion.ts'
import { mayMatch, type SqlAsk, type SqlItem } from './sql-offer.ts'

export function functionItems(ask: SqlAsk): readonly SqlItem[] {
  const { functions } = ask.knowledge
  const everyday = ask.place.engine.help.everydayFunctions
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
  return ask.place.engine.help.everydayTableFunctions.flatMap((name, index) => {
    const tableFunction = ask.knowledge.functions.get(name)
    return tableFunction === undefined ? [] : [functionItem(ask, tableFunction, sortKey('f', index))]
  })
}

function functionItem(ask: SqlAsk, described: SqlFunction, sort: string): SqlItem {
  const { cursor } = ask
  const hasBracket = /^\s*\(/.test(cursor.text.slice(cursor.word.end))
  const noBrackets = ask.place.engine.functions.valueWords.has(described.name)
  const label = matchCase(ask, described.name)
  const insert = hasBracket || noBrackets ? label : `${label}${argumentsOf(described, ask.place.engine)}`
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

/** Writes the name in upper case if the typed prefix is. */
function matchCase({ cursor, prefix }: SqlAsk, name: string): string {
  const typed = textOf(cursor, cursor.at).slice(0, prefix.length)
  return prefix.length > 0 && typed === typed.toUpperCase() && typed !== typed.toLowerCase()
    ? name.toUpperCase()
    : name
}

/** Returns the arguments of the shortest overload as placeholders. */
function argumentsOf(described: SqlFunction, { help }: Engine): string {
  const own = help.calls.get(described.name)
  if (own !== undefined) return `${snippetOf(own)}$0`
  const shortest = [...described.overloads].sort((a, b) => a.parameters.length - b.parameters.length)[0]
  const names = (shortest?.parameters ?? []).map(parameter => parameter.name)
  const places = names.map((name, index) => placeholder(index + 1, name))
  const window = described.needsOver ? ` OVER ($${places.length + 1})` : ''
  if (names.length === 0 && (shortest?.varargs !== undefined || described.overloads.length === 0))
    return `($1)${window}$0`
  return `(${places.join(', ')})${window}$0`
}
