/** How DuckDB writes the SQL that svc generates. It does not affect the SQL that users write. */
import { engineOf, internalName } from '@svc/server/language'
import { hashNames } from '../dialect.ts'
import type { StateDialect } from '../sql-state/state-dialect.ts'
import type { Relation } from '../warehouse.ts'

const types = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
  boolean: 'BOOLEAN',
  double: 'DOUBLE',
  json: 'JSON',
  uuid: 'UUID',
} as const

const rowName = internalName('row')
const recordName = internalName('record')

const engine = engineOf('duckdb:')

export const duckdbDialect: StateDialect = {
  engine,
  identifier: engine.quote,
  relation,
  literal: engine.literal,
  matches: (expression, pattern) =>
    `regexp_matches(CAST(${expression} AS VARCHAR), ${engine.literal(pattern)})`,
  toText: expression => `CAST(${expression} AS VARCHAR)`,
  types,
  epochSeconds: expression => `epoch(${expression})`,
  // A sum, because an exclusive or would lose rows that are there twice.
  rowsHash: (values, from) =>
    `SELECT count(*) AS ${hashNames.rows}, CAST(sum(CAST(hash(${values.join(', ')}) AS HUGEINT)) AS VARCHAR) AS ${hashNames.hash} FROM ${from}`,
  readThrough: one =>
    `SELECT bit_xor(hash(${rowName})) AS ${internalName('content')} FROM ${relation(one)} AS ${rowName}`,
  // To plan an aggregate for each column takes 2 ms longer than to read 100 rows.
  fewRows: 100,
  jsonList: expression => `CAST(to_json(list(${expression})) AS VARCHAR)`,
  joinedTexts: (expression, separator) => `string_agg(${expression}, ${engine.literal(separator)})`,
  jsonRecords,
}

/** Names are always quoted, so that keywords, spaces, quotes and emoji need no special care. */
function relation(relation: Relation): string {
  return `${engine.quote(relation.schema)}.${engine.quote(relation.name)}`
}

function jsonRecords(json: string, columns: Readonly<Record<string, keyof typeof types>>): string {
  const structure = Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, types[type]]))
  const list = Object.keys(columns).map(name => `${recordName}.${engine.quote(name)}`)
  const records = `from_json(CAST(${engine.literal(json)} AS JSON), ${engine.literal(JSON.stringify([structure]))})`
  return `SELECT ${list.join(', ')} FROM (SELECT unnest(${records}) AS ${recordName})`
}
