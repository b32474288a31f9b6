/** A project of PostgreSQL, checked without a connection: its columns and their lineage, and what the server says of mistakes. */
import { openCatalog, type ShadowCatalog } from '@svc/server/catalog'
import {
  type AssetAnalysis,
  type Column,
  createProject,
  parseSettings,
  type SourceShapes,
} from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BindResult } from '../../server/catalog/binder.ts'
import { postgresShadowTable } from '../../server/catalog/postgres/shadow-table.ts'
import { openDatabase } from '../../server/catalog/worker/databases.ts'
import { assetText, sha256, shown, withRefs } from '../support/sql-lab.ts'

const settings = parseSettings('name: shop\nwarehouse: postgres://localhost/shop\n')

const orders = `SELECT NULL::bigint AS id, NULL::text AS customer, NULL::numeric(12, 2) AS amount, NULL::date AS placed,
  NULL::text[] AS tags, NULL::jsonb AS payload, NULL::timestamp with time zone AS paid`

const files = [
  { path: 'models/orders.svc', text: assetText('orders', orders) },
  {
    path: 'models/loose.svc',
    text: "name: loose\ningest: {type: rest_api, endpoint: 'https://example.com', resource: things}\ntransform: |\n  SELECT * FROM {{ source }}\n",
  },
]

let catalog: ShadowCatalog
const sources: SourceShapes = new Map()
let project = createProject({ settings, files, hash: sha256 })

beforeAll(async () => {
  catalog = await openCatalog(settings.engine)
  await catalog.analyze(project, sources)
}, 60_000)
afterAll(() => catalog.close())

async function analyze(sql: string): Promise<AssetAnalysis> {
  project = project.with('models/case.svc', assetText('case', withRefs(sql)))
  const analysis = (await catalog.analyze(project, sources)).of('case')
  if (analysis === undefined) throw new Error('the case is not in the project')
  return analysis
}

/** The columns with their types. */
async function columnsOf(sql: string): Promise<readonly string[]> {
  const { columns, diagnostics } = await analyze(sql)
  expect(diagnostics.map(({ message }) => message)).toEqual([])
  return columns.map(({ name, type }) => `${name} ${type}`)
}

/** Code, text at the place, message and hint of each mistake. */
async function mistakes(sql: string): Promise<readonly string[]> {
  const { diagnostics } = await analyze(sql)
  const { text = '' } = project.assets.get('models/case.svc') ?? {}
  return diagnostics.map(each =>
    [shown(each, text), ...(each.hint === undefined ? [] : [each.hint])].join(' | '),
  )
}

describe('functions of the server that no SQL of a project may call', () => {
  const refused = (name: string) => expect.stringContaining(`the SQL calls ${name}(), which `)

  it.each([
    ["SELECT pg_read_file('/etc/passwd') AS a", 'pg_read_file'],
    ["SELECT pg_catalog.PG_Read_Binary_File('/etc/passwd', 0, 10) AS a", 'pg_read_binary_file'],
    ["SELECT * FROM pg_ls_dir('/') AS files", 'pg_ls_dir'],
    ["SELECT size FROM pg_stat_file('/etc/passwd')", 'pg_stat_file'],
    ["SELECT id, lo_import('/etc/passwd') AS o FROM @orders", 'lo_import'],
    ["SELECT query_to_xml('SELECT 1', true, true, '') AS x", 'query_to_xml'],
    ["SELECT * FROM ts_stat('SELECT ''a''::tsvector')", 'ts_stat'],
    ['SELECT pg_read_file(anything) AS a FROM @loose', 'pg_read_file'],
    ["SELECT schema_to_xml('public', true, true, '') AS x", 'schema_to_xml'],
    ["SELECT database_to_xml(true, true, '') AS x", 'database_to_xml'],
    ["SELECT table_to_xml('pg_authid', true, true, '') AS x", 'table_to_xml'],
    ["SELECT current_setting('svc.now') AS x", 'current_setting'],
    ["SELECT set_config('a.b', 'c', false) AS x", 'set_config'],
    ["SELECT * FROM dblink('host=example.com', 'SELECT 1') AS t(a int)", 'dblink'],
    ['SELECT pg_get_viewdef(1) AS x', 'pg_get_viewdef'],
    ['SELECT pg_terminate_backend(1) AS x', 'pg_terminate_backend'],
    ["SELECT has_table_privilege('x', 'select') AS x", 'has_table_privilege'],
    ['SELECT pg_sleep(1) AS x', 'pg_sleep'],
    ['SELECT a.f FROM @loose AS l, LATERAL pg_ls_dir(l.folder) AS a(f)', 'pg_ls_dir'],
  ])('%s', async (sql, name) => {
    expect(await mistakes(sql)).toEqual([refused(name)])
  })

  it('nor read relations of the server itself', async () => {
    for (const sql of [
      'SELECT most_common_vals FROM pg_stats',
      'SELECT query FROM pg_catalog.pg_stat_activity',
      'SELECT table_name FROM information_schema.tables',
      'SELECT id FROM @orders WHERE customer IN (TABLE pg_database)',
    ])
      expect((await mistakes(sql)).filter(text => text.startsWith('sql-reaches-out'))).toHaveLength(1)
    expect(await mistakes('WITH pg_stats AS (SELECT 1 AS a) SELECT a FROM pg_stats')).toEqual([])
    expect(
      await mistakes('SELECT current_user AS a, now() AS b, pg_typeof(1) AS c, age(now(), now()) AS d'),
    ).toEqual([])
  })

  it('also with a name in escapes, and where a text is SQL in one form only', async () => {
    expect(await mistakes(`SELECT U&"pg\\005fread_file"('/etc/passwd') AS a`)).toHaveLength(1)
    expect(
      await mistakes("SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, ''b''::tsquery') AS q"),
    ).toHaveLength(1)
    expect(await mistakes("SELECT ts_rewrite('a'::tsquery, 'a'::tsquery, 'b'::tsquery) AS q")).toEqual([])
  })
})

describe('columns and types', () => {
  it('of CTEs, window functions and filters', async () => {
    const sql = `WITH ranked AS (SELECT *, row_number() OVER (PARTITION BY customer ORDER BY placed) AS n FROM @orders)
      SELECT customer, date_trunc('month', paid) AS month, sum(amount) FILTER (WHERE n > 1) AS again,
        sum(amount)::numeric(14,2) AS total, count(*), avg(sum(amount)) OVER (ORDER BY customer) FROM ranked GROUP BY 1, 2`
    expect(await columnsOf(sql)).toEqual([
      'customer text',
      'month timestamp with time zone',
      'again numeric',
      'total numeric(14,2)',
      'count bigint',
      'avg numeric',
    ])
  })

  it('of DISTINCT ON, arrays, JSON, LATERAL and functions that return rows', async () => {
    const sql = `SELECT DISTINCT ON (o.id) o.id, o.tags[1] AS first, line.value ->> 'sku' AS sku, (line.value -> 'n')::int AS n,
        line.place, tag, day, array_agg(o.id) OVER () AS ids, date_part('year', o.placed)
      FROM @orders o
      CROSS JOIN LATERAL jsonb_array_elements(o.payload -> 'lines') WITH ORDINALITY AS line (value, place)
      LEFT JOIN LATERAL unnest(o.tags) AS t (tag) ON true
      JOIN generate_series('2024-01-01'::date, '2024-12-31', interval '1 day') AS day ON day = o.placed
      ORDER BY o.id, day DESC`
    expect(await columnsOf(sql)).toEqual([
      'id bigint',
      'first text',
      'sku text',
      'n integer',
      'place bigint',
      'tag text',
      'day timestamp with time zone',
      'ids bigint[]',
      'date_part double precision',
    ])
  })

  it('of names in another case, which are folded to small letters unless they are quoted', async () => {
    const sql = `SELECT O.ID AS Number, "O"."Customer" FROM @orders o JOIN (SELECT customer AS "Customer" FROM @orders) "O" ON TRUE`
    expect(await columnsOf(sql)).toEqual(['number bigint', 'Customer text'])
  })

  it('where those of an input are unknown: what does not depend on them', async () => {
    const sql = `SELECT id::bigint AS id, name, sum(amount) AS total, lower(name) AS low, count(*) AS n, amount + 1 AS more,
        coalesce(name, 'x') AS named FROM @loose WHERE active AND size > 3 GROUP BY id, name, amount`
    expect(await columnsOf(sql)).toEqual([
      'id bigint',
      'name undefined',
      'total undefined',
      'low undefined',
      'n bigint',
      'more undefined',
      'named undefined',
    ])
  })
})

it('a literal without a type means the same beside a column of unknown type', async () => {
  const sql = `SELECT l.size + 1 AS more, o.payload #>> '{a}' AS a, o.paid + '1 day' AS later, round('1') AS one,
    (l.n * 2)::int AS twice FROM @loose l JOIN @orders o ON o.id = l.id`
  expect(await columnsOf("SELECT size, payload #>> '{a}' AS a, abs(NULL) AS b FROM @loose, @orders")).toEqual(
    ['size undefined', 'a text', 'b double precision'],
  )
  expect(await columnsOf(sql)).toEqual([
    'more undefined',
    'a text',
    'later timestamp with time zone',
    'one double precision',
    'twice integer',
  ])
})

it('a literal without a type means the same after and in a query that samples a table', async () => {
  const database = await openDatabase({ engine: 'postgres', kind: 'binder', memoryBytes: 256e6, load: [] })
  const { create, type } = postgresShadowTable
  const loose = create('"shop"."loose"', [`size ${type(undefined, settings.engine)}`])
  const sampled = create('"shop"."orders"', ['id int', 'paid timestamptz'])
  await database.call('run', [['CREATE SCHEMA shop', loose, sampled]])
  const typesOf = async (sql: string) => {
    const { columns } = (await database.call('bind', [sql])) as BindResult & { columns?: readonly Column[] }
    return columns?.map(each => each.type)
  }
  expect(await typesOf('SELECT size + 1 AS more FROM "shop"."loose"')).toEqual([undefined])
  expect(await typesOf('SELECT id FROM "shop"."orders" TABLESAMPLE bernoulli (10)')).toEqual(['integer'])
  const later = ['timestamp with time zone']
  expect(await typesOf(`SELECT paid + '1 day' AS later FROM "shop"."orders"`)).toEqual(later)
  const beside = 'FROM "shop"."orders" TABLESAMPLE bernoulli (10), "shop"."loose"'
  expect(await typesOf(`SELECT paid + '1 day' AS later, size + 1 AS more ${beside}`)).toEqual([
    ...later,
    undefined,
  ])
}, 60_000)

it('lineage', async () => {
  const { lineage } = await analyze(`SELECT o.customer AS who, o.amount * 2 AS twice, line ->> 'sku' AS sku
    FROM @orders o, jsonb_array_elements(o.payload) AS line`)
  expect(
    lineage.map(
      ({ column, kind, from }) => `${column} ${kind} ${from.map(each => `${each.asset}.${each.column}`)}`,
    ),
  ).toEqual(['who direct orders.customer', 'twice derived orders.amount', 'sku derived orders.payload'])
})

describe('a mistake is told at its place:', () => {
  const noOperator =
    'No operator matches the given name and argument types. You might need to add explicit type casts.'
  const noFunction =
    'No function matches the given name and argument types. You might need to add explicit type casts.'

  it.each([
    [
      'an unknown column',
      'SELECT o.custmer FROM @orders o',
      'sql-unknown-column "custmer" unknown column "custmer" | did you mean "customer"? orders has: id, customer, amount, placed, tags, payload, paid',
    ],
    [
      'an unknown table',
      'SELECT id FROM order_s',
      'sql-unknown-table "order_s" unknown table "order_s" | did you mean {{ ref(\'orders\') }}?',
    ],
    [
      'GROUP BY',
      'SELECT customer, placed, sum(amount) AS total FROM @orders GROUP BY customer',
      'sql-group-by "placed" "placed" must be in GROUP BY or inside an aggregate | Add it to GROUP BY, or write min(placed).',
    ],
    [
      'an aggregate in WHERE',
      "SELECT 'ä' AS a FROM @orders WHERE sum(amount) > 1",
      'sql-group-by "sum" aggregate functions are not allowed in WHERE',
    ],
    [
      'an operator',
      'SELECT customer + amount AS x FROM @orders',
      `sql-type "+" operator does not exist: text + numeric | ${noOperator}`,
    ],
    [
      'types of a set operation',
      'SELECT id FROM @orders UNION ALL SELECT customer FROM @orders',
      'sql-type "customer" UNION types bigint and text cannot be matched',
    ],
    [
      'a condition',
      'SELECT id FROM @orders WHERE id',
      'sql-type "id" argument of WHERE must be type boolean, not type bigint',
    ],
    [
      'a column of a function that returns rows',
      'SELECT e + 1 AS x FROM @orders, jsonb_array_elements(payload) AS e',
      `sql-type "+" operator does not exist: jsonb + integer | ${noOperator}`,
    ],
    [
      'types of arguments',
      'SELECT round(amount::float, 2) AS r FROM @orders',
      `sql-no-matching-function "round" function round(double precision, integer) does not exist | ${noFunction} It takes round(double precision), round(numeric), round(numeric, integer).`,
    ],
    [
      'the number of arguments',
      "SELECT md5(customer, 'x') AS l FROM @orders",
      'sql-wrong-arity "md5" md5() takes 1 argument, not 2 | It takes md5(bytea), md5(text).',
    ],
    [
      'an unknown function',
      "SELECT date_trun('month', placed) AS m FROM @orders",
      'sql-unknown-function "date_trun" unknown function "date_trun" | did you mean "date_trunc"?',
    ],
    [
      'an unknown type',
      'SELECT id::intger AS i FROM @orders',
      'sql-unknown-type "intger" unknown type "intger" | did you mean "INTEGER"?',
    ],
    [
      'a part of a date',
      "SELECT date_trunc('monht', placed) AS m FROM @orders",
      'sql-bad-literal "\'monht\'" "monht" is no part of a date | did you mean "month"?',
    ],
    [
      'a pattern, of a set too',
      "SELECT regexp_matches(customer, '(') AS m FROM @orders",
      'sql-bad-literal "\'(\'" "(" is no regular expression: invalid regular expression: parentheses () not balanced',
    ],
    [
      'a time zone',
      "SELECT timezone('Mars/Base', paid) AS m FROM @orders",
      'sql-bad-literal "\'Mars/Base\'" "Mars/Base" is no time zone | Time zones are written like "Europe/Berlin" or "UTC".',
    ],
    [
      'a literal',
      "SELECT id FROM @orders WHERE customer = 'ö' AND id = 'abc'",
      'sql-bad-literal "\'abc\'" invalid input syntax for type bigint: "abc"',
    ],
    [
      'a cast of a literal',
      "SELECT '2024-13-01'::date AS d FROM @orders",
      'sql-bad-literal "\'2024-13-01\'" date/time field value out of range: "2024-13-01"',
    ],
    [
      'syntax',
      'SELECT id,, customer FROM @orders',
      'sql-syntax "," a comma too many | Nothing follows it: remove the comma.',
    ],
    [
      'a record, of which no table is made',
      'SELECT id, row(id, customer) AS r FROM @orders',
      'sql-type "row" column "r" has pseudo-type record',
    ],
    [
      'two columns of one name',
      'SELECT id, customer AS id FROM @orders',
      'sql-duplicate-column "id" two output columns are called "id" | Give each column a name of its own with AS.',
    ],
  ])('%s', async (_, sql, wanted) => expect(await mistakes(sql)).toEqual([wanted]))

  it('all of one statement', async () => {
    const found = await mistakes(`SELECT o.custmer, foo(amount) AS f, placed - payload AS d,
      'x'::int AS i FROM @orders o WHERE sum(id) = 1`)
    expect(found.map(each => each.split(' ', 2).join(' '))).toEqual([
      'sql-unknown-column "custmer"',
      'sql-unknown-function "foo"',
      'sql-type "-"',
      'sql-bad-literal "\'x\'"',
      'sql-group-by "sum"',
    ])
  })

  it.each([
    [
      'beside it',
      'WITH b AS (SELECT customer, custome FROM @orders) SELECT b.customer, b.custome AS c FROM b',
    ],
    ['under an alias', 'WITH b AS (SELECT id AS customer, custome FROM @orders) SELECT b.customer FROM b'],
    ['behind a star', 'WITH b AS (SELECT *, custome FROM @orders) SELECT b.customer, b.custome AS c FROM b'],
    ['nowhere else', 'WITH b AS (SELECT id, custome FROM @orders) SELECT b.customer, b.custome AS c FROM b'],
    ['in the list of the asset', 'SELECT customer, custome FROM @orders'],
  ])('a column that is not there, told once where its nearest name stands %s', async (_, sql) => {
    const found = await mistakes(sql)
    expect(found.map(each => each.split(' ', 2).join(' '))).toEqual(['sql-unknown-column "custome"'])
  })

  it('also what DuckDB would take', async () => {
    const found = await mistakes('SELECT id::hugeint AS h, ifnull(amount, 0) AS z FROM @orders')
    expect(found.map(each => each.split(' ', 2).join(' '))).toEqual([
      'sql-unknown-type "hugeint"',
      'sql-unknown-function "ifnull"',
    ])
  })
})

it.each([
  ['brackets', `SELECT ${'('.repeat(12_000)}1${')'.repeat(12_000)} AS a`],
  ['operators', `SELECT ${'1 + '.repeat(30_000)}1 AS a`],
])('nesting that the server has no memory for is an error of the statement: %s', async (_, sql) => {
  const { diagnostics } = await analyze(sql)
  expect(diagnostics.map(({ code }) => code)).toEqual(['sql-other'])
  expect(await columnsOf('SELECT id FROM @orders')).toEqual(['id bigint'])
})
