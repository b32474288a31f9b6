/** Offers keywords that fit at the cursor, in the case that the text uses. */

import { placeholder } from '../../../text/snippet.ts'
import { openBracket, type SqlCursor, textOf, wordBefore } from '../../sql/sql-cursor.ts'
import { setOperators } from '../../sql/sql-words.ts'
import { sortKey } from '../completion.ts'
import type { SqlAsk, SqlItem } from './sql-offer.ts'
import { frameWords, isWindow, windowNames } from './sql-windows.ts'

/** Returns whether the text writes its keywords in lower case; upper case is the default. */
function isLowerCase(cursor: SqlCursor): boolean {
  const first = cursor.tokens.find(
    token => token.kind === 'word' && /^(select|with|from|case|and|or)$/i.test(textOf(cursor, token)),
  )
  return first !== undefined && /^[a-z]/.test(textOf(cursor, first))
}

/** Offers those that the engine has, which it may combine otherwise. */
export function keywordItems(ask: SqlAsk, words: readonly string[], group: string): readonly SqlItem[] {
  const lower = isLowerCase(ask.cursor)
  const known = words.filter(word => isKnown(ask.cursor, word))
  return known.map((word, index) => {
    const label = lower ? word.toLowerCase() : word
    return { label, kind: 'keyword', insert: label, sort: sortKey(group, index) }
  })
}

function isKnown({ engine: { words, types } }: SqlCursor, text: string): boolean {
  return text
    .toLowerCase()
    .split(' ')
    .every(word => word === '*' || words.keywords.has(word) || types.names.has(word))
}

function snippet(ask: SqlAsk, label: string, insert: string, sort: string, detail?: string): SqlItem {
  const lower = isLowerCase(ask.cursor)
  const cased = (text: string): string =>
    lower ? text.replace(/\b[A-Z]{2,}\b/g, word => word.toLowerCase()) : text
  return {
    label: cased(label),
    kind: 'snippet',
    ...(detail !== undefined && { detail }),
    insert: cased(insert),
    isSnippet: true,
    sort,
  }
}

// ---------------------------------------------------------------- where a statement begins

export function statementStarts(ask: SqlAsk): readonly SqlItem[] {
  const isWhole = ask.scope.query === ask.scope.bound.query
  const all = setOperators.has(wordBefore(ask.cursor)) ? ['ALL'] : []
  const from = ask.cursor.engine.grammar.features.fromFirst ? ['FROM'] : []
  const starts = isWhole ? ['SELECT', 'WITH', ...from, 'VALUES'] : ['SELECT', ...from, 'WITH', 'VALUES']
  return [
    ...keywordItems(ask, [...all, ...starts], 'a'),
    snippet(
      ask,
      'WITH … SELECT',
      `WITH ${placeholder(1, 'name')} AS (\n  SELECT $2\n  FROM {{ ref('$3') }}\n)\nSELECT *\nFROM ${placeholder(1, 'name')}$0`,
      sortKey('i', 0),
      'a query with a part of its own',
    ),
    snippet(
      ask,
      'SELECT … FROM ref',
      `SELECT ${placeholder(2, '*')}\nFROM {{ ref('$1') }}$0`,
      sortKey('i', 1),
      'rows of another asset',
    ),
  ]
}

// ---------------------------------------------------------------- where an operand is expected

export function operandKeywords(ask: SqlAsk): readonly SqlItem[] {
  const { cursor, scope } = ask
  const word = wordBefore(cursor)
  const bracket = openBracket(cursor)
  const isFirstInBracket = bracket?.index === cursor.count - 1
  if (isFirstInBracket && isWindow(ask, bracket.callee))
    return [...keywordItems(ask, ['PARTITION BY', 'ORDER BY'], 'a'), ...windowNames(ask, 'b')]
  if (isFirstInBracket && bracket.callee === 'filter') return keywordItems(ask, ['WHERE'], 'a')
  if (isFirstInBracket && bracket.callee === 'group' && wordBefore(cursor, 3) === 'within')
    return keywordItems(ask, ['ORDER BY'], 'a')
  const words: string[] = []
  if (word === 'case') words.push('WHEN')
  if (word === 'between' && frameWords.has(wordBefore(cursor, 2)))
    words.push('UNBOUNDED PRECEDING', 'CURRENT ROW')
  if (isFirstInBracket && (bracket.callee === 'count' || bracket.callee === 'columns')) words.push('*')
  if (word === 'select') words.push('DISTINCT', '*')
  if (word === 'group' || word === 'order' || word === 'partition') return keywordItems(ask, ['BY'], 'a')
  const isBy = word === 'by' && (scope.clauseKind === 'group' || scope.clauseKind === 'order')
  if (isBy && cursor.engine.grammar.features.byAll) words.push('ALL')
  if (isFirstInBracket && bracket.callee !== '') words.push('DISTINCT')
  if (isFirstInBracket && bracket.mark === '(') words.push('SELECT')
  if (word === 'not' || word === 'where' || word === 'and' || word === 'or') words.push('EXISTS')
  if (word !== 'not') words.push('NOT')
  words.push('NULL', 'TRUE', 'FALSE', 'DATE', 'TIMESTAMP', 'INTERVAL')
  return [
    ...keywordItems(ask, words, 'h'),
    snippet(
      ask,
      'CASE',
      'CASE WHEN $1 THEN $2 ELSE $3 END$0',
      sortKey('h', 40),
      'CASE WHEN … THEN … ELSE … END',
    ),
    snippet(
      ask,
      'CAST',
      `CAST(${placeholder(1, 'value')} AS ${placeholder(2, 'type')})$0`,
      sortKey('h', 41),
      'CAST(value AS type)',
    ),
  ]
}
