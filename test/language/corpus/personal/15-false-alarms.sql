-- what tells nothing, or only something
SELECT id, country, signup FROM @c
--> - | - | -
SELECT typeof(email), typeof(c) FROM @c c
--> - | -
SELECT email LIKE '%@x%', email NOT LIKE 'a', email ILIKE 'A', email SIMILAR TO 'a.*', email ~ 'a', email GLOB 'a*' FROM @c
--> ~email | ~email | ~email | ~email | ~email | ~email
SELECT contains(email, '@'), starts_with(email, 'b'), ends_with(email, 'u'), prefix(email, 'b'), suffix(email, 'u') FROM @c
--> ~email | ~email | ~email | ~email | ~email
SELECT regexp_matches(email, '@'), regexp_full_match(email, '.*'), email ^@ 'b', email LIKE 'a\%' ESCAPE '\' FROM @c
--> ~email | ~email | ~email | ~email
SELECT count(*) FILTER (WHERE salary > 5), sum(id) FILTER (WHERE phone IS NULL) FROM @c
--> ~salary | ~phone
SELECT row_number() OVER (ORDER BY email, phone), rank() OVER (PARTITION BY name ORDER BY id) FROM @c
--> ~email ~phone | ~name
SELECT string_agg(country, ',' ORDER BY email), list(id ORDER BY birth) FROM @c
--> ~email | ~birth
SELECT grouping(gender), grouping(country) FROM @c GROUP BY CUBE (gender, country)
--> - | -
SELECT id, k FROM (UNPIVOT (SELECT id, email, phone FROM @c) ON email, phone INTO NAME k VALUE v)
--> - | -
SELECT s.a FROM (SELECT {'a': id, 'b': email} AS s FROM @c)
--> -
SELECT s.x.a FROM (SELECT {'x': {'a': id}, 'y': email} AS s FROM @c)
--> -
SELECT unnest({'a': id, 'b': country}) FROM @c
--> - | -
SELECT COLUMNS(['id', 'country']) FROM @c
--> - | -
SELECT max(COLUMNS(['id', 'country'])) FROM @c
--> - | -
SELECT COLUMNS(lambda x: x = 'id'), COLUMNS(lambda x: x = 'email') FROM @c
--> - | email
SELECT b FROM (SELECT * EXCLUDE (a) FROM (SELECT email AS a, id AS b FROM @c))
--> -
SELECT v FROM (SELECT email AS a, country AS v FROM @c)
--> -
SELECT o.* FROM @o o JOIN @c c ON c.id = o.customer_id
--> o.*
SELECT 'x' AS email, 1 AS phone, NULL AS name
--> - | - | -
SELECT current_date AS birth, count(*) AS email FROM @c
--> - | -
SELECT count(*) AS n, count(*) * 100 / sum(count(*)) OVER () AS share FROM @c GROUP BY country
--> - | -
SELECT name, details.mail FROM @p
--> - | -
SELECT p.name FROM @p p JOIN @c c ON p.id = c.id
--> -
SELECT country FROM @c UNION ALL SELECT name FROM @p
--> -
SELECT email IS NULL, coalesce(email, 'x') = 'x' FROM @c
--> ~email | ~email
SELECT (SELECT count(*) FROM @c c WHERE c.id = o.customer_id) FROM @o o
--> -
SELECT o.id FROM @o o WHERE EXISTS (SELECT email FROM @c c WHERE c.id = o.customer_id)
--> ~email?
SELECT list_transform([1, 2, 3], lambda email: email + 1) FROM @c
--> -
SELECT x.id FROM (SELECT *, upper(email) AS e FROM @c) x
--> -
WITH a AS (SELECT * FROM @c), b AS (SELECT id, country FROM a) SELECT * FROM b
--> - | -
SELECT * EXCLUDE (email, phone) FROM (SELECT id, email, phone, country FROM @c)
--> - | -
SELECT list_contains(['a'], email), list_has_any([email], ['a']), email IN ('a') FROM @c
--> ~email | email? | ~email
SELECT country || ':' || count(*) FROM @c GROUP BY country
--> -
SELECT json_object('n', count(*), 'c', country) FROM @c GROUP BY country
--> -
SELECT first(id ORDER BY salary DESC), last(country ORDER BY seen) FROM @c
--> ~salary | ~seen
SELECT lag(id) OVER (ORDER BY birth), sum(id) OVER (PARTITION BY gender) FROM @c
--> ~birth | gender?
SELECT DATE '2020-01-01' AS n, 1 + 1 AS two, 'email' AS e FROM @c
--> - | - | -
SELECT (SELECT max(id) FROM @c), (SELECT min(country) FROM @c)
--> - | -
SELECT a.id FROM @c a JOIN @c b ON a.email = b.email
--> ~email?
SELECT x FROM (SELECT country AS x, row_number() OVER (ORDER BY email) AS n FROM @c) WHERE n = 1
--> ~email?
SELECT n FROM (SELECT country AS x, row_number() OVER (ORDER BY email) AS n FROM @c)
--> ~email
SELECT c.country, count(DISTINCT c.email) FROM @c c GROUP BY ALL
--> - | ~email
SELECT bool_or(email LIKE 'a%'), max(CASE WHEN phone IS NULL THEN 1 ELSE 0 END) FROM @c
--> ~email | ~phone
SELECT approx_count_distinct(email), count(email) > 3 FROM @c
--> ~email | ~email
SELECT unnest([id, id + 1]), unnest(['a']) FROM @c
--> - | -
SELECT tags IS NULL, profile IS NULL, notes IS NULL FROM @c
--> ~tags | ~profile | ~notes
SELECT tags = ['a'], profile = NULL, attrs IS NOT NULL FROM @c
--> ~tags | ~profile | ~attrs
SELECT name_1 FROM (SELECT c.name, p.name FROM @c c, @p p)
--> -
