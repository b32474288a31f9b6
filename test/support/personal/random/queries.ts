/** Whole queries at random. */
import type { Choices } from './choices.ts'
import { expression } from './expressions.ts'
import { aggregateItem, type Item, item, named } from './items.ts'
import {
  type Field,
  freshName,
  type Kind,
  type Making,
  newNotes,
  type Query,
  type Relation,
  type Scope,
  scopeOf,
  selectsRows,
} from './making.ts'
import { fromClause, toldApart } from './relations.ts'
import { setOperation } from './set-operations.ts'
import { pivot, recursion, summary, unpivot, valueRows } from './special-queries.ts'

export interface RandomQuery {
  readonly sql: string
  readonly areRowsSteady: boolean
  readonly isPure: boolean
}

export function randomQuery(choices: Choices): RandomQuery {
  const notes = newNotes()
  const depth = 1 + choices.below(3)
  const { sql } = wholeQuery({ choices, ctes: [], notes }, undefined, depth, true)
  return { sql, areRowsSteady: notes.areRowsSteady, isPure: notes.isPure }
}

/** `isTop`: its rows may come in any order. */
function wholeQuery(making: Making, outer: Scope | undefined, depth: number, isTop = false): Query {
  const { choices } = making
  if (depth > 0) {
    const form = choices.below(24)
    if (form >= 23) return recursion(making, depth, innerQuery)
    if (form >= 22) return pivot(making)
    if (form >= 21) return unpivot(making, depth, innerQuery)
    if (form >= 20) return summary(making, depth, innerQuery)
    if (form >= 19) return valueRows(making)
    if (form >= 17) return setOperation(making, depth, innerQuery)
    if (form >= 14) return withCte(making, outer, depth, isTop)
  }
  return select(making, outer, depth, isTop)
}

function innerQuery(making: Making, outer: Scope | undefined, depth: number): Query {
  return wholeQuery(making, outer, depth)
}

function withCte(making: Making, outer: Scope | undefined, depth: number, isTop: boolean): Query {
  const { choices } = making
  const ctes: Relation[] = [...making.ctes]
  const parts: string[] = []
  for (let count = 1 + choices.below(2); count > 0; count--) {
    const query = wholeQuery({ ...making, ctes }, undefined, depth - 1)
    const alias = choices.chance(10) ? choices.pick(['o', 'p']) : freshName(making, 'w')
    const fields = toldApart(query.fields)
    const names = choices.chance(25) ? fields.map(() => freshName(making, 'r')) : undefined
    const kept = names === undefined ? fields : fields.map((field, at) => ({ ...field, name: names[at] }))
    const list = names === undefined ? '' : `(${names.join(', ')})`
    parts.push(`${alias}${list} AS (${query.sql})`)
    const shadowed = ctes.findIndex(each => each.alias === alias)
    if (shadowed >= 0) ctes.splice(shadowed, 1)
    ctes.push({ alias, fields: kept })
  }
  const query = select({ ...making, ctes }, outer, depth - 1, isTop)
  return { ...query, sql: `WITH ${parts.join(', ')} ${query.sql}` }
}

function select(making: Making, outer: Scope | undefined, depth: number, isTop: boolean): Query {
  const { choices } = making
  const from = fromClause(making, depth, innerQuery)
  const scope = scopeOf(from.relations, outer)
  const where = filter(making, scope)
  if (choices.chance(22)) return grouped(making, scope, `${from.sql}${where}`, isTop)
  const items = Array.from({ length: 1 + choices.below(4) }, () => item(making, scope))
  const distinct = distinctOf(making, items)
  const tail = `${where}${qualify(making, scope)}${order(making, scope, items, isTop)}`
  return assembled(making, items, distinct, `${from.sql}`, tail)
}

function assembled(
  { choices }: Making,
  items: readonly Item[],
  distinct: string,
  from: string,
  tail: string,
): Query {
  const list = items.map(({ sql }) => sql).join(', ')
  const isFromFirst = choices.chance(8)
  const sql = isFromFirst
    ? `FROM ${from} SELECT ${distinct}${list}${tail}`
    : `SELECT ${distinct}${list} FROM ${from}${tail}`
  return { sql, fields: items.flatMap(({ fields }) => fields) }
}

function distinctOf(making: Making, items: readonly Item[]): string {
  if (!making.choices.chance(5)) return ''
  // Which rows are the same as others is kept by columns as they are; the order of the rest is not.
  for (const { fields } of items)
    for (const field of fields) selectsRows(making, { ...field, isSteady: false })
  return 'DISTINCT '
}

function filter(making: Making, scope: Scope): string {
  if (!making.choices.chance(25)) return ''
  const condition = expression(making, scope, 'boolean', 1)
  selectsRows(making, condition)
  return ` WHERE ${condition.sql}`
}

function qualify(making: Making, scope: Scope): string {
  if (!making.choices.chance(4)) return ''
  const key = expression(making, scope, 'number', 0)
  selectsRows(making, key)
  return ` QUALIFY row_number() OVER (ORDER BY ${key.sql}) <= 3`
}

function order(making: Making, scope: Scope, items: readonly Item[], isTop: boolean): string {
  const { choices } = making
  if (!choices.chance(15)) return ''
  const key = expression(making, scope, choices.pick(['number', 'text'] as const), 0)
  const limit = choices.chance(40) ? ' LIMIT 4' : ''
  if (!isTop || limit !== '')
    selectsRows(making, { ...key, isSteady: key.isSteady && !isHidden(key.sql, items) })
  return ` ORDER BY ${key.sql}${limit}`
}

/** An output that is called like a column of the key takes its place: `md5(COLUMNS(['id']))` is called `id`. */
function isHidden(key: string, items: readonly Item[]): boolean {
  const words: readonly string[] = key.toLowerCase().match(/\w+/g) ?? []
  return items.some(({ fields }) =>
    fields.some(
      ({ name, isSteady }) => !isSteady && name !== undefined && words.includes(name.toLowerCase()),
    ),
  )
}

const keyKinds: readonly Kind[] = ['text', 'text', 'number', 'date', 'boolean']

function grouped(making: Making, scope: Scope, rest: string, isTop: boolean): Query {
  const { choices } = making
  const keys = Array.from({ length: choices.below(3) }, () => groupKey(making, scope))
  const items = Array.from({ length: 1 + choices.below(3) }, () => aggregateItem(making, scope))
  // The order of groups is that of hashes, which nothing but keys of tables keeps.
  if (!isTop) for (const field of keys.flatMap(({ fields }) => fields)) selectsRows(making, isKept(field))
  else for (const field of keys.flatMap(({ fields }) => fields)) selectsRows(making, field)
  const clause = keys.length === 0 ? '' : ` GROUP BY ${groupBy(making, keys)}`
  const having = choices.chance(10) ? havingOf(making, scope) : ''
  const all = [...keys, ...items]
  return {
    sql: `SELECT ${all.map(({ sql }) => sql).join(', ')} FROM ${rest}${clause}${having}`,
    fields: all.flatMap(({ fields }) => fields),
  }
}

function isKept(field: Field): Field {
  return { ...field, isSteady: field.isSteady && /^(customer_)?id$/.test(field.name ?? '') }
}

function groupKey(making: Making, scope: Scope): Item {
  const depth = making.choices.chance(60) ? 0 : 1
  return named(making, expression(making, scope, making.choices.pick(keyKinds), depth))
}

function groupBy({ choices }: Making, keys: readonly Item[]): string {
  const places = keys.map((_, index) => String(index + 1)).join(', ')
  return choices.pick(['ALL', places, 'ALL', places, 'ALL'])
}

function havingOf(making: Making, scope: Scope): string {
  const value = expression(making, scope, 'number', 0)
  selectsRows(making, value)
  return ` HAVING max(${value.sql}) IS NOT NULL`
}
