/** The names of DuckDB's types and the parameters that they take. A test compares them with DuckDB. */
import { familiesByName } from '../../sql-type.ts'

const aliases: Readonly<Record<string, string>> = {
  BIGINT: 'bigint int64 int8 long oid',
  BIGNUM: 'bignum varint',
  BIT: 'bit bitstring',
  BLOB: 'blob binary bytea varbinary',
  BOOLEAN: 'boolean bool logical',
  DATE: 'date',
  DECIMAL: 'decimal dec numeric',
  DOUBLE: 'double float8',
  FLOAT: 'float float4 real',
  GEOMETRY: 'geometry',
  HUGEINT: 'hugeint int128',
  INTEGER: 'integer int int32 int4 integral signed',
  INTERVAL: 'interval',
  JSON: 'json',
  SMALLINT: 'smallint int16 int2 short',
  TIME: 'time',
  'TIME WITH TIME ZONE': 'timetz',
  TIME_NS: 'time_ns',
  TIMESTAMP: 'timestamp datetime timestamp_us',
  'TIMESTAMP WITH TIME ZONE': 'timestamptz',
  TIMESTAMP_MS: 'timestamp_ms',
  TIMESTAMP_NS: 'timestamp_ns',
  TIMESTAMP_S: 'timestamp_s',
  TINYINT: 'tinyint int1',
  UBIGINT: 'ubigint uint64',
  UHUGEINT: 'uhugeint uint128',
  UINTEGER: 'uinteger uint32',
  USMALLINT: 'usmallint uint16',
  UTINYINT: 'utinyint uint8',
  UUID: 'uuid guid',
  VARCHAR: 'varchar bpchar char nvarchar string text',
  VARIANT: 'variant',
}

/** Maps every name of a type, in lower case, to the name that DuckDB prints. */
export const printedNames: ReadonlyMap<string, string> = new Map(
  Object.entries(aliases).flatMap(([printed, names]) =>
    names.split(' ').map(name => [name, printed] as const),
  ),
)

export const typeNames: ReadonlySet<string> = new Set([...printedNames.keys()].sort())

export const commonTypeNames: readonly string[] =
  'bigint blob boolean date decimal double float hugeint integer interval json numeric real smallint struct text time timestamp timestamptz tinyint uuid varchar'.split(
    ' ',
  )

/** Words that occur in types but are no types themselves. */
export const notAlone: ReadonlySet<string> = new Set(['array', 'list', 'null', 'any', 'type'])

export const intervalUnits: ReadonlySet<string> = new Set(
  ['year', 'month', 'day', 'hour', 'minute', 'second'].flatMap(unit => [unit, `${unit}s`]),
)

export const families = familiesByName({
  binary: ['BLOB'],
  boolean: ['BOOLEAN'],
  date: ['DATE'],
  decimal: ['DECIMAL'],
  float: ['DOUBLE', 'FLOAT'],
  integer: [
    ...['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'BIGNUM'],
    ...['UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT', 'UHUGEINT'],
  ],
  interval: ['INTERVAL'],
  json: ['JSON'],
  text: ['VARCHAR'],
  time: ['TIME', 'TIME WITH TIME ZONE', 'TIME_NS'],
  timestamp: ['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMP_S'],
  uuid: ['UUID'],
})

/** Checks parameters; returns undefined if they fit the type. */
type Takes = (values: readonly number[]) => string | undefined

/** Returns undefined if the type of this lower-case name takes no parameters. */
export function parametersOf(name: string): Takes | undefined {
  switch (printedNames.get(name)) {
    case 'DECIMAL':
      return decimalProblem
    case 'VARCHAR':
      return ([, more]) => (more === undefined ? undefined : `${name} takes one length`)
    case 'BIT':
      return name === 'bit'
        ? ([, more]) => (more === undefined ? undefined : 'bit takes one length')
        : undefined
    case 'FLOAT':
      return name === 'float' ? floatProblem : undefined
    case 'TIMESTAMP':
      return name === 'timestamp' ? timestampProblem : undefined
    default:
      return undefined
  }
}

function decimalProblem([width = 0, scale = 0, more]: readonly number[]): string | undefined {
  if (more !== undefined) return 'a decimal takes a width and a scale'
  if (width < 1 || width > 38) return 'a decimal has 1 to 38 digits'
  return scale > width ? 'a decimal has no more digits after the point than in all' : undefined
}

function floatProblem([bits = 0]: readonly number[]): string | undefined {
  return bits > 0 && bits < 54 ? undefined : 'float takes 1 to 53 bits'
}

function timestampProblem([digits = 0, more]: readonly number[]): string | undefined {
  return more === undefined && digits <= 9 ? undefined : 'timestamp takes 0 to 9 digits of a second'
}
