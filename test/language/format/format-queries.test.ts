/** Constructs of DuckDB that sql-formatter alone would lay out badly, or not at all. */
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import { formatSql } from '../../../server/language/format/format-sql.ts'
import { engine } from '../../support/engine.ts'
import { seededRandom } from '../../support/random.ts'
import { isLaidOutForGood } from './lay-out.ts'
import { retyped } from './retype.ts'

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'terms before brackets',
    'select (first_amount_of_the_order + second_amount_of_the_order) * (third_amount_of_the_order - fourth_amount_in_euros) as x from y',
    [
      'SELECT',
      '  (first_amount_of_the_order + second_amount_of_the_order)',
      '    * (third_amount_of_the_order - fourth_amount_in_euros) AS x',
      'FROM y',
    ],
  ],
  [
    'a call stays whole in a sum',
    'select (coalesce(first_amount_of_the_order, 0) + coalesce(second_amount_of_the_order, 0)) / nullif(third_amount, 0) as x from y',
    [
      'SELECT',
      '  (coalesce(first_amount_of_the_order, 0) + coalesce(second_amount_of_the_order, 0))',
      '    / nullif(third_amount, 0) AS x',
      'FROM y',
    ],
  ],
  [
    'windows stay whole in a sum',
    'select sum(first_amount_of_the_order) over (partition by aaaaaaaa order by bbbbbbbb) - lag(second_amount_of_the_order) over (order by bbbbbbbb) + case when a then b else c end as x from y',
    [
      'SELECT',
      '  sum(first_amount_of_the_order) OVER (PARTITION BY aaaaaaaa ORDER BY bbbbbbbb)',
      '    - lag(second_amount_of_the_order) OVER (ORDER BY bbbbbbbb)',
      '    + CASE WHEN a THEN b ELSE c END AS x',
      'FROM y',
    ],
  ],
  [
    'both sides of a comparison',
    'select a from b where (first_amount_of_the_order + second_amount_of_the_order) * (third_amount_of_the_order - fourth_amount) > (select max(x) from y)',
    [
      'SELECT a',
      'FROM b',
      'WHERE (first_amount_of_the_order + second_amount_of_the_order) * (third_amount_of_the_order - fourth_amount)',
      '  > (SELECT max(x) FROM y)',
    ],
  ],
  [
    'a bracket that does not fit breaks inside',
    'select (aaaaaaaaaaaaaaaaaaaaaaaaaaaa * bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb + ccccccccccccccccccccccccccc + dddddddddddddddddddddddddddddd) / 2 from t',
    [
      'SELECT',
      '  (',
      '    aaaaaaaaaaaaaaaaaaaaaaaaaaaa * bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
      '      + ccccccccccccccccccccccccccc',
      '      + dddddddddddddddddddddddddddddd',
      '  ) / 2',
      'FROM t',
    ],
  ],
  [
    'conditions of a branch that fit',
    'select case\n when aaaa = 1\n and bbbb = 2\n or c then 1\n else 2 end from t',
    ['SELECT CASE WHEN aaaa = 1 AND bbbb = 2 OR c THEN 1 ELSE 2 END', 'FROM t'],
  ],
  [
    'conditions of a long branch',
    "select case when aaaaaaaaaaaaaaaaaa = 'something' and bbbbbbbbbbbbbbbbbb = 'something' and (cccccccccccccccccccc or d) and e then 1 when f then 2 else 3 end as x from t",
    [
      'SELECT',
      '  CASE',
      "    WHEN aaaaaaaaaaaaaaaaaa = 'something'",
      "      AND bbbbbbbbbbbbbbbbbb = 'something'",
      '      AND (cccccccccccccccccccc OR d)',
      '      AND e THEN 1',
      '    WHEN f THEN 2',
      '    ELSE 3',
      '  END AS x',
      'FROM t',
    ],
  ],
  [
    'a comment between the conditions of a branch',
    'select case\n when a and -- why\n  b or c then 1\n -- the rest\n else 2 end from t',
    [
      'SELECT',
      '  CASE',
      '    WHEN a',
      '      AND -- why',
      '      b',
      '      OR c THEN 1',
      '    -- the rest',
      '    ELSE 2',
      '  END',
      'FROM t',
    ],
  ],
  [
    'the frame of a window',
    'select sum(amount_of_everything) over (partition by customer_identifier, region order by order_date, range desc nulls last range between unbounded preceding and current row) as running from t',
    [
      'SELECT',
      '  sum(amount_of_everything) OVER (',
      '    PARTITION BY customer_identifier, region',
      '    ORDER BY order_date, range DESC NULLS LAST',
      '    RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW',
      '  ) AS running',
      'FROM t',
    ],
  ],
  [
    'a frame without an order',
    'select sum(amount) over (rows 6 preceding), rows, range from range(10) t',
    ['SELECT sum(amount) OVER (ROWS 6 PRECEDING), rows, range', 'FROM range(10) t'],
  ],
  [
    'a list of values',
    'select * from t where x in (-1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)',
    [
      'SELECT *',
      'FROM t',
      'WHERE x IN (',
      '  -1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,',
      '  29, 30',
      ')',
    ],
  ],
  [
    'lists of texts and dates',
    "select * from t where x in ('aaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbb', 'ccccccccccccccccccccc', 'ddddddddddddddddd', null) and d in (date '2020-01-01', date '2020-01-02', date '2020-01-03', date '2020-01-04', date '2020-01-05', date '2020-01-06')",
    [
      'SELECT *',
      'FROM t',
      'WHERE x IN (',
      "    'aaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbb', 'ccccccccccccccccccccc', 'ddddddddddddddddd', NULL",
      '  )',
      '  AND d IN (',
      "    DATE '2020-01-01', DATE '2020-01-02', DATE '2020-01-03', DATE '2020-01-04', DATE '2020-01-05',",
      "    DATE '2020-01-06'",
      '  )',
    ],
  ],
  [
    'a list of names',
    "select * from t where 'x' in (first_column_of_the_table, second_column_of_the_table, third_column_of_the_table, the_last_one)",
    [
      'SELECT *',
      'FROM t',
      "WHERE 'x' IN (first_column_of_the_table, second_column_of_the_table, third_column_of_the_table, the_last_one)",
    ],
  ],
  [
    'a list of values with a comment',
    'select * from t where x in (1, -- one\n 2, 3)',
    ['SELECT *', 'FROM t', 'WHERE x IN (', '  1, -- one', '  2,', '  3', ')'],
  ],
  ['operators without a space', 'select @(-5), @a, 5!, 3 ! from t', ['SELECT @(-5), @a, 5!, 3 !', 'FROM t']],
  ['a share of the rows', 'select * from t limit 10%', ['SELECT *', 'FROM t', 'LIMIT 10%']],
  [
    'a share is no remainder',
    'select 10 % 3, a%2 from t limit 10 % 3',
    ['SELECT 10 % 3, a % 2', 'FROM t', 'LIMIT 10 % 3'],
  ],
  [
    'samples',
    'select * from t using sample 10 % (bernoulli)',
    ['SELECT *', 'FROM t', 'USING SAMPLE 10% (bernoulli)'],
  ],
  [
    'samples of a table',
    'select * from t tablesample reservoir(20 %) repeatable (7) where true',
    ['SELECT *', 'FROM t TABLESAMPLE reservoir(20%) REPEATABLE (7)', 'WHERE TRUE'],
  ],
  [
    'shares in words',
    'select * from t using sample reservoir(10 rows) limit 5 percent',
    ['SELECT *', 'FROM t', 'USING SAMPLE reservoir(10 ROWS)', 'LIMIT 5 PERCENT'],
  ],
  [
    'words of conditions',
    "select * from t where a like 'a!%' escape '!' and b isnull and c notnull and (d, e) overlaps (f, g)",
    [
      'SELECT *',
      'FROM t',
      "WHERE a LIKE 'a!%' ESCAPE '!'",
      '  AND b ISNULL',
      '  AND c NOTNULL',
      '  AND (d, e) OVERLAPS (f, g)',
    ],
  ],
  [
    'words of UNPIVOT',
    'select * from t unpivot include nulls (v for n in (c, d))',
    ['SELECT *', 'FROM t UNPIVOT INCLUDE NULLS (v FOR n IN (c, d))'],
  ],
  [
    'words of UNPIVOT as a statement',
    'unpivot t on a into name n value v',
    ['UNPIVOT t ON a INTO NAME n VALUE v'],
  ],
  [
    'columns left out',
    'select t.* exclude (a, b), t.* exclude a, * exclude "b", t.* replace (a as b), t.* rename (a as b) from t',
    [
      'SELECT t.* EXCLUDE (a, b), t.* EXCLUDE a, * EXCLUDE "b", t.* REPLACE (a AS b), t.* RENAME (a AS b)',
      'FROM t',
    ],
  ],
  [
    'columns that are called like keywords',
    'select exclude, rename, escape, percent, value, name, a * exclude from t',
    ['SELECT exclude, rename, escape, percent, value, name, a * exclude', 'FROM t'],
  ],
  [
    'a list from a list',
    'select [x for x in tags if x > 1], if(a, b, c) from t',
    ['SELECT [x FOR x IN tags IF x > 1], if(a, b, c)', 'FROM t'],
  ],
  [
    'lambdas',
    'select list_transform(tags, lambda t: t || 1), list_filter(tags, t -> t > 1) from t',
    ['SELECT list_transform(tags, LAMBDA t: t || 1), list_filter(tags, t -> t > 1)', 'FROM t'],
  ],
  [
    'types keep their case everywhere',
    'select x::int[], x::INT, cast(x as varchar[]), x::integer[3], x::struct(a int, b VarChar[])[], x::decimal(10,2)[] from t',
    [
      'SELECT',
      '  x::int[],',
      '  x::INT,',
      '  CAST(x AS varchar[]),',
      '  x::integer[3],',
      '  x::struct(a int, b VarChar[])[],',
      '  x::decimal(10, 2)[]',
      'FROM t',
    ],
  ],
  [
    'items',
    'select [1, 2][1], a [1], b[1:2], x in [1,2], f(x)[1] from t',
    ['SELECT [1, 2][1], a[1], b[1:2], x IN [1, 2], f(x)[1]', 'FROM t'],
  ],
  [
    'unpacked columns',
    "select coalesce(*columns('a|b')), 2 *columns from t",
    ["SELECT coalesce(*columns('a|b')), 2 * columns", 'FROM t'],
  ],
  [
    'the first rows',
    'select a from t fetch first 10 rows only',
    ['SELECT a', 'FROM t', 'FETCH FIRST 10 ROWS ONLY'],
  ],
]

describe('a query with', () => {
  it.each(cases)('%s', (_, before, after) => {
    expect(formatSql(before, false, engine)?.split('\n')).toEqual(after)
    expect(formatSql(after.join('\n'), false, engine)?.split('\n')).toEqual(after)
  })

  it('any of these, however it is typed, is laid out once and for all', () => {
    const random = seededRandom(3)
    const left: string[] = []
    for (const [, query] of cases) {
      for (let round = 0; round < 12; round++) {
        const sql = retyped(query, random)
        if (!isLaidOutForGood(sql, round % 2 === 0)) left.push(sql)
      }
    }
    expect(left).toEqual([])
  })

  it('any operator of the engine', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const answer = await connection.runAndReadAll(
      String.raw`SELECT DISTINCT function_name FROM duckdb_functions() WHERE NOT regexp_matches(function_name, '\w')`,
    )
    const operators = answer.getRows().map(([name]) => String(name))
    const left = operators.filter(
      each => formatSql(`SELECT a ${each} b`, true, engine) !== `SELECT a ${each} b`,
    )
    expect(left).toEqual([])
    expect(operators.length).toBeGreaterThan(20)
  })
})
