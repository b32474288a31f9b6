/** Offers columns at a place of SQL, nearest first. A name that is in two tables is qualified. */
import { getOrInsertComputed } from '../../../get-or-insert.ts'
import { uniqueBy } from '../../../lists.ts'
import type { Column } from '../../../sql/binder/model.ts'
import { mergedOf } from '../../../sql/binder/scope.ts'
import type { Star } from '../../../sql/tree.ts'
import { meantBy } from '../../sql/members.ts'
import {
  aliasesAt,
  originOf,
  ownTables,
  parametersAt,
  type TableInSight,
  tablesAt,
} from '../../sql/tables-in-sight.ts'
import type { CompletionSubject } from '../completion.ts'
import { sortKey } from '../completion.ts'
import { likelyTables } from './likely-tables.ts'
import { type SqlAsk, type SqlItem, typeIn, typeOf } from './sql-offer.ts'

/** Offers columns, parameters, aliases and table names where an operand may stand. */
export function columnsInSight(ask: SqlAsk): readonly SqlItem[] {
  const { scope } = ask
  const isWithoutFrom = ask.place.block.kind === 'query' && ownTables(scope).length === 0
  const seen = tablesAt(scope)
  const tables = isWithoutFrom ? [...seen, ...likelyTables(ask)] : seen
  return [
    ...parameterItems(ask),
    ...columnItems(ask, tables),
    ...aliasItems(ask, seen),
    ...tableItems(ask, tables),
  ]
}

function parameterItems(ask: SqlAsk): readonly SqlItem[] {
  return parametersAt(ask.scope).map(({ name, value }, index): SqlItem => {
    const type = typeOf(ask, value)
    const detail = type === undefined ? 'parameter' : `${type} · parameter`
    const insert = ask.place.engine.quoteIfNeeded(name.text)
    return { label: name.text, kind: 'alias', detail, insert, sort: sortKey('a', 200 + index) }
  })
}

function columnItems(ask: SqlAsk, tables: readonly TableInSight[]): readonly SqlItem[] {
  const { binding, quoteIfNeeded } = ask.place.engine
  const owners = countOwners(tables)
  const seen = new Set<string>()
  const items: SqlItem[] = []
  for (const table of tables) {
    for (const column of table.columns) {
      const isMerged = table.scope !== undefined && mergedOf(table.scope, column, binding) !== undefined
      const isQualified = !isMerged && needsQualifier(table, owners.get(column.name.toLowerCase()) ?? [])
      if (isQualified && table.name === '') continue
      const written = quoteIfNeeded(column.name)
      const name = isQualified ? `${quoteIfNeeded(table.name)}.${written}` : written
      if (seen.has(name)) continue
      seen.add(name)
      const sort = sortKey(table.depth === 0 ? 'b' : 'd', items.length)
      items.push(columnItem(ask, table.name, column, name, sort))
    }
  }
  return items
}

function countOwners(tables: readonly TableInSight[]): ReadonlyMap<string, readonly TableInSight[]> {
  const owners = new Map<string, TableInSight[]>()
  for (const table of tables) {
    for (const { name } of table.columns) {
      const known = getOrInsertComputed(owners, name.toLowerCase(), (): TableInSight[] => [])
      if (known.at(-1) !== table) known.push(table)
    }
  }
  return owners
}

/** Returns whether the name is ambiguous at its own level, or hidden by a table of an inner query. */
function needsQualifier(table: TableInSight, owners: readonly TableInSight[]): boolean {
  return owners.some(other => other !== table && other.depth <= table.depth)
}

/** Makes the item; `table` is '' if no qualifier is needed. */
export function columnItem(ask: SqlAsk, table: string, column: Column, name: string, sort: string): SqlItem {
  const detail = [typeIn(ask, column), table].filter(Boolean).join(' · ')
  const about = subjectOf(column)
  return {
    label: name,
    kind: 'column',
    ...(detail !== '' && { detail }),
    ...(about !== undefined && { about }),
    insert: name,
    // The bare name matches too.
    filter: name.startsWith('"') ? name : column.name,
    sort,
  }
}

function subjectOf(column: Column): CompletionSubject | undefined {
  const origin = originOf(column)
  return origin === undefined ? undefined : { kind: 'column', ...origin }
}

/** Offers aliases of the select list. In ORDER BY after GROUP BY they are the most likely items. */
function aliasItems(ask: SqlAsk, tables: readonly TableInSight[]): readonly SqlItem[] {
  const { scope, place } = ask
  const { select } = scope
  const { quoteIfNeeded, sameName } = place.engine
  const isGrouped = select !== undefined && (select.groupBy.length > 0 || select.groupByAll !== undefined)
  const group = scope.clauseKind === 'order' && isGrouped ? 'a' : 'c'
  return aliasesAt(scope).flatMap((column, index): SqlItem[] => {
    const { name } = column
    const isColumn = tables.some(
      table => table.depth === 0 && table.columns.some(each => sameName(each.name, name)),
    )
    if (isColumn || name === '') return []
    const type = typeIn(ask, column)
    const detail = type === undefined ? 'alias' : `${type} · alias`
    return [
      { label: name, kind: 'alias', detail, insert: quoteIfNeeded(name), sort: sortKey(group, 300 + index) },
    ]
  })
}

function tableItems({ place }: SqlAsk, tables: readonly TableInSight[]): readonly SqlItem[] {
  const names = new Map(tables.filter(({ name }) => name !== '').map(each => [each.name, each]))
  return Array.from(names.values(), ({ name, kind, columns }, index) => ({
    label: name,
    kind: kind === 'cte' ? 'cte' : 'alias',
    detail: `${columns.length} column${columns.length === 1 ? '' : 's'}`,
    insert: `${place.engine.quoteIfNeeded(name)}.`,
    sort: sortKey('e', index),
    next: 'completion',
  }))
}

/**
 * Offers plain names where no expression may stand: `EXCLUDE (|)`, with the columns of the star's table if it
 * has one.
 */
export function bareColumns(ask: SqlAsk): readonly SqlItem[] {
  const { quoteIfNeeded } = ask.place.engine
  const all = starredTables(ask).flatMap(table => table.columns.map(column => ({ table, column })))
  return uniqueBy(all, ({ column }) => column.name).map(({ table, column }, index) =>
    columnItem(ask, table.name, column, quoteIfNeeded(column.name), sortKey('b', index)),
  )
}

function starredTables({ scope }: SqlAsk): readonly TableInSight[] {
  const star = scope.around.findLast((node): node is Star => node.kind === 'star')
  const qualifier = star?.qualifier ?? []
  const names = qualifier.map(({ text }) => text)
  const meant = names.length === 0 ? undefined : meantBy(scope, names)
  return meant?.kind === 'table' ? [meant.table] : ownTables(scope)
}
