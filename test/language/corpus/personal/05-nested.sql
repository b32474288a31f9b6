-- spreads under aliases and in set operations
WITH t(p, q) AS (SELECT unnest({'a': country, 'b': email}) FROM @c) SELECT q, p FROM t
--> email | -
SELECT q FROM (SELECT unnest({'a': country, 'b': email}) FROM @c) t(p, q)
--> email
SELECT p FROM (SELECT unnest({'a': country, 'b': email}) FROM @c) t(p, q)
--> -
SELECT unnest({'a': country, 'b': email}) FROM @c UNION ALL SELECT status, status FROM @o
--> - | email
SELECT status, status AS s2 FROM @o UNION ALL SELECT unnest({'a': country, 'b': email}) FROM @c
--> - | email
SELECT id, unnest({'a': country, 'b': email}), phone FROM @c
--> - | - | email | phone
SELECT unnest({'a': email, 'b': id}), unnest({'c': country, 'd': phone}) FROM @c
--> email | - | - | phone
WITH t(x, y) AS (SELECT COLUMNS(['id', 'email']) FROM @c) SELECT y, x FROM t
--> email | -
SELECT y FROM (SELECT * FROM (SELECT id, email FROM @c)) t(x, y)
--> email
SELECT x FROM (SELECT * FROM (SELECT id, email FROM @c)) t(x, y)
--> -
SELECT b FROM (SELECT * FROM @o JOIN (SELECT id AS a, email AS b FROM @c) ON a = customer_id)
--> email
WITH t(a, b, c) AS (SELECT id, unnest({'x': email, 'y': country}) FROM @c) SELECT c, b, a FROM t
--> - | email | -
SELECT COLUMNS(lambda x: x IN ('id', 'email')) FROM @c UNION ALL SELECT id, status FROM @o
--> - | email
SELECT id, status FROM @o UNION ALL SELECT COLUMNS(['id', 'email']) FROM @c
--> - | email
-- structs
SELECT {'a': country, 'b': email} AS s FROM @c
--> email
SELECT {'a': country, 'b': email}.b AS v FROM @c
--> email
SELECT {'a': country, 'b': email}.a AS v FROM @c
--> -
SELECT s.a, s.b FROM (SELECT {'a': country, 'b': email} AS s FROM @c)
--> - | email
SELECT s['a'], s['b'] FROM (SELECT {'a': country, 'b': email} AS s FROM @c)
--> - | email
SELECT struct_extract(s, 'a'), struct_extract(s, 'b') FROM (SELECT struct_pack(a := country, b := email) AS s FROM @c)
--> - | email
SELECT s.* FROM (SELECT {'a': country, 'b': email} AS s FROM @c)
--> - | email
SELECT s.x.y, s.x.z FROM (SELECT {'x': {'y': phone, 'z': id}} AS s FROM @c)
--> phone | -
SELECT unnest({'a': country, 'b': email}) FROM @c
--> - | email
SELECT unnest({'a': {'x': email, 'y': id}, 'b': country}, recursive := true) FROM @c
--> email | - | -
SELECT unnest({'a': {'x': email, 'y': id}, 'b': country}, max_depth := 2) FROM @c
--> email | - | -
SELECT unnest({'a': {'x': email, 'y': id}, 'b': country}) FROM @c
--> email | -
SELECT struct_insert({'a': country}, b := email) FROM @c
--> email
SELECT struct_insert({'a': country}, b := email).a FROM @c
--> email?
SELECT struct_concat({'a': country}, {'b': phone}) FROM @c
--> phone
SELECT struct_update({'a': email}, a := phone) FROM @c
--> email? phone
SELECT profile.mail, profile.city, profile['zip'], c.profile.zip FROM @c c
--> profile | profile | profile | profile
SELECT profile.*, id FROM @c
--> profile | profile | profile | -
SELECT unnest(profile) FROM @c
--> profile | profile | profile
SELECT details.mail, unnest(details) FROM @p
--> - | - | - | -
SELECT {'e': email} = {'e': 'x'}, {'e': email} IS NULL FROM @c
--> ~email | ~email?
SELECT struct_keys({'a': email}), struct_values({'a': email}) FROM @c
--> email?? | email
SELECT s.t.u FROM (SELECT {'t': {'u': country}} AS s, email FROM @c)
--> -
SELECT struct_contains(row(email), 'x'), struct_position(row(email), 'x') FROM @c
--> email? | email?
-- lists
SELECT [email, phone] AS l, [country] AS m, [] AS e FROM @c
--> email phone | - | -
SELECT [email, country][1] AS v FROM @c
--> email
SELECT l[1] FROM (SELECT [country, 'x'] AS l, [email] AS m FROM @c)
--> -
SELECT unnest([email, phone]) AS v FROM @c
--> email phone
SELECT unnest([1, 2, 3]) AS v, email FROM @c
--> - | email
SELECT unnest(tags) AS t, country FROM @c
--> tags | -
SELECT t FROM @c, unnest(tags) u(t)
--> tags
SELECT u.t, c.id FROM @c c, unnest(c.tags) AS u(t)
--> tags | -
SELECT u.x FROM @c c, unnest([c.email, c.phone]) AS u(x)
--> email phone
SELECT unnest([{'a': email, 'b': id}]) FROM @c
--> email
SELECT unnest([{'a': email, 'b': id}], max_depth := 2) FROM @c
--> email | -
SELECT unnest([{'a': email, 'b': id}], recursive := true) FROM @c
--> email | -
SELECT unnest([[email], [phone]], recursive := true) AS v FROM @c
--> email phone
SELECT unnest([[email], [phone]], max_depth := 2) AS v FROM @c
--> email phone
SELECT len(tags), array_length(tags), list_contains(tags, 'x'), list_has_any(tags, ['x']) FROM @c
--> tags | tags | ~tags | tags?
SELECT list_sort(tags), list_reverse(tags), list_distinct(tags), list_concat(tags, [country]) FROM @c
--> tags | tags | tags | tags
SELECT list_append([country], email), list_prepend(phone, [country]), list_append([country], 'x') FROM @c
--> email | phone | -
SELECT tags[1], tags[-1], tags[1:2], list_extract(tags, 1), list_slice(tags, 1, 1) FROM @c
--> tags | tags | tags | tags | tags
SELECT list_aggregate(tags, 'max'), list_max(tags), list_first(tags), array_to_string(tags, ',') FROM @c
--> tags | tags | tags | tags
SELECT list_position(tags, 'x'), list_unique(tags), list_count(tags), list_value(email, country) FROM @c
--> tags | tags? | tags? | email
SELECT list_zip([email], [country]), list_resize([country], 3, phone), flatten([[email]]) FROM @c
--> email | phone | email
SELECT list_select([country, country], [coalesce(length(email), 1)]), list_where(tags, [true, false]) FROM @c
--> email | tags
SELECT list_intersect(tags, ['x']), list_sum([salary, 1]), list_grade_up(tags) FROM @c
--> tags | salary | tags?
SELECT array_value(email, phone), array_value(id) FROM @c
--> email phone | -
SELECT string_split(name, ' ')[1], list_histogram(tags), list_mode(tags) FROM @c
--> name | tags | tags
SELECT coupons, coupons[1], unnest(coupons) FROM @o
--> - | - | -
SELECT [x FOR x IN tags], [upper(x) FOR x IN [country]], [x FOR x IN [country] IF x = email] FROM @c
--> tags | - | email?
SELECT list_filter([country], lambda x: x = email) AS v FROM @c
--> email?
-- lambdas
SELECT list_transform(tags, lambda t: upper(t)) FROM @c
--> tags
SELECT list_transform(tags, t -> 1) FROM @c
--> tags?
SELECT list_transform([1, 2], x -> x * 2) FROM @c
--> -
SELECT list_transform([country], lambda x: x || phone) FROM @c
--> phone
SELECT list_reduce([country, email], lambda x, y: x || y) FROM @c
--> email
SELECT list_reduce([country], lambda x, y: x || y, email) FROM @c
--> email
SELECT list_reduce([1, 2], lambda x, y: x + y + salary) FROM @c
--> salary
SELECT list_reduce([1, 2], lambda x, y, i: x + y + i) FROM @c
--> -
SELECT list_transform([country], lambda x, i: x || i) FROM @c
--> -
SELECT list_filter(tags, lambda t: t LIKE 'a%') FROM @c
--> tags
SELECT list_transform([{'a': email, 'b': id}], lambda s: s.a) FROM @c
--> email
SELECT list_transform([{'a': email, 'b': id}], lambda s: s.b) FROM @c
--> email?
SELECT list_transform(list_transform([email], lambda x: lower(x)), lambda x: left(x, 2)) FROM @c
--> email
SELECT list_transform([1, 2], lambda i: tags[i]) FROM @c
--> tags
SELECT list_transform(range(3), lambda i: country || i) FROM @c
--> -
SELECT list_transform(range(length(email)), lambda i: 'x') FROM @c
--> email
SELECT apply(tags, lambda x: x), filter(tags, lambda x: true), reduce(tags, lambda x, y: x || y) FROM @c
--> tags | tags | tags
SELECT map_from_entries(list_transform([id], lambda e: (e, phone))) FROM @c
--> phone
-- maps
SELECT MAP {'k': email}, MAP {ifnull(email, ''): 1}, MAP {'k': country} FROM @c
--> email | email | -
SELECT MAP {'k': email}['k'], MAP([id], [phone]), map_keys(MAP {ifnull(email, ''): 1}) FROM @c
--> email | phone | email
SELECT attrs['k'], map_keys(attrs), map_values(attrs), map_entries(attrs), cardinality(attrs) FROM @c
--> attrs | attrs | attrs | attrs | attrs
SELECT map_extract(attrs, 'k'), element_at(attrs, 'k'), map_concat(MAP {'a': country}, attrs), map_contains(attrs, 'k') FROM @c
--> attrs | attrs | attrs | attrs??
SELECT unnest(map_entries(attrs)), unnest(map_values(MAP {'a': country})) FROM @c
--> attrs | -
SELECT map_from_entries([('a', email)]), map_contains_value(attrs, 'x') FROM @c
--> email | attrs??
SELECT unnest(map_entries(MAP {'k': phone}), max_depth := 2) FROM @c
--> phone? | phone
-- unions
SELECT union_value(a := email), union_value(b := country) FROM @c
--> email | -
SELECT union_extract(union_value(a := email), 'a'), union_tag(union_value(a := email)) FROM @c
--> email | email?
SELECT (union_value(a := phone)).a FROM @c
--> phone
SELECT u.a FROM (SELECT union_value(a := phone) AS u FROM @c)
--> phone
SELECT email::UNION(s VARCHAR, n INTEGER) FROM @c
--> email
-- which of several structs has the field nobody knows
SELECT b FROM (SELECT unnest({'a': country, 'c': id}, recursive := true), unnest({'b': email, 'd': id}, recursive := true) FROM @c) t
--> email?
SELECT x FROM (SELECT id, unnest([{'y': country}], max_depth := 2), unnest([{'x': phone}], max_depth := 2) FROM @c) t
--> phone?
SELECT "max(email)" FROM (SELECT count(*), max(email) FROM @c) t
--> email
SELECT * REPLACE (x AS b) FROM (SELECT unnest([{'b': country, 'd': id}], max_depth := 2), phone AS x FROM @c)
--> phone? | phone? | phone
