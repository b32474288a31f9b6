/** Expressions at random: columns in sight, templates filled with expressions, subqueries. */
import { mention } from './columns-in-sight.ts'
import {
  type Expression,
  fieldsOf,
  freshName,
  isCompared,
  isKey,
  type Kind,
  type Making,
  plainTables,
  type Relation,
  type Scope,
  scopeOf,
  selectsRows,
} from './making.ts'
import { aggregates, templates } from './templates.ts'

const constants: Readonly<Record<Kind, readonly string[]>> = {
  text: ["'abc'", "'f'"],
  number: ['1', '7'],
  date: ["DATE '2000-01-01'"],
  boolean: ['true'],
  list: ["['a']"],
  struct: ["{'mail': 'a', 'city': 'b', 'zip': 1}"],
  map: ["MAP {'k': 'a'}"],
  json: [`'{"mail": "a", "count": 1}'::JSON`],
}

const fieldsOfStructs = fieldsOf(plainTables[0] ?? { name: '', columns: [], rows: 0 }).find(
  ({ kind }) => kind === 'struct',
)?.fields

export function expression(making: Making, scope: Scope, kind: Kind, depth = 2): Expression {
  const { choices, notes } = making
  const column = mention(making, scope, kind)
  if (column !== undefined && (depth <= 0 || notes.budget <= 0 || !choices.chance(45))) return column
  if (depth > 0 && notes.budget > 0) {
    if (choices.chance(8)) return subquery(making, scope, kind)
    return filled(making, scope, kind, choices.pick(templates[kind]), depth - 1)
  }
  return column ?? converted(making, scope, kind)
}

/** Where no column is of this kind, one of another kind is made to be. */
function converted(making: Making, scope: Scope, kind: Kind): Expression {
  const plain = { kind, isSteady: false, isFew: false }
  for (const [from, before, after] of conversions[kind] ?? []) {
    const column = mention(making, scope, from)
    if (column !== undefined) return { ...plain, sql: `${before}${column.sql}${after}` }
  }
  return { ...plain, isSteady: true, sql: making.choices.pick(constants[kind]) }
}

const conversions: Readonly<Partial<Record<Kind, readonly (readonly [Kind, string, string])[]>>> = {
  text: [
    ['number', '(', ')::VARCHAR'],
    ['date', '(', ')::VARCHAR'],
    ['list', '(', ')::VARCHAR'],
    ['json', '(', ')::VARCHAR'],
  ],
  number: [
    ['text', 'length(', ')'],
    ['date', 'epoch(', ')'],
  ],
  list: [['text', '[', ']']],
  date: [['number', "DATE '2000-01-01' + ((", ')::BIGINT % 1000)::INTEGER']],
}

const hole = /\{([?#!=]?)(text|number|date|boolean|list|struct|map|json)\}/g

/** A template with an expression in each of its holes. */
export function filled(
  making: Making,
  scope: Scope,
  kind: Kind,
  template: string,
  depth: number,
): Expression {
  const parts: Expression[] = []
  let isSteady = true
  const sql = template.replace(hole, (_, mark: string, wanted: string) => {
    const part = partOf(making, scope, wanted as Kind, mark === '=' ? 0 : depth)
    if (mark === '?') isCompared(making, part)
    if (mark === '#') isKey(making, part)
    if (mark === '!') making.notes.isPure = false
    if (mark === '!' || !part.isSteady) isSteady = false
    parts.push(part)
    return isSimple(part.sql) ? part.sql : `(${part.sql})`
  })
  const isTelling = kind === 'boolean'
  return {
    sql,
    kind,
    isSteady: isTelling && isSteady,
    isFew: isTelling && parts.some(part => part.isFew),
    ...(kind === 'struct' && fieldsOfStructs !== undefined && { fields: unsteady(fieldsOfStructs) }),
  }
}

/** Without a column in sight a method is called of a constant, which a bare word cannot be. */
function partOf(making: Making, scope: Scope, kind: Kind, depth: number): Expression {
  making.notes.budget--
  return expression(making, scope, kind, depth)
}

function unsteady<T extends { readonly isSteady: boolean }>(fields: readonly T[]): T[] {
  return fields.map(field => ({ ...field, isSteady: false }))
}

function isSimple(sql: string): boolean {
  return /^[\w."]+$/.test(sql) && !/^\d/.test(sql)
}

/** One value out of a table or of a CTE, with or without a look at what is around it. */
function subquery(making: Making, scope: Scope, kind: Kind): Expression {
  const { choices, notes } = making
  notes.budget -= 2
  const { sql: from, relation } = simpleSource(making)
  const inner = scopeOf([relation], scope)
  const isAggregated = choices.chance(50)
  const fitting = aggregates.filter(([found]) => found === kind)
  if (isAggregated && fitting.length > 0) {
    const [, template] = choices.pick(fitting)
    const value = filled(making, inner, kind, template, 1)
    return { ...value, sql: `(SELECT ${value.sql} FROM ${from}${correlation(making, relation, scope)})` }
  }
  const value = expression(making, inner, kind, 1)
  const key = expression(making, { ...inner, outer: undefined }, 'number', 0)
  selectsRows(making, key)
  return {
    ...value,
    isSteady: false,
    sql: `(SELECT ${value.sql} FROM ${from} ORDER BY ${key.sql} LIMIT 1)`,
  }
}

function correlation(making: Making, relation: Relation, scope: Scope): string {
  if (!making.choices.chance(40)) return ''
  const [inner, outer] = [scopeOf([relation]), { ...scope, parameters: [] }]
  const left = mention(making, inner, 'number')
  const right = qualified(outer) ? mention(making, outer, 'number') : undefined
  if (left === undefined || right === undefined || !right.sql.includes('.')) return ''
  selectsRows(making, left)
  selectsRows(making, right)
  // Numbers of different columns are in no steady order to each other, keys are equal in every version.
  if (!/id"?$/i.test(left.sql) || !/id"?$/i.test(right.sql)) making.notes.areRowsSteady = false
  return ` WHERE ${left.sql} = ${right.sql}`
}

function qualified({ relations }: Scope): boolean {
  return relations.some(({ alias }) => alias !== undefined)
}

export function simpleSource(making: Making): { readonly sql: string; readonly relation: Relation } {
  const { choices, ctes } = making
  const alias = freshName(making, 't')
  if (ctes.length > 0 && choices.chance(50)) {
    const cte = choices.pick(ctes)
    return { sql: `${cte.alias} AS ${alias}`, relation: { alias, fields: cte.fields } }
  }
  const table = choices.pick(plainTables)
  return { sql: `@${table.name} AS ${alias}`, relation: { alias, fields: fieldsOf(table) } }
}
