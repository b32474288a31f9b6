/** Binds an expression: records its mentions and returns its value. */
import type { Binary, Expression } from '../tree.ts'
import { bindCall } from './calls.ts'
import { bindColumns } from './columns-expressions.ts'
import {
  bindFields,
  elementOf,
  fieldCalled,
  fieldsOf,
  mentionQuotedField,
  reportField,
  writtenFields,
} from './fields.ts'
import { bindComprehension, bindLambda } from './lambdas.ts'
import type { Scope } from './model.ts'
import { bindReference } from './references.ts'
import { starColumns, visibleTables } from './scope.ts'
import { bindStarExpression } from './stars.ts'
import { bindSubquery } from './subqueries.ts'
import {
  answered,
  changed,
  concealed,
  constantValue,
  decidedBy,
  derivedFrom,
  stepOf,
  typedValue,
  unknownValue,
  type Value,
} from './values.ts'
import { anyOf, keepScope, spanText, taggedRelation, type Work } from './work.ts'

export function bindExpression(work: Work, node: Expression, scope: Scope): Value {
  keepScope(work, node, scope)
  const bind = binders[node.kind] as BindFunction<Expression>
  const value = bind(work, node, scope)
  work.values?.set(node, value)
  return value
}

export function bindAll(work: Work, nodes: readonly Expression[], scope: Scope): Value[] {
  return nodes.map(node => bindExpression(work, node, scope))
}

type BindFunction<E> = (work: Work, node: E, scope: Scope) => Value
type Binders = { readonly [K in Expression['kind']]: BindFunction<Extract<Expression, { kind: K }>> }

const binders: Binders = {
  literal: (work, node) =>
    node.type === 'typed' && node.typeName !== undefined
      ? typedValue(work.dialect.typeCalled(node.typeName.text))
      : typedValue(work.dialect.typeOfLiteral(node.type, spanText(work, node))),
  parameter: () => constantValue,
  tag: (work, node) => {
    const relation = taggedRelation(work, node)
    if (relation.kind === 'value') return constantValue
    if (relation.kind !== 'unknown') return anyOf(relation)
    if (work.quiet === 0) work.repairs.push({ start: node.start, end: node.end, text: '(NULL)' })
    return unknownValue
  },
  reference: (work, node, scope) =>
    bindReference(work, node, scope, { text: '(NULL)', takesNearest: true }).value,
  star: bindStarExpression,
  columns: bindColumns,
  call: bindCall,
  unary: (work, node, scope) => {
    const value = bindExpression(work, node.operand, scope)
    return node.operator === 'not' ? answer(work, [value]) : derivedFrom([value])
  },
  binary: bindBinary,
  test: (work, node, scope) => {
    const value = bindExpression(work, node.operand, scope)
    return node.what === 'null' ? answer(work, [concealed(value)]) : answer(work, [value])
  },
  between: (work, node, scope) => answer(work, bindAll(work, [node.operand, node.low, node.high], scope)),
  in: (work, node, scope) => answer(work, bindAll(work, [node.operand, ...node.items], scope)),
  case: (work, node, scope) => bindCase(work, node, scope),
  cast: (work, node, scope) => {
    const value = bindExpression(work, node.operand, scope)
    const type = work.dialect.typeCalled(spanText(work, node.type))
    return { ...changed(value), unknown: false, type }
  },
  subquery: bindSubquery,
  list: (work, node, scope) => {
    const items = bindAll(work, node.items, scope)
    const all = derivedFrom(items)
    return items.length === 0
      ? constantValue
      : { ...all, element: items.length === 1 ? items[0] : itemOf(items) }
  },
  struct: (work, node, scope) => {
    const entries = node.entries.map(({ key, value }) => ({
      name: key.text,
      at: key,
      value: bindExpression(work, value, scope),
    }))
    const fields = writtenFields(work, entries)
    return { ...derivedFrom(fields.map(field => field.value)), fields }
  },
  map: (work, node, scope) =>
    derivedFrom(node.entries.flatMap(entry => bindAll(work, [entry.key, entry.value], scope))),
  row: (work, node, scope) => {
    const items = bindAll(work, node.items, scope)
    return {
      ...derivedFrom(items),
      fields: items.map((value, index) => ({ name: work.dialect.nameInRow(index), value })),
    }
  },
  lambda: (work, node, scope) => bindLambda(work, node, [], scope),
  comprehension: bindComprehension,
  index: (work, node, scope) => bindIndex(work, node, scope),
  field: (work, node, scope) => {
    const value = bindExpression(work, node.operand, scope)
    const repair = { start: node.start, end: node.end, text: '(NULL)' }
    return bindFields(work, value, [node.name], { scope, repair, of: undefined })
  },
  interval: (work, node, scope) => derivedFrom([bindExpression(work, node.amount, scope)]),
  collate: (work, node, scope) => derivedFrom([bindExpression(work, node.operand, scope)]),
  positional: (work, node, scope) => {
    const columns = starColumns(scope, visibleTables(scope), true, work.dialect)
    const isSure = !columns.slice(0, node.index).some(column => column.spread)
    return isSure ? (columns[node.index - 1]?.value ?? unknownValue) : derivedFrom(columns.map(c => c.value))
  },
  missing: () => unknownValue,
}

/** Binds a chain of operators in a loop, because it is as deep on its left as it is long. */
function bindBinary(work: Work, node: Binary, scope: Scope): Value {
  const chain: Binary[] = []
  let first: Expression = node
  while (first.kind === 'binary') {
    chain.push(first)
    first = first.left
  }
  chain.reverse()
  let value = bindExpression(work, first, scope)
  let run: Binary[] = []
  for (const [index, each] of chain.entries()) {
    run.push(each)
    const next = chain[index + 1]
    if (next !== undefined && isComparison(work, next) === isComparison(work, each)) continue
    value = bindRun(work, value, run, scope)
    run = []
  }
  return value
}

function isComparison({ dialect }: Work, { operator }: Binary): boolean {
  return dialect.isComparison(operator)
}

/** Binds operators that all give an answer, or all do not: each of their operands counts alike, wherever it stands. */
function bindRun(work: Work, first: Value, run: readonly Binary[], scope: Scope): Value {
  const isAnswer = run.some(each => isComparison(work, each))
  const shown = (value: Value): readonly Value[] => (isAnswer ? shownIn(value) : [value])
  const operands: Value[] = [...shown(first)]
  let known: Pick<Value, 'unknown' | 'few' | 'type'> = first
  for (const each of run) {
    const right = bindExpression(work, each.right, scope)
    if (each.escape !== undefined) bindExpression(work, each.escape, scope)
    operands.push(...shown(right))
    known = isAnswer
      ? boolean(work)
      : { unknown: known.unknown || right.unknown, few: known.few && right.few, type: undefined }
    keepScope(work, each, scope)
    work.values?.set(each, stepOf(operands, operands.length, known))
  }
  return { ...derivedFrom(operands), ...known }
}

/** Returns the value of a boolean: it reveals nothing but a value that has few values anyway. */
export function answer(work: Work, values: readonly Value[]): Value {
  return { ...derivedFrom(values.flatMap(shownIn)), ...boolean(work) }
}

function boolean(work: Work): Pick<Value, 'unknown' | 'few' | 'type'> {
  return { unknown: false, few: true, type: work.dialect.typeCalled('BOOLEAN') }
}

/** Returns what a comparison shows of a value: rows and structs are compared field by field. */
function shownIn(value: Value): readonly Value[] {
  return value.fields === undefined || value.fields.length === 0
    ? [answered(value)]
    : value.fields.flatMap(field => shownIn(field.value))
}

function itemOf(items: readonly Value[]): Value {
  const [first, ...rest] = items
  const isAlike =
    first?.fields !== undefined && rest.every(item => item.fields?.length === first.fields?.length)
  const all = derivedFrom(items)
  if (first === undefined || !isAlike) return { ...all, type: first?.type }
  const fields = (first.fields ?? []).map((field, index) => ({
    name: field.name,
    value: derivedFrom(items.flatMap(item => item.fields?.[index]?.value ?? [])),
  }))
  return { ...all, fields }
}

function bindCase(work: Work, node: Extract<Expression, { kind: 'case' }>, scope: Scope): Value {
  const operand = node.operand && bindExpression(work, node.operand, scope)
  const conditions: Value[] = operand === undefined ? [] : [answered(operand)]
  const results: Value[] = []
  for (const { when, then } of node.branches) {
    conditions.push(answered(bindExpression(work, when, scope)))
    results.push(bindExpression(work, then, scope))
  }
  if (node.otherwise !== undefined) results.push(bindExpression(work, node.otherwise, scope))
  const value = derivedFrom(results)
  return decidedBy(value, conditions)
}

/** Binds `list[1]`, `struct['field']` and `map[key]`. */
function bindIndex(work: Work, node: Extract<Expression, { kind: 'index' }>, scope: Scope): Value {
  const value = bindExpression(work, node.operand, scope)
  const places = bindAll(work, node.at, scope)
  const [at] = node.at
  if (node.slice || at === undefined) return decidedBy({ ...value, direct: false }, places)
  if (at.kind === 'literal' && at.type === 'string') {
    const name = spanText(work, at).slice(1, -1)
    const fields = fieldsOf(work, value)
    const field = fields && fieldCalled(work, fields, name)
    if (field !== undefined) {
      mentionQuotedField(work, at, field)
      return { ...field.value, direct: false }
    }
    if (fields !== undefined && fields.length > 0) {
      const repair = { start: node.start, end: node.end, text: '(NULL)' }
      reportField(work, fields, { text: name, start: at.start, end: at.end }, { repair, scope })
      return unknownValue
    }
  }
  return decidedBy(elementOf(work, value), places)
}
