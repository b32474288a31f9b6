/** What is said of DuckDB is what DuckDB does. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duckdb } from '../../../server/language/engines/duckdb/duckdb.ts'
import { engineOf } from '../../../server/language/engines/index.ts'
import { seededRandom } from '../../support/random.ts'

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

async function rows(sql: string): Promise<readonly (readonly unknown[])[]> {
  return (await connection.runAndReadAll(sql)).getRows()
}

async function texts(sql: string): Promise<readonly string[]> {
  return (await rows(sql)).map(([text]) => String(text))
}

async function runs(sql: string): Promise<boolean> {
  return connection.run(sql).then(
    () => true,
    () => false,
  )
}

describe('names', () => {
  const pairs: readonly (readonly [string, string])[] = [
    ['a', 'A'],
    ['Flight_Id', 'fLIGHT_iD'],
    ['É', 'é'],
    ['ÀB', 'Àb'],
    ['Σ', 'ς'],
    ['İ', 'i'],
    ['\u212A', 'k'],
    ['[', '{'],
    ['@', '`'],
    ['a', 'a '],
    ['x', 'xx'],
  ]

  it.each(pairs)('%s and %s are one where DuckDB sees one', async (a, b) => {
    const isOne = await runs(`SELECT ${duckdb.quote(b)} FROM (SELECT 1 AS ${duckdb.quote(a)})`)
    expect(duckdb.sameName(a, b)).toBe(isOne)
    expect(duckdb.fold(a) === duckdb.fold(b)).toBe(isOne)
  })

  it('are compared as their folded forms are', () => {
    const random = seededRandom(3)
    const letters = ['a', 'A', 'z', 'Z', 'é', 'É', '_', '[', '{', '0']
    const name = () => Array.from({ length: 1 + random.below(3) }, () => random.pick(letters)).join('')
    for (let round = 0; round < 5000; round++) {
      const [a, b] = [name(), name()]
      expect([a, b, duckdb.sameName(a, b)]).toEqual([a, b, duckdb.fold(a) === duckdb.fold(b)])
      expect(duckdb.fold(duckdb.fold(a))).toBe(duckdb.fold(a))
    }
  })

  it.each([
    'a b',
    'select',
    'Left',
    'x"y',
    'É',
    '1a',
    'pivot_longer',
    'year',
    'a$b',
    'filter',
    'window',
    'binary',
    'at',
  ])('%s is the same with quotes as it is written without or with them', async name => {
    for (const written of [duckdb.quote(name), duckdb.quoteIfNeeded(name)])
      expect((await connection.runAndReadAll(`SELECT 1 AS ${written}`)).columnNames()).toEqual([name])
  })

  it('keep their looks where nothing needs quotes', () => {
    expect(['a', 'Flight_Id', 'year', '_x1'].map(duckdb.quoteIfNeeded)).toEqual([
      'a',
      'Flight_Id',
      'year',
      '_x1',
    ])
  })
})

describe('words', () => {
  it('are all that its grammar knows', async () => {
    const words = await texts('SELECT DISTINCT keyword_name FROM duckdb_keywords() ORDER BY 1')
    expect([...duckdb.words.keywords].sort()).toEqual([...words].sort())
  })

  it('are reserved where DuckDB reserves them', async () => {
    const reserved = await texts(
      "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'",
    )
    expect(reserved.length).toBeGreaterThan(70)
    expect(reserved.filter(word => !duckdb.words.reserved.has(word))).toEqual([])
  })

  it('name columns and tables where they are not reserved', async () => {
    const free = [...duckdb.words.keywords].filter(word => !duckdb.words.reserved.has(word))
    const taken: string[] = []
    for (const word of free) {
      const columns = await runs(`SELECT ${word}, t.${word} FROM (SELECT 1 AS "${word}") AS t`)
      const tables = await runs(`SELECT ${word}.a FROM (SELECT 1 AS a) AS ${word}`)
      if (!columns || !tables) taken.push(word)
    }
    expect(taken).toEqual([])
  })
})

describe('literals', () => {
  it.each(["it's", '', '\0', 'a\0b', '\\n', 'é'])('%j comes back', async text => {
    expect(await rows(`SELECT ${duckdb.literal(text)}`)).toEqual([[text]])
  })

  it('are numbers, truths and NULL too', async () => {
    const values = [1, 1.5, -3, 12345678901234567890n, true, null]
    expect(await rows(`SELECT ${values.map(duckdb.literal).join(', ')} IS NULL`)).toHaveLength(1)
    expect(await rows(`SELECT ${duckdb.literal(Number.NaN)}::VARCHAR`)).toEqual([['nan']])
  })
})

describe('functions', () => {
  it('are aggregates where DuckDB says so', async () => {
    const told = await texts(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'aggregate'",
    )
    const { aggregates, windows } = duckdb.functions
    expect([...aggregates, ...windows].sort()).toEqual([...told].sort())
  })

  it('need OVER where they are no aggregates', async () => {
    const { aggregates, windows } = duckdb.functions
    const asked = async (name: string, over: string) => {
      const forms = ['', 'a', 'a, 1', 'a ORDER BY a']
      const answers = await Promise.all(
        forms.map(form => runs(`SELECT ${name}(${form})${over} FROM (SELECT 1 AS a)`)),
      )
      return answers.includes(true)
    }
    for (const name of windows) expect([name, await asked(name, '')]).toEqual([name, false])
    for (const name of ['sum', 'count', 'first', 'last', 'list'])
      expect([name, aggregates.has(name), await asked(name, '')]).toEqual([name, true, true])
  })

  it('are volatile where DuckDB calls them unstable', async () => {
    const unstable = await texts(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE stability <> 'CONSISTENT'",
    )
    expect(unstable.filter(name => !duckdb.functions.isVolatile(name) && !harmless.has(name))).toEqual([])
  })

  it('are known to DuckDB, one and all', async () => {
    const told = new Set(await texts('SELECT DISTINCT function_name FROM duckdb_functions()'))
    const { withLambda, ofOneType } = duckdb.functions
    const listed = [...withLambda, ...ofOneType]
    expect(listed.filter(name => !told.has(name))).toEqual([])
  })

  it.each([...duckdb.functions.options])(
    '%s takes the options of its kind, and no other',
    async (name, of) => {
      expect(await runs(`SELECT ${of.sample(name, duckdb.literal(of.good))}`)).toBe(true)
      expect(await runs(`SELECT ${of.sample(name, duckdb.literal('(nope'))}`)).toBe(false)
    },
  )

  it('are called without brackets where they are words', async () => {
    for (const word of duckdb.functions.valueWords)
      expect([word, await runs(`SELECT ${word}`)]).toEqual([word, true])
  })
})

/** Unstable by DuckDB's word, but the same for the same data and configuration. */
const harmless = new Set(['error', 'stats'])

describe('the engine of a project', () => {
  it('is told by the scheme of its warehouse', () => {
    expect(engineOf('duckdb:./a.duckdb')).toBe(duckdb)
    expect(engineOf('env:WAREHOUSE')).toBe(duckdb)
  })

  it('says where the data are without options', () => {
    expect(duckdb.address.place('duckdb:./some/where.duckdb?key=secret')).toBe('where.duckdb')
  })
})
