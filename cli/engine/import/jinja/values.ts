/**
 * The values of a template. They are data of these few kinds and nothing else: no value of JavaScript that has
 * members of its own is ever handed to a template, so that none can reach a constructor or a global.
 */
import { CallProblem, type Site } from './problem.ts'

export type Value =
  | null
  | boolean
  | number
  | string
  | Float
  | Dict
  | JinjaObject
  | Undefined
  | readonly Value[]

/** A number with a fraction, which Python writes with a point even where it is whole. */
export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

export type Key = string | number | boolean | null

/** A list that is written in round brackets and never grows. */
export class Tuple extends Array<Value> {
  /** What is made of a tuple is a list. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
}

export function tupleOf(items: readonly Value[]): Tuple {
  const tuple = new Tuple()
  for (const item of items) tuple.push(item)
  return tuple
}

export class Dict {
  readonly entries: Map<Key, Value>
  constructor(entries: Iterable<readonly [Key, Value]> = []) {
    this.entries = new Map(entries)
  }
}

/** What a name stands for that has no value; it is empty as text and false as a condition. */
export class Undefined {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** None is a value, and so is what a name or a member of that value stands for; only what is not there is undefined. */
export function orUndefined(value: Value | undefined, name: string): Value {
  return value === undefined ? new Undefined(name) : value
}

export interface Arguments {
  readonly positional: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

export interface ObjectParts {
  /** What messages call it. */
  readonly name: string
  readonly text?: () => string
  readonly call?: (given: Arguments, site: Site) => Value
  /** Returns undefined for a member that it does not have. */
  readonly member?: (name: string) => Value | undefined
  /** Returns what an operator gives with another value; `isRight`: the other one is written first. Undefined for what it does not know. */
  readonly operate?: (sign: string, other: Value, isRight: boolean) => Value | undefined
}

/** A function, or something with members that are known by name. */
export class JinjaObject {
  readonly parts: ObjectParts
  constructor(parts: ObjectParts) {
    this.parts = parts
  }
}

export function fn(name: string, call: (given: Arguments, site: Site) => Value): JinjaObject {
  return new JinjaObject({ name, call })
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

/** Lists of a template may grow (`append`), which is the template's own doing. */
export function growing(value: readonly Value[]): Value[] {
  return value as Value[]
}

export function isNumber(value: Value): value is number | Float | boolean {
  return typeof value === 'number' || typeof value === 'boolean' || value instanceof Float
}

export function numberOf(value: Value): number {
  if (value instanceof Float) return value.value
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  throw new CallProblem(`${kindOf(value)} is no number`)
}

/** Returns the number as Python's kind of number: a fraction stays one. */
export function toNumber(value: number, isFloat: boolean): Value {
  return isFloat ? new Float(value) : value
}

export function isTrue(value: Value): boolean {
  if (value instanceof Float) return value.value !== 0
  if (value instanceof Dict) return value.entries.size > 0
  if (value instanceof JinjaObject) return true
  if (value instanceof Undefined) return false
  return isList(value) ? value.length > 0 : Boolean(value)
}

export function equal(a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) return numberOf(a) === numberOf(b)
  if (isList(a) && isList(b)) {
    if (a instanceof Tuple !== b instanceof Tuple) return false
    return a.length === b.length && a.every((each, index) => equal(each, b[index] ?? null))
  }
  if (a instanceof Dict && b instanceof Dict) {
    const same = [...a.entries].every(([key, value]) => {
      const other = b.entries.get(key)
      return other !== undefined && equal(value, other)
    })
    return same && a.entries.size === b.entries.size
  }
  if (a instanceof Undefined && b instanceof Undefined) return true
  return a === b
}

/** Throws for values that have no order. */
export function compare(a: Value, b: Value): number {
  if (isNumber(a) && isNumber(b)) return numberOf(a) - numberOf(b)
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  if (isList(a) && isList(b)) {
    for (const [index, each] of a.entries()) {
      const other = b[index]
      if (other === undefined) return 1
      const order = compare(each, other)
      if (order !== 0) return order
    }
    return a.length - b.length
  }
  throw new CallProblem(`${kindOf(a)} and ${kindOf(b)} have no order`)
}

export function kindOf(value: Value): string {
  if (value === null) return 'none'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'boolean') return 'a boolean'
  if (isNumber(value)) return 'a number'
  if (value instanceof Dict) return 'a mapping'
  if (value instanceof Undefined) return `"${value.name}", which has no value,`
  return isList(value) ? 'a list' : value.parts.name
}

/** Returns the text that a template prints, as Python writes it. */
export function toText(value: Value): string {
  if (typeof value === 'string') return value
  if (value instanceof Undefined) return ''
  return pythonText(value)
}

/** As inside a list, where texts have quotes. */
function pythonText(value: Value): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (value instanceof Float) return floatText(value.value)
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Undefined) return 'Undefined'
  if (value instanceof Tuple) return `(${value.map(pythonText).join(', ')}${value.length === 1 ? ',' : ''})`
  if (isList(value)) return `[${value.map(pythonText).join(', ')}]`
  if (value instanceof Dict) {
    const entries = [...value.entries].map(([key, each]) => `${pythonText(key)}: ${pythonText(each)}`)
    return `{${entries.join(', ')}}`
  }
  if (value.parts.text !== undefined) return value.parts.text()
  throw new CallProblem(`${value.parts.name} cannot be written into SQL`)
}

function floatText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return `${value}.0`
  return String(value).replace(/e\+?(-?)(\d)$/, 'e$10$2')
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inner = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r')
  return `${quote}${quote === "'" ? inner.replaceAll("'", "\\'") : inner}${quote}`
}

/** Turns what a YAML or JSON file holds into a value. */
export function fromData(data: unknown): Value {
  if (data === null || data === undefined) return null
  if (typeof data === 'string' || typeof data === 'boolean') return data
  if (typeof data === 'number') return Number.isInteger(data) ? data : new Float(data)
  if (Array.isArray(data)) return data.map(fromData)
  if (data instanceof Map)
    return new Dict([...data].map(([key, value]) => [keyOf(fromData(key)), fromData(value)]))
  if (typeof data === 'object') {
    return new Dict(Object.entries(data).map(([key, value]) => [key, fromData(value)]))
  }
  return String(data)
}

/** The reverse of `fromData`; throws for what is no data. */
export function toData(value: Value): unknown {
  if (value instanceof Float) return value.value
  if (value instanceof Undefined) return null
  if (value instanceof Dict) {
    return Object.fromEntries([...value.entries].map(([key, each]) => [String(key), toData(each)]))
  }
  if (value instanceof JinjaObject) return toText(value)
  return isList(value) ? value.map(toData) : value
}

export function keyOf(value: Value): Key {
  if (value instanceof Float) return value.value
  if (value === null || typeof value !== 'object') return value
  throw new CallProblem(`${kindOf(value)} cannot be the key of a mapping`)
}
