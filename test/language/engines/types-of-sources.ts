/** A type of DuckDB becomes one of PostgreSQL that holds its values; DuckDB makes the values. */
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, it } from 'vitest'
import { duckdb } from '../../../server/language/engines/duckdb/duckdb.ts'
import { printedNames } from '../../../server/language/engines/duckdb/types/type-names.ts'
import { typeNameOfSource } from '../../../server/language/engines/portable-types.ts'
import { postgres } from '../../../server/language/engines/postgres/postgres.ts'
import type { PostgresHere } from '../../support/pglite.ts'

const stored = (type: string) => typeNameOfSource(type, duckdb, postgres)
const readBack = (type: string) => typeNameOfSource(type, postgres, duckdb)

/** Every type of single values, and one of each kind of nesting. */
const becomes: Readonly<Record<string, string>> = {
  BIGINT: 'bigint',
  BIGNUM: 'numeric',
  BIT: 'bit varying',
  BLOB: 'bytea',
  BOOLEAN: 'boolean',
  DATE: 'date',
  'DECIMAL(12,2)': 'numeric(12,2)',
  DOUBLE: 'double precision',
  FLOAT: 'real',
  GEOMETRY: 'text',
  HUGEINT: 'numeric(39,0)',
  INTEGER: 'integer',
  INTERVAL: 'interval',
  JSON: 'jsonb',
  SMALLINT: 'smallint',
  TIME: 'time without time zone',
  'TIME WITH TIME ZONE': 'time with time zone',
  TIME_NS: 'time without time zone',
  TIMESTAMP: 'timestamp without time zone',
  'TIMESTAMP WITH TIME ZONE': 'timestamp with time zone',
  TIMESTAMP_MS: 'timestamp without time zone',
  TIMESTAMP_NS: 'timestamp without time zone',
  TIMESTAMP_S: 'timestamp without time zone',
  TINYINT: 'smallint',
  UBIGINT: 'numeric(20,0)',
  UHUGEINT: 'numeric(39,0)',
  UINTEGER: 'bigint',
  USMALLINT: 'integer',
  UTINYINT: 'smallint',
  UUID: 'uuid',
  VARCHAR: 'text',
  VARIANT: 'jsonb',
  '"NULL"': 'text',
  "ENUM('a', 'b')": 'text',
  'INTEGER[]': 'integer[]',
  'DECIMAL(4,1)[3]': 'numeric(4,1)[]',
  "ENUM('a')[]": 'text[]',
  'TIMESTAMP WITH TIME ZONE[]': 'timestamp with time zone[]',
  'JSON[]': 'jsonb',
  'INTEGER[][]': 'jsonb',
  'INTEGER[3][3]': 'jsonb',
  'STRUCT(a INTEGER, b VARCHAR[])': 'jsonb',
  'STRUCT(a INTEGER)[]': 'jsonb',
  'MAP(VARCHAR, INTEGER)': 'jsonb',
  'MAP(VARCHAR, INTEGER)[]': 'jsonb',
  'UNION(a INTEGER, b VARCHAR)': 'jsonb',
  SOMETHING_ELSE: 'text',
  'SOMETHING_ELSE[]': 'text[]',
}

/** PostgreSQL has no dates before 4713 BC, and none as late; its texts have no zero bytes. */
const beyondItsDates = /^(DATE|TIMESTAMP(_S|_MS| WITH TIME ZONE)?)$/
const inReach = ['4713-01-01 (BC) ', '5000-12-31 ', 'infinity', '-infinity']

interface Sample {
  readonly type: string
  readonly values: readonly string[]
}

export function tellsTypesOfSources(server: PostgresHere): void {
  let samples: readonly Sample[] = []
  beforeAll(async () => {
    samples = await samplesOfAllTypes()
  })

  describe('a type of DuckDB at a source', () => {
    it.each(Object.entries(becomes))('%s is stored as %s', (type, expected) => {
      expect(stored(type)).toBe(expected)
    })

    it('is any that there is, and becomes one that PostgreSQL has', async () => {
      const tested = new Set(Object.keys(becomes).map(type => type.replace(/\(.*/, '')))
      expect([...printedNames.values()].filter(name => !tested.has(name))).toEqual([])
      for (const type of new Set(Object.values(becomes)))
        expect(await server.describe(`SELECT NULL::${type}`)).toEqual([
          { name: expect.any(String), type: expect.any(String) },
        ])
    })

    it('is held with its smallest and its largest values', async () => {
      expect(samples.length).toBeGreaterThan(45)
      for (const { type, values } of samples) {
        const target = stored(type)
        for (const value of values) {
          const [row] = await server.rows(`SELECT (${postgres.literal(value)}::${target})::text`)
          expect([type, target, typeof row?.[0]]).toEqual([type, target, 'string'])
          if (/^(integer|bigint|smallint|numeric[^[]*|text|uuid|bit varying|boolean)$/.test(target))
            expect([type, row?.[0]]).toEqual([type, value])
        }
      }
    })

    it('stays itself where the project has the same engine', () => {
      for (const type of Object.keys(becomes))
        expect(typeNameOfSource(type, duckdb, duckdb)).toBe(duckdb.types.print(duckdb.types.parse(type)))
    })
  })

  describe('a type of PostgreSQL', () => {
    it.each([
      ['bigint', 'BIGINT'],
      ['numeric(12,2)', 'DECIMAL(12,2)'],
      ['numeric(39,0)', 'HUGEINT'],
      ['numeric(50,2)', 'VARCHAR'],
      ['numeric(3,-2)', 'VARCHAR'],
      ['numeric', 'VARCHAR'],
      ['character varying(20)', 'VARCHAR'],
      ['timestamp(3) with time zone', 'TIMESTAMP WITH TIME ZONE'],
      ['timestamp', 'TIMESTAMP'],
      ['interval day to second', 'INTERVAL'],
      ['jsonb', 'JSON'],
      ['bytea', 'BLOB'],
      ['date[]', 'DATE[]'],
      ['inet', 'VARCHAR'],
      ['mood', 'VARCHAR'],
    ])('%s is %s to DuckDB', (type, expected) => {
      expect(readBack(type)).toBe(expected)
    })

    it('that a source is stored as is stored as itself again', () => {
      for (const type of Object.values(becomes).filter(each => each !== 'numeric'))
        expect([type, stored(readBack(type))]).toEqual([type, type])
    })
  })
}

/** DuckDB has a table with the extreme values of all its types. */
async function samplesOfAllTypes(): Promise<readonly Sample[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const all = 'FROM test_all_types()'
    const columns = await connection.runAndReadAll(`SELECT column_name, column_type FROM (DESCRIBE ${all})`)
    const types = columns.getRows().map(([name, type]) => ({ name: `"${name}"`, type: String(type) }))
    const values = await connection.runAndReadAll(`SELECT ${types.map(asText).join(', ')} ${all}`)
    const rows = values.getRowsJson()
    return types.map(({ type }, index) => ({
      type,
      values: rows.flatMap(row => written(row[index])).filter(value => !isBeyond(type, value)),
    }))
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function asText({ name, type }: { readonly name: string; readonly type: string }): string {
  const target = stored(type)
  if (target === 'bytea') return `'\\x' || hex(${name})`
  if (target === 'jsonb') return `CAST(to_json(${name}) AS VARCHAR)`
  return target.endsWith('[]') ? `CAST(${name} AS VARCHAR[])` : `CAST(${name} AS VARCHAR)`
}

/** Returns the text that PostgreSQL reads; nothing of NULL. */
function written(value: unknown): readonly string[] {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) return [String(value)]
  const elements = value.map(each => (each === null ? 'NULL' : JSON.stringify(String(each))))
  return [`{${elements.join(',')}}`]
}

function isBeyond(type: string, value: string): boolean {
  if (value.includes('\0')) return true
  return beyondItsDates.test(type) && !inReach.some(text => value.startsWith(text))
}
