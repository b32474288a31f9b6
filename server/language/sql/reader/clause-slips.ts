/** Clauses that are misspelt, written twice or in the wrong order, and what belongs to no clause. */
import { clauseMeant, tableWordMeant } from './clause-words.ts'
import { deletion, insertion, report, shown } from './problems.ts'
import { advance, isAtEnd, type Reader } from './reader.ts'
import type { SelectBuilding } from './select.ts'
import { correct } from './slips.ts'

/** Puts a misspelt word right where a clause must begin. */
export function correctClause(reader: Reader, select: SelectBuilding): boolean {
  const meant = select.from.length > 0 ? tableWordMeant(reader) : clauseMeant(reader)
  if (meant === undefined) return false
  correct(reader, meant)
  return true
}

const endings = new Set(['union', 'except', 'intersect', 'order', 'limit', 'offset', 'fetch', 'for', 'with'])

/** Passes over what nobody can read here; false where a query may end. */
export function passJunk(reader: Reader): boolean {
  const { token } = reader
  if (isAtEnd(reader) || endings.has(token.word)) return false
  if (token.word === ')') return reader.isTop && passBracket(reader)
  if (!reader.isTop || token.kind !== 'symbol') return false
  advance(reader)
  report(reader, token, `"${shown(reader, token)}" does not belong here`, {
    hint: 'Remove it.',
    repair: [deletion(token)],
  })
  return true
}

function passBracket(reader: Reader): boolean {
  const token = advance(reader)
  report(reader, token, 'a bracket too many', {
    hint: 'No bracket is open here: remove it.',
    repair: [deletion(token)],
    fix: 'Remove the bracket',
  })
  return true
}

/** The clause is there already. False: what comes is another query. */
export function reportSecond(reader: Reader, word: string, select: SelectBuilding): boolean {
  if (word === 'select' && select.from.length > 0) return false
  const { token } = reader
  const isList = word === 'select' || word === 'from' || word === 'window'
  report(reader, token, `${word.toUpperCase()} stands here a second time`, {
    hint: isList ? 'Write one list with commas.' : 'Join both conditions with AND.',
    repair: [{ start: token.start, end: token.end, text: isList ? ',' : 'AND' }],
  })
  return true
}

/** The clause stands behind one that it must stand before. */
export function reportOrder(reader: Reader, word: string, select: SelectBuilding): void {
  const last = select.clauses.at(-1)
  const behind = last === undefined ? '' : ` behind ${last.kind.toUpperCase()}`
  report(reader, reader.token, `${word.toUpperCase()} cannot stand${behind}`, {
    hint: 'The order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT.',
    repair: [insertion(reader.token.start, '')],
  })
}
