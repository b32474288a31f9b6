/** What a text in a file seems to be: the kinds that decide whether a line is a header, and the types that a load tests first. */
import type { FileOptions } from '../../../language/index.ts'

const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const clock = '[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6})?)?'
const zone = '(Z|[+-][0-9]{2}(:?[0-9]{2})?)'

/** The types in the order in which they are tried, the narrowest first. */
const types: readonly (readonly [string, (point: string) => RegExp])[] = [
  ['BOOLEAN', () => /^(true|false|t|f)$/i],
  ['BIGINT', () => /^-?(0|[1-9][0-9]{0,17})$/],
  ['HUGEINT', () => /^-?(0|[1-9][0-9]{0,37})$/],
  [
    'DOUBLE',
    point =>
      new RegExp(
        `^(-?((0|[1-9][0-9]{0,14})([${point}][0-9]*)?|[${point}][0-9]+)([eE][-+]?[0-9]+)?|-?(inf|infinity)|nan)$`,
        'i',
      ),
  ],
  ['DATE', () => new RegExp(`^${day}$`)],
  ['TIMESTAMP', () => new RegExp(`^${day}([T ]${clock})?$`)],
  ['TIMESTAMP WITH TIME ZONE', () => new RegExp(`^${day}[T ]${clock}${zone}$`)],
  ['TIME', () => new RegExp(`^${clock}$`)],
]

/** Returns the type that all of the texts seem to have; `VARCHAR` for none. Empty texts say nothing. */
export function guessedType(values: readonly string[], options: FileOptions): string {
  const { decimalSeparator = '.', nullStrings = [], dateFormat, timestampFormat } = options
  const said = values.filter(value => value !== '' && !nullStrings.includes(value))
  if (said.length === 0) return 'VARCHAR'
  const found = types.find(([, pattern]) => {
    const written = pattern(decimalSeparator)
    return said.every(value => written.test(value))
  })
  // A format of the user leads over the shape of a text.
  const type = found?.[0] ?? 'VARCHAR'
  if (type === 'DATE' && dateFormat !== undefined) return 'VARCHAR'
  return type === 'TIMESTAMP' && timestampFormat !== undefined ? 'VARCHAR' : type
}

const data: readonly RegExp[] = [
  // Numbers as people write them, with signs, groups and units of money or percent.
  /^[-+(]?\s*\p{Sc}?\s*[0-9][0-9.,'\u00a0\u202f ]*\s*[%\p{Sc})]?$/u,
  /^-?[.,][0-9]+$/,
  /^-?[0-9]+([.,][0-9]+)?[eE][-+]?[0-9]+$/,
  // Dates and times.
  /^[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}([T ].*)?$/,
  /^[0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?$/,
  /^(true|false)$/i,
  /^(null|nan|n\/a|\\N|-?inf(inity)?)$/i,
  // What identifies a thing or a person names no column.
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i,
  /^[a-z][a-z0-9+.-]*:\/\//i,
]

/** Returns whether a text is a value rather than a name: a number, a date, a boolean, an address. */
export function isValue(text: string): boolean {
  const trimmed = text.trim()
  return data.some(pattern => pattern.test(trimmed))
}

/** Returns whether a line whose first value this is looks like a comment, by a sign that often begins one. */
export function isNote(first: string): boolean {
  return /^\s*(#|\/\/|--|%|\*|!)/.test(first)
}
