-- windows that hand values on
SELECT lag(email) OVER (ORDER BY id), lead(phone) OVER (ORDER BY id) FROM @c
--> email | phone
SELECT first_value(email) OVER (ORDER BY id), last_value(name) OVER (ORDER BY id), nth_value(phone, 2) OVER (ORDER BY id) FROM @c
--> email | name | phone
SELECT lag(country, 1, email) OVER (ORDER BY id), lag(country, 1) OVER (ORDER BY id) FROM @c
--> email | -
SELECT max(email) OVER (PARTITION BY country), min(salary) OVER () FROM @c
--> email | salary
SELECT sum(salary) OVER (ORDER BY id), avg(salary) OVER w FROM @c WINDOW w AS (PARTITION BY country)
--> salary | salary
SELECT list(email) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM @c
--> email
SELECT any_value(phone) OVER w, string_agg(name, ',') OVER w FROM @c WINDOW w AS (ORDER BY id)
--> phone | name
SELECT arg_max(email, id) OVER (), mode(gender) OVER (), median(salary) OVER () FROM @c
--> email | gender | salary
SELECT lag(email IGNORE NULLS) OVER (ORDER BY id), first_value(email IGNORE NULLS) OVER (ORDER BY id) FROM @c
--> email | email
SELECT salary - lag(salary) OVER (ORDER BY id) AS d, salary / sum(salary) OVER () AS share FROM @c
--> salary | salary
SELECT fill(salary) OVER (ORDER BY id) FROM @c
--> salary
SELECT max(email) FILTER (WHERE id > 1) OVER () FROM @c
--> email
SELECT list(DISTINCT phone) OVER (PARTITION BY country) FROM @c
--> phone
SELECT first_value(email ORDER BY id) OVER (PARTITION BY country) FROM @c
--> email
SELECT lead(total) OVER (PARTITION BY status ORDER BY day) FROM @o
--> -
SELECT v FROM (SELECT lag(email) OVER w AS v FROM @c WINDOW w AS (ORDER BY id)) WHERE v IS NOT NULL
--> email
SELECT count(*) OVER (), count(email) OVER (), sum(id) OVER (ORDER BY id) FROM @c
--> - | ~email | -
SELECT COLUMNS(['id', 'salary']) - lag(COLUMNS(['id', 'salary'])) OVER (ORDER BY signup) FROM @c
--> - | salary
-- keys of order and partition
SELECT row_number() OVER (ORDER BY email) FROM @c
--> ~email
SELECT rank() OVER (ORDER BY salary DESC), dense_rank() OVER (ORDER BY birth), percent_rank() OVER (ORDER BY score) FROM @c
--> ~salary | ~birth | ~score
SELECT ntile(3) OVER (ORDER BY salary), cume_dist() OVER (ORDER BY salary), row_number() OVER () FROM @c
--> ~salary | ~salary | -
SELECT count(*) OVER (PARTITION BY email), sum(id) OVER (PARTITION BY phone ORDER BY birth) FROM @c
--> ~email | ~phone ~birth
SELECT row_number() OVER (PARTITION BY country ORDER BY id) FROM @c
--> -
SELECT lag(country) OVER (ORDER BY email), first_value(id) OVER (PARTITION BY phone) FROM @c
--> ~email | ~phone
SELECT max(email) OVER (PARTITION BY phone ORDER BY birth) FROM @c
--> email ~phone ~birth
SELECT row_number() OVER w, count(*) OVER w FROM @c WINDOW w AS (PARTITION BY name ORDER BY seen)
--> ~name ~seen | ~name ~seen
SELECT sum(id) OVER (ORDER BY salary RANGE BETWEEN 10 PRECEDING AND CURRENT ROW) FROM @c
--> ~salary
SELECT sum(id) OVER (ORDER BY id ROWS BETWEEN coalesce(salary, 0) % 3 PRECEDING AND CURRENT ROW) FROM @c
--> salary?
SELECT rank() OVER (ORDER BY length(email)) FROM @c
--> ~email
SELECT row_number() OVER (PARTITION BY is_ill ORDER BY id) FROM @c
--> is_ill?
SELECT sum(id) OVER w2 FROM @c WINDOW w1 AS (PARTITION BY email), w2 AS (w1 ORDER BY phone)
--> ~email ~phone
SELECT rank(ORDER BY salary) OVER (PARTITION BY country) FROM @c
--> ~salary
-- QUALIFY
SELECT email FROM @c QUALIFY row_number() OVER (PARTITION BY country ORDER BY id) = 1
--> email
SELECT country FROM @c QUALIFY row_number() OVER (PARTITION BY email) = 1
--> ~email?
SELECT country, row_number() OVER (ORDER BY phone) AS n FROM @c QUALIFY n = 1
--> ~phone? | ~phone
SELECT id, max(email) OVER () AS m FROM @c QUALIFY m IS NOT NULL
--> ~email? | email
SELECT * FROM (SELECT id, phone FROM @c) QUALIFY rank() OVER (ORDER BY id) < 3
--> - | phone
-- ORDER BY, LIMIT
SELECT country FROM @c ORDER BY email LIMIT 2
--> ~email?
SELECT country FROM @c ORDER BY ALL
--> -
SELECT email AS x, country FROM @c ORDER BY x DESC, 2 NULLS LAST LIMIT 1
--> email | ~email?
SELECT id FROM @c LIMIT (SELECT count(*) FROM @o)
--> -
SELECT id FROM @c ORDER BY salary DESC OFFSET 1
--> ~salary?
SELECT email FROM @c WHERE phone LIKE '1%' ORDER BY seen
--> email ~phone? ~seen?
