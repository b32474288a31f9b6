/** Rules for widening PostgreSQL's types. */
import { type ScalarType, type SqlType, scalarType } from '../../sql-type.ts'
import { type WideningRules, widened } from '../../widen-type.ts'
import { sameName } from '../names.ts'

const double = scalarType('double precision')

const whole = ['boolean', 'smallint', 'integer', 'bigint']
const digits = [1, 5, 10, 19]
const floats = new Set(['real', 'double precision'])

const rules: WideningRules = {
  sameName,
  scalars: (a, b) => widerNumber(a, b) ?? widerTime(a, b) ?? widerText(a, b),
  isJson: ({ name }) => name === 'jsonb' || name === 'json',
  json: scalarType('jsonb'),
  text: scalarType('text'),
}

/**
 * Widens along boolean < smallint < integer < bigint < numeric < double precision < text and date < timestamp < text.
 */
export function widenType(a: SqlType, b: SqlType): SqlType {
  return widened(a, b, rules)
}

/** Returns undefined if either type is no number. */
function widerNumber(a: ScalarType, b: ScalarType): SqlType | undefined {
  const ranks = [a, b].map(({ name }) => whole.indexOf(name))
  const [left = -1, right = -1] = ranks
  if (left >= 0 && right >= 0) return scalarType(whole[Math.max(left, right)] ?? 'bigint')
  const isNumber = ({ name }: ScalarType, rank: number) => rank >= 0 || name === 'numeric' || floats.has(name)
  if (!isNumber(a, left) || !isNumber(b, right)) return undefined
  return floats.has(a.name) || floats.has(b.name) ? double : widerNumeric(a, b)
}

/** Returns a numeric with room for both; one without a limit of digits has room for all. */
function widerNumeric(a: ScalarType, b: ScalarType): SqlType {
  const [left, right] = [partsOf(a), partsOf(b)]
  if (left === undefined || right === undefined) return scalarType('numeric')
  const scale = Math.max(left.scale, right.scale)
  const width = Math.max(left.integers, right.integers) + scale
  return width < 1 || width > 1000 ? scalarType('numeric') : scalarType('numeric', [width, scale])
}

function partsOf({ name, parameters: [width, scale = 0] }: ScalarType) {
  if (name !== 'numeric') return { integers: digits[whole.indexOf(name)] ?? 19, scale: 0 }
  return width === undefined ? undefined : { integers: width - scale, scale }
}

const local = 'timestamp without time zone'

function widerTime(a: ScalarType, b: ScalarType): SqlType | undefined {
  if (a.name === b.name && a.name.startsWith('time')) return scalarType(a.name)
  const isDay = ({ name }: ScalarType) => name === 'date' || name === local
  return isDay(a) && isDay(b) ? [a, b].find(({ name }) => name === local) : undefined
}

/** Of two lengths the longer one holds both. */
function widerText(a: ScalarType, b: ScalarType): SqlType | undefined {
  if (a.name !== 'character varying' || b.name !== a.name) return undefined
  const [left, right] = [a.parameters[0], b.parameters[0]]
  return left === undefined || right === undefined
    ? scalarType(a.name)
    : scalarType(a.name, [Math.max(left, right)])
}
