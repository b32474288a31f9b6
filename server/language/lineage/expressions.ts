/** Where the value of an expression comes from. */
import { resolveColumn } from './column-refs.ts'
import {
  concealingFunctions,
  fixedTypeFunctions,
  isPredicate,
  lambdaFunctions,
  volatileFunctions,
} from './functions.ts'
import { resolveQuery } from './queries.ts'
import { newScope, type Scope, starColumns } from './scope.ts'
import { type Expression, forEachExpression, type QueryNode } from './sql-tree.ts'
import { concealed, constantValue, derivedFrom, unknownValue, type Value } from './values.ts'
import type { Walk } from './walk.ts'

export function resolveExpression(walk: Walk, node: Expression, scope: Scope): Value {
  walk.trace?.scopes.set(node, scope)
  switch (node.type) {
    case 'COLUMN_REF':
      return resolveColumn(walk, node, scope)
    case 'VALUE_CONSTANT':
      return walk.mended.has(node) ? unknownValue : constantValue
    case 'OPERATOR_CAST':
      return { ...derived(walk, node, scope), unknown: false }
    case 'SUBQUERY':
      return subqueryValue(walk, node, scope)
    case 'STAR':
      return derivedFrom(starColumns(scope, node.relation_name))
    case 'POSITIONAL_REFERENCE':
      return starColumns(scope)[(node.index ?? 1) - 1] ?? constantValue
    case 'FUNCTION':
      return functionValue(walk, node, scope)
    default:
      return otherValue(walk, node, scope)
  }
}

function otherValue(walk: Walk, node: Expression, scope: Scope): Value {
  const value = derived(walk, node, scope)
  const known = isPredicate(node.type) || fixedTypeFunctions.has(node.function_name ?? '')
  const typed = known && value.unknown ? { ...value, unknown: false } : value
  const conceals = isPredicate(node.type) || concealingFunctions.has(node.function_name ?? '')
  return conceals ? concealed(typed) : typed
}

function derived(walk: Walk, node: Expression, scope: Scope): Value {
  const values: Value[] = []
  forEachExpression(node, child => values.push(resolveExpression(walk, child, scope)))
  return { ...derivedFrom(values), direct: false }
}

function functionValue(walk: Walk, node: Expression, scope: Scope): Value {
  const name = node.function_name?.toLowerCase() ?? ''
  if (volatileFunctions.has(name) && !(name === 'age' && (node.children?.length ?? 0) > 1))
    walk.volatile = true
  if (!lambdaFunctions.has(name)) return otherValue(walk, node, scope)
  const [list, ...rest] = node.children ?? []
  const listValue = list ? resolveExpression(walk, list, scope) : constantValue
  const others = rest.map(argument =>
    argument.type === 'LAMBDA'
      ? lambdaValue(walk, argument, listValue, scope)
      : resolveExpression(walk, argument, scope),
  )
  return { ...derivedFrom([listValue, ...others]), direct: false }
}

function lambdaValue(walk: Walk, node: Expression, list: Value, scope: Scope): Value {
  const parameters = node.lhs?.type === 'FUNCTION' ? (node.lhs.children ?? []) : node.lhs ? [node.lhs] : []
  const element = { ...constantValue, unknown: list.unknown }
  const names = parameters.map(parameter => parameter.column_names?.at(-1)?.toLowerCase() ?? '')
  const inner = { ...newScope(scope, scope.ctes), params: new Map(names.map(name => [name, element])) }
  return node.expr ? resolveExpression(walk, node.expr, inner) : constantValue
}

/** A scalar subquery gives its first column; IN, ANY and EXISTS give a boolean. */
function subqueryValue(walk: Walk, node: Expression, scope: Scope): Value {
  const query: QueryNode | undefined = node.subquery?.node
  const output = query ? resolveQuery(walk, query, scope, scope.ctes) : undefined
  const child = node.child ? [resolveExpression(walk, node.child, scope)] : []
  if (node.subquery_type === 'EXISTS' || node.subquery_type === 'NOT_EXISTS') return constantValue
  const first = output?.columns[0] ?? constantValue
  const value = { ...derivedFrom([...child, first]), direct: false }
  return node.subquery_type === 'SCALAR' ? value : concealed({ ...value, unknown: false })
}
