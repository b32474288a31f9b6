/** All that SQL of a project may neither call nor read, whatever the engine would take, and however it is written. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Lab, openLab, shown } from '../support/sql-lab.ts'

let lab: Lab
beforeAll(async () => {
  lab = await openLab()
})
afterAll(() => lab.close())

async function mistakes(sql: string): Promise<readonly string[]> {
  const { diagnostics } = await lab.analyze(sql)
  const { text = '' } = lab.project().assets.get('models/case.svc') ?? {}
  return diagnostics.map(each => shown(each, text))
}

const secret = "'select email from secrets'"

/** Each is run by DuckDB as a call, though quotes, comments and spaces try to hide it. */
describe('is refused however it is written', () => {
  it.each([
    "SELECT '\\' || getvariable('a') AS x, '\\' AS y",
    "SELECT E'\\'' || getvariable('a') AS x",
    "SELECT e'\\\\' || getvariable('a') AS x, 'b' AS y",
    "SELECT $$ ' $$ || getvariable('a') AS x",
    "SELECT $t$ ' $t$ || getvariable('a') || '' AS x",
    "SELECT 1 AS n /* /* */ */, getvariable('a') AS x",
    "SELECT getvariable\u00a0('a') AS x",
    "SELECT getvariable\u2003('a') AS x",
    "SELECT getvariable\n--c\n('a') AS x",
    "SELECT getvariable/**/('a') AS x",
    "SELECT x'' AS n, getvariable('a') AS x",
    "SELECT main.getvariable('a') AS x",
    `SELECT "GETVARIABLE"('a') AS x`,
    `SELECT 1 AS "a /* b", getvariable('a') AS x, 2 AS "*/"`,
    "SELECT ['a'].list_transform(lambda v: getvariable('a')) AS x",
  ])('%j', async sql => {
    expect((await mistakes(sql)).filter(text => text.startsWith('sql-reaches-out'))).toHaveLength(1)
  })
})

describe('is refused', () => {
  it.each([
    [
      `SELECT * FROM query(CASE WHEN current_database() = 'memory' THEN 'select 1' ELSE ${secret} END)`,
      'query',
    ],
    ["SELECT * FROM query('SELECT 1 AS a')", 'query'],
    ["SELECT * FROM query_table('secrets')", 'query_table'],
    ["WITH c AS (SELECT 1 AS a) SELECT * FROM query_table('c')", 'query_table'],
    [
      "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('select 1'))",
      'json_execute_serialized_sql',
    ],
    ["SELECT * FROM sniff_csv('/etc/passwd')", 'sniff_csv'],
    ["SELECT * FROM read_text('/etc/passwd')", 'read_text'],
    ["SELECT * FROM Read_CSV('https://example.com/a.csv')", 'Read_CSV'],
    ["SELECT * FROM glob('/*')", 'glob'],
    ["SELECT * FROM parquet_metadata('a.parquet')", 'parquet_metadata'],
    ["SELECT current_setting('s3_secret_access_key') AS a", 'current_setting'],
    ["SELECT getvariable('a') AS a", 'getvariable'],
    ["SELECT getenv('HOME') AS a", 'getenv'],
    ['SELECT * FROM duckdb_secrets()', 'duckdb_secrets'],
    ["SELECT * FROM pragma_storage_info('secrets')", 'pragma_storage_info'],
    ["SELECT json_serialize_plan('select * from secrets') AS a", 'json_serialize_plan'],
    ["SELECT nextval('ids') AS a", 'nextval'],
    ['SELECT setseed(0.5) AS a', 'setseed'],
    ["SELECT * FROM histogram('secrets', email)", 'histogram'],
    ['SELECT * FROM histogram_values(duckdb_tables, schema_name)', 'histogram_values'],
    ['SELECT 1 AS a FROM "read_blob" (\'/etc/shadow\')', '"read_blob"'],
    ["SELECT 1 AS a FROM /* x */ system.main.read_text /* y */ ('a')", 'read_text'],
    ["SELECT 1 AS a WHERE EXISTS (FROM sqlite_scan('x.db', 't'))", 'sqlite_scan'],
    ["SELECT sum(delay) FILTER (WHERE getvariable('a') = 1) AS a FROM @flights", 'getvariable'],
    ["SELECT delay FROM @flights ORDER BY getvariable('a')", 'getvariable'],
    ["SELECT delay, row_number() OVER (ORDER BY getvariable('a')) AS n FROM @flights", 'getvariable'],
    ["WITH c AS (SELECT getvariable('a') AS a) SELECT 1 AS b", 'getvariable'],
    ["SELECT list_transform([1], lambda x: getvariable('a')) AS a", 'getvariable'],
  ])('%s', async (sql, name) => {
    const found = await mistakes(sql)
    expect(found.filter(text => !text.startsWith('sql-unknown') && !text.startsWith('sql-other'))).toEqual([
      expect.stringMatching(`^sql-reaches-out "${name}" the SQL calls `),
    ])
  })

  it.each([
    ['SELECT table_name FROM information_schema.tables', 'information_schema.tables'],
    ['SELECT t.table_name FROM system.information_schema.tables AS t', 'system.information_schema.tables'],
    ['SELECT * FROM duckdb_settings()', 'duckdb_settings'],
    ['SELECT view_name, sql FROM duckdb_views', 'duckdb_views'],
    ['SELECT count(*) AS n FROM main.duckdb_tables', 'main.duckdb_tables'],
    ['SELECT name FROM pg_settings', 'pg_settings'],
    ['SELECT * FROM sqlite_master', 'sqlite_master'],
    ['FROM PRAGMA_DATABASE_LIST', 'PRAGMA_DATABASE_LIST'],
    ["SELECT * FROM 'duckdb_tables'", "'duckdb_tables'"],
    ['SELECT * FROM (SHOW TABLES)', 'SHOW TABLES'],
    ['SELECT * FROM (SHOW ALL TABLES) AS t', 'SHOW ALL TABLES'],
    [
      'SELECT delay FROM @flights WHERE origin IN (SELECT table_name FROM information_schema.tables)',
      'information_schema.tables',
    ],
  ])('%s', async (sql, place) => {
    expect(await mistakes(sql)).toEqual([expect.stringContaining(`sql-reaches-out "${place}" `)])
  })

  it('beside other mistakes, which are told as well', async () => {
    expect(
      await mistakes("SELECT f.dely, getvariable('a') AS a FROM @flights AS f, duckdb_tables AS t"),
    ).toEqual([
      expect.stringContaining('sql-unknown-column "dely"'),
      expect.stringContaining('sql-reaches-out "getvariable"'),
      expect.stringContaining('sql-reaches-out "duckdb_tables"'),
    ])
  })

  it('with what to do instead, and as values', async () => {
    const { diagnostics } = await lab.analyze("SELECT getvariable('least') AS least")
    expect(diagnostics).toMatchObject([
      {
        hint: "Write the value as a variable (vars in svc.yaml), and read it through {{ var('name') }}.",
        facts: { function: 'getvariable', effect: 'settings' },
      },
    ])
  })
})

it.each([
  'SELECT histogram(delay) AS h FROM @flights',
  'WITH c AS (SELECT delay FROM @flights) SELECT * FROM histogram(c, delay)',
  'WITH query (a) AS (SELECT 1), getenv(b) AS (SELECT 2) SELECT a, b FROM query, getenv',
  'SELECT q.a FROM (SELECT 1) AS query(a), (SELECT 2 AS a) AS q',
  "SELECT origin GLOB ('A*') AS a FROM @flights",
  "SELECT origin AS getenv, 'getenv(1)' AS b FROM @flights -- getenv('HOME')",
  'SELECT current_user AS a, current_database() AS b, now() AS c, random() AS d, version() AS e',
  'SELECT * FROM (DESCRIBE SELECT 1 AS a)',
  'SELECT * FROM (SUMMARIZE @flights)',
  'WITH pg_class AS (SELECT 1 AS a) SELECT a FROM pg_class',
])('%s is taken', async sql => {
  expect(await mistakes(sql)).toEqual([])
})
