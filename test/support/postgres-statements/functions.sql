-- Functions of numbers, texts and times
SELECT round('1') AS a
SELECT round('one') AS a
SELECT abs(NULL) AS a, abs('-1') AS b, abs(-1) AS c
SELECT abs(name) AS a FROM @things
SELECT round(rate) AS a, round(total) AS b, round(amount, 1) AS c FROM @things
SELECT round(rate, 2) AS a FROM @things
SELECT round(amount, 1, 2) AS a FROM @things
SELECT ceil(amount) AS a, floor(rate) AS b, trunc(amount, 1) AS c, sign(n) AS d FROM @things
SELECT trunc(rate, 1) AS a FROM @things
SELECT mod(n, 2) AS a, mod(id, n) AS b, mod(amount, 2) AS c, div(amount, 3) AS d FROM @things
SELECT mod(rate, 2) AS a FROM @things
SELECT power(n, 2) AS a, power(amount, 2) AS b, sqrt(n) AS c, exp(1) AS d, ln(amount) AS e, log(2, 64) AS f FROM @things
SELECT sqrt(name) AS a FROM @things
SELECT log(rate, 2) AS a FROM @things
SELECT greatest(n, id) AS a, least(n, 1.5) AS b, greatest(placed, at) AS c, greatest('a', name) AS d FROM @things
SELECT greatest(n, name) AS a FROM @things
SELECT greatest() AS a
SELECT coalesce(n, 0) AS a, coalesce(amount, n) AS b, coalesce(name, 'x') AS c, coalesce(NULL, placed) AS d, coalesce(title, name) AS e FROM @things
SELECT coalesce(n, 'x') AS a FROM @things
SELECT coalesce(n, name) AS a FROM @things
SELECT nullif(n, 0) AS a, nullif(name, '') AS b, nullif(n, 1.5) AS c FROM @things
SELECT nullif(n, name) AS a FROM @things
SELECT nullif(n) AS a FROM @things
SELECT width_bucket(rate, 0, 10, 5) AS a, width_bucket(n, ARRAY[1, 5]) AS b FROM @things
SELECT width_bucket(n, 0, 10) AS a FROM @things
SELECT gcd(n, 6) AS a, lcm(n, 6) AS b, factorial(5) AS c FROM @things
SELECT factorial(1.5) AS a
SELECT to_char(n, '999') AS a, to_char(at, 'YYYY') AS b, to_char(took, 'HH') AS c, to_char(placed, 'DD') AS d FROM @things
SELECT to_char(n) AS a FROM @things
SELECT to_char(name, 'YYYY') AS a FROM @things
SELECT to_date('2020', 'YYYY') AS a, to_timestamp('2020', 'YYYY') AS b, to_timestamp(0) AS c, to_number('1', '9') AS d
SELECT to_date(2020, 'YYYY') AS a
SELECT lower(name) AS a, upper(title) AS b, initcap(code) AS c, length(name) AS d, char_length(title) AS e FROM @things
SELECT lower(n) AS a FROM @things
SELECT upper(name, 1) AS a FROM @things
SELECT lower(span) AS a, upper(during) AS b FROM @things
SELECT length(bin) AS a, octet_length(bits) AS b, bit_length(name) AS c, length(n::text) AS d FROM @things
SELECT length(n) AS a FROM @things
SELECT substring(name FROM 2 FOR 3) AS a, substring(name, 2) AS b, substring(bin FROM 1) AS c, substring(bits FROM 1 FOR 2) AS d FROM @things
SELECT substring(n FROM 1) AS a FROM @things
SELECT substring(name FROM 'a.c') AS a, substring(name SIMILAR '%#"o_b#"%' ESCAPE '#') AS b FROM @things
SELECT position('a' IN name) AS a, strpos(name, 'a') AS b, overlay(name PLACING 'x' FROM 2) AS c FROM @things
SELECT position(1 IN name) AS a FROM @things
SELECT trim(name) AS a, trim(BOTH 'x' FROM name) AS b, ltrim(name, 'a') AS c, btrim(bin, '\x00') AS d FROM @things
SELECT trim(n) AS a FROM @things
SELECT replace(name, 'a', 'b') AS a, translate(name, 'a', 'b') AS b, reverse(name) AS c, repeat(name, 2) AS d FROM @things
SELECT replace(name, 'a') AS a FROM @things
SELECT repeat(name, '2') AS a, repeat(name, small) AS b FROM @things
SELECT repeat(name, id) AS a FROM @things
SELECT left(name, 2) AS a, right(name, -1) AS b, lpad(name, 5) AS c, rpad(name, 5, '-') AS d FROM @things
SELECT left(name) AS a FROM @things
SELECT split_part(name, ',', 1) AS a, string_to_array(name, ',') AS b, array_to_string(tags, ',') AS c FROM @things
SELECT split_part(name, ',') AS a FROM @things
SELECT array_to_string(name, ',') AS a FROM @things
SELECT concat(name, n, placed) AS a, concat_ws(',', name, NULL, 3) AS b, format('%s is %L', name, n) AS c FROM @things
SELECT concat_ws(1, name) AS a FROM @things
SELECT format(n, name) AS a FROM @things
SELECT concat() AS a
SELECT regexp_replace(name, 'a', 'b', 'g') AS a, regexp_match(name, 'a') AS b, regexp_split_to_array(name, ',') AS c FROM @things
SELECT regexp_replace(name, 'a') AS a FROM @things
SELECT regexp_count(name, 'a') AS a, regexp_substr(name, 'a') AS b, regexp_like(name, 'a') AS c, regexp_instr(name, 'a') AS d FROM @things
SELECT regexp_count(n, 'a') AS a FROM @things
SELECT md5(name) AS a, sha256(bin) AS b, encode(bin, 'hex') AS c, decode(name, 'base64') AS d FROM @things
SELECT sha256(name) AS a FROM @things
SELECT encode(name, 'hex') AS a FROM @things
SELECT ascii(name) AS a, chr(65) AS b, quote_literal(n) AS c, quote_ident(name) AS d, quote_nullable(NULL) AS e FROM @things
SELECT chr('A') AS a
SELECT date_trunc('day', at) AS a, date_trunc('day', paid) AS b, date_trunc('hour', took) AS c, date_trunc('month', placed) AS d FROM @things
SELECT date_trunc('day', '2020-01-01') AS a
SELECT date_trunc('day', name) AS a FROM @things
SELECT date_trunc(at, 'day') AS a FROM @things
SELECT date_trunc('day', paid, 'UTC') AS a FROM @things
SELECT date_trunc('day', paid, 'UTC', 1) AS a FROM @things
SELECT extract(year FROM at) AS a, extract(epoch FROM took) AS b, date_part('dow', placed) AS c, extract(hour FROM todz) AS d FROM @things
SELECT extract(year FROM name) AS a FROM @things
SELECT extract(year FROM n) AS a FROM @things
SELECT extract(year FROM '2020-01-01') AS a
SELECT age(at, at) AS a, age(paid, paid) AS b FROM @things
SELECT age(took) AS a FROM @things
SELECT date_bin('15 minutes', at, '2020-01-01') AS a, date_bin(took, paid, '2020-01-01') AS b FROM @things
SELECT date_bin(15, at, at) AS a FROM @things
SELECT make_date(2020, 1, n) AS a, make_time(1, 2, 3.5) AS b, make_timestamp(2020, 1, 1, 0, 0, 0) AS c, make_interval(days => 3) AS d FROM @things
SELECT make_date(2020, 1) AS a
SELECT make_interval(fortnights => 1) AS a
SELECT make_date('2020', '1', '1') AS a
SELECT make_date(id, 1, 1) AS a FROM @things
SELECT justify_days(took) AS a, justify_hours('30 hours') AS b FROM @things
SELECT justify_days(placed) AS a FROM @things
SELECT isfinite(placed) AS a, isfinite(at) AS b, isfinite('2020-01-01'::date) AS c FROM @things
SELECT isfinite(name) AS a FROM @things
SELECT isfinite('today') AS a
SELECT num_nulls(n, name) AS a, num_nonnulls(VARIADIC tags) AS b FROM @things
SELECT current_date AS a, current_timestamp AS b, localtime AS c, localtimestamp(2) AS d
SELECT now() AS a, now() - interval '1 day' AS b
SELECT now(1) AS a
SELECT pg_typeof(n)::text AS a FROM @things
SELECT nosuch(n) AS a FROM @things
SELECT lenght(name) AS a FROM @things
SELECT pg_catalog.lower(name) AS a FROM @things
SELECT nowhere.lower(name) AS a FROM @things
SELECT substr(name, 1, 2, 3) AS a FROM @things
SELECT starts_with(name, 'a') AS a, starts_with('ab', 'a') AS b FROM @things
SELECT starts_with(name, 1) AS a FROM @things
SELECT unistr('\0061') AS a, normalize(name, NFC) AS b, name IS NFC NORMALIZED AS c FROM @things
SELECT normalize(n) AS a FROM @things
SELECT bit_count(bin) AS a, bit_count(bits) AS b, get_bit(bits, 1) AS c, set_bit(bin, 1, 1) AS d FROM @things
SELECT get_bit(n, 1) AS a FROM @things
SELECT name.upper FROM @things
SELECT trim_scale(amount) AS a, scale(total) AS b, min_scale(1.500) AS c FROM @things
SELECT scale(rate) AS a FROM @things
SELECT degrees(rate) AS a, sin(rate) AS b, atan2(1, 2) AS c, pi() AS d FROM @things
SELECT pi(1) AS a
SELECT random() < 0.5 AS a, gen_random_uuid() AS b
SELECT setval AS a FROM @things
