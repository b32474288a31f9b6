-- Aggregates, windows, grouping, CTEs, set operations, joins
SELECT count(*) AS a, count(n) AS b, count(DISTINCT name) AS c, sum(n) AS d, sum(id) AS e, avg(n) AS f, avg(rate) AS g FROM @things
SELECT sum(name) AS a FROM @things
SELECT sum(*) AS a FROM @things
SELECT avg(placed) AS a FROM @things
SELECT sum('1') AS a
SELECT sum(price) AS a, sum(ratio) AS b, sum(amount) AS c, max(tags) AS d, min(placed) AS e, max(ip) AS f FROM @things
SELECT max(flag) AS a FROM @things
SELECT max(uid) AS a FROM @things
SELECT max('a') AS a, min(NULL) AS b
SELECT bool_and(flag) AS a, every(flag) AS b, bit_or(n) AS c, bit_and(bits) AS d FROM @things
SELECT bool_and(n) AS a FROM @things
SELECT string_agg(name, ',') AS a, string_agg(name, ',' ORDER BY id DESC) AS b, string_agg(DISTINCT name, ',') AS c, string_agg(bin, '\x00') AS d FROM @things
SELECT string_agg(n, ',') AS a FROM @things
SELECT string_agg(name) AS a FROM @things
SELECT string_agg(DISTINCT name, ',' ORDER BY id) AS a FROM @things
SELECT stddev(n) AS a, variance(rate) AS b, corr(rate, n) AS c, regr_slope(rate, rate) AS d, covar_pop(n, n) AS e FROM @things
SELECT corr(name, n) AS a FROM @things
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY rate) AS a, percentile_disc(0.5) WITHIN GROUP (ORDER BY name) AS b, mode() WITHIN GROUP (ORDER BY n) AS c FROM @things
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY name) AS a FROM @things
SELECT percentile_cont(0.5) AS a FROM @things
SELECT percentile_cont(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY took) AS a, percentile_cont(0.5) WITHIN GROUP (ORDER BY n) AS b FROM @things
SELECT percentile_cont('x') WITHIN GROUP (ORDER BY n) AS a FROM @things
SELECT mode(n) AS a FROM @things
SELECT sum(n) WITHIN GROUP (ORDER BY n) AS a FROM @things
SELECT rank(5) WITHIN GROUP (ORDER BY n) AS a, dense_rank('a') WITHIN GROUP (ORDER BY name) AS b FROM @things
SELECT rank(5, 6) WITHIN GROUP (ORDER BY n) AS a FROM @things
SELECT sum(n) FILTER (WHERE flag) AS a, count(*) FILTER (WHERE n > 1 AND name = 'x') AS b FROM @things
SELECT sum(n) FILTER (WHERE n) AS a FROM @things
SELECT lower(name) FILTER (WHERE flag) AS a FROM @things
SELECT sum(sum(n)) AS a FROM @things
SELECT sum(sum(n)) OVER () AS a, name FROM @things GROUP BY name
SELECT name, sum(n) AS a FROM @things
SELECT name, sum(n) AS a FROM @things GROUP BY name HAVING sum(n) > 1
SELECT name, sum(n) AS a FROM @things GROUP BY name HAVING n > 1
SELECT name, sum(n) AS a FROM @things GROUP BY 1 ORDER BY 2
SELECT name, sum(n) AS a FROM @things GROUP BY 3
SELECT name, sum(n) AS a FROM @things GROUP BY 2
SELECT lower(name) AS low, count(*) AS a FROM @things GROUP BY low
SELECT lower(name) AS low, count(*) AS a FROM @things GROUP BY lower(title)
SELECT name, title, count(*) AS a FROM @things GROUP BY ROLLUP (name, title)
SELECT name, grouping(name, title) AS a FROM @things GROUP BY GROUPING SETS ((name), (title), ())
SELECT title, grouping(code) AS a FROM @things GROUP BY GROUPING SETS ((name), (title), ())
SELECT code, count(*) AS a FROM @things GROUP BY CUBE (name, title)
SELECT name FROM @things WHERE sum(n) > 1
SELECT name FROM @things GROUP BY name ORDER BY sum(n)
SELECT name FROM @things GROUP BY name ORDER BY n
SELECT DISTINCT name FROM @things ORDER BY name
SELECT DISTINCT name FROM @things ORDER BY n
SELECT DISTINCT ON (name) name, n FROM @things ORDER BY name, id
SELECT DISTINCT ON (name) name, n FROM @things ORDER BY id
SELECT row_number() OVER (ORDER BY id) AS a, rank() OVER w AS b, ntile(4) OVER w AS c, lag(n) OVER w AS d, lead(name, 1, 'x') OVER w AS e FROM @things WINDOW w AS (PARTITION BY name ORDER BY id)
SELECT row_number() AS a FROM @things
SELECT rank() OVER nosuch AS a FROM @things
SELECT lower(name) OVER () AS a FROM @things
SELECT lag(n, 1, 'x') OVER (ORDER BY id) AS a FROM @things
SELECT lag(n, 'a') OVER (ORDER BY id) AS a FROM @things
SELECT lag(n, 1, 1.5) OVER (ORDER BY id) AS a, first_value(name) OVER (ORDER BY id) AS b, nth_value(n, 2) OVER () AS c, cume_dist() OVER (ORDER BY n) AS d FROM @things
SELECT ntile() OVER () AS a FROM @things
SELECT sum(n) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS a, sum(n) OVER (ORDER BY at RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW) AS b FROM @things
SELECT sum(n) OVER (ORDER BY at RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS a FROM @things
SELECT sum(n) OVER (RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS a FROM @things
SELECT sum(n) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND 2 PRECEDING) AS a FROM @things
SELECT sum(n) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) AS a FROM @things
SELECT name FROM @things WHERE row_number() OVER () > 1
SELECT sum(n) OVER (ORDER BY name RANGE 1 PRECEDING) AS a FROM @things
SELECT count(DISTINCT n) OVER () AS a FROM @things
SELECT sum(n) FILTER (WHERE flag) OVER (PARTITION BY name) AS a FROM @things
WITH a AS (SELECT n FROM @things) SELECT n + 1 AS m FROM a
WITH a AS (SELECT n FROM @things) SELECT m FROM a
WITH a(m) AS (SELECT n FROM @things) SELECT m FROM a
WITH a(m, k) AS (SELECT n FROM @things) SELECT m FROM a
WITH a AS (SELECT 1 AS x), a AS (SELECT 2 AS x) SELECT x FROM a
WITH a AS MATERIALIZED (SELECT 'x' AS t), b AS NOT MATERIALIZED (SELECT t FROM a) SELECT t || 'y' AS u FROM b
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1.5 FROM r WHERE n < 5) SELECT n FROM r
WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r
WITH RECURSIVE r AS (SELECT n + 1 AS n FROM r) SELECT n FROM r
WITH RECURSIVE r(id, way) AS (SELECT id, ARRAY[id] FROM @people WHERE boss IS NULL UNION ALL SELECT p.id, r.way || p.id FROM @people p JOIN r ON p.boss = r.id) SELECT id, way FROM r
WITH RECURSIVE r(id, way) AS (SELECT id, 'x' FROM @people UNION ALL SELECT p.id, r.way || p.id FROM @people p JOIN r ON p.boss = r.id) SELECT id, way FROM r
WITH RECURSIVE r(id) AS (SELECT id FROM @people UNION ALL SELECT p.id FROM @people p JOIN r ON p.boss = r.id) SEARCH DEPTH FIRST BY id SET seq CYCLE id SET looped USING way SELECT id, looped FROM r
WITH RECURSIVE r(id) AS (SELECT id FROM @people UNION ALL SELECT p.id FROM @people p JOIN r ON p.boss = r.id) CYCLE boss SET looped USING way SELECT id FROM r
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT count(*)::int FROM r) SELECT n FROM r
SELECT n FROM @things UNION SELECT id FROM @people
SELECT n FROM @things UNION SELECT name FROM @people
SELECT n, name FROM @things UNION ALL SELECT id FROM @people
SELECT name FROM @things INTERSECT SELECT title FROM @things EXCEPT SELECT 'x'
SELECT raw FROM @things UNION SELECT raw FROM @things
SELECT raw FROM @things UNION ALL SELECT raw FROM @things
SELECT n FROM @things UNION ALL SELECT NULL UNION ALL SELECT 1.5
SELECT 'a' AS x UNION ALL SELECT NULL
SELECT NULL AS x UNION SELECT NULL UNION SELECT 1
SELECT NULL AS x UNION ALL SELECT '1' UNION ALL SELECT n FROM @things
SELECT name FROM @things UNION SELECT name FROM @people ORDER BY name LIMIT 5
SELECT name FROM @things UNION SELECT name FROM @people ORDER BY lower(name)
VALUES (1, 'a'), (2, 'b')
VALUES (1, 'a'), (2)
VALUES (1), ('a')
VALUES ('1'), (2), (NULL)
SELECT v.a + 1 AS a, v.b FROM (VALUES (1, 'x'), (2, NULL)) AS v(a, b)
SELECT v.c FROM (VALUES (1, 'x')) AS v(a, b)
SELECT column1 AS a, column2 AS b FROM (VALUES (1.5, DATE '2020-01-01')) v
SELECT t.name, p.name AS boss FROM @things t JOIN @people p ON t.id = p.id
SELECT name FROM @things t JOIN @people p ON t.id = p.id
SELECT t.name FROM @things t JOIN @people p ON t.id = p.name
SELECT t.name FROM @things t JOIN @people p ON t.id
SELECT name, n, city FROM @things JOIN @people USING (id, name)
SELECT n FROM @things JOIN @people USING (city)
SELECT id, name, n FROM @things NATURAL JOIN @people
SELECT x.id, j.id AS b FROM @things x LEFT JOIN @people j USING (id)
SELECT j.id, j.name FROM (@things JOIN @people USING (id, name)) AS j
SELECT t.id FROM @things t, LATERAL (SELECT p.id AS pid FROM @people p WHERE p.id = t.id) AS l
SELECT t.id FROM @things t, (SELECT p.id AS pid FROM @people p WHERE p.id = t.id) AS l
SELECT t.id, l.top FROM @things t LEFT JOIN LATERAL (SELECT max(p.score) AS top FROM @people p WHERE p.boss = t.id) l ON true
SELECT t.id FROM @things t RIGHT JOIN LATERAL (SELECT t.n) l ON true
SELECT things.id FROM @things t
SELECT t.id FROM @things t FULL JOIN @people p ON t.id = p.id
SELECT (SELECT name FROM @people LIMIT 1) AS a, (SELECT count(*) FROM @people p WHERE p.id = t.id) AS b FROM @things t
SELECT (SELECT id, name FROM @people) AS a
SELECT id FROM @things WHERE id IN (SELECT id FROM @people)
SELECT id FROM @things WHERE id IN (SELECT name FROM @people)
SELECT id FROM @things WHERE (id, name) IN (SELECT id, name FROM @people)
SELECT id FROM @things WHERE id IN (SELECT id, name FROM @people)
SELECT id FROM @things WHERE id > ALL (SELECT boss FROM @people) AND EXISTS (SELECT 1 FROM @people)
SELECT id FROM @things WHERE name
SELECT id FROM @things WHERE 'true'
SELECT id FROM @things WHERE 'maybe'
SELECT id FROM @things WHERE NULL
SELECT id FROM @things WHERE 1
SELECT CASE WHEN n > 1 THEN 'a' ELSE name END AS a, CASE n WHEN 1 THEN 1 ELSE 2.5 END AS b, CASE WHEN flag THEN NULL END AS c FROM @things
SELECT CASE WHEN n > 1 THEN 'a' ELSE n END AS a FROM @things
SELECT CASE WHEN n THEN 1 END AS a FROM @things
SELECT CASE n WHEN 'x' THEN 1 END AS a FROM @things
SELECT CASE WHEN flag THEN n ELSE name END AS a FROM @things
SELECT CASE name WHEN 'x' THEN at WHEN 'y' THEN placed ELSE '2020-01-01' END AS a FROM @things
SELECT id FROM @things LIMIT 5 OFFSET 2
SELECT id FROM @things LIMIT 'x'
SELECT id FROM @things LIMIT n
SELECT id FROM @things LIMIT '5'
SELECT id FROM @things ORDER BY id FETCH FIRST 3 ROWS WITH TIES
SELECT id FROM @things FETCH FIRST 3 ROWS WITH TIES
SELECT id AS a FROM @things ORDER BY a DESC NULLS LAST, 1
SELECT id AS a FROM @things ORDER BY a + 1
SELECT id FROM @things ORDER BY 2
SELECT id FROM @things ORDER BY 'x'
SELECT id AS a, n AS a FROM @things ORDER BY a
SELECT g FROM generate_series(1, 5) AS g
SELECT g FROM generate_series(1, 'x') AS g
SELECT g + 1 AS a FROM generate_series(1, 10, 2) AS g
SELECT g FROM generate_series('2020-01-01'::timestamp, '2020-02-01', '1 day') AS g
SELECT g FROM generate_series('2020-01-01', '2020-02-01', '1 day') AS g
SELECT g FROM generate_series(date '2020-01-01', date '2020-02-01', 1) AS g
SELECT generate_series(1, n) AS a, unnest(tags) AS b FROM @things
SELECT id FROM @things WHERE generate_series(1, 2) = 1
SELECT a.x, a.y FROM ROWS FROM (generate_series(1, 2), generate_series(1, 3)) AS a(x, y)
SELECT r.m[1] AS a FROM @things, regexp_matches(name, 'a', 'g') AS r(m)
SELECT s FROM @things, string_to_table(name, ',') AS s
SELECT s FROM @things, regexp_split_to_table(name, ',') AS s(a, b)
SELECT id FROM @things TABLESAMPLE bernoulli (10)
SELECT id FROM @things TABLESAMPLE nosuch (10)
SELECT id FROM nosuch
SELECT nosuch FROM @things
SELECT things.nosuch FROM @things
SELECT nosuch.id FROM @things
SELECT id, FROM @things
SELECT id FROM
SELECT id things WHERE
SELECT * FROM @people
SELECT people.*, 1 AS one FROM @people
SELECT *, id FROM @people
SELECT * FROM @things t JOIN @people p ON t.id = p.id
SELECT count(*) FROM @people
SELECT "ID" FROM @people
SELECT Id AS "ID", NAME AS Name FROM @people
TABLE @people
SELECT id FROM @people WHERE CURRENT OF c
SELECT id AS user FROM @people
SELECT id user FROM @people
SELECT id AS a FROM @people AS p(x)
SELECT x AS a, name FROM @people AS p(x)
SELECT E'a\nb' AS a, $$it's$$ AS b, U&'\0061' AS c, 'a' 'b' AS d
SELECT U&'\00G1' AS a
