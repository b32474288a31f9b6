/** Keywords that fit where the cursor is, in the case that the text is written in. */
import type { ClauseKind, Join, TableExpression } from '../../../sql/tree.ts'
import { writtenName } from '../../sql/quote-name.ts'
import {
  isInCase,
  openBracket,
  type SqlCursor,
  textOf,
  tokenBefore,
  wordBefore,
} from '../../sql/sql-cursor.ts'
import { setOperators } from '../../sql/sql-words.ts'
import { hole, sortKey } from '../completion.ts'
import type { SqlAsk, SqlItem } from './sql-offer.ts'

/** Whether the text writes its keywords small; capitals where it has none yet. */
function isLowerCase(cursor: SqlCursor): boolean {
  const first = cursor.tokens.find(
    token => token.kind === 'word' && /^(select|with|from|case|and|or)$/i.test(textOf(cursor, token)),
  )
  return first !== undefined && /^[a-z]/.test(textOf(cursor, first))
}

function keywordItems(ask: SqlAsk, words: readonly string[], group: string): readonly SqlItem[] {
  const lower = isLowerCase(ask.cursor)
  return words.map((word, index) => {
    const label = lower ? word.toLowerCase() : word
    return { label, kind: 'keyword', insert: label, sort: sortKey(group, index) }
  })
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
  return [
    ...keywordItems(
      ask,
      [...all, ...(isWhole ? ['SELECT', 'WITH', 'FROM', 'VALUES'] : ['SELECT', 'FROM', 'WITH', 'VALUES'])],
      'a',
    ),
    snippet(
      ask,
      'WITH … SELECT',
      `WITH ${hole(1, 'name')} AS (\n  SELECT $2\n  FROM {{ ref('$3') }}\n)\nSELECT *\nFROM ${hole(1, 'name')}$0`,
      sortKey('i', 0),
      'a query with a part of its own',
    ),
    snippet(
      ask,
      'SELECT … FROM ref',
      `SELECT ${hole(2, '*')}\nFROM {{ ref('$1') }}$0`,
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
  if (word === 'by' && (scope.clauseKind === 'group' || scope.clauseKind === 'order')) words.push('ALL')
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
      `CAST(${hole(1, 'value')} AS ${hole(2, 'type')})$0`,
      sortKey('h', 41),
      'CAST(value AS type)',
    ),
  ]
}

const frameWords: ReadonlySet<string> = new Set(['rows', 'range', 'groups'])

/** The bracket behind OVER, or behind AS of a named window. */
function isWindow({ scope }: SqlAsk, callee: string): boolean {
  return callee === 'over' || (callee === 'as' && scope.clauseKind === 'window')
}

// ---------------------------------------------------------------- where an operand has ended

const clauseOrder: readonly (readonly [ClauseKind, string])[] = [
  ['from', 'FROM'],
  ['where', 'WHERE'],
  ['group', 'GROUP BY'],
  ['having', 'HAVING'],
  ['window', 'WINDOW'],
  ['qualify', 'QUALIFY'],
  ['order', 'ORDER BY'],
  ['limit', 'LIMIT'],
]

const joins = [
  'JOIN',
  'LEFT JOIN',
  'INNER JOIN',
  'CROSS JOIN',
  'FULL JOIN',
  'RIGHT JOIN',
  'SEMI JOIN',
  'ANTI JOIN',
  'ASOF JOIN',
  'NATURAL JOIN',
]

const comparisons = [
  'AND',
  'OR',
  'IN',
  'IS NULL',
  'IS NOT NULL',
  'BETWEEN',
  'LIKE',
  'ILIKE',
  'NOT IN',
  'NOT LIKE',
]

/** After these words only a few others come. */
const followers: Readonly<Record<string, readonly string[]>> = {
  group: ['BY'],
  order: ['BY'],
  partition: ['BY'],
  is: ['NULL', 'NOT NULL', 'DISTINCT FROM', 'NOT DISTINCT FROM', 'TRUE', 'FALSE'],
  left: ['JOIN', 'OUTER JOIN'],
  right: ['JOIN', 'OUTER JOIN'],
  full: ['JOIN', 'OUTER JOIN'],
  inner: ['JOIN'],
  cross: ['JOIN'],
  outer: ['JOIN'],
  asof: ['JOIN', 'LEFT JOIN'],
  semi: ['JOIN'],
  anti: ['JOIN'],
  natural: ['JOIN', 'LEFT JOIN'],
  positional: ['JOIN'],
  nulls: ['FIRST', 'LAST'],
  within: ['GROUP'],
}

export function operatorKeywords(ask: SqlAsk): readonly SqlItem[] {
  const { cursor, scope } = ask
  const word = wordBefore(cursor)
  const isName = textOf(cursor, tokenBefore(cursor, 2)) === '.'
  const only = isName || !Object.hasOwn(followers, word) ? undefined : followers[word]
  if (only !== undefined) return keywordItems(ask, only, 'a')
  if (word === 'as') return keywordItems(ask, ['MATERIALIZED', 'NOT MATERIALIZED'], 'a')
  if (word === 'over') return [...windowItems(ask)]
  if (isFrame(ask, word)) return keywordItems(ask, ['BETWEEN', 'UNBOUNDED PRECEDING', 'CURRENT ROW'], 'a')
  if (isBetween(ask)) return keywordItems(ask, ['AND'], 'a')
  if (isInCase(cursor)) return keywordItems(ask, ['THEN', 'WHEN', 'ELSE', 'END', ...comparisons], 'a')
  const bracket = openBracket(cursor)
  const isOwn = bracket !== undefined && bracket.start >= (scope.query?.reach.start ?? 0)
  if (isOwn) return keywordItems(ask, wordsInBracket(bracket.callee, bracket.words), 'a')
  const words = clauseWords(ask)
  return keywordItems(ask, [...new Set(words)], 'a')
}

/** `ROWS |` of a window. */
function isFrame(ask: SqlAsk, word: string): boolean {
  const bracket = openBracket(ask.cursor)
  return frameWords.has(word) && bracket?.words.includes('order') === true
}

/** `x BETWEEN 1 |`: only one word can follow. */
function isBetween({ scope }: SqlAsk): boolean {
  const between = scope.around.findLast(({ kind }) => kind === 'between')
  return between?.kind === 'between' && between.high.kind === 'missing' && scope.before === between.low.end
}

function windowNames({ scope }: SqlAsk, group: string): readonly SqlItem[] {
  return [...(scope.own?.windows.values() ?? [])].map(({ name }, index): SqlItem => {
    return {
      label: name.text,
      kind: 'alias',
      detail: 'window',
      insert: writtenName(name.text),
      sort: sortKey(group, index),
    }
  })
}

function windowItems(ask: SqlAsk): readonly SqlItem[] {
  return [
    ...windowNames(ask, 'a'),
    {
      label: '(…)',
      kind: 'snippet',
      insert: '($1)$0',
      isSnippet: true,
      sort: sortKey('b', 0),
      filter: '(',
      next: 'completion',
    },
  ]
}

function wordsInBracket(callee: string, words: readonly string[]): readonly string[] {
  if (callee === 'cast' || callee === 'try_cast') return ['AS']
  if (callee === 'extract') return ['FROM']
  if (callee === 'over' || words.includes('partition')) {
    const ordered = words.includes('order')
    return ordered
      ? ['ASC', 'DESC', 'NULLS LAST', 'NULLS FIRST', 'ROWS BETWEEN', 'RANGE BETWEEN']
      : ['ORDER BY']
  }
  if (words[0] === 'where') return comparisons
  return [...comparisons, 'ORDER BY']
}

function clauseWords({ cursor, scope }: SqlAsk): readonly string[] {
  const pivot = scope.around.findLast(({ kind }) => kind === 'pivot' || kind === 'unpivot')
  if (pivot?.kind === 'pivot') return pivotWords
  if (pivot?.kind === 'unpivot') return ['ON', 'INTO NAME', 'VALUE', 'FOR', 'IN']
  const kind = scope.clauseKind
  const later = clausesAfter(kind)
  const after = [...later, 'UNION ALL', 'EXCEPT', 'INTERSECT']
  const mark = textOf(cursor, tokenBefore(cursor))
  if (kind === undefined) return comparisons
  const isFirst = scope.select?.clauses[0] === scope.clause
  if (kind === 'from') return [...afterTable(scope, cursor), ...(isFirst ? ['SELECT'] : []), ...after]
  if (kind === 'select') {
    if (mark === '*') return ['FROM', 'EXCLUDE', 'REPLACE', 'RENAME']
    return [...(mark === ')' ? ['OVER', 'FILTER'] : []), 'AS', 'FROM', ...comparisons, ...later]
  }
  if (kind === 'order') return ['DESC', 'ASC', 'NULLS LAST', 'NULLS FIRST', ...after]
  if (kind === 'group') return [...after]
  if (kind === 'limit') return ['OFFSET', 'UNION ALL']
  return [...comparisons, ...(mark === ')' ? ['OVER', 'FILTER'] : []), ...after]
}

const pivotWords = ['ON', 'USING', 'GROUP BY', 'IN', 'AS', 'FOR']

function clausesAfter(kind: ClauseKind | undefined): readonly string[] {
  const at = clauseOrder.findIndex(([each]) => each === kind)
  return clauseOrder.slice(Math.max(at + 1, 1)).map(([, words]) => words)
}

function afterTable({ select, join, own, before }: SqlAsk['scope'], cursor: SqlCursor): readonly string[] {
  if (join?.onSpan !== undefined) return [...comparisons, ...joins]
  const table = own?.tables.findLast(each => each.node.start < cursor.word.start)
  const last = table && joinOf(select?.from ?? [], table.node)
  const needsCondition =
    last !== undefined && last.using === undefined && last.on === undefined && !isFree(last)
  const alias = table?.alias === undefined || before < table.alias.start ? ['AS'] : []
  return needsCondition ? ['ON', 'USING', ...alias] : [...joins, ...alias, 'WHERE']
}

function isFree({ type, natural }: Join): boolean {
  return natural || type === 'cross' || type === 'positional'
}

/** The innermost join that a table is the right side of. */
function joinOf(from: readonly TableExpression[], table: TableExpression): Join | undefined {
  let found: Join | undefined
  const steps = [...from]
  for (let node = steps.pop(); node !== undefined; node = steps.pop()) {
    if (node.kind !== 'join' || table.start < node.start || table.end > node.end) continue
    if (node.right.start <= table.start) found = node
    steps.push(node.left, node.right)
  }
  return found
}
