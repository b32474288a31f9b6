/**
 * A type of an SQL engine as a value. Names are the engine's: `EngineTypes` parses and prints them; this
 * module applies to any engine.
 */
export type SqlType =
  | ScalarType
  | ListType
  | ArrayType
  | StructType
  | MapType
  | UnionType
  | EnumType
  | UnknownType

/** A type such as `DECIMAL(12,2)` or `TIMESTAMP WITH TIME ZONE`. */
export interface ScalarType {
  readonly kind: 'scalar'
  /** The name that the engine prints for all aliases. */
  readonly name: string
  readonly parameters: readonly number[]
}

export function scalarType(name: string, parameters: readonly number[] = []): ScalarType {
  return { kind: 'scalar', name, parameters }
}

/** A list of any length. */
export interface ListType {
  readonly kind: 'list'
  readonly element: SqlType
}

/** An array of fixed length. */
export interface ArrayType {
  readonly kind: 'array'
  readonly element: SqlType
  readonly size: number
}

export interface TypeField {
  /** Undefined if the field has only a position, as in a row. */
  readonly name: string | undefined
  readonly type: SqlType
}

export interface StructType {
  readonly kind: 'struct'
  readonly fields: readonly TypeField[]
}

export interface MapType {
  readonly kind: 'map'
  readonly key: SqlType
  readonly value: SqlType
}

/** A value of one of its member types. */
export interface UnionType {
  readonly kind: 'union'
  readonly members: readonly TypeField[]
}

export interface EnumType {
  readonly kind: 'enum'
  readonly values: readonly string[]
}

/** A type that the engine's description does not know; its text is kept. */
export interface UnknownType {
  readonly kind: 'unknown'
  readonly text: string
}

/** The kind of a type's values, in any engine. */
export type TypeFamily =
  | 'boolean'
  | 'integer'
  | 'decimal'
  | 'float'
  | 'text'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'interval'
  | 'binary'
  | 'uuid'
  | 'json'
  /** Made of other types: lists, structs, maps, unions. */
  | 'nested'
  | 'other'

/** Returns the family of a type. `families` has the printed names of scalar types. */
export function familyIn(families: ReadonlyMap<string, TypeFamily>, type: SqlType): TypeFamily {
  switch (type.kind) {
    case 'scalar':
      return families.get(type.name) ?? 'other'
    case 'enum':
      return 'text'
    case 'unknown':
      return 'other'
    default:
      return 'nested'
  }
}

/** Turns lists of names by family around. */
export function familiesByName(
  lists: Partial<Readonly<Record<TypeFamily, readonly string[]>>>,
): ReadonlyMap<string, TypeFamily> {
  return new Map(
    Object.entries(lists).flatMap(([family, names]) => names.map(name => [name, family as TypeFamily])),
  )
}

export function isNumeric(family: TypeFamily): boolean {
  return family === 'integer' || family === 'decimal' || family === 'float'
}

/** Returns whether values include a date. A time of day does not, so it cannot tell the age of data. */
export function isPointInTime(family: TypeFamily): boolean {
  return family === 'date' || family === 'timestamp'
}

/** Returns the element type of a list or an array, or the value type of a map. */
export function elementOf(type: SqlType): SqlType | undefined {
  if (type.kind === 'list' || type.kind === 'array') return type.element
  return type.kind === 'map' ? type.value : undefined
}

type SameName = (a: string, b: string) => boolean

export function sameType(a: SqlType, b: SqlType, sameName: SameName): boolean {
  if (a === b) return true
  switch (a.kind) {
    case 'scalar':
      return b.kind === 'scalar' && a.name === b.name && sameItems(a.parameters, b.parameters)
    case 'list':
      return b.kind === 'list' && sameType(a.element, b.element, sameName)
    case 'array':
      return b.kind === 'array' && a.size === b.size && sameType(a.element, b.element, sameName)
    case 'struct':
      return b.kind === 'struct' && sameFields(a.fields, b.fields, sameName)
    case 'map':
      return b.kind === 'map' && sameType(a.key, b.key, sameName) && sameType(a.value, b.value, sameName)
    case 'union':
      return b.kind === 'union' && sameFields(a.members, b.members, sameName)
    case 'enum':
      return b.kind === 'enum' && sameItems(a.values, b.values)
    case 'unknown':
      return b.kind === 'unknown' && a.text === b.text
  }
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}

function sameFields(a: readonly TypeField[], b: readonly TypeField[], sameName: SameName): boolean {
  if (a.length !== b.length) return false
  return a.every(({ name, type }, index) => {
    const other = b[index]
    if (other === undefined || !sameType(type, other.type, sameName)) return false
    if (name === undefined || other.name === undefined) return name === other.name
    return sameName(name, other.name)
  })
}
