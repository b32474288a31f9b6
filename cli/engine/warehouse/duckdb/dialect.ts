/** How DuckDB writes the SQL that svc generates. It does not affect the SQL that users write. */
import { basename } from 'node:path'
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

/** The names of catalogues of the engine itself. */
const ownCatalogues = ['temp', 'system']

/** Returns the name that DuckDB gives to a file while it is open: that of the file up to its first dot. */
export function catalogueOf(file: string): string {
  const whole = basename(file)
  const [first = ''] = whole.replace(/^\./, '').split('.')
  const name = first === '' ? whole : first
  return [...ownCatalogues, 'main'].includes(name) ? `${name}_db` : name
}

/** How names are written in a file that is open: `catalogue` is its name there. Undefined while no file is open. */
export function duckdbDialectIn(catalogue: string | undefined): StateDialect {
  const inCatalogue = catalogue === undefined ? [] : [catalogue]
  // A schema that is called as a catalogue is ambiguous by itself.
  const catalogues = [...inCatalogue, ...ownCatalogues]
  const storedParts = ({ schema, name }: Relation) =>
    catalogues.some(each => engine.sameName(each, schema)) ? [...inCatalogue, schema, name] : [schema, name]
  const relation = ({ schema, name }: Relation) => written([...inCatalogue, schema, name])
  return {
    ...inAnyFile,
    relation,
    schema: name => written([...inCatalogue, name]),
    storedParts,
    storedRelation: one => written(storedParts(one)),
    readThrough: one =>
      `SELECT bit_xor(hash(${rowName})) AS ${internalName('content')} FROM ${relation(one)} AS ${rowName}`,
  }
}

/** Names are always quoted, so that keywords, spaces, quotes and emoji need no special care. */
function written(parts: readonly string[]): string {
  return parts.map(engine.quote).join('.')
}

const inAnyFile = {
  engine,
  identifier: engine.quote,
  literal: engine.literal,
  matches: (expression, pattern) =>
    `regexp_matches(CAST(${expression} AS VARCHAR), ${engine.literal(pattern)})`,
  toText: expression => `CAST(${expression} AS VARCHAR)`,
  types,
  epochSeconds: expression => `epoch(${expression})`,
  // A sum, because an exclusive or would lose rows that are there twice.
  rowsHash: (values, from) =>
    `SELECT count(*) AS ${hashNames.rows}, CAST(sum(CAST(hash(${values.join(', ')}) AS HUGEINT)) AS VARCHAR) AS ${hashNames.hash} FROM ${from}`,
  // To plan an aggregate for each column takes 2 ms longer than to read 100 rows.
  fewRows: 100,
  jsonList: expression => `CAST(to_json(list(${expression})) AS VARCHAR)`,
  joinedTexts: (expression, separator) => `string_agg(${expression}, ${engine.literal(separator)})`,
  jsonRecords,
} satisfies Partial<StateDialect>

/** Before a file is open. */
export const duckdbDialect = duckdbDialectIn(undefined)

function jsonRecords(json: string, columns: Readonly<Record<string, keyof typeof types>>): string {
  const structure = Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, types[type]]))
  const list = Object.keys(columns).map(name => `${recordName}.${engine.quote(name)}`)
  const records = `from_json(CAST(${engine.literal(json)} AS JSON), ${engine.literal(JSON.stringify([structure]))})`
  return `SELECT ${list.join(', ')} FROM (SELECT unnest(${records}) AS ${recordName})`
}
