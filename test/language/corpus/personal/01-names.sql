-- columns without names in FROM answer no unqualified name
SELECT email FROM (SELECT customer_id, sum(total) FROM @o GROUP BY 1) s JOIN @c c ON c.id = s.customer_id
--> email
SELECT email, range FROM range(3), @c
--> email | -
WITH n AS (SELECT count(*) FROM @o) SELECT email FROM n, @c
--> email
WITH n AS (SELECT count(*), max(total) FROM @o) SELECT phone, name FROM @c, n
--> phone | name
SELECT email, unnest FROM unnest([1, 2]), @c
--> email | -
SELECT salary FROM generate_series(1, 3), @c
--> salary
SELECT gender FROM (VALUES (1), (2)), @c
--> gender
SELECT col0, gender FROM (VALUES (1), (2)), @c
--> - | gender
SELECT email FROM (SELECT 1 + 1, upper('x')) s, @c
--> email
SELECT email FROM (SELECT customer_id % 2, count(*) FROM @o GROUP BY ALL) AS s(k, n), @c
--> email
SELECT s.k, email FROM (SELECT customer_id % 2, count(*) FROM @o GROUP BY ALL) AS s(k), @c
--> - | email
SELECT name FROM (SELECT min(total) FROM @o) s CROSS JOIN @c
--> name
SELECT "min(total)", name FROM (SELECT min(total) FROM @o) s CROSS JOIN @c
--> - | name
SELECT "upper(email)" FROM (SELECT upper(email) FROM @c)
--> email
SELECT "min(email)", "count_star()" FROM (SELECT min(email), count(*) FROM @c)
--> email | -
SELECT * FROM (SELECT upper(email), length(name), 1 + 1 FROM @c)
--> email | name | -
WITH s AS (SELECT count(*) FROM @o), t AS (SELECT email FROM s, @c) SELECT email FROM t
--> email
SELECT (SELECT email FROM (SELECT count(*) FROM @o) n, @c LIMIT 1) AS e
--> email
SELECT score FROM (SELECT DISTINCT total * 2 FROM @o) x LEFT JOIN @c ON true
--> score
SELECT blood FROM (SELECT id FROM @o UNION ALL SELECT qty FROM @o) x JOIN @c c USING (id)
--> blood
SELECT email FROM @o o POSITIONAL JOIN (SELECT sum(salary) OVER (), email FROM @c) x
--> email
-- folding of ASCII alone
SELECT "É" FROM @u
--> u.É
SELECT "é" FROM @u
--> -
SELECT É FROM @u
--> u.É
SELECT é FROM @u
--> -
SELECT u."É" AS a, u."é" AS b FROM @u u
--> u.É | -
SELECT "é" AS "É", "É" AS "é" FROM @u
--> - | u.É
SELECT "É" FROM (SELECT "é" AS "É", "É" AS "é" FROM @u)
--> -
SELECT "é" FROM (SELECT "é" AS "É", "É" AS "é" FROM @u)
--> u.É
SELECT * EXCLUDE ("é") FROM @u
--> u.É | u.Order | u."user x" | -
SELECT * EXCLUDE ("É") FROM @u
--> u.Order | u."user x" | - | -
SELECT * REPLACE ('x' AS "é") FROM @u
--> u.É | u.Order | u."user x" | - | -
SELECT * RENAME ("É" AS e) FROM @u
--> u.É | u.Order | u."user x" | - | -
SELECT COLUMNS(['é']) FROM @u
--> -
SELECT COLUMNS(['É']) FROM @u
--> u.É
WITH "Ä" AS (SELECT email AS x FROM @c), "ä" AS (SELECT country AS x FROM @c) SELECT x FROM "ä"
--> -
WITH "Ä" AS (SELECT email AS x FROM @c), "ä" AS (SELECT country AS x FROM @c) SELECT x FROM "Ä"
--> email
SELECT "Ö".x FROM (SELECT email AS x FROM @c) "Ö", (SELECT country AS x FROM @c) "ö"
--> email
SELECT "ö".x FROM (SELECT email AS x FROM @c) "Ö", (SELECT country AS x FROM @c) "ö"
--> -
SELECT EMAIL, Email, "eMaIl" FROM @c
--> email | email | email
-- quoted names
SELECT "Order", "order id", "user ""x""" FROM @u
--> u.Order | - | u."user x"
SELECT "order" FROM @u
--> u.Order
SELECT u."Order" || 'x' AS v FROM @u AS u
--> u.Order
SELECT "a b".email AS "from" FROM @c AS "a b"
--> email
SELECT "from" FROM (SELECT email AS "from", country AS "From x" FROM @c)
--> email
SELECT t."x.y", t."x.z" FROM (SELECT email AS "x.y", id AS "x.z" FROM @c) t
--> email | -
SELECT "select".id, "select"."group" FROM (SELECT id, phone AS "group" FROM @c) "select"
--> - | phone
-- names that others shadow
WITH email AS (SELECT id FROM @o) SELECT id FROM email
--> -
WITH c AS (SELECT country AS email FROM @o) SELECT email FROM c
--> -
WITH c AS (SELECT email AS country FROM @c) SELECT country FROM c
--> email
WITH o AS (SELECT email AS status FROM @c) SELECT o.status FROM o
--> email
WITH a AS (SELECT email AS v FROM @c), b AS (WITH a AS (SELECT country AS v FROM @c) SELECT v FROM a) SELECT a.v, b.v FROM a, b
--> email | -
WITH a AS (SELECT country AS v FROM @c) SELECT v FROM (WITH a AS (SELECT email AS v FROM @c) SELECT v FROM a) x
--> email
SELECT email.id FROM @o AS email
--> -
SELECT email FROM (SELECT 1 AS id) email, @c
--> email
SELECT profile.mail FROM (SELECT country AS mail FROM @c) profile
--> -
SELECT c.profile.mail FROM @c c
--> profile
SELECT main.email FROM @c AS main
--> email
SELECT (SELECT email FROM @o o WHERE o.customer_id = c.id LIMIT 1) AS e FROM @c c
--> email
SELECT (SELECT country FROM @o o WHERE o.customer_id = c.id LIMIT 1) AS e FROM @c c
--> -
SELECT (SELECT status AS email FROM @o LIMIT 1) AS e FROM @c c
--> -
SELECT country AS email, email AS country FROM @c
--> - | email
SELECT country AS email FROM @c ORDER BY email
--> -
SELECT list_transform([country], email -> upper(email)) AS v FROM @c
--> -
SELECT list_transform([email], country -> upper(country)) AS v FROM @c
--> email
SELECT list_transform([1, 2], lambda x: email || x) AS v FROM @c
--> email
SELECT list_transform([1], lambda email: list_transform([2], lambda phone: email + phone)) AS v FROM @c
--> -
SELECT list_transform([1], lambda email: list_transform([2], lambda phone: email + phone + length(name))) AS v FROM @c
--> name
SELECT [email FOR email IN ['a', 'b']] AS v FROM @c
--> -
SELECT [email || x FOR x IN ['a', 'b']] AS v FROM @c
--> email
-- aliases used in the same SELECT
SELECT email AS a, a AS b, upper(b) AS d FROM @c
--> email | email | email
SELECT id AS email, email AS x FROM @c
--> - | email
SELECT country AS v, v || phone AS w, length(w) AS n FROM @c
--> - | phone | phone
SELECT 1 AS one, one + 1 AS two, id + two AS three FROM @c
--> - | - | -
SELECT email AS e FROM @c WHERE e LIKE 'b%'
--> email
SELECT country AS k, count(*) AS n, n * 2 AS m FROM @c GROUP BY k
--> - | - | -
SELECT left(email, 3) AS k, count(*) AS n FROM @c GROUP BY k HAVING k <> 'abc'
--> email | ~email?
SELECT salary * 2 AS s, s > 5 AS rich FROM @c
--> salary | ~salary
SELECT email AS e, (SELECT e) AS f FROM @c
--> email | email
-- qualified names
SELECT c.email FROM @c
--> email
SELECT c.email FROM @c AS c
--> email
SELECT x.email, y.email FROM @c x JOIN @c y ON x.id = y.id
--> email | email
SELECT y.id, x.phone FROM @c x, @o y
--> - | phone
SELECT p.name, c.name FROM @p p, @c c
--> - | name
SELECT c.name, p.name FROM @p p, @c c WHERE p.id = c.id
--> name | -
SELECT s.email FROM (SELECT c.email FROM @c c) s
--> email
SELECT p.details.mail, c.profile.mail FROM @p p, @c c
--> - | profile
SELECT (c).email FROM @c c
--> email
SELECT (p).name FROM @p p
--> -
SELECT c['email'] FROM @c c
--> email
-- FROM first, positions
FROM @c SELECT email
--> email
FROM @c
--> c.*
FROM @o
--> o.*
FROM @c c SELECT upper(c.phone) WHERE id > 1
--> phone
FROM @c SELECT #2, #1
--> email | -
SELECT #3 || 'x' AS v FROM @c
--> name
SELECT #10 FROM @o o, @c c
--> email
SELECT #1, #9 FROM @o o, @c c
--> - | -
SELECT #2 FROM (SELECT country, email FROM @c)
--> email
SELECT #1 FROM (SELECT country, email FROM @c)
--> -
(FROM @c SELECT email)
--> email
FROM (FROM @c SELECT phone AS x) SELECT x
--> phone
WITH k AS (FROM @c) FROM k SELECT seen
--> seen
FROM (VALUES ('a')) v(x), @c SELECT x, score
--> - | score
