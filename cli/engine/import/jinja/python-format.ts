/** Texts that values are written into, as Python does it: `'%05.2f' % x` and `'{:>5}'.format(x)`. */
import { limitedText } from './budget.ts'
import { CallProblem } from './problem.ts'
import { Dict, Float, isNumber, numberOf, toText, type Value } from './values.ts'

interface Spec {
  readonly fill: string
  /** `<`, `>`, `^`, or `=`, which puts what fills between the sign and the digits. */
  readonly align: string | undefined
  readonly sign: string
  readonly width: number
  readonly isGrouped: boolean
  readonly precision: number | undefined
  readonly type: string
}

const percentSpec = /%(?:\((\w+)\))?([-+ 0#]*)(\d+)?(?:\.(\d+))?([%sdirfFeEgGxXo])?/g

/** `values`: those of a tuple, or the only one. Throws where one is missing. */
export function percentFormatted(text: string, values: readonly Value[]): string {
  const [first] = values
  let index = 0
  return text.replace(
    percentSpec,
    (whole, name: string | undefined, flags: string, width = '', precision?: string, type?: string) => {
      if (type === undefined) throw new CallProblem(`"${whole}" is no format that is known here`)
      if (type === '%') return '%'
      const value =
        name === undefined ? values[index++] : first instanceof Dict ? first.entries.get(name) : undefined
      if (value === undefined) throw new CallProblem('format has too few values')
      const isLeft = flags.includes('-')
      return written(value, {
        fill: flags.includes('0') && !isLeft && type !== 's' ? '0' : ' ',
        align: isLeft ? '<' : flags.includes('0') && type !== 's' ? '=' : '>',
        sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '-',
        width: Number(width),
        isGrouped: false,
        precision: precision === undefined ? undefined : Number(precision),
        type: type === 'i' ? 'd' : type,
      })
    },
  )
}

/** A replacement field: a position or a name, and how it is written. */
const field = /\{\{|\}\}|\{([^{}:!]*)(?::([^{}]*))?\}|[{}]/g
const braceSpec = /^(?:(.)?([<>=^]))?([-+ ])?(0)?(\d+)?(,)?(?:\.(\d+))?([sdfFeEgGxXo%])?$/

export function braceFormatted(
  text: string,
  positional: readonly Value[],
  named: ReadonlyMap<string, Value>,
): string {
  let index = 0
  return text.replace(field, (whole, key: string | undefined, spec: string | undefined) => {
    if (whole === '{{' || whole === '}}') return whole[0] ?? ''
    if (key === undefined || !/^\w*$/.test(key))
      throw new CallProblem(`"${whole}" of format is not known here`)
    const value = /^\d*$/.test(key) ? positional[key === '' ? index++ : Number(key)] : named.get(key)
    if (value === undefined) throw new CallProblem(`format has no value for {${key}}`)
    return spec === undefined || spec === '' ? toText(value) : written(value, specOf(spec, value))
  })
}

function specOf(spec: string, value: Value): Spec {
  const found = braceSpec.exec(spec)
  if (found === null) throw new CallProblem(`":${spec}" of format is not known here`)
  const [, fill, align, sign = '-', zero, width = '0', group, precision, type] = found
  const isText = !isNumber(value)
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? (zero === undefined ? (isText ? '<' : '>') : '='),
    sign,
    width: Number(width),
    isGrouped: group !== undefined,
    precision: precision === undefined ? undefined : Number(precision),
    type: type ?? (isText ? 's' : precision === undefined ? '' : 'g'),
  }
}

function written(value: Value, spec: Spec): string {
  limitedText(spec.width + (spec.precision ?? 0))
  const { sign, digits } = parts(value, spec)
  const missing = Math.max(0, spec.width - sign.length - digits.length)
  const [left, right] = [Math.floor(missing / 2), Math.ceil(missing / 2)]
  const fill = (count: number) => spec.fill.repeat(count)
  if (spec.align === '=') return sign + fill(missing) + digits
  if (spec.align === '<') return sign + digits + fill(missing)
  return spec.align === '^' ? fill(left) + sign + digits + fill(right) : fill(missing) + sign + digits
}

function parts(value: Value, spec: Spec): { readonly sign: string; readonly digits: string } {
  if (spec.type === 's' || spec.type === 'r')
    return { sign: '', digits: toText(value).slice(0, spec.precision ?? Number.POSITIVE_INFINITY) }
  if (spec.type === '') return { sign: '', digits: toText(value) }
  if (!isNumber(value)) throw new CallProblem(`the format "${spec.type}" takes a number`)
  if (spec.type === 'd' && value instanceof Float && !Number.isInteger(value.value) && spec.align !== '>')
    throw new CallProblem('the format "d" takes a whole number')
  const number = numberOf(value)
  const sign = number < 0 ? '-' : spec.sign === '-' ? '' : spec.sign
  const digits = digitsOf(Math.abs(number), spec)
  return { sign, digits: spec.isGrouped ? digits.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',') : digits }
}

function digitsOf(number: number, { type, precision }: Spec): string {
  switch (type) {
    case 'd':
      return String(Math.trunc(number))
    case 'x':
      return Math.trunc(number).toString(16)
    case 'X':
      return Math.trunc(number).toString(16).toUpperCase()
    case 'o':
      return Math.trunc(number).toString(8)
    case '%':
      return `${(number * 100).toFixed(precision ?? 6)}%`
    case 'f':
    case 'F':
      return number.toFixed(precision ?? 6)
    case 'e':
    case 'E': {
      const text = number.toExponential(precision ?? 6).replace(/e([+-])(\d)$/, 'e$10$2')
      return type === 'E' ? text.toUpperCase() : text
    }
    default:
      return String(Number(number.toPrecision(precision === 0 ? 1 : (precision ?? 6))))
  }
}
