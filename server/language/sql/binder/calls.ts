/**
 * Binds function calls: the value that flows through them, their windows, and DuckDB's calls after a column
 * (`a.upper()`).
 */
import type { SqlType } from '../../engines/sql-type.ts'
import type { Argument, Call, Expression, Name, OrderItem, Window } from '../tree.ts'
import type { FunctionFlow } from './dialect.ts'
import { answer, bindAll, bindExpression } from './expressions.ts'
import { bindFields, elementOf, fieldCalled, fieldsOf, mentionQuotedField, writtenFields } from './fields.ts'
import { bindLambda } from './lambdas.ts'
import type { Scope } from './model.ts'
import { bindReference, lookUp } from './references.ts'
import {
  answered,
  changed,
  concealed,
  constantValue,
  decidedBy,
  derivedFrom,
  hintedBy,
  type Value,
} from './values.ts'
import { keepScope, mention, noteCall, report, spanText, type Work } from './work.ts'

export function bindCall(work: Work, node: Call, scope: Scope): Value {
  const name = work.dialect.fold(node.path.at(-1)?.text ?? '')
  const receiver = receiverOf(work, node, scope)
  const count = node.arguments.length + (receiver === undefined ? 0 : 1)
  if (work.dialect.isVolatile(name, count)) work.volatile = true
  noteCall(work, node.path.at(-1), count)
  const value = flows[work.dialect.flowOf(name)](work, { node, name, receiver, scope })
  const typed = withType(work, name, value, argumentTypes(work, node))
  return hintedBy(typed, deciding(work, node, scope))
}

interface CallPlace {
  readonly node: Call
  /** The folded name. */
  readonly name: string
  /** The value before the dot of a method call; undefined if there is none. */
  readonly receiver: Value | undefined
  readonly scope: Scope
}

const flows: Readonly<Record<FunctionFlow, (work: Work, place: CallPlace) => Value>> = {
  value: (work, place) => special[place.name]?.(work, place) ?? derivedFrom(argumentsOf(work, place)),
  answer: (work, place) => answer(work, argumentsOf(work, place)),
  count: (work, place) => ({
    ...concealed(derivedFrom(argumentsOf(work, place))),
    unknown: false,
    few: false,
  }),
  none: (work, place) => {
    argumentsOf(work, place)
    return constantValue
  },
  transform: (work, place) =>
    withLambda(work, place, (body, list) => ({ ...derivedFrom([body, list]), element: body })),
  filter: (work, place) =>
    withLambda(work, place, (body, list) => hintedBy({ ...list, direct: false }, [answered(body)])),
  reduce: (work, place) =>
    withLambda(work, place, (body, list) => ({ ...derivedFrom([body, list]), unknown: true })),
}

/** Returns the arguments in order; the receiver comes first. */
function argumentsOf(work: Work, { node, receiver, scope }: CallPlace): Value[] {
  const values = node.arguments.map(argument => argumentValue(work, argument, scope))
  return receiver === undefined ? values : [receiver, ...values]
}

/** Returns the value of an argument; `count(*)` reads no column. */
function argumentValue(work: Work, { value }: Argument, scope: Scope): Value {
  if (value.kind === 'star' && value.qualifier.length === 0 && value.exclude.length === 0)
    return constantValue
  return bindExpression(work, value, scope)
}

// ---------------------------------------------------------------- what a function is called on

/**
 * Returns the receiver of `column.f()`, `table.column.f()` or `(expression).f()`; a schema before the name is
 * none.
 */
function receiverOf(work: Work, node: Call, scope: Scope): Value | undefined {
  if (node.receiver !== undefined) return bindExpression(work, node.receiver, scope)
  const path = node.path.slice(0, -1)
  const [first] = path
  if (first === undefined && node.tag === undefined) return undefined
  const start = node.tag?.start ?? first?.start ?? node.start
  const end = path.at(-1)?.end ?? node.tag?.end ?? start
  const reference = { kind: 'reference', start, end, tag: node.tag, path } as const
  const resolved = lookUp(work, reference, scope)
  if (resolved === undefined) return undefined
  const repair = { start: node.start, end: node.end, text: '(NULL)' }
  return bindFields(work, resolved.value, path.slice(resolved.length), { scope, repair, of: resolved.column })
}

// ---------------------------------------------------------------- functions of their own kind

type Special = (work: Work, place: CallPlace) => Value | undefined

/** Binds `if(condition, a, b)`: the condition decides between the other values. */
const conditional: Special = (work, place) => {
  const [condition, ...results] = argumentsOf(work, place)
  if (condition === undefined) return undefined
  return decidedBy(derivedFrom(results), [condition])
}

const structPack: Special = (work, { node, scope }) => {
  if (node.arguments.some(argument => argument.value.kind === 'columns')) return undefined
  const entries = node.arguments.map(({ name, value }) => ({
    name: name?.text ?? lastNameOf(value),
    at: name,
    value: bindExpression(work, value, scope),
  }))
  const fields = writtenFields(work, entries)
  return { ...derivedFrom(fields.map(field => field.value)), fields }
}

function lastNameOf(value: Expression): string {
  return value.kind === 'reference' ? (value.path.at(-1)?.text ?? '') : ''
}

/** Binds `struct_extract(s, 'a')`. */
const extractField: Special = (work, place) => {
  const [value, ...rest] = argumentsOf(work, place)
  const last = place.node.arguments.at(-1)?.value
  if (value === undefined || last?.kind !== 'literal' || last.type !== 'string') return undefined
  const fields = fieldsOf(work, value)
  const field = fields && fieldCalled(work, fields, spanText(work, last).slice(1, -1))
  if (field === undefined) return decidedBy(elementOf(work, value), rest)
  mentionQuotedField(work, last, field)
  return { ...field.value, direct: false }
}

/** Binds functions that return one element of a list. */
const extractElement: Special = (work, place) => {
  const [value, ...rest] = argumentsOf(work, place)
  return value && decidedBy(elementOf(work, value), rest)
}

const listOf: Special = (work, place) => {
  const values = argumentsOf(work, place)
  const [only] = values
  return values.length === 1 ? { ...derivedFrom(values), element: only } : undefined
}

/** Binds `nullif(a, b)`: the second argument only decides whether the first is NULL. */
const nullIf: Special = (work, place) => {
  const [value, ...others] = argumentsOf(work, place)
  return value && decidedBy(changed(value), others)
}

const special: Readonly<Record<string, Special | undefined>> = Object.assign(Object.create(null), {
  if: conditional,
  nullif: nullIf,
  struct_pack: structPack,
  struct_extract: extractField,
  array_extract: extractField,
  list_extract: extractElement,
  list_element: extractElement,
  unnest: extractElement,
  list_value: listOf,
  list_pack: listOf,
  list: listOf,
  array_agg: listOf,
})

// ---------------------------------------------------------------- lambdas

function withLambda(work: Work, place: CallPlace, combine: (body: Value, list: Value) => Value): Value {
  const { node, receiver, scope } = place
  const isLambda = (value: Expression): value is Extract<Expression, { kind: 'lambda' }> =>
    value.kind === 'lambda'
  const plain = node.arguments.filter(({ value }) => !isLambda(value))
  const values = plain.map(argument => argumentValue(work, argument, scope))
  const [list = constantValue, ...rest] = receiver === undefined ? values : [receiver, ...values]
  const element = elementOf(work, list)
  const isReduce = work.dialect.flowOf(place.name) === 'reduce'
  const inputs = isReduce ? [derivedFrom([element, ...rest]), element] : [element]
  const bodies = node.arguments.flatMap(({ value }) =>
    isLambda(value) ? [bindLambda(work, value, inputs, scope)] : [],
  )
  const [body] = bodies
  return body === undefined ? derivedFrom([list, ...rest]) : combine(derivedOrOnly(body, rest), list)
}

function derivedOrOnly(body: Value, rest: readonly Value[]): Value {
  return rest.length === 0 ? body : derivedFrom([body, ...rest])
}

// ---------------------------------------------------------------- type, windows and what else decides

/** Returns the types of the arguments whose values are recorded. */
function argumentTypes(work: Work, node: Call): readonly (SqlType | undefined)[] {
  if (work.values === undefined) return []
  const { values } = work
  return [...(node.receiver ? [node.receiver] : []), ...node.arguments.map(({ value }) => value)].map(
    value => values.get(value)?.type,
  )
}

function withType(work: Work, name: string, value: Value, types: readonly (SqlType | undefined)[]): Value {
  const type = work.world.returnType(name, types)
  if (type === undefined) return work.dialect.givesOneType(name) ? { ...value, unknown: false } : value
  return { ...value, type, unknown: work.dialect.givesOneType(name) ? false : value.unknown }
}

function deciding(work: Work, node: Call, scope: Scope): readonly Value[] {
  const { orderBy, filter, over } = node
  if (orderBy.length === 0 && filter === undefined && over === undefined) return []
  return [
    ...bindOrder(work, orderBy, scope),
    ...(filter === undefined ? [] : [bindExpression(work, filter, scope)]),
    ...(over === undefined ? [] : bindOver(work, over, scope)),
  ]
}

/** Binds ORDER BY of a query: a plain NULL is no key, and the first column always is. */
export function bindQueryOrder(work: Work, items: readonly OrderItem[], scope: Scope): void {
  for (const { expression } of items) {
    if (expression.kind !== 'reference') bindExpression(work, expression, scope)
    else {
      const { value } = bindReference(work, expression, scope, { text: '1' })
      keepScope(work, expression, scope)
      work.values?.set(expression, value)
    }
  }
}

function bindOrder(work: Work, items: readonly OrderItem[], scope: Scope): Value[] {
  return items.map(item => bindExpression(work, item.expression, scope))
}

function bindOver(work: Work, over: Window | Name, scope: Scope): readonly Value[] {
  if ('kind' in over) return bindWindow(work, over, scope)
  return mentionWindow(work, over, scope, '()')
}

export function bindWindow(work: Work, window: Window, scope: Scope): readonly Value[] {
  const base = window.base === undefined ? [] : mentionWindow(work, window.base, scope, '')
  return [
    ...base,
    ...bindAll(work, window.partitionBy, scope),
    ...bindOrder(work, window.orderBy, scope),
    ...bindAll(work, window.frame, scope),
  ]
}

/** Records a use of the window and returns the values that it depends on. */
function mentionWindow(work: Work, name: Name, scope: Scope, repairAs: string): readonly Value[] {
  const key = work.dialect.fold(name.text)
  const target = scope.windows.get(key)
  if (target !== undefined) {
    mention(work, name, target, 'read')
    return target.values
  }
  if (name.text === '') return []
  report(work, {
    kind: 'unknown-window',
    name: name.text,
    windows: [...scope.windows.values()].map(window => window.name.text),
    span: { start: name.start, end: name.end },
    repair: [{ start: name.start, end: name.end, text: repairAs }],
    scope,
  })
  return []
}
