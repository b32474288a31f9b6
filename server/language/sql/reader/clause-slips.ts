/** Reports clauses that are misspelt, duplicated or in the wrong order, and text outside of all clauses. */
import { wordSet } from '../grammar.ts'
import { clauseStarts } from './clause-starts.ts'
import { clauseMeant, joinStarts, tableWordMeant } from './clause-words.ts'
import type { OpenClause } from './clauses.ts'
import { beginsJoin, readJoins } from './joins.ts'
import { deletion, insertion, report, reportStray } from './problems.ts'
import { advance, is, isAtEnd, peek, type Reader, textOf } from './reader.ts'
import type { SelectBuilding } from './select.ts'
import { correct, keywordMeant } from './slips.ts'

/** Corrects a misspelt word where a clause must start. */
export function correctClause(reader: Reader, select: SelectBuilding): boolean {
  const meant = select.from.length > 0 ? tableWordMeant(reader) : clauseMeant(reader)
  if (meant === undefined) return false
  correct(reader, meant)
  return true
}

/** Corrects `(SELCT a`: neither a table nor a value has such a word after it. */
export function correctSelect(reader: Reader): boolean {
  const { token } = reader
  const next = peek(reader)
  if (token.kind !== 'word' || token.word !== '') return false
  if (next.kind === 'symbol' && next.word !== '*') return false
  const third = peek(reader, 2).word
  if (joinStarts.has(third) || third === ')' || joinStarts.has(next.word) || next.word === 'as') return false
  if (keywordMeant(reader, token, ['select']) === undefined) return false
  correct(reader, 'select')
  return true
}

const endings = new Set([...clauseStarts, 'offset', 'fetch', 'for', 'with', 'values', 'using'])

/** Skips text that cannot be read here as one problem; returns false if the query may end here. */
export function passJunk(reader: Reader): boolean {
  const first = reader.token
  if (isAtEnd(reader) || endings.has(first.word)) return false
  if (first.word === ')') return reader.isTop && passBracket(reader)
  if (!reader.isTop) return false
  do advance(reader)
  while (!isAtEnd(reader) && !endings.has(reader.token.word) && !is(reader, ')') && !beginsJoin(reader))
  reportStray(reader, first)
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

/**
 * Reports a duplicate clause. Returns false if the word starts another query, or is outside of the bracket.
 */
export function reportSecond(reader: Reader, word: string, select: SelectBuilding): boolean {
  if (!reader.isTop || (word === 'select' && select.from.length > 0)) return false
  const { token } = reader
  const isList = word !== 'where' && word !== 'having' && word !== 'qualify'
  report(reader, token, `${word.toUpperCase()} stands here a second time`, {
    hint: isList ? 'Write one list with commas.' : 'Join both conditions with AND.',
    repair: [{ start: token.start, end: token.end, text: isList ? ',' : 'AND' }],
  })
  return true
}

const order = [...wordSet('select from where group having window qualify sample order limit offset')]

function shownClause({ kind }: OpenClause): string {
  return kind === 'group' || kind === 'order' ? `${kind.toUpperCase()} BY` : kind.toUpperCase()
}

/** Reports the last clause if it comes after one that must follow it. */
export function reportOrder(reader: Reader, clauses: readonly OpenClause[]): void {
  const clause = clauses.at(-1)
  if (clause === undefined) return
  const rank = order.indexOf(clause.kind)
  const behind = clauses.find(each => order.indexOf(each.kind) > rank)
  if (behind === undefined) return
  const word = { start: clause.start, end: clause.bodyStart }
  const name = shownClause(clause)
  const other = shownClause(behind)
  report(reader, word, `${name} cannot follow ${other}`, {
    hint: 'The order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT.',
    repair: [insertion(behind.start, `${textOf(reader, clause)} `), deletion(clause)],
    fix: `Move ${name} before ${other}`,
  })
}

/** Reads a JOIN after another clause than FROM as one more table of FROM. */
export function readLateJoin(reader: Reader, select: SelectBuilding): boolean {
  const last = select.from.at(-1)
  if (last === undefined || !beginsJoin(reader) || select.clauses.at(-1)?.kind === 'from') return false
  const { start, end } = reader.token
  const clause = select.clauses.at(-1)
  select.from.push(readJoins(reader, { kind: 'missing-table', start, end: start, alias: undefined }))
  const whole = { start, end: reader.end }
  const behind = clause === undefined ? 'FROM' : shownClause(clause)
  report(reader, { start, end }, `JOIN cannot follow ${behind}`, {
    hint: 'Joins belong to FROM: write them right after the table.',
    repair: [insertion(last.end, ` ${textOf(reader, whole)}`), deletion(whole)],
    fix: 'Move it after the table',
  })
  return true
}

/** Reports FROM where a query begins and the engine wants SELECT. */
export function reportFromFirst(reader: Reader): void {
  const { start } = reader.token
  report(reader, reader.token, 'SELECT is missing before FROM', {
    hint: 'Write SELECT with the columns, or SELECT * for all of them.',
    repair: [insertion(start, 'SELECT * ')],
    fix: 'Insert SELECT *',
  })
}
