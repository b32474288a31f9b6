/** UNION, UNION BY NAME, INTERSECT and EXCEPT of queries with columns of the same kinds. */
import { expression } from './expressions.ts'
import { type Field, freshName, type Kind, type Making, type Query, scopeOf } from './making.ts'
import { fromClause, type MakeQuery } from './relations.ts'

const kinds: readonly Kind[] = ['text', 'number', 'text', 'date', 'boolean', 'list']

export function setOperation(making: Making, depth: number, makeQuery: MakeQuery): Query {
  const { choices, notes } = making
  const wanted = Array.from({ length: 1 + choices.below(3) }, () => choices.pick(kinds))
  const names = wanted.map(() => freshName(making))
  const operator = choices.pick([
    'UNION ALL',
    'UNION ALL BY NAME',
    'UNION',
    'UNION BY NAME',
    'EXCEPT',
    'INTERSECT',
    'EXCEPT ALL',
  ])
  if (!operator.startsWith('UNION ALL')) notes.areRowsSteady = false
  const isByName = operator.endsWith('BY NAME')
  const left = branch(making, wanted, names, depth, makeQuery)
  const order = isByName ? choices.some([...wanted.keys()], wanted.length) : [...wanted.keys()]
  const right = branch(
    making,
    order.map(index => wanted[index] ?? 'text'),
    order.map(index => (isByName ? (names[index] ?? '') : freshName(making))),
    depth,
    makeQuery,
  )
  const fields = left.fields.map((field): Field => ({ ...field, isSteady: false, isFew: false }))
  return { sql: `${left.sql} ${operator} ${right.sql}`, fields }
}

function branch(
  making: Making,
  wanted: readonly Kind[],
  names: readonly string[],
  depth: number,
  makeQuery: MakeQuery,
): Query {
  const from = fromClause(making, depth - 1, makeQuery)
  const scope = scopeOf(from.relations)
  const fields = wanted.map((kind, index) => ({ ...expression(making, scope, kind, 2), name: names[index] }))
  const list = fields.map(
    ({ sql, kind, name }) => `${kind === 'number' ? `(${sql})::DOUBLE` : cast(sql, kind)} AS ${name}`,
  )
  return { sql: `SELECT ${list.join(', ')} FROM ${from.sql}`, fields }
}

/** Both sides have one type. */
function cast(sql: string, kind: Kind): string {
  if (kind === 'text') return `(${sql})::VARCHAR`
  return kind === 'date' ? `(${sql})::DATE` : sql
}
