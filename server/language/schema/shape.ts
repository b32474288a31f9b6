/**
 * The vocabulary in which the schema modules describe what a key may hold. Plain data: validation, defaults, the JSON
 * Schema, the reference page and (in an editor) completion and hover are all made from it.
 */
import type { JsonValue } from './definition.ts'

export type Shape =
  | TextShape
  | { readonly kind: 'boolean' }
  | NumberShape
  /** `90s`, `30m`, `12h`, `7d`; in the definition a number of milliseconds. */
  | { readonly kind: 'duration' }
  /** `10/s`, `100/m`; in the definition requests per second. */
  | { readonly kind: 'rate' }
  /** `512MB`, `2GB`; in the definition a number of bytes. */
  | { readonly kind: 'size' }
  /** `50%`; in the definition 50. */
  | { readonly kind: 'percent' }
  /** `10` or `1%`; in the definition a unit and a value. */
  | { readonly kind: 'amount' }
  /** `> 10`; in the definition an operator and a value. */
  | { readonly kind: 'threshold' }
  | ChoiceShape
  /** A text, number, boolean or null, as it is. */
  | { readonly kind: 'scalar' }
  /** A text or number that others are compared with, as it is. */
  | { readonly kind: 'bound' }
  /** Any value at all, as it is. */
  | { readonly kind: 'any' }
  /** Rows of a table: a list of mappings, or CSV text with a header; in the definition a list of mappings. */
  | { readonly kind: 'rows' }
  | ListShape
  | RecordShape
  | ObjectShape
  | VariantsShape
  | ShorthandShape

export interface TextShape {
  readonly kind: 'text'
  /** SQL that is checked by the catalogue: `template` may hold tags, `expression` may not. */
  readonly sql?: 'template' | 'expression'
  /** What the text must look like beyond being text. */
  readonly format?: TextFormat
}

export interface TextFormat {
  readonly pattern: RegExp
  readonly code: string
  /** What a right text is, for the message: `a name is made of letters, digits and _`. */
  readonly rule: string
  readonly hint?: string
  /** True: a number stands for no such text. */
  readonly noNumber?: boolean
  /** Texts that are right by decisions 1 and not built yet, with the words that say so. */
  readonly unbuilt?: { readonly pattern: RegExp; readonly what: string; readonly hint?: string }
}

export interface NumberShape {
  readonly kind: 'number'
  readonly whole: boolean
  readonly min?: number
}

export interface Choice {
  readonly value: string
  readonly doc: string
  /** False: known by name and refused. */
  readonly built?: boolean
}

export interface ChoiceShape {
  readonly kind: 'choice'
  readonly choices: readonly Choice[]
}

export interface ListShape {
  readonly kind: 'list'
  readonly of: Shape
  /** A single value stands for a list of one. */
  readonly orOne?: boolean
  /** An empty list is a mistake. */
  readonly notEmpty?: boolean
  /** Items that are wrong leave a hole (undefined), so that the others keep their index. */
  readonly keepsIndex?: boolean
}

/** A mapping whose keys are the user's. */
export interface RecordShape {
  readonly kind: 'record'
  readonly of: Shape
  /** What a key is, in one word: `column`. */
  readonly keyName: string
  readonly keyFormat?: TextFormat
  /** No key at all is a mistake. */
  readonly notEmpty?: boolean
}

export interface ObjectShape {
  readonly kind: 'object'
  readonly keys: readonly Key[]
  /** Exactly one of these keys must be there; `what` names the choice: `kind of test`. */
  readonly exactlyOne?: { readonly keys: readonly string[]; readonly what: string }
  /** At least one of these keys must be there. */
  readonly atLeastOne?: readonly string[]
}

/** A mapping whose further keys depend on the value of its key `type`. */
export interface VariantsShape {
  readonly kind: 'variants'
  readonly doc: string
  readonly variants: readonly Variant[]
}

export interface Variant {
  readonly value: string
  readonly doc: string
  readonly keys: readonly Key[]
  /** At least one of these keys must be there. */
  readonly atLeastOne?: readonly string[]
  readonly built?: boolean
}

/** A single value that stands for a mapping with that value under each of `keys`. */
export interface ShorthandShape {
  readonly kind: 'shorthand'
  readonly keys: readonly string[]
  readonly of: ObjectShape | VariantsShape
}

export interface Key {
  readonly name: string
  readonly shape: Shape
  /** One sentence. */
  readonly doc: string
  readonly required?: boolean
  /** As a user would write it. */
  readonly default?: JsonValue
  /** How the default reads where it is not a value (`env:SOURCE__<ASSET>__CREDENTIALS`). */
  readonly defaultDoc?: string
  /** False: known by name and refused. */
  readonly built?: boolean
  /** Version of svc that brought it; absent: the first. */
  readonly since?: string
  /** Name in the definition where it is not the key in camelCase. */
  readonly property?: string
}

export const firstVersion = '0.1.0'

export function isBuilt(part: { readonly built?: boolean }): boolean {
  return part.built !== false
}

const properties = new Map<Key, string>()

/** `warn_after` -> `warnAfter`, unless the key says otherwise. */
export function propertyOf(key: Key): string {
  if (key.property !== undefined) return key.property
  const known = properties.get(key)
  if (known !== undefined) return known
  const property = key.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  properties.set(key, property)
  return property
}

// ---------------------------------------------------------------- makers, so that a schema reads like a page

export const text: TextShape = { kind: 'text' }
export const sqlTemplate: TextShape = { kind: 'text', sql: 'template' }
export const sqlExpression: TextShape = { kind: 'text', sql: 'expression' }
export const boolean: Shape = { kind: 'boolean' }
export const duration: Shape = { kind: 'duration' }
export const rate: Shape = { kind: 'rate' }
export const size: Shape = { kind: 'size' }
export const percent: Shape = { kind: 'percent' }
export const amount: Shape = { kind: 'amount' }
export const threshold: Shape = { kind: 'threshold' }
export const scalar: Shape = { kind: 'scalar' }
export const bound: Shape = { kind: 'bound' }
export const any: Shape = { kind: 'any' }
export const rows: Shape = { kind: 'rows' }

export function formatted(format: TextFormat): TextShape {
  return { kind: 'text', format }
}

export function wholeNumber(min: number): NumberShape {
  return { kind: 'number', whole: true, min }
}

export function choice(...choices: readonly Choice[]): ChoiceShape {
  return { kind: 'choice', choices }
}

export function listOf(of: Shape): ListShape {
  return { kind: 'list', of }
}

export function oneOrMore(of: Shape): ListShape {
  return { kind: 'list', of, orOne: true }
}

/** Like `oneOrMore`, where none at all is a mistake. */
export function atLeastOneOf(of: Shape): ListShape {
  return { kind: 'list', of, orOne: true, notEmpty: true }
}

export function recordOf(keyName: string, of: Shape, keyFormat?: TextFormat): RecordShape {
  return { kind: 'record', of, keyName, ...(keyFormat === undefined ? {} : { keyFormat }) }
}

export function object(...keys: readonly Key[]): ObjectShape {
  return { kind: 'object', keys }
}

/** Like `recordOf`, where no key at all is a mistake. */
export function atLeastOneIn(keyName: string, of: Shape): RecordShape {
  return { kind: 'record', of, keyName, notEmpty: true }
}

/** A mapping that needs at least one of some keys. */
export function needs(atLeastOne: readonly string[], ...keys: readonly Key[]): ObjectShape {
  return { kind: 'object', keys, atLeastOne }
}

export function shorthand(keys: readonly string[], of: ObjectShape | VariantsShape): ShorthandShape {
  return { kind: 'shorthand', keys, of }
}

/** What a column is to its asset. */
export const columnRole = choice(
  { value: 'primary_key', doc: 'It identifies a row.' },
  { value: 'foreign_key', doc: 'It points to another asset.' },
  { value: 'attribute', doc: 'It describes a row.' },
)

/** A key of decisions 1 that is known and not built yet. */
export function unbuilt(name: string, doc: string): Key {
  return { name, doc, shape: any, built: false }
}
