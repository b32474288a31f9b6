/** Rules for widening the type of a loaded column when values need it; a type never narrows. */
import { type ScalarType, type SqlType, type StructType, sameType, type TypeField } from '../../sql-type.ts'
import { sameName } from '../names.ts'

const text: SqlType = { kind: 'scalar', name: 'VARCHAR', parameters: [] }
const json: SqlType = { kind: 'scalar', name: 'JSON', parameters: [] }
const double: SqlType = { kind: 'scalar', name: 'DOUBLE', parameters: [] }
const timestamp: SqlType = { kind: 'scalar', name: 'TIMESTAMP', parameters: [] }

const numbers = ['BOOLEAN', 'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'DOUBLE']
const digits: Readonly<Record<string, number>> = {
  BOOLEAN: 1,
  TINYINT: 3,
  SMALLINT: 5,
  INTEGER: 10,
  BIGINT: 19,
  HUGEINT: 39,
}

/**
 * Returns the narrowest type that holds both, along bool < int < bigint < hugeint or decimal < double <
 * varchar and date < timestamp < varchar. A struct gets the fields of both.
 */
export function widenType(a: SqlType, b: SqlType): SqlType {
  if (sameType(a, b, sameName)) return a
  if (a.kind === 'list' && b.kind === 'list')
    return { kind: 'list', element: widenType(a.element, b.element) }
  if (a.kind === 'struct' && b.kind === 'struct') return widerStruct(a, b)
  if (a.kind === 'scalar' && b.kind === 'scalar') {
    const both = widerNumber(a, b) ?? (isDay(a) && isDay(b) ? timestamp : undefined)
    if (both !== undefined) return both
  }
  return [a, b].some(isOnlyJson) ? json : text
}

function isOnlyJson(type: SqlType): boolean {
  return type.kind === 'list' || type.kind === 'struct' || (type.kind === 'scalar' && type.name === 'JSON')
}

function widerStruct(a: StructType, b: StructType): StructType {
  const same = (one: TypeField, other: TypeField) =>
    one.name !== undefined && other.name !== undefined && sameName(one.name, other.name)
  const known = a.fields.map(field => {
    const other = b.fields.find(each => same(field, each))
    return other === undefined ? field : { ...field, type: widenType(field.type, other.type) }
  })
  const added = b.fields.filter(field => !a.fields.some(each => same(each, field)))
  return { kind: 'struct', fields: [...known, ...added] }
}

function isDay({ name }: ScalarType): boolean {
  return name === 'DATE' || name === 'TIMESTAMP'
}

/** Returns undefined if either type is not in the order of numeric types. */
function widerNumber(a: ScalarType, b: ScalarType): SqlType | undefined {
  const [left, right] = [rankOf(a), rankOf(b)]
  if (left >= 0 && right >= 0) {
    return { kind: 'scalar', name: numbers[Math.max(left, right)] ?? 'DOUBLE', parameters: [] }
  }
  const isNumber = (type: ScalarType, rank: number) => rank >= 0 || type.name === 'DECIMAL'
  if (!isNumber(a, left) || !isNumber(b, right)) return undefined
  const top = numbers.length - 1
  return left === top || right === top ? double : widerDecimal(a, b)
}

function rankOf({ name }: ScalarType): number {
  return numbers.indexOf(name === 'FLOAT' ? 'DOUBLE' : name)
}

function widerDecimal(left: ScalarType, right: ScalarType): SqlType {
  const [a, b] = [partsOf(left), partsOf(right)]
  const scale = Math.max(a.scale, b.scale)
  const width = Math.max(a.integers, b.integers) + scale
  return width > 38 ? double : { kind: 'scalar', name: 'DECIMAL', parameters: [width, scale] }
}

function partsOf({ name, parameters: [width = 38, scale = 0] }: ScalarType): {
  readonly integers: number
  readonly scale: number
} {
  return name === 'DECIMAL' ? { integers: width - scale, scale } : { integers: digits[name] ?? 38, scale: 0 }
}
