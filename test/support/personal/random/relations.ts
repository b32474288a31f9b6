/** What stands in FROM: tables, CTEs, subqueries, joins of them, rows made on the spot. */

import { qualifiedMention } from './columns-in-sight.ts'
import { expression, simpleSource } from './expressions.ts'
import {
  type Field,
  fieldsOf,
  freshName,
  type Making,
  plainTables,
  type Query,
  type Relation,
  type Scope,
  scopeOf,
  selectsRows,
} from './making.ts'

export interface From {
  readonly sql: string
  readonly relations: readonly Relation[]
}

export type MakeQuery = (making: Making, outer: Scope | undefined, depth: number) => Query

export function fromClause(making: Making, depth: number, makeQuery: MakeQuery): From {
  const first = source(making, depth, makeQuery)
  if (depth <= 0 || !making.choices.chance(40)) return first
  return join(making, first, depth, makeQuery)
}

function source(making: Making, depth: number, makeQuery: MakeQuery): From {
  const { choices } = making
  if (depth > 0 && choices.chance(45)) return derived(making, depth, makeQuery)
  if (choices.chance(30)) {
    const { sql, relation } = simpleSource(making)
    return { sql, relations: [relation] }
  }
  if (choices.chance(6)) return rows(making)
  const table = choices.pick(plainTables)
  if (!choices.chance(60))
    return { sql: `@${table.name}`, relations: [{ alias: table.name, fields: fieldsOf(table) }] }
  const alias = freshName(making, 't')
  return {
    sql: `@${table.name} AS ${alias}${choices.chance(4) ? ' TABLESAMPLE 100%' : ''}`,
    relations: [{ alias, fields: fieldsOf(table) }],
  }
}

/** Rows that no table holds, with columns that may have no name. */
function rows(making: Making): From {
  const alias = freshName(making, 't')
  const plain = { kind: 'number', isSteady: true, isFew: false } as const
  const [sql, name] = making.choices.pick([
    [`range(2) ${alias}`, 'range'],
    [`generate_series(1, 2) AS ${alias}(k)`, 'k'],
    [`(VALUES (1), (2)) ${alias}(k)`, 'k'],
    [`unnest([1, 2]) AS ${alias}(k)`, 'k'],
    [`(SELECT count(*), 1 + 1 FROM @p) ${alias}`, undefined],
  ] as const)
  return { sql, relations: [{ alias, fields: [{ ...plain, name }] }] }
}

export function derived(making: Making, depth: number, makeQuery: MakeQuery): From {
  const { choices } = making
  const query = makeQuery(making, undefined, depth - 1)
  const fields = toldApart(query.fields)
  if (choices.chance(10)) return { sql: `(${query.sql})`, relations: [{ alias: undefined, fields }] }
  const alias = freshName(making, 't')
  if (!choices.chance(25)) return { sql: `(${query.sql}) AS ${alias}`, relations: [{ alias, fields }] }
  const named = renamed(making, fields)
  return {
    sql: `(${query.sql}) AS ${alias}(${named.names.join(', ')})`,
    relations: [{ alias, fields: named.fields }],
  }
}

/** Under names of their own, all or only the first of them. */
export function renamed(making: Making, fields: readonly Field[]) {
  const count = making.choices.chance(70) ? fields.length : 1 + making.choices.below(fields.length)
  const names = fields.slice(0, count).map(() => freshName(making, 'r'))
  return { names, fields: fields.map((field, index) => ({ ...field, name: names[index] ?? field.name })) }
}

/** Names that occur twice get a number in a subquery: `id`, `id_1`. */
export function toldApart(fields: readonly Field[]): readonly Field[] {
  const taken = new Set<string>()
  return fields.map(field => {
    if (field.name === undefined) return field
    let name = field.name
    for (let count = 1; taken.has(name.toLowerCase()); count++) name = `${field.name}_${count}`
    taken.add(name.toLowerCase())
    return { ...field, name }
  })
}

function join(making: Making, left: From, depth: number, makeQuery: MakeQuery): From {
  const { choices } = making
  if (choices.chance(25)) return lateral(making, left)
  const right = source(making, choices.chance(40) ? depth - 1 : 0, makeQuery)
  const relations = [...left.relations, ...right.relations]
  const [one, other] = [keyOf(making, left), keyOf(making, right)]
  if (one === undefined || other === undefined) return { sql: `${left.sql}, ${right.sql}`, relations }
  const kind = choices.pick([
    'JOIN',
    'LEFT JOIN',
    'RIGHT JOIN',
    'FULL JOIN',
    'CROSS',
    'POSITIONAL',
    'SEMI',
    'ANTI',
    'ASOF',
  ])
  if (kind === 'CROSS') return { sql: `${left.sql} CROSS JOIN ${right.sql}`, relations }
  if (kind === 'POSITIONAL') return { sql: `${left.sql} POSITIONAL JOIN ${right.sql}`, relations }
  const condition = `${one} = ${other}`
  if (kind === 'SEMI' || kind === 'ANTI')
    return { sql: `${left.sql} ${kind} JOIN ${right.sql} ON ${condition}`, relations: left.relations }
  if (kind === 'ASOF') return { sql: `${left.sql} ASOF JOIN ${right.sql} ON ${one} >= ${other}`, relations }
  return { sql: `${left.sql} ${kind} ${right.sql} ON ${condition}`, relations }
}

/** A column that joins may go by: one of the keys, which have the same values in every version. */
function keyOf(making: Making, { relations }: From): string | undefined {
  const keys = relations.map(relation => ({
    ...relation,
    fields: relation.fields.filter(({ name, isSteady }) => isSteady && /^(customer_)?id$/.test(name ?? '')),
  }))
  return qualifiedMention(making, keys, 'number')
}

/** Of every row of what stands before it: elements of a list, or values under a new name. */
function lateral(making: Making, left: From): From {
  const { choices } = making
  const scope = scopeOf(left.relations)
  const [alias, name] = [freshName(making, 't'), freshName(making)]
  if (choices.chance(50)) {
    const list = expression(making, scope, 'list', 1)
    // How long a list is says how often the rest of its row comes.
    selectsRows(making, list)
    const field: Field = { name, kind: 'text', isSteady: false, isFew: false }
    const sql = `${left.sql}, unnest(${list.sql}) AS ${alias}(${name})`
    return { sql, relations: [...left.relations, { alias, fields: [field] }] }
  }
  const value = expression(making, scope, choices.pick(['text', 'number', 'date'] as const), 2)
  const field: Field = { ...value, name }
  const sql = `${left.sql}, LATERAL (SELECT ${value.sql} AS ${name}) AS ${alias}`
  return { sql, relations: [...left.relations, { alias, fields: [field] }] }
}
