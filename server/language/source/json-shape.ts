/**
 * The shape of the values at one place of many JSON records: the kinds of values seen, recorded by the
 * scanner while it splits a text into records. `recordType` turns it into a type. Every record counts;
 * nothing is sampled.
 */
import type { SourceType } from './source-shape.ts'

/** The bits of `JsonShape.kinds`. */
export const seen = {
  null: 1,
  boolean: 2,
  /** Up to 18 digits, which always fit a BIGINT. */
  integer: 4,
  /** Larger than 2^53: not exact as a DOUBLE. */
  longInteger: 8,
  /** Beyond a BIGINT, within 128 bits. */
  hugeInteger: 16,
  /** An integer beyond 128 bits, or a number beyond the range of a DOUBLE: only text keeps it. */
  endless: 32,
  double: 64,
  text: 256,
  date: 512,
  timestamp: 1024,
  timestampWithZone: 2048,
  object: 4096,
  list: 8192,
  /** An object used as a dictionary: too many keys to be columns. */
  wide: 16384,
} as const

export interface JsonShape {
  kinds: number
  /** Whether a number was seen, here or within, that a DOUBLE would change. */
  hasInexact: boolean
  /** How many texts were seen that are no times; after `plainTexts` of them a text is looked at no more. */
  texts: number
  /** The number of complete objects seen at this place. */
  objects: number
  /** Fields in the order of first appearance, which is the expected order of keys. */
  readonly fields: JsonField[]
  byKey: Map<string, JsonField> | undefined
  element: JsonShape | undefined
}

export interface JsonField {
  readonly key: string
  /** The bytes of the key in the text, without quotes. */
  readonly bytes: Uint8Array
  readonly position: number
  readonly shape: JsonShape
  /** The number of the last object with this key, to find duplicates. */
  lastObject: number
  /**
   * The number of objects with this key. An object that is split over two chunks may count twice, so it is an
   * estimate.
   */
  count: number
}

export function newShape(): JsonShape {
  return {
    kinds: 0,
    hasInexact: false,
    texts: 0,
    objects: 0,
    fields: [],
    byKey: undefined,
    element: undefined,
  }
}

export function newField(key: string, bytes: Uint8Array, position: number): JsonField {
  return { key, bytes, position, shape: newShape(), lastObject: -1, count: 0 }
}

/** Adds a field behind the others; `bytes` is its key in the text. */
export function addField(shape: JsonShape, key: string, bytes: Uint8Array): JsonField {
  const field = newField(key, bytes, shape.fields.length)
  shape.fields.push(field)
  shape.byKey?.set(key, field)
  return field
}

/** Returns the field with this key; records of thousands of keys are asked for each of them. */
export function fieldWithKey(shape: JsonShape, key: string): JsonField | undefined {
  shape.byKey ??= new Map(shape.fields.map(field => [field.key, field]))
  return shape.byKey.get(key)
}

/**
 * Returns the type of the records of a shape. Different kinds give `mixed`: one text column, never two
 * columns.
 */
export function recordType(shape: JsonShape): SourceType {
  const kinds = shape.kinds & ~seen.null
  if (kinds === 0) return { kind: 'unknown' }
  if (kinds === seen.object) {
    const fields = shape.fields.map(field => ({ name: field.key, type: recordType(field.shape) }))
    return { kind: 'struct', fields }
  }
  // A dictionary has no columns: it is loaded as one JSON value, like an object without keys.
  if (kinds === (seen.object | seen.wide)) return { kind: 'struct', fields: [] }
  if (kinds === seen.list) {
    return {
      kind: 'list',
      element: shape.element === undefined ? { kind: 'unknown' } : recordType(shape.element),
    }
  }
  const type = scalarType(kinds)
  return type === undefined ? { kind: 'mixed' } : { kind: 'scalar', type }
}

const integers = seen.integer | seen.longInteger | seen.hugeInteger

function scalarType(kinds: number): string | undefined {
  const only = (allowed: number) => (kinds & ~allowed) === 0
  if (only(seen.boolean)) return 'BOOLEAN'
  if (only(seen.integer | seen.longInteger)) return 'BIGINT'
  if (only(integers)) return 'HUGEINT'
  // An integer above 2^53 among decimals would be rounded, so both stay text.
  if (only(seen.integer | seen.double)) return 'DOUBLE'
  if (only(seen.date)) return 'DATE'
  if (only(seen.date | seen.timestamp)) return 'TIMESTAMP'
  if (only(seen.timestampWithZone)) return 'TIMESTAMP WITH TIME ZONE'
  const strings = seen.text | seen.date | seen.timestamp | seen.timestampWithZone
  return only(strings) ? 'VARCHAR' : undefined
}

/** Returns whether only numbers were seen, which no one type of numbers holds. */
export function hasNumbersAsText(shape: JsonShape): boolean {
  const kinds = shape.kinds & ~seen.null
  return kinds !== 0 && (kinds & ~mostly.number) === 0 && scalarType(kinds) === undefined
}

/** After so many texts that are no times a column is one of texts. */
export const plainTexts = 1000

/** What most values of a mixed place may be. */
export type MostlyKind = 'boolean' | 'number' | 'time'

export interface MixedValues {
  readonly path: readonly string[]
  readonly kinds: readonly MostlyKind[]
  /** All are numbers, of which a DOUBLE would round some. */
  readonly isOfOneKind: boolean
}

const mostly: Readonly<Record<MostlyKind, number>> = {
  boolean: seen.boolean,
  number: integers | seen.endless | seen.double,
  time: seen.date | seen.timestamp | seen.timestampWithZone,
}

/**
 * Returns the places outside lists where scalars were seen whose type all values decide: of several kinds, which only text
 * would hold all, or numbers that a DOUBLE would round.
 */
export function mixedValues(shape: JsonShape, path: readonly string[] = []): readonly MixedValues[] {
  const kinds = shape.kinds & ~seen.null
  if (kinds === seen.object)
    return shape.fields.flatMap(field => mixedValues(field.shape, [...path, field.key]))
  const isOfOneKind = isRounded(shape)
  return isOfOneKind || isMixed(kinds) ? [{ path, kinds: kindsIn(kinds), isOfOneKind }] : []
}

function isRounded(shape: JsonShape): boolean {
  return shape.hasInexact && scalarType(shape.kinds & ~seen.null) === 'DOUBLE'
}

function isMixed(kinds: number): boolean {
  const isScalar = kinds !== 0 && (kinds & (seen.object | seen.list | seen.wide)) === 0
  const type = scalarType(kinds)
  return isScalar && (type === undefined || type === 'VARCHAR') && kindsIn(kinds).length > 0
}

function kindsIn(kinds: number): readonly MostlyKind[] {
  const names = Object.keys(mostly) as MostlyKind[]
  return names.filter(name => (kinds & mostly[name]) !== 0)
}

/**
 * As `recordType`, but where values are mixed nothing is said: how many there are of each kind decides, and
 * only a load counts them. `complete`: nothing else can follow that widens a type.
 */
export function certainType(shape: JsonShape, complete: boolean): SourceType {
  const kinds = shape.kinds & ~seen.null
  if (kinds === seen.object) {
    const fields = shape.fields.map(field => ({ name: field.key, type: certainType(field.shape, complete) }))
    return { kind: 'struct', fields }
  }
  if (kinds === seen.list) {
    const element: SourceType =
      shape.element === undefined ? { kind: 'unknown' } : certainElement(shape.element, complete)
    return { kind: 'list', element }
  }
  const type = recordType(shape)
  if (type.kind === 'struct') return type
  return !complete || isMixed(kinds) || isRounded(shape) ? { kind: 'unknown' } : type
}

/** Values in lists are not counted, so that mixed ones are texts. */
function certainElement(shape: JsonShape, complete: boolean): SourceType {
  return complete ? recordType(shape) : certainType(shape, complete)
}
