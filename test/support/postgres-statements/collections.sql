-- Arrays, rows, ranges
SELECT tags[1] AS a, grid[1][2] AS b, tags[1:2] AS c, grid[:2] AS d FROM @things
SELECT tags['x'] AS a FROM @things
SELECT n[1] AS a FROM @things
SELECT name[1] AS a FROM @things
SELECT pt[0] AS a, pt[1] AS b, area[0] AS c FROM @things
SELECT round[0] AS a FROM @things
SELECT pt['a'] AS a FROM @things
SELECT ARRAY[1, 2] AS a, ARRAY['a', name] AS b, ARRAY[[1, 2], [3, 4]] AS c, '{1,2}'::int[] AS d FROM @things
SELECT ARRAY[1, 'x'] AS a
SELECT ARRAY[n, name] AS a FROM @things
SELECT ARRAY[] AS a
SELECT ARRAY[]::int[] AS a, ARRAY[NULL] AS b
SELECT ARRAY[1, 2.5] AS a, ARRAY[placed, at] AS b FROM @things
SELECT tags || 'x' AS a FROM @things
SELECT tags || '{x}' AS a, tags || tags AS b, 'y'::text || tags AS c, grid || 1 AS d FROM @things
SELECT grid || 'x' AS a FROM @things
SELECT grid || tags AS a FROM @things
SELECT grid || 1.5 AS a FROM @things
SELECT tags @> '{a}' AS a, tags && ARRAY['a'] AS b, grid <@ ARRAY[1, 2] AS c FROM @things
SELECT tags @> 'a' AS a FROM @things
SELECT tags && ARRAY[1] AS a FROM @things
SELECT tags = '{a}' AS a, grid < ARRAY[3] AS b FROM @things
SELECT tags = grid AS a FROM @things
SELECT array_length(tags, 1) AS a, cardinality(grid) AS b, array_ndims(tags) AS c, array_upper(grid, 1) AS d FROM @things
SELECT array_length(tags) AS a FROM @things
SELECT array_length('{1,2}', 1) AS a
SELECT cardinality(name) AS a FROM @things
SELECT array_append(tags, 'x') AS a, array_prepend(1, grid) AS b, array_cat(tags, tags) AS c, array_remove(tags, 'a') AS d FROM @things
SELECT array_append(grid, 'x') AS a FROM @things
SELECT array_append(tags, 1) AS a FROM @things
SELECT array_position(tags, 'a') AS a, array_positions(grid, 1) AS b, array_replace(tags, 'a', 'b') AS c FROM @things
SELECT array_position(tags, 1) AS a FROM @things
SELECT unnest(tags) AS a, unnest(grid) AS b FROM @things
SELECT unnest(name) AS a FROM @things
SELECT unnest('{1,2}') AS a
SELECT u.a, u.b FROM @things, unnest(tags, grid) AS u(a, b)
SELECT u.a, u.b FROM @things, unnest(tags) AS u(a, b)
SELECT u.a, u.ord + 1 AS b FROM @things, unnest(tags) WITH ORDINALITY AS u(a, ord)
SELECT array_fill(0, ARRAY[2]) AS a, trim_array(grid, 1) AS b FROM @things
SELECT ARRAY(SELECT name FROM @people) AS a, ARRAY(SELECT id FROM @people ORDER BY id) AS b
SELECT ARRAY(SELECT id, name FROM @people) AS a
SELECT array_agg(name) AS a, array_agg(tags) AS b, array_agg(DISTINCT n ORDER BY n) AS c FROM @things
SELECT array_agg(DISTINCT n ORDER BY id) AS a FROM @things
SELECT ROW(1, 'a') = ROW(1, 'b') AS a, (n, id) < (1, 2) AS b, (n, name) IN ((1, 'a')) AS c FROM @things
SELECT (n, id) = (1, 2, 3) AS a FROM @things
SELECT (n, name) = (1, 2) AS a FROM @things
SELECT ROW(1, 2) AS a
SELECT (people).name AS a, (people.*).id AS b FROM @people
SELECT (people).nosuch AS a FROM @people
SELECT (name).x AS a FROM @people
SELECT p IS NULL AS a, p.id FROM @people p
SELECT (p).* FROM @people p
SELECT p::text AS a FROM @people p
SELECT p + 1 AS a FROM @people p
SELECT (ROW(1, 2)).f1 AS a
SELECT to_jsonb(p) - 'id' AS a, to_jsonb(p) ->> 'name' AS b FROM @people p
SELECT span @> 3 AS a, span && int4range(1, 5) AS b, span << '[1,2)' AS c, lower(span) AS d FROM @things
SELECT span @> 'x' AS a FROM @things
SELECT span @> '[1,2)' AS a, span @> '3' AS b FROM @things
SELECT span && 3 AS a FROM @things
SELECT span @> 1.5 AS a FROM @things
SELECT priced @> 1.5 AS a, priced @> 1 AS b, during @> paid AS c, booked @> '2020-01-01'::date AS d FROM @things
SELECT during @> at AS a FROM @things
SELECT booked @> placed AS a, booked * booked AS b, span + span AS c, span - span AS d FROM @things
SELECT booked @> at AS a FROM @things
SELECT span * priced AS a FROM @things
SELECT int4range(1, 5) AS a, numrange(1, 2.5, '[]') AS b, daterange('2020-01-01', NULL) AS c, tstzrange(paid, NULL) AS d FROM @things
SELECT int4range(1, 'x') AS a
SELECT int4range(1.5, 2) AS a
SELECT int4range(1, 2, '()', 3) AS a
SELECT '[1,5)'::int4range AS a, 'empty'::daterange AS b
SELECT '[5,1)'::int4range AS a
SELECT '[a,b)'::int4range AS a
SELECT isempty(span) AS a, upper_inc(during) AS b, lower_inf(booked) AS c, range_merge(span, span) AS d FROM @things
SELECT isempty(name) AS a FROM @things
SELECT isempty('empty') AS a
SELECT range_agg(span) AS a, range_intersect_agg(booked) AS b FROM @things
SELECT range_agg(n) AS a FROM @things
SELECT spans @> 3 AS a, spans && span AS b, spans + spans AS c, unnest(spans) AS d FROM @things
SELECT spans @> 'abc' AS a FROM @things
SELECT span -|- span AS a, span &< span AS b, span = '[1,2)' AS c, span < span AS d FROM @things
SELECT span = 3 AS a FROM @things
SELECT multirange(span) AS a, int4multirange(span, '[8,9)') AS b FROM @things
