/** Unit tests of a project on PostgreSQL run in PostgreSQL, with its values, its time and its chance. */
import { openCatalog, type ShadowCatalog } from '@svc/server/catalog'
import { createProject, type Project, parseSettings } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultLimits } from '../../server/catalog/limits.ts'
import { frozenFunctions, withFrozenWords } from '../../server/catalog/postgres/frozen-functions.ts'
import { openUnitDatabase, type UnitDatabase } from '../../server/catalog/unit/unit-database.ts'
import { postgres } from '../../server/language/engines/postgres/postgres.ts'
import { hash } from '../support/spec-project.ts'

let catalog: ShadowCatalog
let database: UnitDatabase
beforeAll(async () => {
  catalog = await openCatalog(postgres)
  database = openUnitDatabase(postgres, () => ({ limits: defaultLimits, isAborted: () => false }), [])
}, 120_000)
afterAll(() => {
  catalog.close()
  database.close()
})

const orders =
  "name: orders\ningest: none\ntransform: SELECT 1 AS id, 'x'::varchar(3) AS name, 1.5::numeric(6,2) AS amount, ARRAY['a'] AS tags, '{}'::jsonb AS detail, true AS paid, 1::numeric AS ratio, timestamptz '2024-01-01' AS at\n"

function projectOf(sql: string, tests: string): Project {
  const text = `name: a\ningest: none\ntransform: |\n  ${sql.replaceAll('\n', '\n  ')}\ntests:\n${tests}`
  const files = [
    { path: 'models/orders.svc', text: orders },
    { path: 'models/a.svc', text },
  ]
  return createProject({ settings: parseSettings('warehouse: postgres://localhost/shop\n'), files, hash })
}

async function outcome(sql: string, test: string): Promise<readonly string[] | undefined> {
  const analysis = await catalog.analyze(projectOf(sql, `  - unit: {${test}}\n`), new Map())
  const { unitTests, diagnostics = [] } = analysis.of('a') ?? {}
  return (
    unitTests?.map(({ status, message }) => message ?? status) ?? diagnostics.map(({ message }) => message)
  )
}

const all = "SELECT * FROM {{ ref('orders') }}"

describe('a unit test', () => {
  it.each([
    [
      'of values of all kinds',
      all,
      'given: {orders: [{id: 1, name: abc, amount: 2.5, tags: [a, "b \\"c\\"", null], detail: {k: [1, null]}, paid: true, ratio: 0.25, at: 2024-02-03 10:00:00}]}, expect: [{id: 1, name: abc, amount: 2.50, tags: [a, "b \\"c\\"", null], detail: {k: [1, null]}, paid: true, ratio: 0.250, at: 2024-02-03 10:00:00+00}]',
    ],
    ['without rows', all, 'given: {orders: []}, expect: []'],
    [
      'of a mean, whose zeros do not count',
      "SELECT avg(id) AS mean FROM {{ ref('orders') }}",
      'given: {orders: [{id: 1}, {id: 2}]}, expect: [{mean: 1.5}]',
    ],
    [
      'of columns of one name, which the catalogue refuses',
      "SELECT id AS a, paid AS b FROM {{ ref('orders') }} WHERE paid",
      'given: {orders: [{id: 1, paid: true}, {id: 2, paid: false}]}, expect: [{a: 1, b: true}]',
    ],
    [
      'of names that differ in case alone',
      'SELECT id, id + 1 AS "Id" FROM {{ ref(\'orders\') }}',
      'given: {orders: [{id: 1}]}, expect: [{id: 1, Id: 2}]',
    ],
    [
      'of a CTE',
      "WITH base AS (SELECT id + 1 AS n FROM {{ ref('orders') }}) SELECT n * 2 AS m FROM base",
      'cte: base, given: {orders: [{id: 1}]}, expect: [{n: 2}]',
    ],
    [
      'that expects an error',
      "SELECT 1 / id AS x FROM {{ ref('orders') }}",
      'given: {orders: [{id: 0}]}, error: division by zero',
    ],
  ])('%s passes', async (_, sql, test) => {
    expect(await outcome(sql, test)).toEqual(['pass'])
  })

  it.each([
    [
      'a value that is none of its type',
      all,
      'given: {orders: [{id: x}]}, expect: []',
      '"x" is no value of column "id", which is integer',
    ],
    [
      'a given text that is too long',
      all,
      'given: {orders: [{name: abcd}]}, expect: []',
      '"abcd" is no value of column "name", which is character varying(3)',
    ],
    [
      'an expected text that is too long',
      all,
      'given: {orders: [{name: abc}]}, expect: [{name: abcd}]',
      '"abcd" is no value of column "name", which is character varying(3)',
    ],
    [
      'a list that is none',
      all,
      'given: {orders: [{amount: 1}]}, expect: [{tags: 3}]',
      '"3" is no value of column "tags", which is text[]',
    ],
    ['another value', all, 'given: {orders: [{id: 1}]}, expect: [{id: 2}]', 'in row 1 id is 1, not 2'],
    [
      'the time where none is set',
      'SELECT current_date AS day',
      'expect: [{day: 2024-01-01}]',
      'asks for the time',
    ],
    [
      'a time that there is not',
      'SELECT now() AS at',
      'now: 2024-02-30, expect: [{at: 2024-02-28}]',
      'there is no time "2024-02-30"',
    ],
  ])('with %s says so', async (_, sql, test, message) => {
    const [told, ...more] = (await outcome(sql, test)) ?? []
    expect(more).toEqual([])
    expect(told).toContain(message)
  })

  it('that cannot run shows where, behind a word for the time too', async () => {
    const sql = "SELECT 'ä' AS x, current_date AS day, missing(1) AS y"
    const place = Buffer.byteLength(sql.slice(0, sql.indexOf('missing')))
    const failure = { kind: 'catalog', position: place }
    expect(await database.rows(sql, 1, undefined, undefined)).toMatchObject(failure)
    expect(await database.describe(sql)).toMatchObject(failure)
  })
})

describe('time and chance', () => {
  const now = '2024-02-29 10:20:30.123456+00'

  it('are the same in every run, by whatever name', async () => {
    expect(await database.setNow(now)).toBeUndefined()
    const told: Readonly<Record<string, string>> = {
      'now()': now,
      'transaction_timestamp()': now,
      'statement_timestamp()': now,
      'clock_timestamp()': now,
      current_timestamp: now,
      'CURRENT_TIMESTAMP(0)': '2024-02-29 10:20:30+00',
      localtimestamp: '2024-02-29 10:20:30.123456',
      'localtimestamp(3)': '2024-02-29 10:20:30.123',
      current_date: '2024-02-29',
      current_time: '10:20:30.123456+00',
      'localtime(1)': '10:20:30.1',
      'timeofday()': 'Thu Feb 29 10:20:30.123456 2024 UTC',
      "age(timestamp '2024-01-01')": '1 mon 28 days',
      "age(timestamptz '2024-01-01')": '1 mon 28 days',
      "age(date '2024-02-29', date '2024-01-01')": '1 mon 28 days',
      'random()': '0.5',
      'random(3, 9)': '3',
      'random_normal()': '0',
      'random_normal(stddev => 2)': '0',
      'array_shuffle(ARRAY[1, 2])': '{1,2}',
      'array_sample(ARRAY[1, 2, 3], 2)': '{1,2}',
      'gen_random_uuid()': '00000000-0000-0000-0000-000000000000',
      'uuidv7()': '00000000-0000-0000-0000-000000000000',
      "uuidv7(interval '1 day')": '00000000-0000-0000-0000-000000000000',
    }
    const found = await database.rows(`SELECT ${Object.keys(told).join(', ')}`, 2, undefined, undefined)
    expect(found).toEqual([Object.values(told)])
    const described = await database.describe('SELECT current_date, now(), localtime AS t')
    expect(described).toEqual([
      { name: 'current_date', type: 'date' },
      { name: 'now', type: 'timestamp with time zone' },
      { name: 't', type: 'time without time zone' },
    ])
  })

  it('are all that differs between runs over the same rows', async () => {
    const names = [...postgres.functions.effects].flatMap(([name, effect]) =>
      effect === 'moment' ? [name.replace('/1', '')] : [],
    )
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter(name => !frozenFunctions.includes(name))).toEqual([])
  })

  it('leave names alone, and places where they were', () => {
    const { sql, original } = withFrozenWords(
      'SELECT \'ä\', current_date, t.current_date AS current_date, "current_time", localtime(2)',
    )
    expect(sql).toBe(
      `SELECT 'ä', "svc frozen"."current_date"(), t.current_date AS current_date, "current_time", "svc frozen"."localtime"(2)`,
    )
    for (const word of ["'ä'", 't.current_date', '"current_time"']) {
      const place = (text: string) => Buffer.byteLength(text.slice(0, text.indexOf(word)))
      expect(original(place(sql))).toBe(
        place('SELECT \'ä\', current_date, t.current_date AS current_date, "current_time", localtime(2)'),
      )
    }
    expect(original(Buffer.byteLength(sql.slice(0, sql.indexOf('frozen'))))).toBe(13)
  })
})
