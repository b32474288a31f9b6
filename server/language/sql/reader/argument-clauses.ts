/**
 * Reads the words between the arguments of SQL/JSON and SQL/XML functions: `json_object('a': b RETURNING jsonb)`,
 * `xmlelement(name x, a)`, `json_value(a, '$.b' DEFAULT 0 ON EMPTY)`.
 */
import { wordSet } from '../grammar.ts'
import { isLabel } from './names.ts'
import { advance, peek, type Reader, take } from './reader.ts'
import { readType } from './types.ts'

const clauseWords = wordSet(
  `: absent array by conditional default document empty encoding error format input json keep keys null object omit on
  passing path quotes scalar string unconditional unique value with without wrapper xmldeclaration`,
)

const normalForms = new Set(['nfc', 'nfd', 'nfkc', 'nfkd'])

export function isNormalForm(word: string): boolean {
  return normalForms.has(word)
}

const starts = new Set(['content', 'document', 'key'])

/** Passes words before the first argument; the name of an element is no column. */
export function passArgumentStart(reader: Reader): void {
  const next = peek(reader)
  if (!starts.has(reader.token.word) && reader.token.word !== 'name') return
  if (next.kind === 'symbol' && next.word !== '(') return
  const isName = advance(reader).word === 'name'
  if (!isName || !isLabel(reader.token)) return
  advance(reader)
  take(reader, ',')
}

/** Returns whether the argument with its clauses ends here. */
export function endsArgument(reader: Reader): boolean {
  const { kind, word } = reader.token
  return kind === 'end' || word === ',' || word === ')' || word === ';' || word === 'order'
}

/** Passes one clause without a value; returns false if there is none. */
export function passClauseWord(reader: Reader): boolean {
  const { word } = reader.token
  if (word === 'returning' || word === 'as') {
    advance(reader)
    readType(reader)
    return true
  }
  if (word === 'columns') passColumns(reader)
  else if (clauseWords.has(word)) advance(reader)
  else return false
  return true
}

/** Passes the definitions of a table's columns up to the end of the call. */
function passColumns(reader: Reader): void {
  let depth = 0
  while (reader.token.kind !== 'end' && (depth > 0 || reader.token.word !== ')')) {
    const { word } = advance(reader)
    if (word === '(') depth++
    else if (word === ')') depth--
  }
}
