/** The names of PostgreSQL's types, and the family of each. */
import type { TypeFamily } from '../../sql-type.ts'
import { types } from '../facts.generated.ts'

/** Names that only the grammar knows, so they have no quotes. */
export const grammarNames: ReadonlyMap<string, string> = new Map([
  ['bigint', 'bigint'],
  ['boolean', 'boolean'],
  ['dec', 'numeric'],
  ['decimal', 'numeric'],
  ['float', 'double precision'],
  ['int', 'integer'],
  ['integer', 'integer'],
  ['real', 'real'],
  ['smallint', 'smallint'],
])

/** Maps every name in the catalogue to the name that PostgreSQL prints. */
export const printedNames: ReadonlyMap<string, string> = new Map([
  ...types
    .trim()
    .split(/,\s+/)
    .map(entry => {
      const [name = '', printed = name] = entry.split('=')
      return [name, printed] as const
    })
    // `"char"` needs its quotes: char is another type.
    .filter(([name]) => name !== 'char'),
  // Without a length it is printed by its own name.
  ['bpchar', 'bpchar'],
])

export const typeNames: ReadonlySet<string> = new Set(
  [...printedNames.keys(), ...grammarNames.keys(), 'char', 'character', 'nchar'].sort(),
)

export const commonTypeNames: readonly string[] =
  'bigint boolean bytea date integer interval json jsonb numeric real smallint text time timestamp timestamptz uuid varchar'.split(
    ' ',
  )

/** A column with a number of its own is a default, not a type. */
export const serials: ReadonlySet<string> = new Set(
  'bigserial serial serial2 serial4 serial8 smallserial'.split(' '),
)

export const intervalUnits: ReadonlySet<string> = new Set([
  'year',
  'month',
  'day',
  'hour',
  'minute',
  'second',
])

const families: Readonly<Record<string, TypeFamily>> = {
  bigint: 'integer',
  bpchar: 'text',
  boolean: 'boolean',
  bytea: 'binary',
  character: 'text',
  'character varying': 'text',
  date: 'date',
  'double precision': 'float',
  integer: 'integer',
  interval: 'interval',
  json: 'json',
  jsonb: 'json',
  name: 'text',
  numeric: 'decimal',
  real: 'float',
  smallint: 'integer',
  text: 'text',
  'time with time zone': 'time',
  'time without time zone': 'time',
  'timestamp with time zone': 'timestamp',
  'timestamp without time zone': 'timestamp',
  uuid: 'uuid',
}

export function familyOf(printedName: string): TypeFamily {
  if (Object.hasOwn(families, printedName)) return families[printedName] ?? 'other'
  return printedName.startsWith('interval ') ? 'interval' : 'other'
}

/** Checks parameters of the type that is printed so; returns undefined if they fit. */
export function parameterProblem(printed: string, values: readonly number[]): string | undefined {
  const [first = 0, second = 0] = values
  if (values.length > (printed === 'numeric' ? 2 : 1)) return `${printed} takes fewer parameters`
  switch (printed) {
    case 'numeric':
      if (first < 1 || first > 1000) return 'a numeric has 1 to 1000 digits'
      return second < -1000 || second > 1000 ? 'the scale of a numeric is -1000 to 1000' : undefined
    case 'bit':
    case 'bit varying':
      return within(first, 83_886_080)
    case 'bpchar':
    case 'character':
    case 'character varying':
      return within(first, 10_485_760)
    default:
      // Digits of a second beyond six are cut to six.
      return isTimed(printed) ? undefined : `${printed} takes no parameters`
  }
}

function within(length: number, most: number): string | undefined {
  return length < 1 || length > most ? `a length is 1 to ${most}` : undefined
}

export function isTimed(printed: string): boolean {
  return /^(?:time|timestamp) with|^interval/.test(printed)
}
