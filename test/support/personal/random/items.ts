/** What stands between SELECT and FROM: expressions, stars and COLUMNS in their forms, structs that are spread. */
import { expression, filled } from './expressions.ts'
import {
  everyField,
  type Field,
  freshName,
  type Kind,
  type Making,
  type Relation,
  type Scope,
} from './making.ts'
import { aggregates, windows } from './templates.ts'

export interface Item {
  readonly sql: string
  /** More than one for stars. */
  readonly fields: readonly Field[]
}

const anyKind: readonly Kind[] = [
  'text',
  'text',
  'text',
  'number',
  'number',
  'date',
  'boolean',
  'list',
  'struct',
  'json',
]

export function item(making: Making, scope: Scope): Item {
  const { choices } = making
  const form = choices.below(20)
  if (form >= 19) return spread(making, scope)
  if (form >= 17) return star(making, scope)
  if (form >= 15) return columns(making, scope)
  if (form >= 13) {
    const [kind, template] = choices.pick(windows)
    return named(making, { ...filled(making, scope, kind, template, 1), isSteady: false })
  }
  if (form >= 12) return wholeRow(making, scope)
  return named(making, expression(making, scope, choices.pick(kindsInSight(scope)), 3))
}

function kindsInSight(scope: Scope): readonly Kind[] {
  const found = new Set(everyField(scope).map(({ kind }) => kind))
  return anyKind.filter(kind => kind === 'text' || found.has(kind))
}

export function aggregateItem(making: Making, scope: Scope): Item {
  const [kind, template] = making.choices.pick(aggregates)
  return named(making, { ...filled(making, scope, kind, template, 1), isSteady: false })
}

type Named = Omit<Field, 'name'> & { readonly sql: string }

/** Under an alias, or under the name that it has by itself. */
export function named(making: Making, value: Named): Item {
  if (making.choices.chance(20)) {
    const name = /^(?:\w+\.)?([a-z]\w*)$/.exec(value.sql)?.[1]
    return { sql: value.sql, fields: [{ ...value, name }] }
  }
  const name = freshName(making)
  return { sql: `${value.sql} AS ${name}`, fields: [{ ...value, name }] }
}

function wholeRow(making: Making, scope: Scope): Item {
  const relation = making.choices.pick(scope.relations)
  if (relation.alias === undefined) return star(making, scope)
  const name = freshName(making)
  const row = making.choices.pick([`${relation.alias}`, `to_json(${relation.alias})`, `[${relation.alias}]`])
  const form = making.choices.pick([`(${row})::VARCHAR`, `md5((${row})::VARCHAR)`, `hash(${row})::VARCHAR`])
  return { sql: `${form} AS ${name}`, fields: [{ name, kind: 'text', isSteady: false, isFew: false }] }
}

function star(making: Making, scope: Scope): Item {
  const { choices } = making
  const relation = choices.pick(scope.relations)
  const isQualified = relation.alias !== undefined && choices.chance(50)
  const fields = isQualified ? relation.fields : everyField(scope)
  const sql = isQualified ? `${relation.alias}.*` : '*'
  const usable = namedOnce(fields)
  if (usable.length < 2 || !choices.chance(50)) return { sql, fields }
  const chosen = choices.pick(usable)
  const rest = fields.filter(field => field.name !== chosen.name)
  if (choices.chance(50)) return { sql: `${sql} EXCLUDE (${chosen.name})`, fields: rest }
  if (choices.chance(50)) {
    const name = freshName(making)
    const renamed = fields.map(field => (field === chosen ? { ...field, name } : field))
    return { sql: `${sql} RENAME (${chosen.name} AS ${name})`, fields: renamed }
  }
  const value = expression(making, isQualified ? { ...scope, relations: [relation] } : scope, chosen.kind, 2)
  const replaced = fields.map(field => (field === chosen ? { ...value, name: chosen.name } : field))
  return { sql: `${sql} REPLACE (${value.sql} AS ${chosen.name})`, fields: replaced }
}

function namedOnce(fields: readonly Field[]): readonly (Field & { readonly name: string })[] {
  return fields.flatMap(field => {
    const { name } = field
    const isOnce = fields.filter(other => other.name === name).length === 1
    return name !== undefined && isOnce && /^[a-z]\w*$/.test(name) ? [{ ...field, name }] : []
  })
}

/** COLUMNS in its forms; with several relations in sight a name may mean two columns, so only over one. */
function columns(making: Making, scope: Scope): Item {
  const { choices } = making
  const [relation] = scope.relations
  const usable = relation === undefined ? [] : namedOnce(relation.fields)
  if (scope.relations.length !== 1 || usable.length === 0) return star(making, scope)
  const chosen = choices.some(usable, 1 + choices.below(Math.min(3, usable.length)))
  const names = chosen.map(({ name }) => name)
  const sql = chooser(making, names)
  const fields = (relation as Relation).fields.filter(
    ({ name }) => name !== undefined && names.includes(name),
  )
  const all = fields.map(field => ({ ...field, kind: 'text' as const, isSteady: false, isFew: false }))
  const name = freshName(making)
  const one: Field = { name, kind: 'text', isSteady: false, isFew: false }
  switch (choices.below(6)) {
    case 0:
      return { sql, fields }
    case 1:
      return { sql: `${sql}::VARCHAR`, fields: all }
    case 2:
      return { sql: `md5(${sql}::VARCHAR)`, fields: all }
    case 3:
      return { sql: `concat(*${sql}) AS ${name}`, fields: [one] }
    case 4:
      return { sql: `struct_pack(*${sql})::VARCHAR AS ${name}`, fields: [one] }
    default:
      return { sql: `coalesce(${sql}::VARCHAR, 'none')`, fields: all }
  }
}

function chooser({ choices }: Making, names: readonly string[]): string {
  const list = names.map(name => `'${name}'`).join(', ')
  const either = names.join('|')
  return choices.pick([
    `COLUMNS([${list}])`,
    `COLUMNS('^(${either})$')`,
    `COLUMNS('\\A(?:${either})\\z')`,
    `COLUMNS('^(${either})$|[[:digit:]]{9}')`,
    `COLUMNS(lambda n: n IN (${list}))`,
    `COLUMNS(n -> n IN (${list}))`,
  ])
}

/** `unnest` of a struct makes a column of each field. */
function spread(making: Making, scope: Scope): Item {
  const { choices } = making
  const kinds = choices.some(['text', 'number', 'text', 'date'] as const, 2 + choices.below(2))
  const fields = kinds.map(kind => ({ ...expression(making, scope, kind, 2), name: freshName(making) }))
  const struct = `{${fields.map(({ name, sql }) => `'${name}': ${sql}`).join(', ')}}`
  const sql = choices.pick([
    `unnest(${struct})`,
    `unnest(${struct}, recursive := true)`,
    `unnest([${struct}], max_depth := 2)`,
  ])
  return { sql, fields }
}
