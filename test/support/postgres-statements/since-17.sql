-- Of PostgreSQL 17
SELECT json_value(doc, '$.a') AS a, json_value(doc, '$.a' RETURNING int DEFAULT 0 ON ERROR) AS b, json_query(doc, '$.b') AS c, json_exists(doc, '$.c') AS d FROM @things
SELECT json_value(n, '$.a') AS a FROM @things
SELECT json_value(doc, '$.') AS a FROM @things
SELECT j.a, j.b FROM @things, JSON_TABLE(doc, '$[*]' COLUMNS (a int PATH '$.a', b text)) AS j
SELECT j.c FROM @things, JSON_TABLE(doc, '$[*]' COLUMNS (a int PATH '$.a', b text)) AS j
SELECT to_bin(n) AS a, to_oct(id) AS b FROM @things
SELECT to_bin(name) AS a FROM @things
