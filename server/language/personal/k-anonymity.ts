/**
 * `deploy: {k_anonymity: n}`: every row of an aggregate is made of at least n rows. That ends the marks of its sums,
 * averages and counts of plain columns, and of nothing else: a key, a minimum or a list still shows single values.
 */

import type { Engine } from '../engines/engine.ts'
import { internalName } from '../internal-names.ts'
import type { Argument, Expression } from '../sql/expression-tree.ts'
import { readSql } from '../sql/reader/read-sql.ts'
import type { Query, Select, SelectItem } from '../sql/tree.ts'

export interface Summary {
  readonly column: string
  /** The text of the column that is summarized; undefined for `count(*)`. */
  readonly argument: string | undefined
}

/**
 * Returns the summaries of the last SELECT of a query; undefined if it is no aggregate.
 * `end`: where further items of the select list can be inserted.
 */
export function aggregateIn(text: string, engine: Engine) {
  const select = lastSelect(readSql(text, engine.grammar).statements[0])
  const last = select?.items.at(-1)
  if (select === undefined || last === undefined || select.selectWord === undefined) return undefined
  const summaries = select.items.flatMap(item => summaryOf(item, text, engine) ?? [])
  const isGrouped = select.groupBy.length > 0 || select.groupByAll !== undefined
  const isAggregate = isGrouped || (summaries.length > 0 && summaries.length === select.items.length)
  return isAggregate && !select.distinct ? { summaries, end: last.end } : undefined
}

function lastSelect(query: Query | undefined): Select | undefined {
  if (query?.body.kind === 'nested') return lastSelect(query.body.query)
  return query?.body.kind === 'select' ? query.body : undefined
}

function summaryOf({ expression, alias }: SelectItem, text: string, engine: Engine): Summary | undefined {
  if (expression.kind !== 'call' || alias === undefined) return undefined
  const { path, receiver, tag, arguments: given, distinct, orderBy, filter, over } = expression
  const isPlain =
    path.length === 1 &&
    receiver === undefined &&
    tag === undefined &&
    !distinct &&
    orderBy.length === 0 &&
    filter === undefined &&
    over === undefined
  if (!isPlain || !engine.functions.summarizing.has(path[0]?.text.toLowerCase() ?? '')) return undefined
  const [first, ...others] = given
  if (others.length > 0 || !isColumn(first)) return undefined
  const isStar = first === undefined || first.value.kind === 'star'
  return { column: alias.text, argument: isStar ? undefined : text.slice(first.start, first.end) }
}

const columns: ReadonlySet<Expression['kind']> = new Set(['reference', 'star'])

function isColumn(argument: Argument | undefined): boolean {
  return argument === undefined || (argument.name === undefined && columns.has(argument.value.kind))
}

/**
 * Returns a query for the rows that are made of fewer than `least` rows, or of fewer values of a summarized column;
 * undefined if the query is no aggregate.
 */
export function smallGroups(sql: string, least: number, engine: Engine): string | undefined {
  const aggregate = aggregateIn(sql, engine)
  if (aggregate === undefined) return undefined
  const counted = [...new Set(aggregate.summaries.flatMap(({ argument }) => argument ?? []))]
  const counts = ['count(*)', ...counted.map(argument => `count(${argument})`)]
  const names = counts.map((_, index) => internalName(`count_${index}`))
  const items = counts.map((count, index) => `, ${count} AS ${names[index]}`).join('')
  const whole = `${sql.slice(0, aggregate.end)}${items}${sql.slice(aggregate.end)}`
  const [all, ...values] = names
  // A group in which nobody has a value shows nobody's.
  const small = [`${all} < ${least}`, ...values.map(name => `${name} BETWEEN 1 AND ${least - 1}`)]
  return `SELECT * FROM (\n${whole}\n) AS ${internalName('counted')} WHERE ${small.join(' OR ')}`
}
