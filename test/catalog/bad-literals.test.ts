/** Literals that DuckDB would refuse only when rows come. */
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../server/catalog/worker/databases.ts'
import { type Lab, openLab } from '../support/sql-lab.ts'

let lab: Lab
beforeAll(async () => {
  lab = await openLab()
})
afterAll(() => lab.close())

async function errorsOf(sql: string): Promise<string[]> {
  const { diagnostics } = await lab.analyze(sql)
  const text = lab.project().byName.get('case')?.text ?? ''
  return diagnostics
    .filter(each => each.severity === 'error')
    .map(({ code, range, message }) => `${code} ${text.slice(range.start, range.end)} | ${message}`)
}

const bad: readonly (readonly [string, readonly string[]])[] = [
  ["date + 'abc'", ['\'abc\' | "abc" is no INTERVAL']],
  ["distance = 'abc'", ['\'abc\' | "abc" is no INTEGER']],
  ["'abc' = distance", ['\'abc\' | "abc" is no INTEGER']],
  ["date > 'yesterdy'", ['\'yesterdy\' | "yesterdy" is no TIMESTAMP']],
  ["distance IN ('x', '1', 'y')", ['\'x\' | "x" is no INTEGER', '\'y\' | "y" is no INTEGER']],
  ["distance BETWEEN 'a' AND '9'", ['\'a\' | "a" is no INTEGER']],
  ["CASE distance WHEN 'a' THEN 1 END", ['\'a\' | "a" is no INTEGER']],
  ["CASE WHEN cancelled THEN distance ELSE 'n/a' END", ['\'n/a\' | "n/a" is no INTEGER']],
  ["CASE WHEN 'oops' THEN 1 END", ['\'oops\' | "oops" is no BOOLEAN']],
  ["coalesce(distance, 'none')", ['\'none\' | "none" is no INTEGER']],
  ["nullif(distance, 'none')", ['\'none\' | "none" is no INTEGER']],
  ["CAST('abc' AS INTEGER)", ['\'abc\' | "abc" is no INTEGER']],
  ["'abc'::DECIMAL(12,2)", ['\'abc\' | "abc" is no DECIMAL(12,2)']],
  ['300::TINYINT', ['300 | "300" is no TINYINT']],
  ['300 /* rows */ ::TINYINT', ['300 | "300" is no TINYINT']],
  ['CAST(300 AS TINYINT)', ['300 | "300" is no TINYINT']],
  ['CAST /* as in the report */ ( (300) AS TINYINT)', ['300 | "300" is no TINYINT']],
  ["DATE 'foo'", ['\'foo\' | "foo" is no DATE']],
  ["INTERVAL '1 dayz'", ['\'1 dayz\' | "1 dayz" is no INTERVAL']],
  ["'{'::JSON", ['\'{\' | "{" is no JSON']],
  ["'x'::INTEGER[]", ['\'x\' | "x" is no INTEGER[]']],
  ["substr(origin, 'x')", ['\'x\' | "x" is no BIGINT']],
  ["time_bucket('3 dayz', date)", ['\'3 dayz\' | "3 dayz" is no INTERVAL']],
  ["[1, 'abc']", ['\'abc\' | "abc" is no INTEGER']],
  ["list_filter([1, 2], x -> x = 'abc')", ['\'abc\' | "abc" is no INTEGER']],
  ["max(date) > 'foo'", ['\'foo\' | "foo" is no TIMESTAMP']],
  ["lag(distance, 1, 'abc') OVER (ORDER BY date)", ['\'abc\' | "abc" is no INTEGER']],
  ["detail.a = 'b'", ['\'b\' | "b" is no INTEGER']],
  ["(SELECT distance FROM @flights WHERE distance = 'é')", ['\'é\' | "é" is no INTEGER']],
  ["date_trunc('dai', date)", ['\'dai\' | "dai" is no part of a date']],
  ['extract(dai FROM date)', ['dai | "dai" is no part of a date']],
  ["date_diff('dai', date, date)", ['\'dai\' | "dai" is no part of a date']],
  ["regexp_replace(origin, '(', '')", ['\'(\' | "(" is no regular expression: missing ): (']],
  ["regexp_matches(origin, '(')", ['\'(\' | "(" is no regular expression: missing ): (']],
  ["date AT TIME ZONE 'Europe/Berlim'", ['\'Europe/Berlim\' | "Europe/Berlim" is no time zone']],
]

test.each(bad)('%s is an error on its literal', async (sql, expected) => {
  expect(await errorsOf(`SELECT ${sql} AS x FROM @flights`)).toEqual(
    expected.map(each => `sql-bad-literal ${each}`),
  )
})

const everywhere: readonly (readonly [string, readonly string[]])[] = [
  ["SELECT * FROM @flights WHERE distance = 'a' AND cancelled = 'b'", ["'a'", "'b'"]],
  ["SELECT origin FROM @flights GROUP BY origin HAVING count(*) > 'a'", ["'a'"]],
  ["SELECT * FROM @flights f JOIN @carriers c ON f.distance = c.id AND c.day = 'b'", ["'b'"]],
  ["WITH k AS (SELECT id AS n FROM @carriers) SELECT * FROM k WHERE n = 'x'", ["'x'"]],
  ["WITH k AS (SELECT id FROM @carriers WHERE day < 'x') SELECT * FROM k", ["'x'"]],
  ["SELECT * FROM (VALUES (1), ('a')) v(n)", ["'a'"]],
  ["SELECT 1 AS n WHERE 'maybe'", ["'maybe'"]],
  [
    "SELECT * FROM (SELECT 1 AS n HAVING 'maybe') WHERE n IN (SELECT id FROM @carriers WHERE 'often')",
    ["'maybe'", "'often'"],
  ],
  ["SELECT dely, date + 'abc' AS d, foo(distance = 'y') AS e FROM @flights", ['dely', "'abc'", 'foo', "'y'"]],
  ["SELECT 'a', 'a' = distance, 'a' = origin, origin = 'a' FROM @flights", ["'a'"]],
]

test.each(everywhere)('%s', async (sql, places) => {
  const { diagnostics } = await lab.analyze(sql)
  const text = lab.project().byName.get('case')?.text ?? ''
  const errors = diagnostics.filter(each => each.severity === 'error')
  expect(errors.map(({ range }) => text.slice(range.start, range.end))).toEqual(places)
  const [first] = errors
  if (sql.startsWith("SELECT 'a', 'a'")) expect(first?.range.start).toBe(text.indexOf("'a' = distance"))
})

describe('nothing is said', () => {
  test.each([
    "TRY_CAST('abc' AS INTEGER)",
    "(SELECT 'x' = n FROM (VALUES ('a'), (NULL)) v(n))",
    "TRY(CAST('abc' AS INTEGER))",
    "TRY(distance + CAST('abc' AS INTEGER))",
    "date + '1 day'",
    "date > '2024-01-01'",
    "date < 'infinity' OR date > '-infinity' OR date > 'epoch'",
    "delay > '1e3' OR delay = 'nan'",
    "distance IN ('1', ' 2 ')",
    "cancelled = 'yes'",
    "origin = 'abc' OR lower(origin) = 'abc' OR origin IN ('a', 'b')",
    "origin || 'abc' || distance",
    "concat(distance, 'abc')",
    "coalesce(origin, 'none')",
    "coalesce(CAST(distance AS VARCHAR), 'none')",
    "CASE WHEN cancelled THEN 'yes' ELSE 'no' END",
    "CASE origin WHEN 'ATL' THEN 'Atlanta' ELSE origin END = 'x'",
    "strftime(date, '%Y-%m') = '2024-01'",
    "date_trunc('day', date) = '2024-01-01'",
    "date_diff('day', date, date)",
    "'abc'::VARCHAR::TEXT",
    "regexp_replace(origin, '(a)', '')",
    "date AT TIME ZONE 'Europe/Berlin'",
    "detail.b = 'text'",
    "'ATL'::ENUM('ATL', 'LAX') = 'nowhere'",
    '3000000000::BIGINT + 1.5::DECIMAL(3,1)',
  ])('about %s', async sql => {
    expect(await errorsOf(`SELECT ${sql} AS x FROM @flights`)).toEqual([])
  })

  test.each([
    "SELECT a + 'abc' AS x, b = 'abc' AS y, coalesce(c, 'x') AS z FROM @loose",
    "SELECT n = 'abc' AS y FROM (SELECT coalesce(c, 1) AS n FROM @loose)",
    "WITH k AS (SELECT a AS n FROM @loose) SELECT * FROM k WHERE n IN ('x', 'y') AND n BETWEEN 'a' AND 'b'",
    "SELECT list_filter(tags, t -> t = 'abc') AS y, list_contains(tags, 'q') AS z FROM @loose",
  ])('where types are unknown: %s', async sql => {
    expect(await errorsOf(sql)).toEqual([])
  })

  test('about what rests on a mistake', async () => {
    const sql =
      "WITH k AS (SELECT dely AS n, foo(delay) AS m FROM @flights) SELECT n = 'abc', m + 'abc' FROM k"
    expect((await errorsOf(sql)).map(error => error.split(' ')[1])).toEqual(['dely', 'foo'])
  })
})

test('every one of them fails in DuckDB at the first row, and no query that is passed does', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE flights AS SELECT TIMESTAMP '2024-01-01' AS date, 1.5::DOUBLE AS delay, 3 AS distance,
    'ATL' AS origin, ['x'] AS tags, {'a': 1, 'b': 'y'} AS detail, true AS cancelled`)
  for (const [sql] of bad) {
    const query = `SELECT ${sql.replaceAll('@flights', 'flights')} AS x FROM flights`
    const outcome = await connection.runAndReadAll(query).then(
      () => 'passes',
      () => 'fails',
    )
    // The branch that holds the literal is not taken for this row.
    const taken =
      sql.startsWith('CASE WHEN cancelled') || sql.startsWith('coalesce') ? 'passes or fails' : 'fails'
    expect(taken).toContain(outcome)
  }
  connection.closeSync()
  instance.closeSync()
})

test('a plan that is too large to be written out is told as such, and those of other statements are read', async () => {
  const database = await openDatabase({ engine: 'duckdb', kind: 'binder', memoryBytes: 64_000_000, load: [] })
  const names = Array.from({ length: 600 }, (_, index) => `c${index}`)
  const fields = names.map(name => `${name} BIGINT`).join(', ')
  expect(await database.call('run', [[`CREATE TABLE x (s STRUCT(${fields}), n BIGINT)`]])).toBeUndefined()
  const wide = `SELECT ${names.map(name => `s.${name} AS ${name}`).join(', ')} FROM x WHERE n > '5'`
  const casts = await database.call('boundCasts', [[wide, "SELECT n FROM x WHERE n > '5'", wide]])
  expect(casts).toEqual(['too large', [expect.objectContaining({ type: 'BIGINT' })], 'too large'])
  const mark = "'_svc_literal_3'"
  const marked = await database.call('markedCasts', [
    `${wide} AND s.c1 = ${mark} OR try_cast(${mark} AS DATE) IS NULL`,
  ])
  expect(marked).toEqual([{ mark: 3, type: 'BIGINT' }])
  expect(await database.call('bind', [wide])).toMatchObject({ columns: { length: names.length } })
})

test('a literal is found in a query whose plan is too large to be written out', async () => {
  const narrow = await openLab('limits: {sql: {memory: 64MB}}')
  const names = Array.from({ length: 600 }, (_, index) => `c${index}`)
  const fields = names.map(name => `${name} BIGINT`).join(', ')
  const wide = `(SELECT NULL::STRUCT(${fields}) AS s, date, origin FROM @flights)`
  const sql = `SELECT ${names.map(name => `s.${name} AS ${name}`).join(', ')}, origin = 'ä' AS a FROM ${wide} WHERE s.c1 = 'ab' AND date > 'cd'`
  const { diagnostics } = await narrow.analyze(sql)
  expect(diagnostics.map(({ message }) => message)).toEqual(['"ab" is no BIGINT', '"cd" is no TIMESTAMP'])
  narrow.close()
})
