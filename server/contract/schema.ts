/**
 * The vocabulary of the schemas. Objects are closed and members required unless stated; the result is a JSON
 * Schema (2020-12) with its members in reading order. TypeBox is imported by name, so that bundles include no
 * more of it.
 */
import {
  Array as ArrayOf,
  Boolean as BooleanType,
  Integer,
  Null,
  Number as NumberType,
  Object as ObjectOf,
  Optional,
  type Static,
  String as StringType,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Union,
  Unknown,
  Unsafe,
} from '@sinclair/typebox'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The values that a schema allows, as read-only data. JSON leaves out undefined members. */
export type Shape<S extends TSchema> = Told<Static<S>>

type Told<T> = T extends readonly (infer Item)[]
  ? readonly Told<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Told<T[K]> | (IsOptional<T, K> extends true ? undefined : never) }
    : T

type IsOptional<T, K extends keyof T> = string extends K ? false : object extends Pick<T, K> ? true : false

export const text = StringType()
export const number = NumberType()
export const integer = Integer()
export const count = Unsafe<number>({ type: 'integer', minimum: 0 })
/** From 0 to 1. */
export const fraction = Unsafe<number>({ type: 'number', minimum: 0, maximum: 1 })
export const flag = BooleanType()
/** ISO 8601 UTC. */
export const time = Unsafe<string>({ type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z$' })
/** SHA-256, lower-case hex. */
export const hash = Unsafe<string>({ type: 'string', pattern: '^[0-9a-f]{64}$' })
/** A place in the form `path:line:column`. */
export const place = StringType()
export const anything = Unknown()

export const list = ArrayOf
export const optional = Optional
export const anyOf = Union

export function oneOf<const T extends string>(...values: readonly T[]): TUnsafe<T> {
  return Unsafe<T>({ enum: values })
}

export function always<const T extends number | boolean | string>(value: T): TUnsafe<T> {
  return Unsafe<T>({ const: value })
}

/** Makes an enum for validated input: its errors distinguish wrong types from wrong words. */
export function choice<const T extends string>(values: readonly T[], options: object = {}): TUnsafe<T> {
  return Unsafe<T>({ type: 'string', enum: values, ...options })
}

export function nullable<S extends TSchema>(schema: S) {
  return Union([schema, Null()])
}

/** Makes a nullable schema for validated input: errors of a union cannot be told in one line. */
export function orNull<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const values = schema['enum'] as readonly unknown[] | undefined
  const words = values === undefined ? {} : { enum: [...values, null] }
  return Unsafe<Static<S> | null>({ ...schema, type: [schema['type'], 'null'], ...words })
}

/** Makes an object with any keys and values of one schema. */
export function mapOf<S extends TSchema>(values: S): TUnsafe<Record<string, Static<S>>> {
  return Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: values })
}

export function object<P extends TProperties>(properties: P): TObject<P> {
  const inOrder = { type: 'object', properties, required: [], additionalProperties: false }
  return Object.assign(inOrder, ObjectOf(properties)) as unknown as TObject<P>
}

/** Makes the schema of a whole document, with its `$schema` and title. */
export function document<S extends TSchema>(title: string, schema: S): S {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema }
}
