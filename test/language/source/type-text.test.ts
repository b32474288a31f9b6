/** What is said of types is what DuckDB says. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commonTypeNames, typeNames, typeProblem } from '../../../server/language/source/type-text.ts'

let instance: DuckDBInstance
let connection: DuckDBConnection
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
})
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

async function duckdbTakes(type: string): Promise<boolean> {
  // The first alone lets through what is a constraint of the column, the second alone what no table can hold.
  for (const sql of [`SELECT CAST(NULL AS ${type})`, `CREATE OR REPLACE TEMP TABLE t (a ${type})`]) {
    const isTaken = await connection.run(sql).then(
      () => true,
      () => false,
    )
    if (!isTaken) return false
  }
  return true
}

describe('a type', () => {
  it('is known by every name that DuckDB has for it', async () => {
    const rows = await connection.runAndReadAll('SELECT DISTINCT lower(type_name) FROM duckdb_types()')
    const names = rows.getRows().map(([name]) => String(name))
    for (const name of new Set([...names, ...typeNames, ...commonTypeNames]))
      expect([name, typeProblem(name) === undefined]).toEqual([name, await duckdbTakes(name)])
  })

  it.each([
    'bigintt',
    'decimal(12,2',
    'decimal(50,2)',
    'decimal(5,9)',
    'decimal(0)',
    'decimal(1,1,1)',
    'DECIMAL ( 12 , 2 )',
    'numeric(10)',
    'dec(3,1)',
    'varchar(10)',
    'text(3)',
    'varchar(1,2)',
    'integer(5)',
    'timestamp(3)',
    'timestamp(12)',
    'timestamp with time zone',
    'timestamp with zone',
    'time with time zone',
    'timestamp without time zone',
    'double precision',
    'character varying',
    'character varying(10)',
    'national character',
    'national',
    'bit varying',
    'bit(3)',
    'char(5)',
    'float(3)',
    'float(60)',
    'struct(a integer, "b c" text[])',
    'struct(a integer, b bigintt)',
    'struct',
    'struct()',
    'struct(a)',
    'row(a int)',
    'map(varchar, int)',
    'map(int)',
    'map(varchar, decimal(12,2)[])[]',
    'union(a int, b varchar)',
    "enum('a','b')",
    'enum',
    'enum(a)',
    'integer[]',
    'integer[3]',
    'integer[][]',
    'integer[',
    'integer array',
    'int array[3]',
    'interval day',
    'interval days',
    '"bigint"',
    '"big int"',
    'int unsigned',
    'null',
    'any',
    'list',
    'array',
    'map',
    'date(1)',
    'bytes',
    'money',
    'integer not null',
    'int default 3',
    'int, b int',
    'int) ; select 1',
    '',
    '12',
    'varchar collate nocase',
    'table',
    'lambda',
    'main.bigint',
    '{{ x }}',
  ])('%s', async type => {
    expect(typeProblem(type) === undefined).toBe(await duckdbTakes(type))
  })

  it('names the word that is wrong', () => {
    expect(typeProblem('struct(a integer, b bigintt[])')).toEqual({
      kind: 'unknown',
      text: 'bigintt',
      range: { start: 20, end: 27 },
    })
  })
})
