-- JSON
SELECT doc -> 'a' AS a, doc ->> 'a' AS b, doc -> 0 AS c, doc ->> 0 AS d FROM @things
SELECT doc -> 1.5 AS a FROM @things
SELECT doc -> true AS a FROM @things
SELECT name -> 'a' AS a FROM @things
SELECT raw -> 'a' -> 'b' AS a, raw ->> 'a' AS b, raw -> 'a' ->> 0 AS c FROM @things
SELECT raw ->> 'a' -> 'b' AS a FROM @things
SELECT doc #> '{a,b}' AS a, doc #>> '{a,b}' AS b, raw #> '{a}' AS c, raw #>> '{a,0}' AS d FROM @things
SELECT doc #> 'a' AS a FROM @things
SELECT doc #> 1 AS a FROM @things
SELECT doc #>> ARRAY['a', 'b'] AS a, doc #> ARRAY['a', name] AS b FROM @things
SELECT doc #>> ARRAY[1, 2] AS a FROM @things
SELECT doc['a'] AS a, doc['a']['b'] AS b, doc[0] AS c, doc['a'][1] AS d FROM @things
SELECT raw['a'] AS a FROM @things
SELECT doc[placed] AS a FROM @things
SELECT doc['a':'b'] AS a FROM @things
SELECT doc @> '{"a": 1}' AS a, doc <@ '{}' AS b, '{"a":1}' @> doc AS c FROM @things
SELECT doc @> 'a' AS a FROM @things
SELECT raw @> '{}' AS a FROM @things
SELECT doc @> raw AS a FROM @things
SELECT doc ? 'a' AS a, doc ?| '{a,b}' AS b, doc ?& ARRAY['a'] AS c FROM @things
SELECT doc ? 1 AS a FROM @things
SELECT raw ? 'a' AS a FROM @things
SELECT doc || '{"b": 2}' AS a, doc || doc AS b FROM @things
SELECT doc || 1 AS a FROM @things
SELECT raw || raw AS a FROM @things
SELECT doc - 'a' AS a, doc - 0 AS b, doc - '{a,b}'::text[] AS c, doc #- '{a,b}' AS d FROM @things
SELECT doc - placed AS a FROM @things
SELECT doc - 1.5 AS a FROM @things
SELECT raw - 'a' AS a FROM @things
SELECT doc @? '$.a[*] ? (@ > 2)' AS a, doc @@ '$.a > 2' AS b FROM @things
SELECT doc @? '$.a[' AS a FROM @things
SELECT doc = '{}' AS a, doc <> doc AS b, doc < '1' AS c FROM @things
SELECT raw = raw AS a FROM @things
SELECT raw = '{}' AS a FROM @things
SELECT (doc ->> 'n')::int AS a, (doc -> 'n')::int AS b, (doc -> 'n')::numeric AS c, doc::text AS d FROM @things
SELECT (raw -> 'n')::int AS a FROM @things
SELECT (doc -> 'd')::date AS a FROM @things
SELECT doc ->> 'n' + 1 AS a FROM @things
SELECT (doc -> 'a') + 1 AS a FROM @things
SELECT jsonb_build_object('a', n, 'b', name) AS a, json_build_array(1, 'x', NULL) AS b, to_jsonb(n) AS c, to_json(tags) AS d FROM @things
SELECT jsonb_build_object(n, name) AS a, jsonb_build_object() AS b FROM @things
SELECT to_jsonb('a') AS a
SELECT to_jsonb(n, 1) AS a FROM @things
SELECT to_jsonb('a'::text) AS a, to_json(NULL::int) AS b
SELECT row_to_json(t) AS a FROM @things t
SELECT row_to_json(name) AS a FROM @things
SELECT json_agg(name) AS a, jsonb_agg(n ORDER BY id) AS b, jsonb_object_agg(name, n) AS c, json_object_agg(id, tags) AS d FROM @things
SELECT jsonb_object_agg(name) AS a FROM @things
SELECT jsonb_array_length(doc) AS a, json_array_length(raw) AS b, jsonb_typeof(doc -> 'a') AS c FROM @things
SELECT jsonb_array_length(raw) AS a FROM @things
SELECT json_array_length('[1]') AS a, jsonb_typeof('1') AS b
SELECT json_typeof('{') AS a
SELECT jsonb_set(doc, '{a}', '1') AS a, jsonb_set(doc, '{a}', to_jsonb(n), false) AS b, jsonb_insert(doc, '{a,0}', '1') AS c FROM @things
SELECT jsonb_set(doc, '{a}', n) AS a FROM @things
SELECT jsonb_set(doc, 'a', '1') AS a FROM @things
SELECT jsonb_pretty(doc) AS a, jsonb_strip_nulls(doc) AS b, json_strip_nulls(raw) AS c FROM @things
SELECT jsonb_pretty(raw) AS a FROM @things
SELECT jsonb_extract_path(doc, 'a', 'b') AS a, jsonb_extract_path_text(doc, VARIADIC tags) AS b FROM @things
SELECT jsonb_extract_path(doc, 1) AS a FROM @things
SELECT e.key, e.value FROM @things, jsonb_each(doc) AS e
SELECT e.kee FROM @things, jsonb_each(doc) AS e
SELECT e.value ->> 'a' AS a FROM @things, json_each_text(raw) AS e
SELECT e.value || '!' AS a, e.key AS k FROM @things, jsonb_each_text(doc) AS e
SELECT e AS el, e ->> 'a' AS a FROM @things, jsonb_array_elements(doc) AS e
SELECT e + 1 AS a FROM @things, jsonb_array_elements(doc) AS e
SELECT e || 'x' AS a FROM @things CROSS JOIN LATERAL jsonb_array_elements_text(doc) AS e
SELECT k FROM @things, jsonb_object_keys(doc) AS k
SELECT x.a, x.b FROM @things, jsonb_to_record(doc) AS x(a int, b text)
SELECT x.c FROM @things, jsonb_to_record(doc) AS x(a int, b text)
SELECT x.a FROM @things, jsonb_to_record(doc) AS x
SELECT x.a + 1 AS a, x.b::date AS b FROM @things, json_to_recordset(raw) AS x(a int, b text)
SELECT x.b + 1 AS a FROM @things, json_to_recordset(raw) AS x(a int, b text)
SELECT jsonb_path_query(doc, '$.a[*]') AS a, jsonb_path_exists(doc, '$.a') AS b, jsonb_path_query_array(doc, '$.a') AS c FROM @things
SELECT jsonb_path_query(raw, '$.a') AS a FROM @things
SELECT jsonb_path_query_first(doc, '$.a ? (@ > $x)', '{"x": 1}') AS a FROM @things
SELECT '{"a": 1}'::jsonb AS a, jsonb '[]' AS b, CAST('1' AS json) AS c
SELECT '{a: 1}'::jsonb AS a
SELECT json '{' AS a
SELECT n::jsonb AS a FROM @things
SELECT name::jsonb AS a, doc::json AS b, raw::jsonb AS c FROM @things
SELECT doc::bigint AS a, doc::boolean AS b, doc::float8 AS c FROM @things
SELECT doc::uuid AS a FROM @things
SELECT DISTINCT raw FROM @things
SELECT raw, count(*) AS a FROM @things GROUP BY raw
SELECT doc, count(*) AS a FROM @things GROUP BY doc
SELECT max(doc) AS a FROM @things
SELECT id FROM @things ORDER BY raw
SELECT id FROM @things ORDER BY doc
