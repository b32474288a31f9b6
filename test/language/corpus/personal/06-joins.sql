-- joins of every kind
SELECT c.email, o.total FROM @c c JOIN @o o ON c.id = o.customer_id
--> email | -
SELECT c.email, o.total FROM @c c LEFT JOIN @o o ON c.id = o.customer_id
--> email | -
SELECT c.email, o.total FROM @o o RIGHT JOIN @c c ON c.id = o.customer_id
--> email | -
SELECT c.email, o.total FROM @c c FULL JOIN @o o ON c.id = o.customer_id
--> email | -
SELECT c.email, o.total FROM @c c CROSS JOIN @o o
--> email | -
SELECT c.email, o.total FROM @c c, @o o WHERE c.id = o.customer_id
--> email | -
SELECT c.email FROM @c c SEMI JOIN @o o ON c.id = o.customer_id
--> email
SELECT o.total FROM @o o SEMI JOIN @c c ON c.id = o.customer_id AND c.is_ill
--> ~is_ill?
SELECT c.country FROM @c c ANTI JOIN @o o ON c.phone = o.status
--> ~phone?
SELECT c.email, o.total FROM @c c POSITIONAL JOIN @o o
--> email | -
SELECT * FROM (SELECT email FROM @c) POSITIONAL JOIN (SELECT status FROM @o)
--> email | -
SELECT c.email, o.total FROM @o o ASOF JOIN @c c ON o.customer_id = c.id AND o.day >= c.birth
--> email ~birth? | ~birth?
SELECT c.email, o.day FROM @o o ASOF LEFT JOIN @c c ON o.day >= c.signup
--> email | -
SELECT c.email, o.total FROM @c c INNER JOIN @o o ON c.id = o.customer_id AND o.total > 5
--> email | -
SELECT a.email, b.phone FROM @c a JOIN @c b ON a.country = b.country
--> email | phone
SELECT o.total, p.name FROM @o o JOIN @p p ON o.id = p.id JOIN @c c ON c.id = o.customer_id
--> - | -
SELECT p.name, c.name, o.status FROM (@o o JOIN @c c ON c.id = o.customer_id) JOIN @p p ON p.id = o.id
--> - | name | -
SELECT c.name, p.name FROM @o o LEFT JOIN (@c c CROSS JOIN @p p) ON c.id = o.customer_id
--> name | -
SELECT o.total FROM @o o JOIN @c c ON o.status = c.phone
--> ~phone?
SELECT s.email FROM @o o JOIN (SELECT id, email FROM @c WHERE country = 'DE') s ON s.id = o.customer_id
--> email
-- columns merged by USING and NATURAL
SELECT id, email, total FROM @c JOIN @o USING (id)
--> - | email | -
SELECT country FROM @c JOIN @o USING (country)
--> -
SELECT k FROM (SELECT email AS k FROM @c) a JOIN (SELECT status AS k FROM @o) b USING (k)
--> email
SELECT k FROM (SELECT status AS k FROM @o) a JOIN (SELECT email AS k FROM @c) b USING (k)
--> email??
SELECT k FROM (SELECT status AS k FROM @o) a LEFT JOIN (SELECT email AS k FROM @c) b USING (k)
--> ~email?
SELECT k FROM (SELECT status AS k FROM @o) a RIGHT JOIN (SELECT email AS k FROM @c) b USING (k)
--> email
SELECT k FROM (SELECT status AS k FROM @o) a FULL JOIN (SELECT email AS k FROM @c) b USING (k)
--> email
SELECT a.k, b.k FROM (SELECT status AS k FROM @o) a FULL JOIN (SELECT email AS k FROM @c) b USING (k)
--> ~email? | email
SELECT * FROM (SELECT status AS k, qty FROM @o) a FULL JOIN (SELECT email AS k, phone FROM @c) b USING (k)
--> email | ~email? | phone ~email?
SELECT * FROM (SELECT email AS k, qty FROM @o, @c) a LEFT JOIN (SELECT status AS k, total FROM @o) b USING (k)
--> email | ~email? | ~email?
SELECT b.* FROM (SELECT email AS k FROM @c) a JOIN (SELECT status AS k, qty FROM @o) b USING (k)
--> email?? | ~email?
SELECT k FROM (SELECT email AS k FROM @c) a NATURAL JOIN (SELECT status AS k FROM @o) b
--> email
SELECT * FROM (SELECT id, email FROM @c) NATURAL JOIN (SELECT id, status FROM @o)
--> - | email | -
SELECT * FROM (SELECT id, email FROM @c) NATURAL LEFT JOIN (SELECT id, status FROM @o)
--> - | email | -
SELECT name FROM @p NATURAL FULL JOIN (SELECT name FROM @c)
--> name
SELECT id FROM @c a JOIN @o b USING (id) JOIN @p d USING (id)
--> -
SELECT k FROM (SELECT id AS k FROM @o) a FULL JOIN (SELECT salary AS k FROM @c) b USING (k) FULL JOIN (SELECT id AS k FROM @p) d USING (k)
--> salary
SELECT * EXCLUDE (k) FROM (SELECT id AS k, status FROM @o) a FULL JOIN (SELECT salary AS k, email FROM @c) b USING (k)
--> ~salary? | email ~salary?
SELECT COLUMNS('^k$') FROM (SELECT id AS k FROM @o) a FULL JOIN (SELECT salary AS k FROM @c) b USING (k)
--> salary
SELECT id, a.email, b.email FROM (SELECT id, email FROM @c) a JOIN (SELECT id, country AS email FROM @c) b USING (id)
--> - | email | -
-- samples
SELECT email FROM @c USING SAMPLE 100%
--> email
SELECT country FROM @c USING SAMPLE reservoir(3 ROWS) REPEATABLE (1)
--> -
SELECT email, id FROM @c TABLESAMPLE bernoulli(100%) REPEATABLE (1)
--> email | -
SELECT s.phone FROM @c AS s TABLESAMPLE reservoir(50%) REPEATABLE (1)
--> phone
-- tables under other names
SELECT t.b, t.a FROM @c AS t(a, b)
--> email | -
SELECT b FROM (SELECT country, email FROM @c) AS t(a, b)
--> email
SELECT a, phone FROM @c AS t(a, b)
--> - | phone
SELECT t.email FROM @c t, @o email
--> email
SELECT main.x FROM (SELECT email AS x FROM @c) main
--> email
SELECT b FROM (VALUES (1, 2)) v(a, b), @c
--> -
SELECT x, y FROM (VALUES ((SELECT max(email) FROM @c), 1)) v(x, y)
--> email | -
SELECT y FROM (VALUES (1, 'a'), (2, (SELECT min(phone) FROM @c))) v(x, y)
--> phone
SELECT x FROM (VALUES (1, 'a'), (2, (SELECT min(phone) FROM @c))) v(x, y)
--> -
VALUES ((SELECT max(email) FROM @c), 1), ('x', (SELECT max(salary) FROM @c))
--> email | salary
SELECT col1 FROM (VALUES (1, (SELECT min(name) FROM @c)))
--> name
SELECT v.x FROM @c c, (VALUES (c.email), (c.phone)) v(x)
--> email phone
SELECT v.x, v.y FROM @c c, LATERAL (VALUES (c.email, c.country), (c.phone, c.country)) v(x, y)
--> email phone | -
