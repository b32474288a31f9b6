-- aggregates that keep values
SELECT min(email), max(email), any_value(phone), first(name), last(name) FROM @c
--> email | email | phone | name | name
SELECT list(email), array_agg(phone), string_agg(name, ','), group_concat(name), listagg(email, ';') FROM @c
--> email | phone | name | name | email
SELECT mode(gender), median(salary), quantile_cont(salary, 0.5), quantile_disc(salary, 0.5), approx_quantile(salary, 0.5) FROM @c
--> gender | salary | salary | salary | salary
SELECT arg_max(email, id), arg_min(phone, id), max_by(name, id), min_by(name, id), arg_max_null(email, id) FROM @c
--> email | phone | name | name | email
SELECT arg_max(country, salary), arg_max(country, id), max_by(id, email) FROM @c
--> salary? | - | email?
SELECT max(email, 2), arg_max(email, id, 2), min(salary, 3) FROM @c
--> email | email | salary
SELECT sum(salary), avg(salary), stddev(score), var_pop(score), product(score), kurtosis(score) FROM @c
--> salary | salary | score | score | score | score
SELECT histogram(email), approx_top_k(email, 2), bool_or(is_ill), bool_and(is_ill), bit_and(salary), bit_xor(salary) FROM @c
--> email | email | is_ill | is_ill | salary | salary
SELECT corr(salary, id), covar_pop(salary, score), regr_slope(salary, id) FROM @c
--> salary | salary score | salary
SELECT map_from_entries(list((id, email))), list({'e': email, 'i': id}), histogram(country) FROM @c
--> email | email | -
SELECT sum(salary > 5), sum(is_ill::INTEGER), avg(CASE WHEN is_ill THEN 1 ELSE 0 END) FROM @c
--> ~salary | is_ill | is_ill
SELECT sum(total), max(status), list(status) FROM @o
--> - | - | -
SELECT min(DISTINCT email), list(DISTINCT phone), sum(DISTINCT id), string_agg(DISTINCT country, ',') FROM @c
--> email | phone | - | -
SELECT any_value(c.email) FROM @c c JOIN @o o ON c.id = o.customer_id GROUP BY o.id
--> email
SELECT reservoir_quantile(salary, 0.5), mad(salary), entropy(email), skewness(salary) FROM @c
--> salary | salary | email? | salary
SELECT favg(score), fsum(score), kahan_sum(score), geomean(score), weighted_avg(score, id) FROM @c
--> score | score | score | score | score
SELECT bitstring_agg(salary % 5, 0, 5), bool_or(salary > 3), sem(score), mode(country) FROM @c
--> salary | ~salary | score | -
SELECT first(email ORDER BY id), list(name ORDER BY salary), array_agg(country ORDER BY email DESC) FROM @c
--> email | name ~salary? | ~email
-- counts
SELECT count(*), count(email), count(DISTINCT email), approx_count_distinct(phone) FROM @c
--> - | ~email | ~email | ~phone
SELECT count(id), count(DISTINCT country), count(1), count() FROM @c
--> - | - | - | -
SELECT count_if(salary > 5), count_if(id > 5), count_if(is_ill), count_star() FROM @c
--> ~salary | - | is_ill? | -
SELECT count(*) + 1, count(email) * 2, count(*) > 5 FROM @c
--> - | ~email | -
SELECT count(DISTINCT (email, phone)), count(DISTINCT upper(email)), count(c.*) FROM @c c
--> ~email ~phone | ~email | ?
SELECT n FROM (SELECT count(email) AS n FROM @c)
--> ~email
SELECT n + 1 AS m FROM (SELECT count(DISTINCT phone) AS n FROM @c GROUP BY country)
--> ~phone
SELECT max(n) FROM (SELECT country, count(email) AS n FROM @c GROUP BY country)
--> ~email
-- FILTER, ORDER BY within aggregates
SELECT count(*) FILTER (WHERE email LIKE 'b%') FROM @c
--> ~email
SELECT count(*) FILTER (email IS NOT NULL), count(*) FILTER (is_ill) FROM @c
--> ~email | is_ill?
SELECT max(email) FILTER (WHERE id > 1), max(country) FILTER (WHERE phone > 'b') FROM @c
--> email | ~phone
SELECT sum(id) FILTER (salary > 5), sum(salary) FILTER (id > 5) FROM @c
--> ~salary | salary
SELECT string_agg(country ORDER BY email), string_agg(email ORDER BY country) FROM @c
--> ~email | email
SELECT list(id ORDER BY salary, birth) FILTER (WHERE country = 'DE') FROM @c
--> ~salary ~birth
SELECT first(country ORDER BY seen DESC) FROM @c
--> ~seen
-- GROUP BY
SELECT email, count(*) FROM @c GROUP BY email
--> email | ~email?
SELECT country, count(*) FROM @c GROUP BY email, country
--> ~email? | ~email?
SELECT country, max(email) FROM @c GROUP BY ALL
--> - | email
SELECT left(email, 3) AS k, count(*) AS n FROM @c GROUP BY k
--> email | ~email?
SELECT left(email, 3), count(*) FROM @c GROUP BY 1
--> email | ~email?
SELECT upper(email), count(*) FROM @c GROUP BY ALL
--> email | ~email?
SELECT email, phone, count(*) FROM @c GROUP BY GROUPING SETS ((email), (phone), ())
--> email ~phone? | phone ~email? | ~email? ~phone?
SELECT email, country, sum(id) FROM @c GROUP BY ROLLUP (email, country)
--> email | ~email? | ~email?
SELECT email, country, count(*) FROM @c GROUP BY CUBE (email, country)
--> email | ~email? | ~email?
SELECT country, grouping(country), grouping_id(country) FROM @c GROUP BY ROLLUP (country)
--> - | - | -
SELECT grouping(email), count(*) FROM @c GROUP BY ROLLUP (email)
--> ~email? | ~email?
SELECT country FROM @c GROUP BY country HAVING max(salary) > 5
--> ~salary?
SELECT country, count(*) AS n FROM @c GROUP BY country HAVING n > 1 ORDER BY n
--> - | -
SELECT country, max(email) AS m FROM @c GROUP BY country HAVING max(email) > 'a'
--> ~email? | email
SELECT DISTINCT country, max(phone) OVER (PARTITION BY country) FROM @c
--> - | phone
SELECT year(birth) AS y, avg(salary) AS s FROM @c GROUP BY y ORDER BY s
--> birth | salary ~birth?
SELECT is_ill, count(*) FROM @c GROUP BY is_ill
--> is_ill | ~is_ill?
SELECT gender, blood, count(*) FROM @c GROUP BY gender, blood
--> gender ~blood? | blood ~gender? | ~gender? ~blood?
SELECT salary > 5 AS rich, count(*) FROM @c GROUP BY rich
--> ~salary | ~salary?
SELECT status, (SELECT max(email) FROM @c) AS m, count(*) FROM @o GROUP BY ALL
--> ~email? | email | ~email?
SELECT sum(x) FROM (SELECT salary AS x FROM @c UNION ALL SELECT qty FROM @o)
--> salary
