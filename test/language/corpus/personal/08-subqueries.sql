-- scalar subqueries
SELECT (SELECT max(email) FROM @c) AS m FROM @o
--> email
SELECT (SELECT c.email FROM @c c WHERE c.id = o.customer_id) AS m, o.total FROM @o o
--> email | -
SELECT (SELECT count(*) FROM @c) AS n FROM @o
--> -
SELECT (SELECT country FROM @c ORDER BY email LIMIT 1) AS v FROM @o
--> ~email?
SELECT (SELECT (SELECT (SELECT c.email))) AS v FROM @c c
--> email
SELECT (SELECT (SELECT max(x.phone) FROM @c x WHERE x.id = y.id) FROM @o y WHERE y.id = o.id) AS v FROM @o o
--> phone
SELECT (SELECT sum(o.total) FROM @o o WHERE o.customer_id = c.id) AS s, c.country FROM @c c
--> - | -
SELECT (SELECT sum(o.total) + c.salary FROM @o o WHERE o.customer_id = c.id) AS s FROM @c c
--> salary
SELECT (SELECT o.status || c.email FROM @o o LIMIT 1) AS s FROM @c c
--> email
SELECT (SELECT email FROM @c LIMIT 1) || country AS s FROM @c
--> email
SELECT upper((SELECT min(name) FROM @p)) AS s, (SELECT min(name) FROM @c) AS t FROM @c
--> - | name
SELECT CASE WHEN id = 1 THEN (SELECT max(email) FROM @c) ELSE 'x' END AS v FROM @o
--> email
SELECT (SELECT {'e': email, 'i': id} FROM @c LIMIT 1) AS v
--> email
SELECT (SELECT {'e': email, 'i': id} FROM @c LIMIT 1).i AS v
--> -
SELECT (SELECT list(phone) FROM @c)[1] AS v
--> phone
SELECT ARRAY(SELECT email FROM @c) AS v, ARRAY(SELECT id FROM @c) AS w
--> email | -
SELECT (SELECT max(x) FROM (SELECT email AS x FROM @c UNION SELECT 'a')) AS v
--> email
SELECT (WITH t AS (SELECT phone AS x FROM @c) SELECT min(x) FROM t) AS v
--> phone
SELECT (SELECT min(v) FROM (VALUES (c.email), ('x')) t(v)) AS v FROM @c c
--> email
SELECT (SELECT unnest([c.email]) LIMIT 1) AS v FROM @c c
--> email
SELECT (SELECT max(u.t) FROM unnest(c.tags) u(t)) AS v FROM @c c
--> tags
SELECT (SELECT string_agg(o.status || c.phone, '-') FROM @o o) AS v FROM @c c
--> phone
-- EXISTS, IN, ANY, ALL
SELECT EXISTS (SELECT 1 FROM @o o WHERE o.customer_id = c.id) AS v FROM @c c
--> -
SELECT EXISTS (SELECT email FROM @c c WHERE c.id = o.customer_id) AS v FROM @o o
--> ~email?
SELECT EXISTS (SELECT 1 FROM @c c WHERE c.phone = o.status) AS v FROM @o o
--> ~phone?
SELECT o.status IN (SELECT phone FROM @c) AS v FROM @o o
--> ~phone
SELECT c.email IN (SELECT status FROM @o) AS v FROM @c c
--> ~email
SELECT c.email NOT IN (SELECT status FROM @o) AS v, c.country IN (SELECT country FROM @o) AS w FROM @c c
--> ~email | -
SELECT salary > ALL (SELECT qty FROM @o) AS v, qty = ANY (SELECT salary FROM @c) AS w FROM @c, @o
--> ~salary | ~salary
SELECT salary > (SELECT avg(salary) FROM @c) AS v, id > (SELECT avg(salary) FROM @c) AS w FROM @c
--> ~salary | ~salary
SELECT email FROM @c WHERE id IN (SELECT customer_id FROM @o)
--> email
SELECT total FROM @o WHERE customer_id IN (SELECT id FROM @c WHERE email LIKE 'b%')
--> ~email?
SELECT total FROM @o o WHERE EXISTS (SELECT 1 FROM @c c WHERE c.id = o.customer_id AND c.is_ill)
--> ~is_ill?
SELECT (id, email) IN (SELECT id, status FROM @o) AS v FROM @c
--> ~email
SELECT email IN ('a', phone) AS v, country IN ('a', 'b') AS w FROM @c
--> ~email ~phone | -
SELECT CASE WHEN EXISTS (SELECT 1 FROM @o o WHERE o.status = c.phone) THEN c.country END AS v FROM @c c
--> ~phone?
SELECT id FROM @o WHERE total > (SELECT avg(salary) FROM @c)
--> ~salary?
-- LATERAL
SELECT l.x, o.total FROM @o o, LATERAL (SELECT c.email AS x FROM @c c WHERE c.id = o.customer_id) l
--> email | -
SELECT l.x FROM @c c, LATERAL (SELECT c.email AS x) l
--> email
SELECT l.x, m.y FROM @c c, LATERAL (SELECT c.email AS x) l, LATERAL (SELECT upper(l.x) AS y) m
--> email | email
SELECT l.n FROM @c c LEFT JOIN LATERAL (SELECT count(*) AS n FROM @o o WHERE o.customer_id = c.id) l ON true
--> -
SELECT l.s FROM @c c CROSS JOIN LATERAL (SELECT max(o.status) || c.name AS s FROM @o o) l
--> name
SELECT l.* FROM @c c, LATERAL (SELECT c.country, c.phone) l
--> - | phone
SELECT x.v FROM @c c, (SELECT c.salary * 2 AS v) x
--> salary
SELECT x.v FROM @c c, (SELECT unnest(c.tags) AS v) x
--> tags
SELECT t.v FROM @c c, LATERAL (SELECT l.v FROM (SELECT c.email AS v) l WHERE l.v <> 'x') t
--> email
SELECT t.v FROM @c c, LATERAL (SELECT (SELECT max(o.status || c.phone) FROM @o o) AS v) t
--> phone
SELECT u.i, c.id FROM @c c, unnest(range(length(c.email))) u(i)
--> email | -
SELECT r.i FROM @c c, range(c.id) r(i)
--> -
SELECT r.i FROM @c c, range(c.salary % 3) r(i)
--> salary
SELECT g.i, c.id FROM @c c, generate_series(1, c.salary % 3) g(i)
--> salary | ~salary?
SELECT unnest(range(salary % 5)) AS v, unnest(generate_series(1, id)) AS w FROM @c
--> salary | -
SELECT range(0, salary % 7), generate_series(birth, birth + INTERVAL 2 DAY, INTERVAL 1 DAY), range(id) FROM @c
--> salary | birth | -
SELECT j.value FROM @c c, json_each(c.notes) j
--> notes
SELECT j.key, c.country FROM @c c, json_each(c.notes) j
--> notes? | ~notes?
SELECT j.atom FROM @c c, json_tree(c.notes) j
--> notes
SELECT s.v FROM @o o, LATERAL (SELECT o.status AS v UNION ALL SELECT c.email FROM @c c) s
--> email
-- deep correlation
SELECT (SELECT max((SELECT c.email || o.status)) FROM @o o) AS v FROM @c c
--> email
SELECT (SELECT max(a.x) FROM (SELECT b.y AS x FROM (SELECT c.phone AS y) b) a) AS v FROM @c c
--> phone
SELECT (SELECT (SELECT (SELECT count(*) FROM @p p WHERE p.id = c.id) FROM @o LIMIT 1)) AS v FROM @c c
--> -
SELECT (SELECT (SELECT max(p.name) FROM @p p WHERE p.name > c.name) FROM @o LIMIT 1) AS v FROM @c c
--> ~name?
SELECT list_transform([(SELECT max(phone) FROM @c)], lambda x: upper(x))[1] AS v
--> phone
SELECT o.id, (SELECT first(c.name ORDER BY c.id) FROM @c c WHERE c.country = o.country) AS v FROM @o o
--> - | name
SELECT v FROM (SELECT (SELECT email FROM @c c WHERE c.id = o.id) AS v FROM @o o) WHERE v IS NOT NULL
--> email
SELECT (SELECT id FROM @c c WHERE c.email = (SELECT min(email) FROM @c)) AS v
--> ~email?
