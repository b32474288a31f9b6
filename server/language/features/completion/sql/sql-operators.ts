/** Offers keywords that may follow an operand, a table or another keyword. */
import type { ClauseKind, Join, TableExpression } from '../../../sql/tree.ts'
import {
  isInCase,
  openBracket,
  type SqlCursor,
  textOf,
  tokenBefore,
  wordBefore,
} from '../../sql/sql-cursor.ts'
import { keywordItems } from './sql-keywords.ts'
import type { SqlAsk, SqlItem } from './sql-offer.ts'
import { isFrame, windowItems } from './sql-windows.ts'

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

/** The words that can follow these words. */
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

/** Returns whether the cursor is in `x BETWEEN 1 |`, where only AND can follow. */
function isBetween({ scope }: SqlAsk): boolean {
  const between = scope.around.findLast(({ kind }) => kind === 'between')
  return between?.kind === 'between' && between.high.kind === 'missing' && scope.before === between.low.end
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
    const modifiers = cursor.engine.grammar.features.starModifiers ? ['EXCLUDE', 'REPLACE', 'RENAME'] : []
    if (mark === '*') return ['FROM', ...modifiers]
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

/** Returns the innermost join whose right side is the table. */
function joinOf(from: readonly TableExpression[], table: TableExpression): Join | undefined {
  let join: Join | undefined
  const steps = [...from]
  for (let node = steps.pop(); node !== undefined; node = steps.pop()) {
    if (node.kind !== 'join' || table.start < node.start || table.end > node.end) continue
    if (node.right.start <= table.start) join = node
    steps.push(node.left, node.right)
  }
  return join
}
