-- filters that select rows only
SELECT country FROM @c WHERE email LIKE 'b%'
--> ~email?
SELECT country FROM @c WHERE is_ill
--> ~is_ill?
SELECT country FROM @c WHERE gender = 'f' AND salary > 5
--> ~gender? ~salary?
SELECT id FROM @c WHERE email = (SELECT max(email) FROM @c)
--> ~email?
SELECT o.status FROM @o o JOIN @c c ON c.id = o.customer_id WHERE c.is_ill
--> ~is_ill?
SELECT o.status FROM @o o JOIN @c c ON c.id = o.customer_id AND c.phone LIKE '1%'
--> ~phone?
SELECT count(*) FROM @c WHERE is_ill
--> ~is_ill?
SELECT sum(total) FROM @o WHERE customer_id IN (SELECT id FROM @c WHERE birth > DATE '1990-01-01')
--> ~birth?
SELECT id FROM @c WHERE phone IS NULL
--> ~phone?
SELECT id FROM @c WHERE NOT EXISTS (SELECT 1 FROM @o o WHERE o.status = email)
--> ~email?
WITH t AS (SELECT id FROM @c WHERE score > 3) SELECT * FROM t
--> ~score?
SELECT id FROM (SELECT id, email FROM @c) WHERE email <> 'x'
--> ~email?
SELECT country, count(*) FROM @c WHERE salary > 5 GROUP BY country HAVING max(birth) > DATE '1990-01-01'
--> ~salary? ~birth? | ~salary? ~birth?
SELECT email, country FROM @c WHERE phone LIKE '1%'
--> email ~phone? | ~phone?
SELECT id FROM @c EXCEPT SELECT salary FROM @c
--> ~salary?
SELECT id FROM @c SEMI JOIN (SELECT email AS e FROM @c) ON e = country
--> ~email?
SELECT DISTINCT ON (phone) id FROM @c
--> ~phone?
SELECT id FROM @c ORDER BY salary LIMIT 1
--> ~salary?
SELECT total FROM @o WHERE total > 5
--> -
SELECT total FROM @o WHERE customer_id IN (SELECT id FROM @c)
--> -
SELECT status FROM @o UNION ALL SELECT country FROM @c WHERE is_ill
--> ~is_ill?
SELECT (SELECT country FROM @c WHERE email = 'x') AS v
--> ~email?
SELECT row_number() OVER () FROM @c WHERE salary > 5
--> ~salary?
SELECT c.country FROM @c c, @o o WHERE c.id = o.customer_id AND o.total > 5
--> -
