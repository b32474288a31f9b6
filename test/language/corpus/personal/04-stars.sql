-- stars
SELECT * FROM @c
--> c.*
SELECT c.* FROM @c c
--> c.*
SELECT o.* FROM @o o JOIN @c c ON c.id = o.customer_id
--> o.*
SELECT * FROM @o o JOIN @c c ON c.id = o.customer_id
--> o.* | c.*
SELECT c.*, o.* FROM @o o, @c c
--> c.* | o.*
SELECT *, email AS again FROM @c
--> c.* | email
SELECT 1 AS a, *, 2 AS b FROM @c
--> - | c.* | -
SELECT *, * FROM @p
--> p.* | p.*
SELECT * FROM (SELECT * FROM (SELECT * FROM @c))
--> c.*
WITH a AS (SELECT * FROM @c), b AS (SELECT * FROM a) SELECT * FROM b
--> c.*
SELECT s.* FROM (SELECT id, email FROM @c) s, @o
--> - | email
SELECT p.*, c.email FROM @p p, @c c
--> p.* | email
SELECT * FROM @u
--> u.*
-- EXCLUDE
SELECT * EXCLUDE (email) FROM (SELECT id, email, phone FROM @c)
--> - | phone
SELECT * EXCLUDE email FROM (SELECT id, email, phone FROM @c)
--> - | phone
SELECT * EXCLUDE (a.email) FROM (SELECT id, email FROM @c) a, (SELECT email, country FROM @c) b
--> - | email | -
SELECT * EXCLUDE (b.email) FROM (SELECT id, email FROM @c) a, (SELECT country AS email, country FROM @c) b
--> - | email | -
SELECT * EXCLUDE (email) FROM (SELECT id, email FROM @c) a, (SELECT email, country FROM @c) b
--> - | -
SELECT a.* EXCLUDE (email), b.* FROM (SELECT id, email FROM @c) a, (SELECT email, country FROM @c) b
--> - | email | -
SELECT * EXCLUDE (id, country) FROM (SELECT id, email, country FROM @c)
--> email
SELECT * EXCLUDE ("EMAIL") FROM (SELECT id, email FROM @c)
--> -
SELECT * EXCLUDE (id) FROM (SELECT id, email FROM @c) JOIN (SELECT id, country FROM @o) USING (id)
--> email | -
SELECT c.* EXCLUDE (email, name, phone, gender, birth, seen, salary, score, is_ill, blood, profile, tags, attrs, notes) FROM @c c
--> - | - | -
SELECT p.* EXCLUDE (details), c.name AS n FROM @p p, @c c
--> - | - | - | - | name
-- REPLACE
SELECT * REPLACE (upper(email) AS email) FROM (SELECT id, email FROM @c)
--> - | email
SELECT * REPLACE ('hidden' AS email) FROM (SELECT id, email FROM @c)
--> - | -
SELECT * REPLACE (email AS id) FROM (SELECT id, email FROM @c)
--> email | email
SELECT * REPLACE (country AS email, email AS country) FROM (SELECT email, country FROM @c)
--> - | email
SELECT * EXCLUDE (id) REPLACE (left(phone, 2) AS phone) FROM (SELECT id, phone FROM @c)
--> phone
SELECT c.* REPLACE (salary > 5 AS salary) FROM (SELECT id, salary FROM @c) c
--> - | ~salary
SELECT * REPLACE (count(*) OVER () AS email) FROM (SELECT id, email FROM @c)
--> - | -
-- RENAME
SELECT * RENAME (email AS e) FROM (SELECT id, email FROM @c)
--> - | email
SELECT * RENAME (email AS country, country AS email) FROM (SELECT email, country FROM @c)
--> email | -
SELECT e FROM (SELECT * RENAME (email AS e) FROM @c)
--> email
SELECT email FROM (SELECT * RENAME (email AS country, country AS email) FROM (SELECT email, country FROM @c))
--> -
SELECT * EXCLUDE (id) REPLACE (upper(email) AS email) RENAME (phone AS p) FROM (SELECT id, email, phone FROM @c)
--> email | phone
SELECT c.* RENAME (c.email AS e) FROM (SELECT id, email FROM @c) c, @o
--> - | email
-- names made unique inside a query
SELECT name_1 FROM (SELECT * FROM (SELECT 'shop' AS name) s, @c)
--> name
SELECT name FROM (SELECT * FROM (SELECT 'shop' AS name) s, @c)
--> -
SELECT name, name_1 FROM (SELECT * FROM @p p, @c c)
--> - | name
SELECT name_1, name FROM (SELECT * FROM @c c, @p p)
--> - | name
SELECT id_1, email FROM (SELECT * FROM @o o, @c c)
--> - | email
WITH t AS (SELECT * FROM @p p JOIN @c c ON c.id = p.id) SELECT name_1 AS n FROM t
--> name
WITH t AS (SELECT p.name, c.name FROM @p p, @c c) SELECT name_1, name FROM t
--> name | -
SELECT email_1 FROM (SELECT country AS email, email FROM @c)
--> email
SELECT email FROM (SELECT country AS email, email FROM @c)
--> -
SELECT x_1, x_2, x FROM (SELECT id AS x, phone AS x, country AS x FROM @c)
--> phone | - | -
SELECT x_1 FROM (SELECT id AS x, phone AS x_1, country AS x FROM @c)
--> phone
SELECT "X_1" FROM (SELECT id AS x, phone AS "X" FROM @c)
--> phone
SELECT t.name_1 FROM (SELECT * FROM @p, @c) t
--> name
SELECT * EXCLUDE (name) FROM (SELECT p.name, c.name FROM @p p, @c c)
--> name
SELECT COLUMNS('name_1') FROM (SELECT p.name, c.name FROM @p p, @c c)
--> name
SELECT name_1 FROM (SELECT * FROM (SELECT name FROM @p) a POSITIONAL JOIN (SELECT name FROM @c) b)
--> name
SELECT v_1 FROM (SELECT country AS v, (SELECT max(email) FROM @c) AS v FROM @c)
--> email
SELECT upper(name_1) FROM (SELECT p.name, c.name FROM @p p, @c c UNION ALL SELECT 'a', 'b')
--> name
SELECT name_1 FROM (SELECT c.name, p.name, c.email FROM @p p, @c c)
--> -
SELECT b.x_1 FROM (SELECT a.x, a.x_1 FROM (SELECT country AS x, email AS x FROM @c) a) b
--> email
-- rows as values
SELECT c FROM @c c
--> =>
SELECT p FROM @p p
--> -
SELECT t FROM (SELECT id, email FROM @c) t
--> email
SELECT t.email FROM (SELECT c AS t FROM @c c) s
--> email
SELECT t.country FROM (SELECT {'country': country, 'email': email} AS t FROM @c)
--> -
SELECT list(t) FROM (SELECT id, phone FROM @c) t
--> phone
SELECT [t] FROM (SELECT id, country FROM @c) t
--> -
SELECT t::VARCHAR FROM (SELECT id, phone FROM @c) t
--> phone
SELECT struct_extract(t, 'email') FROM (SELECT id, email FROM @c) t
--> email
SELECT any_value(c) FROM @c c GROUP BY country
--> =>
SELECT unnest(t) FROM (SELECT id, email, country FROM @c) t
--> - | email | -
SELECT first(t).email FROM (SELECT id, email FROM @c) t
--> email
SELECT t IS NULL, t = t FROM (SELECT id, email FROM @c) t
--> ~email? | ~email
SELECT count(c), count(DISTINCT c.email) FROM @c c
--> ? | ~email
SELECT (SELECT c) FROM @c c
--> =>
SELECT row(id, email), row(id, country), (id, phone) FROM @c
--> email | - | phone
SELECT (id, email) = (1, 'x'), (id, country) IN (SELECT id, status FROM @o) FROM @c
--> ~email | -
SELECT (country, email)[2] FROM @c
--> email
SELECT struct_extract_at(row(country, email), 2), struct_extract_at(row(country, email), 1) FROM @c
--> email | -
SELECT max((salary, id)), min(row(country)) FROM @c
--> salary | -
