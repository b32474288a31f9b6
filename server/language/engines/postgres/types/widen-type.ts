/** Widens types of PostgreSQL, by the rules of loads. */
import { type ScalarType, type SqlType, sameType } from '../../sql-type.ts'
import { sameName } from '../names.ts'

const scalar = (name: string, parameters: readonly number[] = []): ScalarType => ({
  kind: 'scalar',
  name,
  parameters,
})
const double = scalar('double precision')
const text = scalar('text')
const json = scalar('jsonb')

const whole = ['boolean', 'smallint', 'integer', 'bigint']
const digits = [1, 5, 10, 19]
const floats = new Set(['real', 'double precision'])

/**
 * Returns the narrowest type that holds both, along boolean < smallint < integer < bigint < numeric < double
 * precision < text and date < timestamp < text.
 */
export function widenType(a: SqlType, b: SqlType): SqlType {
  if (sameType(a, b, sameName)) return a
  if (a.kind === 'list' && b.kind === 'list')
    return { kind: 'list', element: widenType(a.element, b.element) }
  if (a.kind === 'scalar' && b.kind === 'scalar') {
    const both = widerNumber(a, b) ?? widerTime(a, b) ?? widerText(a, b)
    if (both !== undefined) return both
  }
  return [a, b].some(isNested) ? json : text
}

function isNested(type: SqlType): boolean {
  return type.kind === 'list' || (type.kind === 'scalar' && (type.name === 'jsonb' || type.name === 'json'))
}

/** Returns undefined if either type is no number. */
function widerNumber(a: ScalarType, b: ScalarType): SqlType | undefined {
  const ranks = [a, b].map(({ name }) => whole.indexOf(name))
  const [left = -1, right = -1] = ranks
  if (left >= 0 && right >= 0) return scalar(whole[Math.max(left, right)] ?? 'bigint')
  const isNumber = ({ name }: ScalarType, rank: number) => rank >= 0 || name === 'numeric' || floats.has(name)
  if (!isNumber(a, left) || !isNumber(b, right)) return undefined
  return floats.has(a.name) || floats.has(b.name) ? double : widerNumeric(a, b)
}

/** Returns a numeric with room for both; one without a limit of digits has room for all. */
function widerNumeric(a: ScalarType, b: ScalarType): SqlType {
  const [left, right] = [partsOf(a), partsOf(b)]
  if (left === undefined || right === undefined) return scalar('numeric')
  const scale = Math.max(left.scale, right.scale)
  const width = Math.max(left.integers, right.integers) + scale
  return width < 1 || width > 1000 ? scalar('numeric') : scalar('numeric', [width, scale])
}

function partsOf({ name, parameters: [width, scale = 0] }: ScalarType) {
  if (name !== 'numeric') return { integers: digits[whole.indexOf(name)] ?? 19, scale: 0 }
  return width === undefined ? undefined : { integers: width - scale, scale }
}

const local = 'timestamp without time zone'

function widerTime(a: ScalarType, b: ScalarType): SqlType | undefined {
  if (a.name === b.name && a.name.startsWith('time')) return scalar(a.name)
  const isDay = ({ name }: ScalarType) => name === 'date' || name === local
  return isDay(a) && isDay(b) ? [a, b].find(({ name }) => name === local) : undefined
}

/** Of two lengths the longer one holds both. */
function widerText(a: ScalarType, b: ScalarType): SqlType | undefined {
  if (a.name !== 'character varying' || b.name !== a.name) return undefined
  const [left, right] = [a.parameters[0], b.parameters[0]]
  return left === undefined || right === undefined ? scalar(a.name) : scalar(a.name, [Math.max(left, right)])
}
