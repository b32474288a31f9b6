-- comparisons with booleans keep everything
SELECT is_ill = true FROM @c
--> is_ill
SELECT is_ill FROM @c
--> is_ill
SELECT NOT is_ill FROM @c
--> is_ill
SELECT is_ill <> false, is_ill != true, is_ill IS DISTINCT FROM true, is_ill IS NOT DISTINCT FROM false FROM @c
--> is_ill | is_ill | is_ill | is_ill
SELECT is_ill IS TRUE, is_ill IS NOT TRUE, is_ill IS FALSE FROM @c
--> is_ill | is_ill | is_ill
SELECT is_ill IS NULL FROM @c
--> is_ill?
SELECT is_ill AND true, is_ill OR false, is_ill AND id > 1 FROM @c
--> is_ill | is_ill | is_ill
SELECT CASE WHEN is_ill THEN 'yes' ELSE 'no' END FROM @c
--> is_ill
SELECT CASE WHEN is_ill = true THEN 1 WHEN is_ill = false THEN 0 END FROM @c
--> is_ill
SELECT CASE is_ill WHEN true THEN 'a' ELSE 'b' END FROM @c
--> is_ill
SELECT if(is_ill, 1, 0), if(NOT is_ill, country, 'x') FROM @c
--> is_ill | is_ill
SELECT is_ill IN (true), is_ill BETWEEN true AND true, is_ill > false FROM @c
--> is_ill | is_ill | is_ill
SELECT is_ill::INTEGER, is_ill::VARCHAR, is_ill::INTEGER + 1, is_ill::INTEGER = 1 FROM @c
--> is_ill | is_ill | is_ill | is_ill
SELECT coalesce(is_ill, false), nullif(is_ill, false), greatest(is_ill, false) FROM @c
--> is_ill | is_ill | is_ill
SELECT CASE WHEN is_ill AND salary > 5 THEN 1 ELSE 0 END FROM @c
--> is_ill ~salary
SELECT max(is_ill), bool_or(is_ill), list(is_ill), first(is_ill = true) FROM @c
--> is_ill | is_ill | is_ill | is_ill
SELECT x = true FROM (SELECT is_ill AS x FROM @c)
--> is_ill
SELECT CASE WHEN x THEN 1 END FROM (SELECT is_ill AS x FROM @c)
--> is_ill
SELECT x = 'yes' FROM (SELECT CASE WHEN is_ill THEN 'yes' ELSE 'no' END AS x FROM @c)
--> is_ill
SELECT c.is_ill = d.is_ill FROM @c c, @c d
--> is_ill
SELECT [x FOR x IN [1, 2] IF is_ill] FROM @c
--> is_ill?
SELECT (SELECT is_ill = true FROM @c LIMIT 1) AS v
--> is_ill
SELECT is_ill IN (SELECT true) FROM @c
--> is_ill
SELECT is_ill = ANY (SELECT true) FROM @c
--> is_ill
SELECT list_transform([is_ill], lambda x: NOT x) FROM @c
--> is_ill
SELECT md5(is_ill::VARCHAR), hash(is_ill), is_ill::VARCHAR LIKE 't%' FROM @c
--> is_ill | is_ill | is_ill
-- columns of accepted values
SELECT gender = 'f' FROM @c
--> gender
SELECT CASE gender WHEN 'f' THEN 'female' WHEN 'm' THEN 'male' END FROM @c
--> gender
SELECT CASE WHEN gender = 'f' THEN 1 ELSE 0 END FROM @c
--> gender
SELECT CASE WHEN gender IN ('f', 'x') THEN country ELSE 'x' END FROM @c
--> gender
SELECT gender IN ('f'), gender NOT IN ('f', 'm'), gender <> 'm', gender > 'f' FROM @c
--> gender | gender | gender | gender
SELECT if(gender = 'f', 'a', 'b'), gender BETWEEN 'a' AND 'g' FROM @c
--> gender | gender
SELECT upper(gender), left(gender, 1), gender || 'x', md5(gender), hash(gender) FROM @c
--> gender | gender | gender | gender | gender
SELECT upper(gender) = 'F', gender || '' = 'f' FROM @c
--> gender | gender
SELECT gender LIKE 'f%', gender ILIKE 'F', starts_with(gender, 'f'), contains(gender, 'f') FROM @c
--> gender | gender | gender | gender
SELECT gender IS NULL, gender IS NOT NULL FROM @c
--> gender? | gender?
SELECT g = 'f' FROM (SELECT gender AS g FROM @c)
--> gender
WITH t(a, b) AS (SELECT id, gender FROM @c) SELECT CASE b WHEN 'f' THEN 1 ELSE 2 END AS v, a FROM t
--> gender | -
SELECT sum(CASE gender WHEN 'f' THEN 1 ELSE 0 END) FROM @c GROUP BY id
--> gender
SELECT ('f' = gender)::INTEGER, gender = country, country = gender FROM @c
--> gender | gender | gender
SELECT decode_gender FROM (SELECT CASE WHEN gender = 'f' THEN 'w' ELSE 'n' END AS decode_gender FROM @c)
--> gender
SELECT MAP {'f': 'female', 'm': 'male'}[gender] FROM @c
--> gender
SELECT ['a', 'b', 'c'][length(gender)], strpos('fmx', gender) FROM @c
--> gender | gender
SELECT list_position(['f', 'm', 'x'], gender), list_contains(['f'], gender) FROM @c
--> gender | gender
SELECT (gender, id) = ('f', 1), {'g': gender} = {'g': 'f'} FROM @c
--> gender | gender
SELECT regexp_matches(gender, '^f'), gender SIMILAR TO 'f', gender ~ 'f', gender GLOB 'f' FROM @c
--> gender | gender | gender | gender
SELECT o.total, c.gender = 'f' AS w FROM @o o JOIN @c c ON c.id = o.customer_id
--> - | gender
SELECT count(DISTINCT gender), count(gender) FROM @c
--> gender? | gender?
-- ENUM
SELECT blood = 'A' FROM @c
--> blood
SELECT CASE blood WHEN 'A' THEN 1 WHEN 'B' THEN 2 ELSE 3 END FROM @c
--> blood
SELECT blood::VARCHAR = 'A', blood IN ('A', 'B'), blood <> 'AB' FROM @c
--> blood | blood | blood
SELECT enum_code(blood), blood::VARCHAR, enum_range_boundary(blood, NULL) FROM @c
--> blood | blood | blood?
SELECT if(blood = 'A', total, 0) FROM @c c JOIN @o o ON c.id = o.customer_id
--> blood
SELECT CASE WHEN b = 'A' THEN 'x' END FROM (SELECT blood AS b FROM @c)
--> blood
SELECT max(blood), min(blood), mode(blood), first(blood) FROM @c
--> blood | blood | blood | blood
-- comparisons of other columns are derived
SELECT email = 'x', email <> 'x', email > 'm', email BETWEEN 'a' AND 'b', email IN ('x', 'y') FROM @c
--> ~email | ~email | ~email | ~email | ~email
SELECT salary > 5, salary = 5, salary BETWEEN 1 AND 2, birth < DATE '2000-01-01' FROM @c
--> ~salary | ~salary | ~salary | ~birth
SELECT email IS NULL, phone IS NOT NULL, email IS DISTINCT FROM phone FROM @c
--> ~email | ~phone | ~email ~phone
SELECT CASE WHEN salary > 5 THEN 'rich' ELSE 'poor' END, CASE WHEN salary > 5 THEN country END FROM @c
--> ~salary | ~salary
SELECT CASE email WHEN 'x' THEN 1 ELSE 2 END, CASE country WHEN email THEN 1 ELSE 2 END FROM @c
--> ~email | ~email
SELECT CASE WHEN email LIKE 'b%' THEN phone ELSE name END FROM @c
--> ~email phone name
SELECT CASE WHEN salary > 5 THEN salary END FROM @c
--> salary
SELECT if(salary > 5, 1, 0), if(birth > signup, country, 'x') FROM @c
--> ~salary | ~birth
SELECT (salary > 5) AND (birth > signup), NOT (email = 'x'), salary > 5 OR id > 2 FROM @c
--> ~salary ~birth | ~email | ~salary
SELECT (salary > 5)::INTEGER, (email = 'x')::VARCHAR, (salary > 5) = true FROM @c
--> ~salary | ~email | ~salary
SELECT upper(CASE WHEN salary > 5 THEN 'a' ELSE 'b' END), md5((email = 'x')::VARCHAR) FROM @c
--> ~salary | ~email
SELECT rich = true FROM (SELECT salary > 5 AS rich FROM @c)
--> ~salary
SELECT max(salary > 5), list(email = 'x'), sum((salary > 5)::INTEGER) FROM @c
--> ~salary | ~email | ~salary
SELECT salary > 5 AS v FROM @c UNION ALL SELECT id > 1 FROM @o
--> ~salary
SELECT CASE WHEN id > 1 THEN email = 'x' ELSE phone = 'y' END FROM @c
--> ~email ~phone
SELECT coalesce(email = 'x', false), coalesce(salary > 5, id > 2) FROM @c
--> ~email | ~salary
SELECT {'r': salary > 5, 'e': email}, [salary > 5, id > 1] FROM @c
--> email ~salary | ~salary
SELECT {'r': salary > 5, 'e': email}.r FROM @c
--> ~salary
