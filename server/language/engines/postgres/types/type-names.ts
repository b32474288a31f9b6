/** The names of PostgreSQL's types, and the family of each. */
import { wordSet } from '../../../sql/grammar.ts'
import { familiesByName } from '../../sql-type.ts'
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
export const serials: ReadonlySet<string> = wordSet('bigserial serial serial2 serial4 serial8 smallserial')

export const intervalUnits: ReadonlySet<string> = wordSet('year month day hour minute second')

export const families = familiesByName({
  binary: ['bytea'],
  boolean: ['boolean'],
  date: ['date'],
  decimal: ['numeric'],
  float: ['double precision', 'real'],
  integer: ['bigint', 'integer', 'smallint'],
  interval: ['interval'],
  json: ['json', 'jsonb'],
  text: ['bpchar', 'character', 'character varying', 'name', 'text'],
  time: ['time with time zone', 'time without time zone'],
  timestamp: ['timestamp with time zone', 'timestamp without time zone'],
  uuid: ['uuid'],
})

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
