-- Bits, networks, geometry, XML, full text, intervals, casts
SELECT B'101' AS a, X'1F' AS b, bits & B'11110000' AS c, bits || B'1' AS d, ~bits AS e FROM @things
SELECT bits & B'1' AS a, bits & '1' AS b FROM @things
SELECT bits + 1 AS a FROM @things
SELECT B'102' AS a
SELECT bits << 1 AS a, vbits >> 2 AS b, bits # bits AS c, bits = '10101010' AS d FROM @things
SELECT bits << '1' AS a FROM @things
SELECT bits = 1 AS a FROM @things
SELECT bits::int AS a, 5::bit(8) AS b, '101'::bit(3) AS c, bits::bit varying AS d FROM @things
SELECT name::bit(3) AS a, vbits::int AS b FROM @things
SELECT '12'::bit(2) AS a
SELECT ip << '10.0.0.0/8' AS a, ip <<= net AS b, ip + 1 AS c, ip - '10.0.0.1' AS d, ip & ip AS e FROM @things
SELECT ip + ip AS a FROM @things
SELECT ip << 8 AS a FROM @things
SELECT ip = '10.0.0.300' AS a FROM @things
SELECT ip - 1 AS a, net && '10.0.0.0/8' AS b, ip > net AS c FROM @things
SELECT host(ip) AS a, masklen(net) AS b, network(ip) AS c, family(ip) AS d, abbrev(net) AS e, set_masklen(ip, 8) AS f FROM @things
SELECT host(name) AS a FROM @things
SELECT host('10.0.0.1') AS a, family('::1') AS b, abbrev('10.0.0.0/8') AS c
SELECT masklen(mac) AS a FROM @things
SELECT '10.0.0.0/8'::cidr AS a, inet '::1' AS b, name::inet AS c, ip::text AS d, net::inet AS e FROM @things
SELECT '10.0.0.1/8'::cidr AS a
SELECT n::inet AS a FROM @things
SELECT trunc(mac) AS a, mac & mac AS b, mac8 | mac8 AS c, mac = '08:00:2b:01:02:03' AS d, macaddr8_set7bit(mac8) AS e FROM @things
SELECT mac = '08:00' AS a FROM @things
SELECT mac + 1 AS a FROM @things
SELECT pt <-> '(0,0)' AS a, pt + '(1,1)' AS b, pt * pt AS c, area @> pt AS d, round @> '(0,0)' AS e FROM @things
SELECT pt <-> 'x' AS a FROM @things
SELECT pt = pt AS a FROM @things
SELECT pt ~= pt AS a, pt <@ area AS b, ln <-> pt AS c, area && area AS d, poly @> pt AS e FROM @things
SELECT pt && pt AS a FROM @things
SELECT pt + 1 AS a FROM @things
SELECT area(round) AS a, center(area) AS b, diameter(round) AS c, height(area) AS d, npoints(poly) AS e, length(trail) AS f FROM @things
SELECT area(n) AS a FROM @things
SELECT area('((0,0),(1,1))') AS a
SELECT npoints('((0,0),(1,1))') AS a
SELECT center('((0,0),(1,1))') AS a
SELECT point(1, 2) AS a, box(pt, pt) AS b, circle(pt, 2) AS c, polygon(area) AS d, lseg(pt, pt) AS e, path(poly) AS f FROM @things
SELECT point('a', 2) AS a
SELECT point(1) AS a
SELECT circle(1, pt) AS a FROM @things
SELECT area # area AS a, ?| ln AS b, ln ?# area AS c, # trail AS d, @@ area AS e FROM @things
SELECT # n AS a FROM @things
SELECT slope(pt, pt) AS a, isclosed(trail) AS b, popen(trail) AS c FROM @things
SELECT slope(pt) AS a FROM @things
SELECT pt FROM @things ORDER BY pt
SELECT DISTINCT pt FROM @things
SELECT pt, count(*) AS a FROM @things GROUP BY pt
SELECT id FROM @things ORDER BY pt <-> '(0,0)'
SELECT xmlelement(name a, name) AS a, xmlforest(n, name AS b) AS b, xmlconcat(note, note) AS c FROM @things
SELECT xmlelement(a, name) AS a FROM @things
SELECT xmlconcat(note, n) AS a FROM @things
SELECT xpath('/a', note) AS a, xpath('/a/text()', note)::text[] AS b, xmlexists('/a' PASSING note) AS c FROM @things
SELECT xpath('/a', name) AS a FROM @things
SELECT xpath(note, '/a') AS a FROM @things
SELECT xpath('/a', '<a/>') AS a
SELECT note = note AS a FROM @things
SELECT note::text AS a, xmlserialize(CONTENT note AS text) AS b, xmlparse(CONTENT name) AS c, note IS DOCUMENT AS d FROM @things
SELECT name IS DOCUMENT AS a FROM @things
SELECT x.a, x.b FROM @things, xmltable('/r' PASSING note COLUMNS a int PATH '@a', b text) AS x
SELECT x.c FROM @things, xmltable('/r' PASSING note COLUMNS a int PATH '@a', b text) AS x
SELECT x.a FROM @things, xmltable('/r' PASSING name COLUMNS a int PATH '@a') AS x
SELECT xmlagg(note ORDER BY id) AS a FROM @things
SELECT xmlagg(name) AS a FROM @things
SELECT words @@ 'a & b' AS a, words @@ query AS b, words @@ to_tsquery('a') AS c, name @@ 'a' AS d FROM @things
SELECT words @@ n AS a FROM @things
SELECT words @@ 'a &' AS a FROM @things
SELECT to_tsvector(name) AS a, to_tsvector('english', name) AS b, to_tsquery('english', 'a') AS c, plainto_tsquery('a b') AS d FROM @things
SELECT to_tsvector('klingon', name) AS a FROM @things
SELECT to_tsvector(n) AS a FROM @things
SELECT to_tsvector('a b') AS a, to_tsvector(doc) AS b FROM @things
SELECT ts_rank(words, query) AS a, ts_headline(name, query) AS b, ts_headline('english', name, 'a', 'MaxWords=5') AS c FROM @things
SELECT ts_rank(query, words) AS a FROM @things
SELECT ts_rank(name, query) AS a FROM @things
SELECT query && query AS a, query || 'b' AS b, !! query AS c, query <-> query AS d, query @> 'a' AS e FROM @things
SELECT query && words AS a FROM @things
SELECT words || words AS a, setweight(words, 'A') AS b, strip(words) AS c, length(words) AS d, numnode(query) AS e FROM @things
SELECT words || 'x' AS a FROM @things
SELECT setweight(words, 'AB') AS a FROM @things
SELECT setweight(words, 1) AS a FROM @things
SELECT interval '1 day 2 hours' AS a, interval '3' day AS b, interval '1-2' year to month AS c, '1 day'::interval(2) AS d
SELECT interval 'one day' AS a
SELECT interval '1' fortnight AS a
SELECT took + took AS a, took > '1 day' AS b, took + at AS c, sum(took) OVER () AS d, avg(took) OVER () AS e FROM @things
SELECT took > 1 AS a FROM @things
SELECT took + 1 AS a FROM @things
SELECT took + '1 day' AS a, took - '1 day' AS b FROM @things
SELECT '1'::int AS a, 1::text AS b, 1.7::int AS c, 'x'::char(3) AS d, '1'::numeric(5,2) AS e, 'x'::varchar(2) AS f
SELECT 'x'::int AS a
SELECT 'x'::nosuch AS a
SELECT n::varchar(2000000000) AS a FROM @things
SELECT '1'::numeric(2000,0) AS a
SELECT placed::int AS a FROM @things
SELECT placed::timestamp AS a, at::date AS b, at::time AS c, paid::time AS d, took::time AS e, tod::interval AS f FROM @things
SELECT tod::date AS a FROM @things
SELECT n::boolean AS a, flag::int AS b, flag::text AS c, n::oid::text AS d FROM @things
SELECT rate::boolean AS a FROM @things
SELECT id::boolean AS a FROM @things
SELECT uid::text AS a, name::uuid AS b, name::date AS c, name::numeric AS d FROM @things
SELECT uid::int AS a FROM @things
SELECT bin::text AS a, name::bytea AS b FROM @things
SELECT amount::money AS a, price::numeric AS b, n::money AS c FROM @things
SELECT price::int AS a FROM @things
SELECT tags::int[] AS a, grid::text[] AS b, grid::bigint[] AS c, '{a,b}'::text[] AS d FROM @things
SELECT tags::int AS a FROM @things
SELECT days::int[] AS a FROM @things
SELECT int4(rate) AS a, text(name) AS b, float8(n) AS c, date(at) AS d, name(title) AS e FROM @things
SELECT int4(name) AS a FROM @things
SELECT CAST(name AS date) AS a, CAST(NULL AS point) AS b FROM @things
SELECT CAST(name date) AS a FROM @things
SELECT date '2020-02-30' AS a
SELECT date '2020-02-29' AS a, timestamp '2020-01-01 10:00' AS b, timestamptz 'now' AS c, time '10:00' AS d
SELECT 'infinity'::date AS a, 'nan'::float8 AS b, 'inf'::numeric AS c, 'yes'::bool AS d
SELECT 99999999999::int AS a
SELECT '99999999999'::int AS a
SELECT 99999999999 AS a, 1e3 AS b, .5 AS c, 1_ AS d
