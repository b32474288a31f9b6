-- Operators and literals without a type
SELECT 1 + 1 AS a
SELECT '1' + 1 AS a
SELECT 1 + 'x' AS a
SELECT '1' + '1' AS a
SELECT amount + '1' AS a FROM @things
SELECT amount + 'one' AS a FROM @things
SELECT at + '1 day' AS a FROM @things
SELECT at + '1 dya' AS a FROM @things
SELECT at - '2020-01-01' AS a FROM @things
SELECT at * '2' AS a FROM @things
SELECT paid - '1 hour' AS a FROM @things
SELECT paid - interval '1 hour' AS a FROM @things
SELECT placed - '2020-01-01' AS a FROM @things
SELECT placed + 7 AS a FROM @things
SELECT placed + '7' AS a FROM @things
SELECT placed + 1.5 AS a FROM @things
SELECT placed + tod AS a FROM @things
SELECT placed + placed AS a FROM @things
SELECT took * '2' AS a FROM @things
SELECT took * 2 AS a FROM @things
SELECT took / 2 AS a FROM @things
SELECT took / '2' AS a FROM @things
SELECT 2 / took AS a FROM @things
SELECT tod - '1 hour' AS a FROM @things
SELECT tod + tod AS a FROM @things
SELECT -amount AS a, +n AS b, @ rate AS c FROM @things
SELECT -name AS a FROM @things
SELECT -'5' AS a
SELECT - took AS a FROM @things
SELECT |/ 25 AS a, ||/ 27 AS b
SELECT |/ name AS a FROM @things
SELECT n % 3 AS a, n ^ 2 AS b FROM @things
SELECT rate % 2 AS a FROM @things
SELECT n & 3 AS a, n | 4 AS b, n # 5 AS c, ~n AS d, n << 1 AS e, n >> 1 AS f FROM @things
SELECT rate & 1 AS a FROM @things
SELECT n << 'x' AS a FROM @things
SELECT small + n AS a, n + id AS b, small + 1.5 AS c, ratio + rate AS d FROM @things
SELECT small / n AS a, id / total AS b, ratio * amount AS c FROM @things
SELECT price * 2 AS a, price / price AS b, price + price AS c FROM @things
SELECT price * price AS a FROM @things
SELECT price + 1 AS a FROM @things
SELECT price > '5' AS a FROM @things
SELECT price > 5 AS a FROM @things
SELECT name || 'x' AS a, name || n AS b, n || 'x' AS c FROM @things
SELECT n || n AS a FROM @things
SELECT 'a' || 'b' AS a
SELECT title || code AS a, code || code AS b FROM @things
SELECT bin || bin AS a, bin || '\x00' AS b FROM @things
SELECT bin || name AS a FROM @things
SELECT name = title AS a, name = code AS b, name > 'a' AS c FROM @things
SELECT name = n AS a FROM @things
SELECT name > 5 AS a FROM @things
SELECT n = '5' AS a, n = 5.0 AS b, n <> 6 AS c FROM @things
SELECT n = 'five' AS a FROM @things
SELECT n = true AS a FROM @things
SELECT flag = 'yes' AS a, flag = 't' AS b FROM @things
SELECT flag = 'perhaps' AS a FROM @things
SELECT flag = 1 AS a FROM @things
SELECT flag AND n > 1 AS a, NOT flag AS b, flag OR NULL AS c FROM @things
SELECT n AND flag AS a FROM @things
SELECT NOT n AS a FROM @things
SELECT flag IS TRUE AS a, flag IS NOT UNKNOWN AS b FROM @things
SELECT n IS TRUE AS a FROM @things
SELECT name IS NULL AS a, name NOTNULL AS b, name ISNULL AS c FROM @things
SELECT name LIKE 'a%' AS a, name NOT ILIKE 'b' AS b, name SIMILAR TO '(a|b)%' AS c, name ~* 'x' AS d FROM @things
SELECT n LIKE '1%' AS a FROM @things
SELECT name ~ n AS a FROM @things
SELECT name LIKE 'a!%' ESCAPE '!' AS a FROM @things
SELECT name ^@ 'a' AS a FROM @things
SELECT n ^@ 'a' AS a FROM @things
SELECT n BETWEEN 1 AND 5 AS a, placed BETWEEN '2020-01-01' AND '2020-12-31' AS b, n BETWEEN SYMMETRIC 5 AND 1 AS c FROM @things
SELECT placed BETWEEN 1 AND 2 AS a FROM @things
SELECT placed BETWEEN '2020-01-01' AND 'never' AS a FROM @things
SELECT n IN (1, 2, 3) AS a, name IN ('a', 'b') AS b, placed IN ('2020-01-01') AS c FROM @things
SELECT n IN ('a', 2) AS a FROM @things
SELECT name IN (1, 2) AS a FROM @things
SELECT n = ANY ('{1,2}') AS a, name = ANY (tags) AS b, n = ALL (grid) AS c FROM @things
SELECT n = ANY (tags) AS a FROM @things
SELECT n = ANY (5) AS a FROM @things
SELECT n = ANY (ARRAY['1', '2']) AS a FROM @things
SELECT n IS DISTINCT FROM NULL AS a, name IS NOT DISTINCT FROM 'x' AS b FROM @things
SELECT n IS DISTINCT FROM name AS a FROM @things
SELECT NULL + 1 AS a, NULL AS b, NULL || 'x' AS c
SELECT NULL + NULL AS a
SELECT name COLLATE "C" < 'b' AS a FROM @things
SELECT name COLLATE "xx_YY" AS a FROM @things
SELECT n COLLATE "C" AS a FROM @things
SELECT name COLLATE "C" || title COLLATE "POSIX" AS a FROM @things
SELECT (name COLLATE "C") < (title COLLATE "POSIX") AS a FROM @things
SELECT n OPERATOR(pg_catalog.+) 1 AS a FROM @things
SELECT n OPERATOR(public.+) 1 AS a FROM @things
SELECT n +* 1 AS a FROM @things
SELECT uid = '3f333df6-90a4-4fda-8dd3-9485d27cee36' AS a FROM @things
SELECT uid = 'no' AS a FROM @things
SELECT uid = name AS a FROM @things
SELECT bin = '\xff' AS a FROM @things
SELECT at = paid AS a, placed < paid AS b, placed = at AS c FROM @things
SELECT tod = at AS a FROM @things
SELECT at AT TIME ZONE 'UTC' AS a, paid AT TIME ZONE 'UTC' AS b, todz AT TIME ZONE 'UTC' AS c FROM @things
SELECT name AT TIME ZONE 'UTC' AS a FROM @things
SELECT at AT TIME ZONE interval '1 hour' AS a FROM @things
SELECT (placed, placed + 3) OVERLAPS (placed, interval '1 day') AS a FROM @things
SELECT (placed, 3) OVERLAPS (placed, placed) AS a FROM @things
