/** How PostgreSQL writes the SQL that svc generates. It does not affect the SQL that users write. */
import { engineOf, internalName, type JsonScalar } from '@svc/server/language'
import { hashNames } from '../dialect.ts'
import type { StateDialect } from '../sql-state/state-dialect.ts'
import type { Relation } from '../warehouse.ts'

const types = {
  text: 'text',
  integer: 'bigint',
  timestamp: 'timestamp with time zone',
  boolean: 'boolean',
  double: 'double precision',
  // Unlike jsonb, json keeps a text as it was written.
  json: 'json',
  uuid: 'uuid',
} as const

const rowName = internalName('row')
const recordName = internalName('record')

const engine = engineOf('postgres:')

export const postgresDialect: StateDialect = {
  engine,
  identifier: engine.quote,
  relation,
  schema: engine.quote,
  storedParts: ({ schema, name }) => [schema, name],
  storedRelation: relation,
  literal,
  matches: (expression, pattern) => `(CAST(${expression} AS text) ~ ${literal(pattern)})`,
  toText: expression => `CAST(${expression} AS text)`,
  types,
  epochSeconds: expression => `CAST(extract(epoch FROM ${expression}) AS double precision)`,
  // A sum, because an exclusive or would lose rows that are there twice.
  rowsHash: (values, from) =>
    `SELECT count(*) AS ${hashNames.rows}, CAST(sum(CAST(hashtextextended(CAST(ROW(${values.join(', ')}) AS text), 0) AS numeric)) AS text) AS ${hashNames.hash} FROM ${from}`,
  readThrough: one =>
    `SELECT CAST(sum(hashtextextended(CAST(${rowName} AS text), 0)) AS text) AS ${internalName('content')} FROM ${relation(one)} AS ${rowName}`,
  fewRows: 0,
  jsonList: expression => `CAST(json_agg(${expression}) AS text)`,
  joinedTexts: (expression, separator) => `string_agg(${expression}, ${literal(separator)})`,
  jsonRecords(json, columns) {
    const list = Object.keys(columns).map(engine.quote)
    const shape = Object.entries(columns).map(([name, type]) => `${engine.quote(name)} ${types[type]}`)
    const records = `json_to_recordset(CAST(${literal(withoutNulCharacters(json))} AS json))`
    return `SELECT ${list.join(', ')} FROM ${records} AS ${recordName}(${shape.join(', ')})`
  },
}

/** Names are always quoted, so that keywords, spaces, quotes and emoji need no special care. */
function relation(relation: Relation): string {
  return `${engine.quote(relation.schema)}.${engine.quote(relation.name)}`
}

/** PostgreSQL stores no text with the character NUL, and takes a number with an exponent for an exact one. */
function literal(value: JsonScalar | bigint): string {
  const isFloat = typeof value === 'number' && String(value).includes('e')
  if (isFloat) return `CAST('${value}' AS double precision)`
  return engine.literal(typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)
}

/** Replaces the escapes of NUL in JSON text. */
function withoutNulCharacters(json: string): string {
  if (!json.includes('\\u0000')) return json
  return json.replace(/\\(?:u0000|.)/g, sequence => (sequence === '\\u0000' ? '\\ufffd' : sequence))
}
