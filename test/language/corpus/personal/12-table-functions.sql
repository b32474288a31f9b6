-- SUMMARIZE, DESCRIBE
SELECT min, max FROM (SUMMARIZE @c)
--> => | =>
SELECT min FROM (SUMMARIZE (SELECT id, email FROM @c))
--> email
SELECT q25, q50, q75 FROM (SUMMARIZE (SELECT id, salary FROM @c))
--> salary | salary | salary
SELECT avg, std FROM (SUMMARIZE (SELECT salary, country FROM @c))
--> salary | salary
SELECT max FROM (SUMMARIZE @p)
--> -
SELECT s.max FROM (SUMMARIZE (SELECT email FROM @c)) s
--> email
SELECT max || 'x' AS v FROM (SUMMARIZE (SELECT phone FROM @c))
--> phone
WITH s AS (FROM (SUMMARIZE (SELECT phone FROM @c))) SELECT min FROM s
--> phone
FROM (SUMMARIZE (SELECT email FROM @c)) SELECT max
--> email
SELECT max FROM (SUMMARIZE (SELECT email AS x, id FROM @c UNION ALL SELECT status, id FROM @o))
--> email
SELECT column_name, column_type FROM (DESCRIBE @c)
--> - | -
SELECT column_name FROM (DESCRIBE (SELECT email FROM @c))
--> -
SELECT * FROM (DESCRIBE @o)
--> - | - | - | - | - | -
SELECT column_name FROM (SHOW @p)
--> -
-- functions over relations
SELECT bin FROM histogram(@c, email)
--> email
SELECT h.bin FROM histogram(@c, salary) h
--> salary
SELECT bin FROM histogram_values(@c, email)
--> email
SELECT bin FROM histogram(@o, status)
--> -
-- functions over values
SELECT * FROM range(5)
--> -
SELECT unnest FROM unnest((SELECT list(email) FROM @c))
--> email
SELECT x FROM unnest((SELECT list(country) FROM @c)) u(x)
--> -
SELECT * FROM unnest([1, 2]) a, unnest(['a']) b
--> - | -
SELECT range FROM range((SELECT max(salary) % 10 FROM @c))
--> salary
SELECT g FROM generate_series(0, (SELECT max(salary) % 10 FROM @c)) t(g)
--> salary
SELECT x FROM (SELECT unnest(list(email)) AS x FROM @c)
--> email
SELECT x, i FROM (SELECT unnest(list(email)) AS x, unnest(range(count(*))) AS i FROM @c)
--> email | -
SELECT t.x FROM @c c, unnest([c.email, c.country]) AS t(x) WHERE t.x <> ''
--> email
SELECT unnest(string_split(email, '@')) AS part FROM @c
--> email
SELECT unnest(regexp_extract_all(name, '\w+')) AS part, id FROM @c
--> name | -
SELECT part FROM @c, unnest(string_split(name, ' ')) s(part)
--> name
SELECT ordinality, t FROM @c, unnest(tags) WITH ORDINALITY AS u(t, ordinality)
--> tags?? | tags
SELECT generate_subscripts(tags, 1) FROM @c
--> tags
SELECT value FROM json_each('{"a": 1}')
--> -
SELECT value FROM json_each((SELECT notes FROM @c LIMIT 1))
--> notes
SELECT * FROM repeat_row(1, 'a', num_rows = 3)
--> - | -
