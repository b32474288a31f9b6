/**
 * Statements, and for each of their brackets, in the order of the text, the place of the one problem that is there when that
 * bracket is missing.
 */
export const missingBrackets: readonly (readonly [string, readonly string[]])[] = [
  [
    'WITH late AS (SELECT origin, count(*) AS n FROM @flights WHERE delay > 15 GROUP BY origin) SELECT a.name, late.n FROM late JOIN @airports AS a ON a.iata = late.origin',
    ['SELECT', '*', 'AS', 'SELECT'],
  ],
  [
    'WITH a AS (SELECT origin, delay FROM @flights), b AS (SELECT origin, max(delay) AS worst FROM a GROUP BY origin) SELECT * FROM b ORDER BY worst DESC',
    ['SELECT', ',', 'SELECT', 'maxdelay', 'AS', 'SELECT'],
  ],
  [
    "SELECT upper(trim(origin)) AS o, coalesce(round(delay, 1), 0) AS d FROM @flights WHERE lower(destination) = 'sfo'",
    [')', ')', 'AS', 'AS', ')', ')', 'AS', 'AS', ')', "'sfo'"],
  ],
  [
    "SELECT sum(CASE WHEN (delay > 15 OR cancelled) AND origin = 'SFO' THEN 1 ELSE 0 END) AS late, count(*) AS n FROM @flights",
    ['sumCASE', 'delay', 'THEN', 'AS', '*', 'AS'],
  ],
  [
    'SELECT origin, row_number() OVER (PARTITION BY origin ORDER BY delay DESC) AS place, sum(delay) OVER (ORDER BY date ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS week FROM @flights',
    [')', 'OVER', 'PARTITION', 'AS', ')', 'OVER', 'ORDER', 'AS'],
  ],
  [
    "SELECT origin FROM @flights WHERE origin IN ('SFO', 'LAX') AND (delay > 10 OR cancelled) ORDER BY origin",
    ["'SFO'", 'ORDER', ')', 'ORDER'],
  ],
  [
    'SELECT name FROM @airports WHERE iata NOT IN (SELECT origin FROM @flights WHERE delay > (SELECT avg(delay) FROM @flights)) LIMIT 5',
    ['SELECT', 'SELECT', 'avgdelay', 'FROM', '5', '5'],
  ],
  [
    "SELECT {'a': delay, 'b': [distance, 2]} AS s, [upper(origin), destination] AS l, tags[1] AS first FROM @flights",
    ["'a'", 'distance', '}', 'AS', ']', ')', ']', 'AS', ']', 'AS'],
  ],
  [
    'SELECT CAST(delay AS DECIMAL(12, 2)) AS d, CAST(date AS DATE) AS day, TRY_CAST(origin AS INTEGER) + 1 AS n FROM @flights',
    ['CASTdelay', 'DECIMAL12', 'AS', 'AS', 'CASTdate', 'AS', 'TRY_CASTorigin', '+'],
  ],
  [
    'SELECT f.origin, a.city FROM @flights AS f JOIN @airports AS a ON (f.origin = a.iata AND f.delay > 5) LEFT JOIN @carriers AS c USING (origin) WHERE f.distance > 100',
    [')', 'LEFT', 'origin', 'WHERE'],
  ],
  [
    'SELECT q.origin, q.n FROM (SELECT origin, count(*) AS n FROM @flights GROUP BY origin) AS q WHERE q.n > 10',
    ['SELECT', '*', 'AS', 'AS'],
  ],
  [
    'SELECT list_transform(tags, t -> upper(t)) AS t, count(*) FILTER (WHERE delay > 5) AS late FROM @flights GROUP BY ALL HAVING count(*) > (1 + 2)',
    [')', ')', 'AS', 'AS', '*', 'FILTER', 'WHERE', 'AS', '*', ')', ')', '2'],
  ],
  [
    'SELECT (delay + distance) * 2 AS x, (detail).b AS b, EXTRACT(year FROM date) AS y FROM @flights WHERE EXISTS (SELECT 1 FROM @airports WHERE iata = origin)',
    [')', 'AS', ')', 'AS', 'EXTRACTyear', 'AS', 'SELECT', 'origin'],
  ],
  [
    'SELECT v.a, v.b FROM (VALUES (1, 2), (3, 4)) AS v(a, b) UNION ALL (SELECT 5, 6)',
    [')', '1', 'AS', '3', 'AS', 'AS', ')', 'UNION', ')', '6'],
  ],
]

/** The text without each of its brackets in turn; those in strings are none. */
export function withoutOneBracket(sql: string): readonly string[] {
  const found: string[] = []
  let isQuoted = false
  for (const [at, letter] of [...sql].entries()) {
    if (letter === "'") isQuoted = !isQuoted
    if (!isQuoted && '()[]{}'.includes(letter)) found.push(sql.slice(0, at) + sql.slice(at + 1))
  }
  return found
}
