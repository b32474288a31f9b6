-- Of PostgreSQL 16
SELECT any_value(name) AS a FROM @things
SELECT any_value() AS a FROM @things
SELECT 1_000 AS a, 0x1F AS b, 0b101 AS c, 0o17 AS d
SELECT 0x1G AS a
SELECT json_array(1, 2) AS a, json_object('a': n) AS b, doc IS JSON AS c, name IS JSON OBJECT AS d FROM @things
SELECT n IS JSON AS a FROM @things
SELECT json_arrayagg(n) AS a, json_objectagg(name: n) AS b FROM @things
SELECT json_objectagg(name, n) AS a FROM @things
SELECT x FROM (SELECT 1 AS x)
SELECT y FROM (SELECT 1 AS x)
