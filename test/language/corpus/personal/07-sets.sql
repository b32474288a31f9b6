-- set operations
SELECT email FROM @c UNION SELECT status FROM @o
--> email
SELECT status FROM @o UNION ALL SELECT email FROM @c
--> email
SELECT id, status FROM @o UNION ALL SELECT id, email FROM @c
--> - | email
SELECT email, phone FROM @c UNION ALL SELECT phone, email FROM @c
--> email phone | email phone
SELECT country AS v FROM @c UNION ALL SELECT status FROM @o UNION ALL SELECT phone FROM @c
--> phone
(SELECT country AS v FROM @c) UNION ALL (SELECT status FROM @o ORDER BY 1 LIMIT 2)
--> -
SELECT email AS a, id AS b FROM @c UNION BY NAME SELECT id AS b, status AS a FROM @o
--> email | -
SELECT id AS b FROM @o UNION ALL BY NAME SELECT email AS a, id AS b FROM @c
--> - | email
SELECT email AS a FROM @c UNION BY NAME SELECT phone AS b FROM @c UNION BY NAME SELECT status AS a FROM @o
--> email | phone
SELECT * FROM (SELECT id, email FROM @c) UNION BY NAME SELECT * FROM (SELECT email AS phone, id FROM @c)
--> - | email | email
SELECT a FROM (SELECT email AS a, id AS b FROM @c UNION ALL BY NAME SELECT id AS b, status AS a FROM @o)
--> email
SELECT b FROM (SELECT email AS a, id AS b FROM @c UNION ALL BY NAME SELECT id AS b, status AS a FROM @o)
--> -
SELECT email FROM @c INTERSECT SELECT status FROM @o
--> email
SELECT status FROM @o INTERSECT SELECT email FROM @c
--> email?
SELECT status FROM @o EXCEPT SELECT email FROM @c
--> ~email?
SELECT email FROM @c EXCEPT SELECT status FROM @o
--> email
SELECT status FROM @o EXCEPT ALL SELECT phone FROM @c
--> ~phone?
SELECT status FROM @o INTERSECT ALL SELECT phone FROM @c
--> phone?
SELECT id, country FROM @c EXCEPT SELECT id, email FROM @c
--> ~email? | ~email?
SELECT DISTINCT email FROM @c
--> email
SELECT DISTINCT country FROM @c
--> -
SELECT DISTINCT ON (email) country FROM @c
--> ~email?
SELECT DISTINCT ON (country) email, id FROM @c ORDER BY country, phone
--> email ~phone? | ~phone?
SELECT x FROM ((SELECT email AS x FROM @c UNION SELECT 'a') EXCEPT SELECT status FROM @o)
--> email
SELECT country FROM @c UNION SELECT country FROM @o
--> -
SELECT NULL AS x UNION ALL SELECT email FROM @c
--> email
SELECT 1 AS x, 'a' AS y UNION ALL SELECT id, name FROM @c UNION ALL SELECT id, name FROM @p
--> - | name
SELECT * FROM @p UNION ALL SELECT id, name, score, country, profile FROM @c
--> - | name | score | - | profile
WITH a AS (SELECT email AS x FROM @c), b AS (SELECT status AS x FROM @o) SELECT * FROM a UNION ALL SELECT * FROM b
--> email
WITH a AS (SELECT email AS x FROM @c), b AS (SELECT status AS x FROM @o) (SELECT x FROM b EXCEPT SELECT x FROM a) ORDER BY 1
--> ~email?
SELECT v FROM (SELECT country AS v FROM @c UNION ALL (SELECT phone FROM @c INTERSECT SELECT status FROM @o))
--> phone
FROM (SELECT id FROM @c) UNION ALL FROM (SELECT salary FROM @c)
--> salary
SELECT email FROM @c UNION ALL SELECT email FROM @c ORDER BY email LIMIT 3
--> email
-- CTEs
WITH a AS (SELECT email FROM @c) SELECT email FROM a
--> email
WITH a(x, y) AS (SELECT id, email FROM @c) SELECT y, x FROM a
--> email | -
WITH a(x) AS (SELECT id, email FROM @c) SELECT email, x FROM a
--> email | -
WITH a AS MATERIALIZED (SELECT id, phone FROM @c) SELECT * FROM a
--> - | phone
WITH a AS NOT MATERIALIZED (SELECT id, phone FROM @c) SELECT * FROM a
--> - | phone
WITH a AS (SELECT email AS x FROM @c), b AS (SELECT x AS y FROM a), d AS (SELECT y AS z FROM b) SELECT z FROM d
--> email
WITH a AS (SELECT * FROM @c), b AS (SELECT count(*) AS n FROM a) SELECT n FROM b
--> -
WITH a AS (SELECT email FROM @c), b AS (SELECT id FROM @o) SELECT * FROM b
--> -
WITH a AS (SELECT 1 AS x) SELECT (WITH a AS (SELECT email AS x FROM @c) SELECT max(x) FROM a) AS m, x FROM a
--> email | -
SELECT * FROM (WITH a AS (SELECT phone FROM @c) SELECT * FROM a)
--> phone
WITH a AS (VALUES (1, 'x')), b AS (SELECT * FROM a, (SELECT email FROM @c)) SELECT * FROM b
--> - | - | email
-- recursion
WITH RECURSIVE t(a, b, d, e) AS (SELECT email, 'x', 'y', 'z' FROM @c UNION ALL SELECT e, a, b, d FROM t WHERE a <> 'z') SELECT a, b, d, e FROM t
--> email | email | email | email
WITH RECURSIVE t(a, b, d, n) AS (SELECT email, 'x', 'y', 1 FROM @c UNION ALL SELECT 'w', a, b, n + 1 FROM t WHERE n < 4) SELECT d, n FROM t
--> email | -
WITH RECURSIVE t(a, b, d, e, f, n) AS (SELECT phone, '', '', '', '', 1 FROM @c UNION ALL SELECT '', a, b, d, e, n + 1 FROM t WHERE n < 6) SELECT f FROM t
--> phone
WITH RECURSIVE t(a, b, d, e, f, g, h, n) AS (SELECT phone, '', '', '', '', '', '', 1 FROM @c UNION ALL SELECT '', a, b, d, e, f, g, n + 1 FROM t WHERE n < 8) SELECT h, n FROM t
--> phone | -
WITH RECURSIVE t(h, g, f, e, n) AS (SELECT '', '', '', phone, 1 FROM @c UNION ALL SELECT g, f, e, '', n + 1 FROM t WHERE n < 8) SELECT h FROM t
--> phone
WITH RECURSIVE t(id, path, n) AS (SELECT id, name, 1 FROM @c UNION ALL SELECT c.id, t.path || c.name, n + 1 FROM t JOIN @c c ON c.id = t.id + 1 WHERE n < 3) SELECT * FROM t
--> - | name | -
WITH RECURSIVE t(id, n) AS (SELECT id, 1 FROM @c UNION SELECT id + 1, n + 1 FROM t WHERE n < 3) SELECT id, n FROM t
--> - | -
WITH RECURSIVE t(v, n) AS (SELECT country, 1 FROM @c UNION ALL SELECT c.email, n + 1 FROM t, @c c WHERE n < 2) SELECT v, n FROM t
--> email | -
WITH RECURSIVE t AS (SELECT 1 AS n, 'a' AS v UNION ALL SELECT n + 1, (SELECT max(email) FROM @c) FROM t WHERE n < 3) SELECT v, n FROM t
--> email | -
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < (SELECT max(length(email)) FROM @c)) SELECT n FROM t
--> ~email?
WITH RECURSIVE a(x, n) AS (SELECT email, 1 FROM @c UNION ALL SELECT x, n + 1 FROM a WHERE n < 2), b(y, z, n) AS (SELECT 'q', x, 1 FROM a UNION ALL SELECT z, 'q', n + 1 FROM b WHERE n < 3) SELECT y FROM b
--> email
WITH RECURSIVE t(k, v) USING KEY (k) AS (SELECT id, email FROM @c UNION SELECT k, v || 'x' FROM t WHERE length(v) < 25) SELECT k, v FROM t
--> ~email? | email
WITH RECURSIVE t(a, b, n) AS (SELECT salary, 0, 1 FROM @c UNION ALL SELECT b, a, n + 1 FROM t WHERE n < 3) SELECT sum(b) AS s FROM t
--> salary
