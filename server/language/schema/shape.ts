/**
 * The vocabulary in which the schema modules describe values. Plain data: validation, defaults, the JSON
 * Schema, the reference page, completion and hover are all derived from it.
 */
import type { NameKind } from '../names/name-kinds.ts'
import type { JsonValue } from './definition.ts'

export type Shape =
  | TextShape
  | { readonly kind: 'boolean' }
  | NumberShape
  /** A duration such as `90s`, `30m`, `12h`, `7d`; in the definition a number of milliseconds. */
  | { readonly kind: 'duration' }
  /** A rate such as `10/s`, `100/m`; in the definition requests per second. */
  | { readonly kind: 'rate' }
  /** A size such as `512MB`, `2GB`; in the definition a number of bytes. */
  | { readonly kind: 'size' }
  /** A percentage such as `50%`; in the definition 50. */
  | { readonly kind: 'percent' }
  /** An amount such as `10` or `1%`; in the definition a unit and a value. */
  | { readonly kind: 'amount' }
  /** A step along a cursor, `7d` or `10000`; in the definition a unit and a value. */
  | { readonly kind: 'step' }
  /** A threshold such as `> 10`; in the definition an operator and a value. */
  | { readonly kind: 'threshold' }
  | ChoiceShape
  /** A text, number, boolean or null, unchanged. */
  | { readonly kind: 'scalar' }
  /** A text or number to compare with, unchanged. */
  | { readonly kind: 'bound' }
  /** Any value, unchanged. */
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
  /** SQL that the catalogue checks: `template` may have tags, `expression` may not. */
  readonly sql?: 'template' | 'expression'
  /** The format of the text. */
  readonly format?: TextFormat
  /** Texts that are no name, but mean something themselves. */
  readonly words?: readonly Choice[]
}

export interface TextFormat {
  readonly pattern: RegExp
  /** The code of the problem; `wrong-value` if absent. */
  readonly code?: string
  /** The rule for a valid text, for the message: `a name is made of letters, digits and _`. */
  readonly rule: string
  readonly hint?: string
  /** True if a number is not accepted for the text. */
  readonly noNumber?: boolean
  /** Texts that decisions 1 allows and that are not implemented yet, with the words of the message. */
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
  /** False for a known value that is rejected because it is not implemented. */
  readonly built?: boolean
}

export interface ChoiceShape {
  readonly kind: 'choice'
  readonly choices: readonly Choice[]
}

export interface ListShape {
  readonly kind: 'list'
  readonly of: Shape
  /** A single value is accepted as a list of one. */
  readonly orOne?: boolean
  /** An empty list is an error. */
  readonly notEmpty?: boolean
  /** Wrong items leave a hole (undefined), so that the others keep their index. */
  readonly keepsIndex?: boolean
  /** The list ends before the first item that is refused: those that are read have their places, and none is missing. */
  readonly endsAtRefused?: boolean
}

/** A mapping whose keys are named by users. */
export interface RecordShape {
  readonly kind: 'record'
  /** As in a mapping with known keys; a name of the record has another value than such a key. */
  readonly beside?: readonly string[]
  readonly of: Shape
  /** The meaning of a key in one word: `column`. */
  readonly keyName: string
  readonly keyFormat?: TextFormat
  /** A mapping without keys is an error. */
  readonly notEmpty?: boolean
}

export interface ObjectShape {
  readonly kind: 'object'
  readonly keys: readonly Key[]
  /** Exactly one of these keys is required; `what` names the choice: `kind of test`. */
  readonly exactlyOne?: OneOf
  /** At least one of these keys is required. */
  readonly atLeastOne?: readonly string[]
  /** Projects have further keys, which the published schema cannot list. */
  readonly hasOthers?: true
  /** What one looks like, for who writes it as another tool has it. */
  readonly example?: string
  /** Keys that stand beside the key whose value this is, and that people write into it. */
  readonly beside?: readonly string[]
  /** Keys that count elsewhere and mean nothing here: what to say to who writes one. */
  readonly idle?: { readonly names: readonly string[]; readonly why: string }
  /** Returns properties that the definition has though no key writes them. */
  unwritten?(): Readonly<Record<string, unknown>>
}

export interface OneOf {
  readonly keys: readonly string[]
  /** What each is, in the singular: `kind of test`. */
  readonly what: string
  /** What two of them are: `are two kinds of test`. */
  readonly two: string
  /** What to do about two of them. */
  readonly hint: string
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
  readonly exactlyOne?: OneOf
  /** At least one of these keys is required. */
  readonly atLeastOne?: readonly string[]
  /** What to write instead of a key that other tools have (`path`, `url`), by its name. */
  readonly otherWords?: Readonly<Record<string, string>>
  /** Returns properties that the definition has though no key of this variant writes them. */
  unwritten?(): Readonly<Record<string, unknown>>
  readonly built?: boolean
}

/** A single value that is short for a mapping with that value under each of `keys`. */
export interface ShorthandShape {
  readonly kind: 'shorthand'
  readonly keys: readonly string[]
  readonly of: ObjectShape | VariantsShape
}

export interface Key {
  readonly name: string
  readonly shape: Shape
  /** The documentation in one sentence. */
  readonly doc: string
  /** What its texts name; every key with a text says it. */
  readonly names?: NameKind
  /** What the keys of its mapping name; every key with such a mapping says it. */
  readonly keysName?: NameKind
  readonly required?: boolean
  /** The default as a user would write it. */
  readonly default?: JsonValue
  /** The description of a default that is not a fixed value (`env:SOURCE__<ASSET>__CREDENTIALS`). */
  readonly defaultDoc?: string
  /** False for a known key that is rejected because it is not implemented. */
  readonly built?: boolean
  /** The version of svc that added it; absent for the first. */
  readonly since?: string
  /** The name in the definition if it is not the key in camelCase. */
  readonly property?: string
  /** The value that another key beside it must have, as far as it is written, for this one to mean anything. */
  readonly onlyFor?: { readonly key: string; readonly pattern: RegExp; readonly what: string }
}

export const firstVersion = '0.1.0'

export function isBuilt(part: { readonly built?: boolean }): boolean {
  return part.built !== false
}

const properties = new Map<Key, string>()

/** Returns the name in the definition: `warn_after` becomes `warnAfter`, unless the key sets another one. */
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
export const step: Shape = { kind: 'step' }
export const threshold: Shape = { kind: 'threshold' }
export const scalar: Shape = { kind: 'scalar' }
export const bound: Shape = { kind: 'bound' }
export const any: Shape = { kind: 'any' }
export const rows: Shape = { kind: 'rows' }

export function formatted(format: TextFormat): TextShape {
  return { kind: 'text', format }
}

/** Makes a text that is a name, or one of these words. */
export function nameOr(docs: Readonly<Record<string, string>>): TextShape {
  return { kind: 'text', words: choice(docs).choices }
}

export function wholeNumber(min: number): NumberShape {
  return { kind: 'number', whole: true, min }
}

/** Makes a choice from what each value means. */
export function choice(docs: Readonly<Record<string, string>>): ChoiceShape {
  return { kind: 'choice', choices: Object.entries(docs).map(([value, doc]) => ({ value, doc })) }
}

export function listOf(of: Shape): ListShape {
  return { kind: 'list', of }
}

export function oneOrMore(of: Shape): ListShape {
  return { kind: 'list', of, orOne: true }
}

/** Makes a list like `oneOrMore` that must not be empty. */
export function atLeastOneOf(of: Shape): ListShape {
  return { kind: 'list', of, orOne: true, notEmpty: true }
}

export function recordOf(keyName: string, of: Shape, keyFormat?: TextFormat): RecordShape {
  return { kind: 'record', of, keyName, ...(keyFormat === undefined ? {} : { keyFormat }) }
}

/** What a key is besides its name. */
export type KeyParts = Omit<Key, 'name'>

/** Makes keys, in the order in which they are written. */
export function keysOf(parts: Readonly<Record<string, KeyParts>>): readonly Key[] {
  return Object.entries(parts).map(([name, rest]) => ({ name, ...rest }))
}

export function object(parts: Readonly<Record<string, KeyParts>>): ObjectShape {
  return { kind: 'object', keys: keysOf(parts) }
}

/** Makes a mapping like `recordOf` that must not be empty. */
export function atLeastOneIn(keyName: string, of: Shape): RecordShape {
  return { kind: 'record', of, keyName, notEmpty: true }
}

/** Makes a mapping that needs at least one of some keys. */
export function needs(atLeastOne: readonly string[], parts: Readonly<Record<string, KeyParts>>): ObjectShape {
  return { ...object(parts), atLeastOne }
}

export function shorthand(keys: readonly string[], of: ObjectShape | VariantsShape): ShorthandShape {
  return { kind: 'shorthand', keys, of }
}

/** Makes the advice for names that other tools give to the keys of a variant. */
export function otherWordsFor(names: readonly string[], instead: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map(name => [name, instead]))
}

/** The role of a column in its asset. */
export const columnRole = choice({
  primary_key: 'It identifies a row.',
  foreign_key: 'It points to another asset.',
  attribute: 'It describes a row.',
})

/** Makes a key of decisions 1 that is not implemented yet. */
export function unbuilt(doc: string): KeyParts {
  return { doc, shape: any, built: false }
}
