import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compareExample, fingerprints } from '../../scripts/compare-example.mjs'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-compare-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

const right = `VALUES ('early', 1::BIGINT, (-100000)::BIGINT, 0::BIGINT), ('on time', 2, 0, 15), ('late', 3, 15, 60),
  ('very late', 4, 60, 180), ('lost day', 5, 180, 100000)`

describe('the comparison of the demo', () => {
  it('accepts what the raw data says', async () => {
    expect(await problemsOf(right)).toEqual([])
  })

  it('finds one wrong value', async () => {
    const [problem] = await problemsOf(right.replace('60, 180', '61, 180'))
    expect(problem).toMatch(/^1 rows of delay_bands differ.*"from_minutes":61.*expected.*"from_minutes":60/)
  })

  it('finds a row too few and a row too many', async () => {
    expect(await problemsOf(right.replace(/, \('lost day'.*$/, ''))).toContain(
      'delay_bands has 4 rows; expected 5',
    )
    expect(await problemsOf(`${right}, ('late', 3, 15, 60)`)).toContain('delay_bands has 6 rows; expected 5')
  })

  it('finds a column of another type', async () => {
    const [problem] = await problemsOf(
      right.replace('1::BIGINT', '1::INTEGER').replace(/, \('on time'.*$/s, ''),
    )
    expect(problem).toContain('columns of delay_bands are band VARCHAR, position INTEGER')
  })

  it('finds a NULL and a small difference in a floating-point column', async () => {
    const state = (latitude: string) => `SELECT state AS state_name, city AS capital,
      if(state = 'Utah', ${latitude}, lat) AS latitude, lon AS longitude FROM capitals`
    expect(await problemsOf(state('lat'), 'state_capitals')).toEqual([])
    expect(await problemsOf(state('lat + 0.000001'), 'state_capitals')).toHaveLength(1)
    expect(await problemsOf(state('NULL'), 'state_capitals')).toHaveLength(1)
  })

  it('tells two states of production apart by one value', async () => {
    const [first, again, other] = [right, right, right.replace('60, 180', '61, 180')]
    const states = await Promise.all([first, again, other].map(async query => fingerprintsOf(query)))
    expect(states[0]).toHaveLength(1)
    expect(states[1]).toEqual(states[0])
    expect(states[2]).not.toEqual(states[0])
  })

  it('finds a table that is not there', async () => {
    const database = join(folder, 'empty.duckdb')
    const instance = await DuckDBInstance.create(database)
    instance.closeSync()
    const found = await compareExample({ database, schema: 'analytics', only: ['states'] })
    expect(found.flatMap(table => table.problems)).toEqual(['states is not in analytics'])
  })
})

/** Problems when production's view of `table` shows the rows of `query`. */
async function problemsOf(query: string, table = 'delay_bands'): Promise<readonly string[]> {
  const database = await production(query, table)
  const found = await compareExample({ database, schema: 'analytics', only: [table] })
  return found.flatMap(comparison => comparison.problems)
}

async function fingerprintsOf(query: string): Promise<readonly string[]> {
  return fingerprints({ database: await production(query, 'delay_bands'), schema: 'analytics' })
}

let databases = 0

/** A database file in which `analytics.<table>` shows the rows of `query`. */
async function production(query: string, table: string): Promise<string> {
  databases += 1
  const database = join(folder, `${databases}.duckdb`)
  const instance = await DuckDBInstance.create(database)
  const connection = await instance.connect()
  const names = table === 'delay_bands' ? '(band, position, from_minutes, below_minutes)' : ''
  const capitals = join(import.meta.dirname, '../../node_modules/vega-datasets/data/us-state-capitals.json')
  await connection.run(`CREATE SCHEMA analytics; CREATE TABLE capitals AS FROM '${capitals}'`)
  await connection.run(`CREATE TABLE shown AS FROM (${query}) AS rows${names}`)
  await connection.run(`CREATE VIEW analytics.${table} AS FROM main.shown`)
  connection.closeSync()
  instance.closeSync()
  return database
}
