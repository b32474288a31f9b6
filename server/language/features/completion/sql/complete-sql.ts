/** Completion in SQL. The scope at the cursor tells which names exist, the grammar which of them fit. */

import type { Expression } from '../../../sql/tree.ts'
import { walk } from '../../../sql/walk.ts'
import type { Knowledge } from '../../knowledge.ts'
import { macroCallAt } from '../../macro-signature.ts'
import { type SqlCursor, sqlCursor, wordBefore } from '../../sql/sql-cursor.ts'
import type { SqlPlace } from '../../sql/sql-place.ts'
import { type Completion, type ItemList, sortKey } from '../completion.ts'
import { bareColumns, columnsInSight } from './sql-columns.ts'
import { functionItems } from './sql-functions.ts'
import { joinConditions, usingItems } from './sql-joins.ts'
import { operandKeywords, statementStarts } from './sql-keywords.ts'
import { membersOf } from './sql-members.ts'
import { inFile, mayMatch, type SqlAsk, type SqlItem } from './sql-offer.ts'
import { operatorKeywords } from './sql-operators.ts'
import { type SqlPosition, sqlPosition } from './sql-position.ts'
import { stringItems } from './sql-strings.ts'
import { tablesInSight } from './sql-tables.ts'
import { tagItems } from './sql-tags.ts'
import { typeItems } from './sql-types.ts'

export function completeSql(knowledge: Knowledge, place: SqlPlace): Completion {
  const cursor = sqlCursor(place.block.code, place.offset, place.tokens, place.engine)
  const scope = place.scope()
  const typed = cursor.text.slice(cursor.word.start, place.offset)
  const prefix = typed.toLowerCase().replace(/^"/, '')
  const ask: SqlAsk = { knowledge, place, cursor, scope, prefix }
  const { items, isIncomplete } = itemsAt(ask, sqlPosition(cursor, scope))
  const fitting = items.filter(
    item => item.range !== undefined || mayMatch(prefix, item.filter ?? item.label),
  )
  const quoted = typed.startsWith('"') ? fitting.flatMap(inQuotes) : fitting
  return { items: quoted.flatMap(item => inFile(ask, item)), isIncomplete }
}

type SqlItems = ItemList<SqlItem>

const whole = (items: readonly SqlItem[]): SqlItems => ({ items, isIncomplete: false })

function itemsAt(ask: SqlAsk, position: SqlPosition): SqlItems {
  switch (position.kind) {
    case 'nothing':
      return whole([])
    case 'string':
      return whole(stringItems(ask, position.token))
    case 'tag':
      return tagItems(ask, position.token)
    case 'start':
      return ask.place.block.kind === 'query' ? whole(statementStarts(ask)) : operands(ask)
    case 'type':
      return whole(typeItems(ask.place.engine))
    case 'part':
      return whole(partItems(ask.cursor))
    case 'member':
      return whole(membersOf(ask, position.path))
    case 'table':
      return tablesInSight(ask)
    case 'bare':
      return whole(bareColumns(ask))
    case 'using':
      return whole(usingItems(ask))
    case 'operand':
      return operands(ask)
    case 'operator':
      return whole(operatorKeywords(ask))
  }
}

/**
 * Offers operands. The list of functions depends on the typed prefix, so it is requested again after each
 * letter.
 */
function operands(ask: SqlAsk): SqlItems {
  const items = [
    ...namedArguments(ask),
    ...joinConditions(ask),
    ...groupItems(ask),
    ...columnsInSight(ask),
    ...functionItems(ask),
    ...operandKeywords(ask),
  ]
  return { items, isIncomplete: true }
}

/** Offers the names of parameters where an argument of a macro begins. */
function namedArguments({ knowledge, place }: SqlAsk): readonly SqlItem[] {
  const call = macroCallAt(knowledge.project, place.block.text, place.offset)
  return (call?.nameable ?? []).map(({ name, fallback }, index): SqlItem => {
    const detail = fallback === undefined ? 'parameter' : 'parameter with a default'
    return { label: `${name} :=`, kind: 'variable', detail, insert: `${name} := `, sort: sortKey('b', index) }
  })
}

function partItems({ engine }: SqlCursor): readonly SqlItem[] {
  return engine.words.dateParts.map((part, index) => ({
    label: part,
    kind: 'value',
    insert: part.toUpperCase(),
    sort: sortKey('a', index),
  }))
}

/** Offers, after GROUP BY, all items of the select list without aggregates at once. */
function groupItems({ scope, cursor, knowledge, place }: SqlAsk): readonly SqlItem[] {
  if (scope.clauseKind !== 'group' || wordBefore(cursor) !== 'by') return []
  const columns = (scope.select?.items ?? []).flatMap(({ expression, alias }) => {
    if (expression.kind === 'star' || isAggregated(knowledge, expression)) return []
    if (expression.kind === 'reference') return [cursor.text.slice(expression.start, expression.end)]
    return alias === undefined ? [] : [place.engine.quoteIfNeeded(alias.text)]
  })
  if (columns.length === 0) return []
  const text = columns.join(', ')
  return [
    {
      label: text,
      kind: 'snippet',
      detail: 'columns that are not aggregated',
      insert: text,
      sort: sortKey('a'),
    },
  ]
}

function isAggregated({ functions }: SqlAsk['knowledge'], expression: Expression): boolean {
  let hasAggregate = false
  walk(expression, {
    enter: node => {
      if (node.kind !== 'call') return node.kind !== 'query'
      const name = node.path.at(-1)?.text.toLowerCase() ?? ''
      hasAggregate ||= node.over !== undefined || functions.get(name)?.kind === 'aggregate'
      return !hasAggregate
    },
  })
  return hasAggregate
}

/** Restricts items after an opening quote to names, which are inserted with quotes. */
function inQuotes(item: SqlItem): readonly SqlItem[] {
  if (!['column', 'alias', 'cte'].includes(item.kind) || item.next === 'completion') return []
  const bare = item.insert.startsWith('"') ? item.insert : `"${item.insert}"`
  return item.insert.includes('.') && !item.insert.startsWith('"')
    ? []
    : [{ ...item, insert: bare, filter: bare }]
}
