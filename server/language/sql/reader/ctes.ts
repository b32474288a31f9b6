/** Reads WITH. */
import type { Cte, Name, Query } from '../tree.ts'
import { type ListRules, readClose, readItems, reportExtraComma, reportMissingComma } from './lists.ts'
import { emptyName, isName, nameOf, readNameOrString, readNameThere } from './names.ts'
import { readOperand } from './operand.ts'
import { insertion, report, reportNoBrackets } from './problems.ts'
import { beginsQuery, emptyQuery, readQuery } from './query.ts'
import { advance, is, isAtEnd, peek, previous, type Reader, take, takeBoth } from './reader.ts'
import { readMissingAs } from './slips.ts'

/** Reads the CTEs after WITH and RECURSIVE. */
export function readCtes(reader: Reader): Cte[] {
  const ctes: Cte[] = []
  for (;;) {
    ctes.push(readCte(reader))
    if (reader.token.word === ',') {
      const comma = advance(reader)
      if (!beginsCte(reader)) {
        // At the end the query is missing too, which is the only report.
        if (!isAtEnd(reader)) reportExtraComma(reader, comma)
        return ctes
      }
    } else if (isCteWithoutComma(reader)) reportMissingComma(reader)
    else return ctes
  }
}

function beginsCte(reader: Reader): boolean {
  return isName(reader.token) || reader.token.kind === 'string'
}

/** Returns whether `name AS (` or `name (a, b) AS (` follows without a comma before it. */
function isCteWithoutComma(reader: Reader): boolean {
  return isName(reader.token) && peek(reader).word === 'as'
}

function readCte(reader: Reader): Cte {
  const { start } = reader.token
  const name = readNameOrString(reader) ?? missingCteName(reader)
  const columns = reader.token.word === '(' && !beginsQuery(reader, 1) ? readNames(reader) : []
  skipUsingKey(reader)
  if (!take(reader, 'as')) readMissingAs(reader)
  if (take(reader, 'not')) take(reader, 'materialized')
  else take(reader, 'materialized')
  const query = readCteQuery(reader)
  const added = [...readSearch(reader), ...readCycle(reader)]
  return { kind: 'cte', start: Math.min(start, name.start), end: reader.end, name, columns, query, added }
}

/** Reads `SEARCH DEPTH FIRST BY a, b SET c`; the names before SET repeat columns. */
function readSearch(reader: Reader): readonly Name[] {
  if (reader.token.word !== 'search' || !searchWords.has(peek(reader).word)) return []
  passTo(reader, 'set')
  return readAdded(reader, 'set')
}

const searchWords = new Set(['depth', 'breadth'])

/** Reads `CYCLE a, b SET c TO true DEFAULT false USING d`. */
function readCycle(reader: Reader): readonly Name[] {
  if (reader.token.word !== 'cycle') return []
  passTo(reader, 'set')
  const mark = readAdded(reader, 'set')
  if (take(reader, 'to')) {
    readOperand(reader)
    if (take(reader, 'default')) readOperand(reader)
  }
  return [...mark, ...readAdded(reader, 'using')]
}

function passTo(reader: Reader, word: string): void {
  while (!isAtEnd(reader) && !is(reader, word) && !is(reader, ')')) advance(reader)
}

function readAdded(reader: Reader, word: 'set' | 'using'): readonly Name[] {
  return take(reader, word) ? [readNameThere(reader)] : []
}

function missingCteName(reader: Reader): Name {
  report(reader, previous(reader) ?? reader.token, 'a name is missing after WITH', {
    hint: 'Write WITH name AS (SELECT …).',
    repair: [insertion(reader.end, ' _')],
  })
  return emptyName(reader.end)
}

const nameRules: ListRules = {
  begins: (_, token) => isName(token) || token.kind === 'string',
  trailing: true,
  close: ')',
}

/** Reads `(a, b)`. The caller skips types after the names, where they are allowed. */
export function readNames(reader: Reader): Name[] {
  advance(reader)
  const names =
    reader.token.word === ')'
      ? [readNameThere(reader)]
      : readItems(reader, nameRules, () => readNameOrString(reader) ?? passName(reader))
  readClose(reader, ')')
  return names
}

/** Skips a token that is no name, if the list can continue after it. */
function passName(reader: Reader): Name {
  const next = peek(reader).word
  if (next !== ',' && next !== ')') return emptyName(reader.end)
  return nameOf(reader, advance(reader))
}

/** USING KEY (…) of a recursive CTE, which repeats names of its columns. */
function skipUsingKey(reader: Reader): void {
  if (takeBoth(reader, 'using', 'key') && is(reader, '(')) readNames(reader)
}

function readCteQuery(reader: Reader): Query | undefined {
  if (reader.token.word !== '(') return readBareQuery(reader)
  const open = advance(reader)
  const query = readQuery(reader, open.end)
  readClose(reader, ')')
  return query
}

/** Reads a query whose brackets are missing. */
function readBareQuery(reader: Reader): Query | undefined {
  const before = previous(reader) ?? reader.token
  const { end } = reader
  if (!beginsQuery(reader)) {
    report(reader, before, 'the query of a name in WITH is missing', {
      hint: 'Write WITH name AS (SELECT …).',
      repair: [insertion(end, ' (SELECT NULL)')],
    })
    return emptyQuery(end, end)
  }
  const query = readQuery(reader, end)
  reportNoBrackets(
    reader,
    before,
    query,
    'a query in WITH stands in brackets',
    'Write WITH name AS (SELECT …).',
  )
  return query
}
