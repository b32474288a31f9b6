/** Rules for widening DuckDB's types. */
import { type ScalarType, type SqlType, scalarType } from '../../sql-type.ts'
import { type WideningRules, widened } from '../../widen-type.ts'
import { sameName } from '../names.ts'

const double = scalarType('DOUBLE')
const timestamp = scalarType('TIMESTAMP')

const numbers = ['BOOLEAN', 'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'DOUBLE']
const digits: Readonly<Record<string, number>> = {
  BOOLEAN: 1,
  TINYINT: 3,
  SMALLINT: 5,
  INTEGER: 10,
  BIGINT: 19,
  HUGEINT: 39,
}

const rules: WideningRules = {
  sameName,
  scalars: (a, b) => widerNumber(a, b) ?? (isDay(a) && isDay(b) ? timestamp : undefined),
  isJson: ({ name }) => name === 'JSON',
  json: scalarType('JSON'),
  text: scalarType('VARCHAR'),
}

/** Widens along bool < int < bigint < hugeint or decimal < double < varchar and date < timestamp < varchar. */
export function widenType(a: SqlType, b: SqlType): SqlType {
  return widened(a, b, rules)
}

function isDay({ name }: ScalarType): boolean {
  return name === 'DATE' || name === 'TIMESTAMP'
}

/** Returns undefined if either type is not in the order of numeric types. */
function widerNumber(a: ScalarType, b: ScalarType): SqlType | undefined {
  const [left, right] = [rankOf(a), rankOf(b)]
  if (left >= 0 && right >= 0) return scalarType(numbers[Math.max(left, right)] ?? 'DOUBLE')
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
  return width > 38 ? double : scalarType('DECIMAL', [width, scale])
}

function partsOf({ name, parameters: [width = 38, scale = 0] }: ScalarType) {
  return name === 'DECIMAL' ? { integers: width - scale, scale } : { integers: digits[name] ?? 38, scale: 0 }
}
