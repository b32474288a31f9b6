/** What is said of types is what DuckDB says. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duckdbTypes } from '../../../server/language/engines/duckdb/types/index.ts'
import type { SqlType, TypeField } from '../../../server/language/engines/sql-type.ts'
import { type Random, seededRandom } from '../../support/random.ts'

const { parse, print, problem: typeProblem, same, widen, family } = duckdbTypes

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

const written = [
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
  'timestamp(3) with time zone',
  'time(3)',
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
]

describe('a type', () => {
  it('is known by every name that DuckDB has for it', async () => {
    const rows = await connection.runAndReadAll('SELECT DISTINCT lower(type_name) FROM duckdb_types()')
    const names = rows.getRows().map(([name]) => String(name))
    for (const name of new Set([...names, ...duckdbTypes.names, ...duckdbTypes.commonNames]))
      expect([name, typeProblem(name) === undefined]).toEqual([name, await duckdbTakes(name)])
  })

  it.each(Object.entries(duckdbTypes.usual))(
    'of %s in general is as DuckDB prints it',
    async (family, name) => {
      const described = await connection.runAndReadAll(`DESCRIBE SELECT CAST(NULL AS ${name}) AS a`)
      expect(described.getRows().map(([, type]) => type)).toEqual([name])
      expect(duckdbTypes.family(duckdbTypes.parse(name))).toBe(family)
    },
  )

  it.each(written)('%s', async type => {
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

/** As DuckDB prints the type, in both places where it does. */
async function printed(type: string): Promise<readonly string[]> {
  const types = await connection.runAndReadAll(`SELECT typeof(CAST(NULL AS ${type}))`)
  const columns = await connection.runAndReadAll(`DESCRIBE SELECT CAST(NULL AS ${type}) AS a`)
  return [String(types.getRows()[0]?.[0]), String(columns.getRows()[0]?.[1])]
}

describe('the value of a type', () => {
  it('is printed as DuckDB prints it, whatever it was written as', async () => {
    const rows = await connection.runAndReadAll('SELECT DISTINCT lower(type_name) FROM duckdb_types()')
    const names = rows.getRows().map(([name]) => String(name))
    let count = 0
    for (const type of [...names, ...written]) {
      if (!(await duckdbTakes(type))) continue
      const texts = await printed(type)
      expect([type, print(parse(type)), print(parse(type))]).toEqual([type, ...texts])
      for (const text of texts) expect(print(parse(text))).toBe(text)
      count++
    }
    expect(count).toBeGreaterThan(80)
  })

  it.each([
    "row(1, 'a')",
    "row(now(), time '10:00', 1.5, {'a': row(null, [2])})",
    "{'a b': 1, 'select': 2, 'É': 3, 'Ab': 4, 'year': 5, '1x': 6, 'q\"q': 7, 'a.b': 9}",
    'union_value("select" := 1)',
    "'a'::ENUM('a', 'b''c', '')",
    'map {1: [[{x: 1}]]}',
    '[null]',
    'array_value(array_value(1, 2), array_value(3, 4))',
    'null',
    "'1'::BIGNUM",
    'interval 1 day',
    'map {row(1, 2): union_value(k := [1.5])}',
    "array_value({'n': {'m': ['a']}})",
  ])('%s has a type that is read and printed again', async value => {
    const reader = await connection.runAndReadAll(`SELECT typeof(${value})`)
    const text = String(reader.getRows()[0]?.[0])
    expect(print(parse(text))).toBe(text)
    expect(parse(text).kind).not.toBe('unknown')
  })

  it('reads fields that have no names', () => {
    expect(parse('STRUCT(INTEGER, TIMESTAMP WITH TIME ZONE, DECIMAL(5,1)[])')).toEqual({
      kind: 'struct',
      fields: [
        { name: undefined, type: parse('int') },
        { name: undefined, type: parse('timestamptz') },
        { name: undefined, type: parse('decimal(5, 1)[]') },
      ],
    })
  })

  it('is what every function says of its parameters, if only as a text', async () => {
    const rows = await connection.runAndReadAll(
      'SELECT DISTINCT t FROM (SELECT unnest(parameter_types) AS t FROM duckdb_functions()) WHERE t IS NOT NULL',
    )
    const texts = rows.getRows().map(([text]) => String(text))
    expect(texts.length).toBeGreaterThan(50)
    // DECIMAL by itself is any decimal there, and 18 digits wide elsewhere.
    for (const text of texts) if (!/DECIMAL\b(?!\()/.test(text)) expect(print(parse(text))).toBe(text)
  })

  it('of any text is a value, and never an error', () => {
    const deep = 'struct(a '.repeat(20_000)
    for (const text of [
      '',
      '(',
      'struct(',
      '[]',
      '\0',
      deep,
      `int${'[]'.repeat(20_000)}`,
      "enum('a",
      'map(int',
    ])
      expect(parse(text)).toEqual({ kind: 'unknown', text })
  })

  it('survives being printed, for 2,000 random ones', () => {
    const random = seededRandom(11)
    for (let round = 0; round < 2000; round++) {
      const type = randomType(random, 4)
      const text = print(type)
      expect([text, parse(text)]).toEqual([text, type])
      expect(same(parse(text), type)).toBe(true)
    }
  })

  it('of 300 random ones is what DuckDB makes of their texts', async () => {
    const random = seededRandom(12)
    for (let round = 0; round < 300; round++) {
      const text = print(randomType(random, 3))
      expect(await printed(text)).toEqual([text, text])
    }
  })

  it('is the same however its fields are capitalised, and another where letters beyond A to Z differ', () => {
    expect(same(parse('struct(a int)'), parse('STRUCT(A INTEGER)'))).toBe(true)
    expect(same(parse('struct("É" int)'), parse('struct("é" int)'))).toBe(false)
    expect(same(parse('int[2]'), parse('int[3]'))).toBe(false)
    expect(same(parse('decimal(4,1)'), parse('decimal(4,2)'))).toBe(false)
  })

  it('knows its elements', () => {
    const { elementOf } = duckdbTypes
    expect(elementOf(parse('date[][3]'))).toEqual(parse('date[]'))
    expect(elementOf(parse('map(int, date)'))).toEqual(parse('date'))
    expect(elementOf(parse('date'))).toBeUndefined()
  })

  it('belongs to a family', () => {
    const families = ['int', 'decimal(4,1)', 'real', 'text', 'date', 'timestamptz', 'time', 'json', 'int[]']
    expect(families.map(text => family(parse(text)))).toEqual([
      'integer',
      'decimal',
      'float',
      'text',
      'date',
      'timestamp',
      'time',
      'json',
      'nested',
    ])
    expect(["enum('a')", 'mood', 'bit'].map(text => family(parse(text)))).toEqual(['text', 'other', 'other'])
  })

  it('widens to one that both fit into, whichever comes first', () => {
    const random = seededRandom(13)
    for (let round = 0; round < 500; round++) {
      const [a, b] = [randomType(random, 1), randomType(random, 1)]
      const both = widen(a, b)
      const sorted = (type: SqlType) => print(inOneOrder(type))
      expect([print(a), print(b), sorted(widen(b, a))]).toEqual([print(a), print(b), sorted(both)])
      expect(print(widen(a, both))).toBe(print(both))
    }
  })
})

/** The fields of a struct keep the order of the first type: the one that a column has already. */
function inOneOrder(type: SqlType): SqlType {
  if (type.kind === 'list') return { ...type, element: inOneOrder(type.element) }
  if (type.kind !== 'struct') return type
  const fields = type.fields.map(field => ({ ...field, type: inOneOrder(field.type) }))
  return { ...type, fields: fields.sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1)) }
}

const scalars = [...new Set([...duckdbTypes.names].map(name => print(parse(name))))].filter(
  name => !name.startsWith('DECIMAL'),
)
const fieldNames = ['a', 'B', 'a b', 'É', 'select', 'year', 'x"y', '1', 'naïve', 'with', 'timestamp']

function randomType(random: Random, depth: number): SqlType {
  const { next, below } = random
  const inner = () => randomType(random, depth - 1)
  const fields = (): TypeField[] =>
    fieldNames.filter(() => next() < 0.2).map(name => ({ name, type: inner() }))
  switch (depth === 0 ? below(2) : below(8)) {
    case 0: {
      const width = 1 + below(38)
      return { kind: 'scalar', name: 'DECIMAL', parameters: [width, below(width + 1)] }
    }
    case 2:
      return { kind: 'list', element: inner() }
    case 3:
      return { kind: 'array', element: inner(), size: 1 + below(9) }
    case 4:
      return { kind: 'struct', fields: [{ name: 'first', type: inner() }, ...fields()] }
    case 5:
      return { kind: 'map', key: inner(), value: inner() }
    case 6:
      return { kind: 'union', members: [{ name: 'first', type: inner() }, ...fields()] }
    case 7:
      return { kind: 'enum', values: ['x', "it's", 'É'].slice(0, 1 + below(3)) }
    default:
      return { kind: 'scalar', name: scalars[below(scalars.length)] ?? 'INTEGER', parameters: [] }
  }
}
