/** Finds the members that may follow a dot: columns of a table or fields of a struct. */

import type { BinderDialect } from '../../sql/binder/dialect.ts'
import { fieldCalled, fieldsOf } from '../../sql/binder/fields.ts'
import type { Column, Scope } from '../../sql/binder/model.ts'
import { findColumn } from '../../sql/binder/scope.ts'
import type { FieldValue, Value } from '../../sql/binder/values.ts'
import type { Expression } from '../../sql/tree.ts'
import type { SqlScope } from './scope-at.ts'
import { isPart, type TableInSight, tableInSight } from './tables-in-sight.ts'

export type Meant =
  | { readonly kind: 'table'; readonly table: TableInSight }
  | { readonly kind: 'value'; readonly value: Value }

/** Resolves a dotted name at a place, first name first; undefined if it means nothing known. */
export function meantBy(scope: SqlScope, path: readonly string[]): Meant | undefined {
  for (let level = scope.names; level !== undefined; level = level.parent) {
    const meant = meantAt(scope, level, path)
    if (meant !== undefined) return meant
  }
  return undefined
}

function meantAt(scope: SqlScope, level: Scope, path: readonly string[]): Meant | undefined {
  const dialect = scope.engine.binding
  const [first = '', ...rest] = path
  const key = dialect.fold(first)
  const parameter = level.parameters.get(key)
  if (parameter !== undefined) return fieldAt(parameter.value, rest, dialect)
  const table = tableCalled(scope, level, first)
  const [name, ...fields] = rest
  if (table !== undefined && name === undefined) return { kind: 'table', table }
  const column =
    table === undefined || name === undefined ? undefined : findColumn(asRelation(table), name, dialect)
  if (column !== undefined) return fieldAt(column.value, fields, dialect)
  const own = level.first.get(key) ?? level.merged.get(key) ?? columnIn(scope, level, first)
  const alias = own ?? level.aliases.get(key)
  return alias && fieldAt(alias.value, rest, dialect)
}

function asRelation({ bound, columns }: TableInSight) {
  return bound ?? { columns, open: undefined }
}

function tableCalled(scope: SqlScope, level: Scope, name: string): TableInSight | undefined {
  const { fold } = scope.engine.binding
  const wanted = fold(name)
  const named = level.tables.find(
    table => table.name !== '' && fold(table.name) === wanted && isSeen(scope, table),
  )
  return named && tableInSight(scope, named, 0, level)
}

function isSeen({ join }: SqlScope, table: Scope['tables'][number]): boolean {
  return !table.hidden || (join !== undefined && isPart(table, join.right))
}

function columnIn(scope: SqlScope, level: Scope, name: string): Column | undefined {
  for (const table of level.tables) {
    const column = isSeen(scope, table) ? findColumn(table, name, scope.engine.binding) : undefined
    if (column !== undefined) return column
  }
  return undefined
}

function fieldAt(value: Value, path: readonly string[], dialect: BinderDialect): Meant | undefined {
  let current = value
  for (const name of path) {
    const field = fieldCalled({ dialect }, fieldsOf({ dialect }, current) ?? [], name)
    if (field === undefined) return undefined
    current = field.value
  }
  return { kind: 'value', value: current }
}

export function fieldsOfValue(value: Value, dialect: BinderDialect): readonly FieldValue[] {
  return (fieldsOf({ dialect }, value) ?? []).filter(({ name }) => name !== '')
}

/** Returns the value before a dot that follows a bracket or an index: `(a).|`, `f(x).|`, `list[1].|`. */
export function valueBefore({ around, bound, offset }: SqlScope): Value | undefined {
  const node = around.findLast((each): each is Extract<Expression, { kind: 'field' | 'call' }> => {
    if (each.kind === 'field') return each.name.start <= offset
    return each.kind === 'call' && each.receiver !== undefined && offset <= each.brackets.start
  })
  const operand = node?.kind === 'field' ? node.operand : node?.receiver
  return operand && bound.values.get(operand)
}
