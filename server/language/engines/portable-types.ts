/**
 * Types between engines: a source is read by one engine and stored by another, and an editor says the type that the
 * stored column has. Each engine says what its types are in words that all share, and which type it has for each
 * word, so that no engine knows another.
 */
import type { Engine } from './engine.ts'
import type { ScalarType, SqlType } from './sql-type.ts'

/** The kinds of single values, by their range: `int64` is whole numbers of 64 bits, `timestampNs` of nanoseconds. */
export type PortableName =
  | 'boolean'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'int128'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'uint128'
  /** Whole numbers of any size. */
  | 'endlessInt'
  | 'float32'
  | 'float64'
  | 'decimal'
  | 'text'
  | 'binary'
  | 'bits'
  | 'date'
  | 'time'
  | 'timeNs'
  | 'timeZoned'
  | 'timestampS'
  | 'timestampMs'
  | 'timestamp'
  | 'timestampNs'
  | 'timestampZoned'
  | 'interval'
  | 'uuid'
  | 'json'
  /** A value of any type that says its own. */
  | 'variant'
  | 'geometry'
  /** The type of NULL alone. */
  | 'nothing'

export interface PortableTypes {
  /** Returns what a type of single values is, by the name that the engine prints; undefined if only text tells it. */
  meaning(name: string): PortableName | undefined
  /** The type that holds the values of each kind, as the engine prints it. */
  readonly types: Readonly<Record<Exclude<PortableName, 'decimal'>, string>>
  /** Returns the type of exact numbers of so many digits; of any number of them if `width` is undefined. */
  decimal(width: number | undefined, scale: number): string
  /** The values of these kinds that the types above do not hold; absent where they hold all. */
  readonly gaps?: ValueGaps
}

export interface ValueGaps {
  /** Texts, and those in JSON, have no character NUL. */
  readonly nul: true
  /** The first and the last day of dates, and of timestamps, as ISO 8601 writes them; years before the first have `(BC)`. */
  readonly days: readonly [first: string, last: string]
  /** The finest part of a time is a microsecond. */
  readonly nanoseconds: true
  /** An object of a document has each key once. */
  readonly repeatedKeys: true
}

/** Returns the type of the engine `to` that holds the values of a type of the engine `from`. */
export function typeOfSource(type: SqlType, from: Engine, to: Engine): SqlType {
  if (from.kind === to.kind) return type
  switch (type.kind) {
    case 'scalar':
      return to.types.parse(nameOf(type, from, to))
    case 'list':
    case 'array':
      return listOf(type, from, to)
    case 'struct':
    case 'map':
    case 'union':
      return to.types.hasStructs ? withParts(type, from, to) : to.types.parse(to.types.usual.json)
    case 'enum':
    case 'unknown':
      return to.types.parse(to.types.usual.text)
  }
}

/** As `typeOfSource`, of types as they are written and printed. */
export function typeNameOfSource(type: string, from: Engine, to: Engine): string {
  return to.types.print(typeOfSource(from.types.parse(type), from, to))
}

function nameOf({ name, parameters: [width, scale = 0] }: ScalarType, from: Engine, to: Engine): string {
  const meaning = from.types.portable.meaning(name) ?? 'text'
  return meaning === 'decimal' ? to.types.portable.decimal(width, scale) : to.types.portable.types[meaning]
}

/**
 * An engine without structs has lists of single values only: where lists are in lists, it wants all of them equally
 * long, which nobody promises.
 */
function listOf(type: Extract<SqlType, { kind: 'list' | 'array' }>, from: Engine, to: Engine): SqlType {
  const element = typeOfSource(type.element, from, to)
  if (to.types.hasStructs) return { ...type, element }
  const isPlain = element.kind === 'scalar' && to.types.family(element) !== 'json'
  return isPlain ? { kind: 'list', element } : to.types.parse(to.types.usual.json)
}

function withParts(
  type: Extract<SqlType, { kind: 'struct' | 'map' | 'union' }>,
  from: Engine,
  to: Engine,
): SqlType {
  const part = (each: SqlType) => typeOfSource(each, from, to)
  switch (type.kind) {
    case 'struct':
      return { ...type, fields: type.fields.map(field => ({ ...field, type: part(field.type) })) }
    case 'map':
      return { ...type, key: part(type.key), value: part(type.value) }
    case 'union':
      return { ...type, members: type.members.map(member => ({ ...member, type: part(member.type) })) }
  }
}
