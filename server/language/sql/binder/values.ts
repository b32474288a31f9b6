/** The value of an expression: its origins, and what is known of its type. */
import type { ColumnOrigin } from '../../analysis.ts'
import type { SqlType } from '../../engines/sql-type.ts'
import { once } from '../../once.ts'
import type { Name } from '../tree.ts'

export interface Value {
  /** The columns whose values, or parts of them, flow into this one. */
  readonly origins: readonly ColumnOrigin[]
  /**
   * The columns that only influence it: conditions, comparisons, counts, sort keys. Never one of `origins`.
   */
  readonly hints: readonly ColumnOrigin[]
  /** True for a column that is passed through unchanged. */
  readonly direct: boolean
  /** True if its type depends on a column of unknown type, or on a mistake. */
  readonly unknown: boolean
  /** True if it has so few distinct values that a boolean answer reveals which one it is. */
  readonly few: boolean
  readonly type: SqlType | undefined
  /** For a struct, its fields with separate values. */
  readonly fields: readonly FieldValue[] | undefined
  /** For a list, its element if known. */
  readonly element: Value | undefined
  /** The prefix of ids for fields of its type; the same wherever the value is passed on unchanged. */
  readonly home: string | undefined
}

export interface FieldValue {
  readonly name: string
  readonly value: Value
  /** The same wherever the struct is passed on unchanged; undefined if it differs at each place. */
  readonly id?: string
  /** The place where the text names it. */
  readonly at?: Name
}

const none: readonly ColumnOrigin[] = []

export const constantValue: Value = {
  origins: none,
  hints: none,
  direct: false,
  unknown: false,
  few: true,
  type: undefined,
  fields: undefined,
  element: undefined,
  home: undefined,
}

export const unknownValue: Value = { ...constantValue, unknown: true, few: false }

export function typedValue(type: SqlType | undefined): Value {
  return type === undefined ? constantValue : { ...constantValue, type }
}

/** Returns the value of an expression over `values`: all of them flow into it. */
export function derivedFrom(values: readonly Value[]): Value {
  const [only] = values
  if (only === undefined) return constantValue
  if (values.length === 1) return changed(only)
  return {
    ...constantValue,
    ...sourcesOf(values),
    unknown: values.some(value => value.unknown),
    few: values.every(value => value.few),
  }
}

/** Returns all that flows into any of the values, and all that only influences them. */
function sourcesOf(values: readonly Value[]): Pick<Value, 'origins' | 'hints'> {
  const origins = unitedAll(values.map(value => value.origins))
  return { origins, hints: without(unitedAll(values.map(value => value.hints)), origins) }
}

/**
 * Returns the value of the first `count` operands of a chain such as `a + b + c`. Which columns those are is worked out when
 * somebody asks: the steps of a long chain have as many between them as the square of its length.
 */
export function stepOf(
  operands: readonly Value[],
  count: number,
  known: Pick<Value, 'unknown' | 'few' | 'type'>,
): Value {
  const sources = once(() => sourcesOf(operands.slice(0, count)))
  return {
    ...constantValue,
    ...known,
    get origins() {
      return sources().origins
    },
    get hints() {
      return sources().hints
    },
  }
}

/**
 * Returns a value with the same origins that is no longer the column itself, so that its type and its fields
 * differ.
 */
export function changed(value: Value): Value {
  const { origins, hints, direct, unknown, few, type, fields, element } = value
  if (!direct && type === undefined && fields === undefined && element === undefined) return value
  return {
    origins,
    hints,
    direct: false,
    unknown,
    few,
    type: undefined,
    fields: undefined,
    element: undefined,
    home: undefined,
  }
}

/** The values that a chain of set operations joins, and how many of them a step of it has. */
interface Chain {
  readonly joined: Value[]
  readonly count: number
}

const chains = new WeakMap<Value, Chain>()

/**
 * Returns the union of two values, as in a set operation: direct if both are. Which columns those are is worked out when
 * somebody asks, from all values of the chain at once: each of its steps would copy what those before it have.
 */
export function either(a: Value, b: Value): Value {
  const before = chains.get(a) ?? { joined: [a], count: 1 }
  // Another step may follow the same values.
  const joined = before.joined.length === before.count ? before.joined : before.joined.slice(0, before.count)
  const count = joined.push(b)
  const sources = once(() => sourcesOf(joined.slice(0, count)))
  const value: Value = {
    get origins() {
      return sources().origins
    },
    get hints() {
      return sources().hints
    },
    direct: a.direct && b.direct,
    unknown: a.unknown || b.unknown,
    few: a.few && b.few,
    type: a.type === b.type ? a.type : undefined,
    fields: joinedFields(a.fields, b.fields),
    element: a.element && b.element && either(a.element, b.element),
    home: undefined,
  }
  chains.set(value, { joined, count })
  return value
}

function joinedFields(a: Value['fields'], b: Value['fields']): Value['fields'] {
  if (a === undefined || b === undefined || a.length !== b.length) return undefined
  return a.map((field, index) => ({
    name: field.name,
    value: either(field.value, b[index]?.value ?? constantValue),
  }))
}

/** Returns `value` with more columns that influence it. */
export function hintedBy(value: Value, others: readonly Value[]): Value {
  const hints = unitedAll([value.hints, ...others.flatMap(other => [other.origins, other.hints])])
  if (hints === value.hints) return value
  return { ...value, direct: false, hints: without(hints, value.origins) }
}

/** Returns `value` if `others` choose among several: with few possible values the choice reveals theirs. */
export function decidedBy(value: Value, others: readonly Value[]): Value {
  const shown = others.map(answered).filter(other => other.origins.length > 0)
  if (shown.length === 0) return hintedBy(value, others)
  const { unknown, type, fields, element } = value
  return hintedBy({ ...derivedFrom([value, ...shown]), unknown, type, fields, element }, others)
}

/** Returns what is left of a value of which only a boolean or a row count is visible. */
export function concealed(value: Value): Value {
  if (value.origins.length === 0) return value
  return {
    ...value,
    origins: none,
    hints: united(value.hints, value.origins),
    fields: undefined,
    element: undefined,
  }
}

/** Returns the value of a boolean answer about a value: one with few values anyway stays readable. */
export function answered(value: Value): Value {
  return value.few ? value : concealed(value)
}

export function united(a: readonly ColumnOrigin[], b: readonly ColumnOrigin[]): readonly ColumnOrigin[] {
  if (b.length === 0 || a === b) return a
  if (a.length === 0) return b
  const extra = without(b, a)
  return extra.length === 0 ? a : [...a, ...extra]
}

/** Returns the columns of all lists, in the order in which they come; the one list itself if no other has any more. */
export function unitedAll(lists: readonly (readonly ColumnOrigin[])[]): readonly ColumnOrigin[] {
  const [first = none, second = none, ...more] = lists.filter(list => list.length > 0)
  if (more.length === 0) return united(first, second)
  const known = new Set(first.map(originKey))
  const extra = unknownTo(known, [second, ...more].flat())
  return extra.length === 0 ? first : [...first, ...extra]
}

/** Returns the columns of a list once each. */
export function distinctOrigins(list: readonly ColumnOrigin[]): readonly ColumnOrigin[] {
  return list.length < 2 ? list : unknownTo(new Set(), list)
}

/** Returns the columns whose keys are not among the known ones yet, and adds those. */
function unknownTo(known: Set<string>, list: readonly ColumnOrigin[]): readonly ColumnOrigin[] {
  return list.filter(origin => {
    const before = known.size
    return known.add(originKey(origin)).size > before
  })
}

/** Above this number a set is faster than searching the list. */
const manyOrigins = 24

/** Returns the columns of a list that are not among those of another. */
export function without(
  list: readonly ColumnOrigin[],
  gone: readonly ColumnOrigin[],
): readonly ColumnOrigin[] {
  if (list.length === 0 || gone.length === 0) return list
  if (gone.length <= manyOrigins) {
    if (!list.some(origin => holds(gone, origin))) return list
    return list.filter(origin => !holds(gone, origin))
  }
  const keys = new Set(gone.map(originKey))
  return list.filter(origin => !keys.has(originKey(origin)))
}

function holds(list: readonly ColumnOrigin[], origin: ColumnOrigin): boolean {
  for (const other of list) if (sameOrigin(other, origin)) return true
  return false
}

function originKey({ asset, column, source }: ColumnOrigin): string {
  return `${asset}\n${column}\n${source ?? '-'}`
}

function sameOrigin(a: ColumnOrigin, b: ColumnOrigin): boolean {
  return a === b || (a.column === b.column && a.asset === b.asset && a.source === b.source)
}

/** Returns whether two values have the same origins in the same roles. */
export function sameSources(a: Value, b: Value): boolean {
  return a.origins.length === b.origins.length && a.hints.length === b.hints.length
}
