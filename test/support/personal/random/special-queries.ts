/** Queries of forms that a SELECT alone does not have: recursion, PIVOT, UNPIVOT, SUMMARIZE, VALUES. */

import { mention } from './columns-in-sight.ts'
import { expression, simpleSource } from './expressions.ts'
import {
  type Field,
  fieldsOf,
  freshName,
  isKey,
  type Making,
  plainTables,
  type Query,
  scopeOf,
} from './making.ts'
import { derived, fromClause, type MakeQuery } from './relations.ts'

/** Values move from column to column, round by round. */
export function recursion(making: Making, depth: number, makeQuery: MakeQuery): Query {
  const { choices } = making
  const from = fromClause(making, depth - 1, makeQuery)
  const scope = scopeOf(from.relations)
  const name = freshName(making, 'w')
  const columns = Array.from({ length: 2 + choices.below(4) }, () => freshName(making, 'r'))
  const start = columns.map(() => `(${expression(making, scope, 'text', choices.below(2)).sql})::VARCHAR`)
  const isMoving = choices.chance(80)
  const emptied = start.map((sql, index) => (index === 0 || choices.chance(40) ? sql : "'none'"))
  const moved = choices.some(columns, columns.length)
  const step = moved.map((column, index) =>
    choices.pick([column, column, `upper(${column})`, index === 0 ? "'none'" : column]),
  )
  const rounds = `${name}.n`
  const sql = `WITH RECURSIVE ${name}(${columns.join(', ')}, n) AS (SELECT ${(isMoving ? emptied : start).join(', ')}, 1 FROM ${from.sql} UNION ALL SELECT ${step.join(', ')}, ${rounds} + 1 FROM ${name} WHERE ${rounds} < ${2 + columns.length}) SELECT * FROM ${name}`
  const fields = columns.map(
    (column): Field => ({ name: column, kind: 'text', isSteady: false, isFew: false }),
  )
  return { sql, fields: [...fields, { name: 'n', kind: 'number', isSteady: true, isFew: false }] }
}

function customers(making: Making) {
  const [table] = plainTables
  const alias = freshName(making, 't')
  return { sql: `@c AS ${alias}`, relation: { alias, fields: table === undefined ? [] : fieldsOf(table) } }
}

export function pivot(making: Making): Query {
  const { choices } = making
  const { sql: source, relation } = customers(making)
  const inner = scopeOf([relation])
  const [on, values] = choices.pick([
    ['gender', "'f', 'm'"],
    ['blood', "'A', 'B'"],
    ['is_ill', 'true, false'],
    ['id', '1, 2'],
  ] as const)
  const value = expression(making, inner, 'text', 1)
  const key = expression(making, inner, 'number', 0)
  isKey(making, key)
  const rows = `(SELECT ${on}, ${value.sql} AS v, ${key.sql} AS k FROM ${source})`
  const aggregate = choices.pick(['max(v)', 'count(*)', 'list(v)', 'first(v)', 'max(v) AS a, count(v) AS b'])
  const sql = choices.pick([
    `SELECT * FROM (PIVOT ${rows} ON ${on} IN (${values}) USING ${aggregate} GROUP BY k)`,
    `FROM (PIVOT ${rows} ON ${on} IN (${values}) USING ${aggregate})`,
    `SELECT * FROM ${rows} PIVOT (${aggregate} FOR ${on} IN (${values}) GROUP BY k)`,
    `PIVOT ${rows} ON ${on} IN (${values}) USING ${aggregate} GROUP BY k`,
  ])
  // Groups come in an order of their own, and what is called how is for those to know who read the star.
  making.notes.areRowsSteady = false
  return { sql, fields: [{ name: undefined, kind: 'text', isSteady: false, isFew: false }] }
}

export function unpivot(making: Making, depth: number, makeQuery: MakeQuery): Query {
  const { choices } = making
  const from = derived(making, depth, makeQuery)
  const scope = scopeOf(from.relations)
  const names = Array.from({ length: 2 + choices.below(2) }, () => freshName(making))
  const values = names.map(name => `(${expression(making, scope, 'text', 1).sql})::VARCHAR AS ${name}`)
  const kept = mention(making, scope, 'number')
  const [key, value, rest] = [freshName(making), freshName(making), freshName(making)]
  const other = kept === undefined ? '' : `, ${kept.sql} AS ${rest}`
  const rows = `(SELECT ${values.join(', ')}${other} FROM ${from.sql})`
  const sql = choices.pick([
    `SELECT * FROM (UNPIVOT ${rows} ON ${names.join(', ')} INTO NAME ${key} VALUE ${value})`,
    `SELECT * FROM ${rows} UNPIVOT INCLUDE NULLS (${value} FOR ${key} IN (${names.join(', ')}))`,
    `SELECT * FROM (UNPIVOT ${rows} ON COLUMNS('^(${names.join('|')})$') INTO NAME ${key} VALUE ${value})`,
  ])
  // Rows without a value are left out.
  making.notes.areRowsSteady = false
  const plain = { isSteady: false, isFew: false } as const
  const fields: Field[] = [
    { name: key, kind: 'text', ...plain },
    { name: value, kind: 'text', ...plain },
  ]
  return { sql, fields: kept === undefined ? fields : [{ ...kept, name: rest }, ...fields] }
}

export function summary(making: Making, depth: number, makeQuery: MakeQuery): Query {
  const { choices } = making
  const query = makeQuery(making, undefined, depth - 1)
  const fields = ['min', 'max'].map((name): Field => ({ name, kind: 'text', isSteady: false, isFew: false }))
  // Counts of different values and quantiles are estimates: what they say may change by chance.
  if (choices.chance(30)) return { sql: `SELECT min, max FROM (SUMMARIZE @c)`, fields }
  return { sql: `SELECT min, max FROM (SUMMARIZE (${query.sql}))`, fields }
}

export function valueRows(making: Making): Query {
  const { choices } = making
  const { sql: source, relation } = simpleSource(making)
  const scope = scopeOf([relation])
  const name = freshName(making)
  const one = (): string => {
    const { sql } = expression(making, scope, 'text', 2)
    return choices.pick([`(SELECT max((${sql})::VARCHAR) FROM ${source})`, "'none'"])
  }
  const rows = [`(${one()}, 1)`, `(${one()}, 2)`]
  const field: Field = { name, kind: 'text', isSteady: false, isFew: false }
  const number: Field = { name: 'n', kind: 'number', isSteady: false, isFew: false }
  return { sql: `SELECT ${name}, n FROM (VALUES ${rows.join(', ')}) v(${name}, n)`, fields: [field, number] }
}
