/** DuckDB writes some SQL of a view in another way after it has opened its file again: to svc such a view is the same one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'

/** SQL of every form that a view can have, over a table `t` with the whole numbers `a` and `b`. */
const queries = [
  'SELECT CAST(NULL AS STRUCT(a INTEGER, b VARCHAR)) AS s, NULL::STRUCT(a DATE, b DECIMAL(8,2)[])[] AS u',
  "SELECT MAP {'a': 1} AS m, CAST(NULL AS MAP(VARCHAR, INTEGER)) AS n, NULL::UNION(a INTEGER, b VARCHAR) AS u",
  "SELECT TRY_CAST('1' AS HUGEINT) AS x, 'a'::ENUM('a', 'b') AS e, try(CAST('a' AS INTEGER)) AS y",
  "SELECT 1.5::FLOAT AS f, 2::UTINYINT AS u, 1::INT2 AS w, 'a'::TEXT AS y, 'a'::CHAR(3) AS z, true::BOOL AS q, 1::NUMERIC(5) AS t",
  "SELECT '2024-01-01'::TIMESTAMP_S AS a, '10:00:00+02'::TIMETZ AS d, 'x'::BLOB AS b, '101'::BIT AS c, 'a'::UUID IS NULL AS v",
  'SELECT list::DOUBLE[] AS l, list::INTEGER[3] AS x FROM (SELECT [1, 2, 3] AS list)',
  "SELECT x COLLATE NOCASE AS c FROM (SELECT 'a' AS x)",
  "SELECT INTERVAL 1 DAY AS i, INTERVAL '2 months' AS j, DATE '2024-01-01' + INTERVAL (n) DAY AS k FROM (SELECT 3 AS n)",
  "SELECT TIMESTAMP '2024-01-01' AT TIME ZONE 'UTC' AS t, TIMESTAMPTZ '2024-01-01' AS z, TIME '10:00' AS h",
  'SELECT a, row_number() OVER (PARTITION BY a ORDER BY b DESC NULLS LAST) AS r FROM t QUALIFY r = 1',
  'SELECT sum(b) OVER w AS s FROM t WINDOW w AS (ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES)',
  'SELECT * FROM t PIVOT (sum(b) FOR a IN (1, 2))',
  'PIVOT t ON a IN (1, 2) USING sum(b)',
  'SELECT * FROM t UNPIVOT (v FOR n IN (a, b))',
  "SELECT * FROM t UNPIVOT INCLUDE NULLS (v FOR n IN (a AS 'x', b AS 'y'))",
  'SELECT * EXCLUDE (a) REPLACE (b + 1 AS b) FROM t',
  'SELECT * RENAME (a AS z) FROM t',
  "SELECT COLUMNS(c -> c LIKE 'a%') FROM t",
  'SELECT a, sum(b) FILTER (WHERE b > 1) AS s FROM t GROUP BY ALL ORDER BY ALL',
  'SELECT a, sum(b) AS s FROM t GROUP BY GROUPING SETS ((a), ())',
  'SELECT a, b, sum(b) AS s FROM t GROUP BY ROLLUP (a, b)',
  'SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, b',
  'SELECT list_filter([1, 2, 3], x -> x > 1) AS l',
  'SELECT list_transform([1, 2], lambda x, i: x + i) AS l, list_reduce([1, 2], lambda x, y: x + y) AS m',
  'SELECT [x * 2 FOR x IN [1, 2, 3] IF x > 1] AS l',
  "SELECT {'a': 1, 'b': [1, 2]}.a AS x, ROW(1, 'a') AS r, struct_pack(a := 1, b := 'x') AS s",
  "SELECT list[1:2] AS a, list[-1] AS b, list[1:3:2] AS d, 'abc'[1:2] AS s FROM (SELECT [1, 2, 3] AS list)",
  "SELECT CASE WHEN a > 1 THEN 'x' ELSE 'it''s' END AS c, CASE a WHEN 1 THEN 2 END AS d FROM t",
  'SELECT a IN (1, 2) AS i, EXISTS (SELECT 1 FROM t) AS e, a = ANY (SELECT b FROM t) AS y FROM t',
  'SELECT (SELECT max(b) FROM t u WHERE u.a = t.a) AS m FROM t',
  'SELECT * FROM t ASOF JOIN t u ON t.a = u.a AND t.b >= u.b',
  'SELECT * FROM t SEMI JOIN t u USING (a)',
  'SELECT * FROM t, LATERAL (SELECT t.a + 1 AS x)',
  'SELECT unnest([1, 2]) AS u',
  "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) v(x, y)",
  'FROM t SELECT a',
  'SELECT a FROM t UNION ALL BY NAME SELECT b AS a FROM t',
  'SELECT a FROM t INTERSECT ALL SELECT b FROM t ORDER BY 1 LIMIT 3 OFFSET 1',
  'SELECT a FROM t USING SAMPLE 10%',
  'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r',
  'WITH a AS MATERIALIZED (SELECT 1 AS x), b AS NOT MATERIALIZED (SELECT * FROM a) SELECT * FROM b',
  "SELECT 1e10 AS y, 'x' NOT ILIKE 'y%' AS m, 'a' SIMILAR TO 'b' AS s, 'a' ~ 'b' AS r, 'a' GLOB 'b' AS g",
  'SELECT 1 BETWEEN 0 AND 2 AS b, a IS NOT DISTINCT FROM b AS d, 5 // 2 AS e, 2 ** 3 AS p, ~5 AS n FROM t',
  "SELECT extract(year FROM DATE '2024-01-01') AS y, substring('abc' FROM 1 FOR 2) AS s, trim(BOTH 'x' FROM 'xax') AS t",
  "SELECT string_agg(a::VARCHAR, ',' ORDER BY a DESC) AS s, quantile_cont(b, [0.1, 0.9]) AS q FROM t",
  'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY b) AS p, arg_max(a, b) AS m FROM t',
  `SELECT '{"a": 1}'::JSON AS j, ('{"a": 1}'::JSON) -> 'a' AS k, ('{"a": 1}'::JSON) ->> '$.a' AS l`,
  'SELECT "Upper Case" AS "select", \'ä😀\' AS "ü" FROM (SELECT 1 AS "Upper Case")',
  'SELECT t FROM t',
]

test('a view is the same one after its file was opened again, whatever its SQL', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-views-'))
  const texts = async (work: (session: WarehouseSession) => Promise<void>) => {
    const warehouse = await openWarehouse('duckdb:./warehouse.duckdb', { root, project: 'views' })
    const session = await warehouse.open('write')
    try {
      await work(session)
      return (await session.inventory('svc_g_')).get('svc_g_x') ?? []
    } finally {
      await session.close()
    }
  }
  try {
    const made = await texts(session =>
      session.execute([
        'CREATE SCHEMA svc_g_x; CREATE TABLE t(a INTEGER, b INTEGER)',
        ...queries.map((sql, index) => `CREATE VIEW svc_g_x."${index}" AS ${sql}`),
      ]),
    )
    const read = await texts(async () => {})
    expect(made).toHaveLength(queries.length)
    const changed = read.filter(({ name, text }) => made.find(each => each.name === name)?.text !== text)
    expect(changed.map(({ name }) => queries[Number(name)])).toEqual([])
    // Another query has another text.
    expect(new Set(made.map(({ text }) => text)).size).toBe(queries.length)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
