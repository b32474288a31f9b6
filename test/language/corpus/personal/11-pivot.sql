-- PIVOT: its key is personal
PIVOT @c ON gender IN ('f', 'm') USING count(*) GROUP BY country
--> - | gender | gender
SELECT * FROM (PIVOT @c ON gender IN ('f', 'm') USING count(*) GROUP BY country)
--> - | gender | gender
SELECT * FROM (PIVOT @c ON country IN ('a', 'b') USING max(email) GROUP BY id)
--> - | email | email
SELECT * FROM (PIVOT @c ON gender IN ('f') USING max(email), count(*) GROUP BY country)
--> - | email gender | gender
SELECT * FROM (PIVOT @c ON gender IN ('f' AS women, 'm' AS men) USING sum(salary) AS s GROUP BY country)
--> - | gender salary | gender salary
SELECT women_s FROM (PIVOT @c ON gender IN ('f' AS women, 'm' AS men) USING sum(salary) AS s, count(*) AS n GROUP BY country)
--> gender salary
SELECT * FROM (PIVOT @o ON status IN ('a', 'b') USING sum(total) GROUP BY country)
--> - | - | -
SELECT * FROM (PIVOT (SELECT id, gender, salary FROM @c) ON gender IN ('f', 'm') USING max(salary))
--> - | gender salary | gender salary
SELECT * FROM (PIVOT (SELECT email, country, id FROM @c) ON country IN ('a', 'b') USING max(id))
--> email | - | -
SELECT * FROM (SELECT id, gender, salary FROM @c) PIVOT (max(salary) FOR gender IN ('f', 'm') GROUP BY id)
--> - | gender salary | gender salary
SELECT p.f FROM @c PIVOT (count(*) FOR gender IN ('f', 'm') GROUP BY country) p
--> gender
SELECT p.country FROM @c PIVOT (count(*) FOR gender IN ('f', 'm') GROUP BY country) p
--> -
SELECT * FROM @c PIVOT (max(phone) FOR gender IN ('f') country IN ('a', 'b') GROUP BY id)
--> - | gender phone | gender phone
SELECT * FROM (PIVOT @c ON gender IN ('f'), country IN ('a', 'b') USING max(phone) GROUP BY id)
--> - | gender phone | gender phone
SELECT * FROM (PIVOT @c ON gender || '-' || country IN ('f-a', 'm-b') USING count(*) GROUP BY id)
--> - | gender | gender
WITH t AS (PIVOT @c ON gender IN ('f', 'm') USING max(birth) GROUP BY country) SELECT f, m, country FROM t
--> birth gender | birth gender | -
FROM (PIVOT @c ON left(email, 1) IN ('a', 'b') USING count(*) GROUP BY country)
--> - | email | email
SELECT * FROM (PIVOT @c ON is_ill IN (true, false) USING count(*) GROUP BY country)
--> - | is_ill | is_ill
SELECT f FROM (PIVOT (SELECT gender, email AS v, country FROM @c) ON gender IN ('f') USING first(v) GROUP BY country)
--> email gender
SELECT * FROM (PIVOT @c ON country IN ('a') USING list(name) GROUP BY email)
--> email | name
SELECT x FROM (SELECT * FROM (PIVOT @c ON gender IN ('f', 'm') USING max(salary) GROUP BY country)) t(k, x, y)
--> gender salary
-- UNPIVOT
SELECT * FROM (UNPIVOT (SELECT id, email, phone FROM @c) ON email, phone INTO NAME k VALUE v)
--> - | - | email phone
SELECT v FROM (UNPIVOT (SELECT id, email, country FROM @c) ON email, country INTO NAME k VALUE v)
--> email
SELECT k, id FROM (UNPIVOT (SELECT id, email, country FROM @c) ON email, country INTO NAME k VALUE v)
--> - | -
SELECT * FROM (UNPIVOT (SELECT email, status, country FROM @c, (SELECT status FROM @o)) ON status, country INTO NAME k VALUE v)
--> email | - | -
SELECT * FROM (SELECT id, email, phone FROM @c) UNPIVOT (v FOR k IN (email, phone))
--> - | - | email phone
SELECT * FROM (SELECT id, email, phone FROM @c) UNPIVOT INCLUDE NULLS (v FOR k IN (email, phone))
--> - | - | email phone
SELECT * FROM (SELECT id, email, phone, name, country FROM @c) UNPIVOT ((v, w) FOR k IN ((email, phone), (name, country)))
--> - | - | email name | phone
SELECT * FROM (UNPIVOT (SELECT id, email, phone, name, country FROM @c) ON (email, country) AS one, (name, phone) AS two INTO NAME k VALUE v, w)
--> - | - | email name | phone
SELECT * FROM (UNPIVOT (SELECT id, email, phone FROM @c) ON COLUMNS(* EXCLUDE (id)) INTO NAME k VALUE v)
--> - | - | email phone
SELECT * FROM (UNPIVOT (SELECT id, email, phone FROM @c) ON COLUMNS('e?mail|phone') INTO NAME k VALUE v)
--> - | - | email phone
SELECT * FROM (UNPIVOT (SELECT id, salary FROM @c) ON id, salary)
--> - | salary
UNPIVOT (SELECT id, email, phone FROM @c) ON email, phone INTO NAME k VALUE v
--> - | - | email phone
SELECT v FROM (UNPIVOT (SELECT country, status FROM @o) ON country, status INTO NAME k VALUE v)
--> -
SELECT u.v, u.email FROM (SELECT id::VARCHAR AS i, country, email FROM @c) UNPIVOT (v FOR k IN (i, country)) u
--> - | email
SELECT v FROM (UNPIVOT (SELECT id, email::VARCHAR AS e, salary::VARCHAR AS s FROM @c) ON e AS first, s AS second INTO NAME k VALUE v)
--> email salary
WITH t AS (UNPIVOT (SELECT id, email, phone FROM @c) ON email, phone INTO NAME k VALUE v) SELECT max(v), count(*), max(k) FROM t
--> email phone | - | -
SELECT * FROM (PIVOT (UNPIVOT (SELECT id, email, phone FROM @c) ON email, phone INTO NAME k VALUE v) ON k IN ('email', 'phone') USING first(v) GROUP BY id)
--> - | email phone | email phone
