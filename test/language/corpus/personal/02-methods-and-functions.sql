-- method calls
SELECT email.upper() FROM @c
--> email
SELECT birth.year() FROM @c
--> birth
SELECT c.email.lower() FROM @c c
--> email
SELECT email.upper().substr(1, 3) FROM @c
--> email
SELECT country.upper() || email.lower() AS v FROM @c
--> email
SELECT country.upper() AS v FROM @c
--> -
SELECT (profile.mail).upper() FROM @c
--> profile
SELECT tags.list_sort() FROM @c
--> tags
SELECT (name || '!').reverse() FROM @c
--> name
SELECT c.birth.month() AS m, c.country.length() AS n FROM @c c
--> birth | -
SELECT email.concat(phone) FROM @c
--> email phone
SELECT country.concat(phone) FROM @c
--> phone
SELECT email.contains('x') FROM @c
--> ~email
SELECT salary.greatest(5) FROM @c
--> salary
SELECT notes.json_extract_string('$.mail') FROM @c
--> notes
SELECT email.md5() FROM @c
--> email
SELECT [1, 2].list_transform(lambda x: x + salary) FROM @c
--> salary
SELECT tags.list_transform(lambda t: t.upper()) FROM @c
--> tags
SELECT email.split('@')[1] FROM @c
--> email
SELECT e.upper() FROM (SELECT email AS e FROM @c)
--> email
SELECT email.max() FROM @c
--> email
SELECT email.approx_count_distinct() FROM @c
--> ~email
SELECT name.string_agg(',') FROM @c
--> name
-- functions of texts
SELECT upper(email), lower(name), trim(phone), reverse(email) FROM @c
--> email | name | phone | email
SELECT left(email, 3), right(email, 2), substr(email, 2, 3), substring(email FROM 2 FOR 3) FROM @c
--> email | email | email | email
SELECT email || '', '' || name || phone, concat(email, country), concat_ws('-', country, id) FROM @c
--> email | name phone | email | -
SELECT length(email), len(email), strlen(email), bit_length(email) FROM @c
--> email | email | email | email
SELECT replace(email, '@', ' at '), translate(email, 'abc', 'xyz'), replace(country, 'a', phone) FROM @c
--> email | email | phone
SELECT regexp_extract(email, '(.*)@', 1), regexp_replace(name, '\s', ''), regexp_extract_all(email, '\w') FROM @c
--> email | name | email
SELECT regexp_split_to_array(name, ' '), string_split(email, '@'), split_part(email, '@', 2) FROM @c
--> name | email | email
SELECT format('{} <{}>', name, email), printf('%s', phone), format('{}', country) FROM @c
--> name email | phone | -
SELECT lpad(phone, 20, '0'), rpad(country, 20, phone), repeat(email, 2), repeat('x', salary % 5) FROM @c
--> phone | phone | email | salary
SELECT ascii(email), unicode(name), chr(65 + id), ord(email) FROM @c
--> email | name | - | email
SELECT strpos(email, '@'), position('@' IN email), instr(email, '@') FROM @c
--> email | email | email
SELECT name[1], email[1], email[2:4], array_slice(email, 1, 3) FROM @c
--> name | email | email | email
SELECT left(country, length(email)) FROM @c
--> email
SELECT substring('abc' || name FROM 2) FROM @c
--> name
SELECT strip_accents(name), nfc_normalize(name), ltrim(email, 'a'), rtrim(email, 'u') FROM @c
--> name | name | email | email
SELECT parse_filename(email), parse_path(email), parse_dirpath(email) FROM @c
--> email | email | email
SELECT levenshtein(email, 'abc'), jaccard(name, 'abc'), jaro_winkler_similarity(phone, '123') FROM @c
--> email | name | phone
SELECT email COLLATE NOCASE FROM @c
--> email
SELECT array_extract(email, 1), list_extract(string_split(email, ''), 1) FROM @c
--> email | email
SELECT url_encode(email), url_decode(name), regexp_escape(phone) FROM @c
--> email | name | phone
-- hashes and encodings
SELECT md5(email), sha256(email), sha1(email), hash(email), md5_number(email) FROM @c
--> email | email | email | email | email
SELECT hash(id, email), hash(country), md5(country) FROM @c
--> email | - | -
SELECT encode(email), base64(encode(email)), to_base64(encode(name)), hex(phone) FROM @c
--> email | email | name | phone
SELECT decode(encode(email)), from_base64(base64(encode(phone))), unhex(hex(email)) FROM @c
--> email | phone | email
SELECT email::BLOB, bin(salary), to_hex(salary) FROM @c
--> email | salary | salary
SELECT md5(md5(gender)), sha256(is_ill::VARCHAR), hash(birth), md5('salt' || phone) FROM @c
--> gender | is_ill | birth | phone
SELECT md5(country || 'x'), md5(country || email) FROM @c
--> - | email
SELECT hash(c) FROM @c c
--> =>
SELECT crc32c FROM (SELECT hash(email) % 1000 AS crc32c FROM @c)
--> email
SELECT hash(email) = 5, md5(email) = 'x' FROM @c
--> ~email | ~email
-- casts
SELECT email::VARCHAR, CAST(salary AS VARCHAR), TRY_CAST(phone AS BIGINT), birth::TIMESTAMP FROM @c
--> email | salary | phone | birth
SELECT VARCHAR '1', is_ill::INTEGER, is_ill::VARCHAR, blood::VARCHAR, gender::VARCHAR FROM @c
--> - | is_ill | is_ill | blood | gender
SELECT profile::VARCHAR, profile::JSON, tags::VARCHAR, attrs::VARCHAR, notes::VARCHAR FROM @c
--> profile | profile | tags | attrs | notes
SELECT score::INTEGER, score::DECIMAL(12,2), salary::DOUBLE, salary::HUGEINT, salary::FLOAT FROM @c
--> score | score | salary | salary | salary
SELECT [email]::VARCHAR[], {'a': email}::STRUCT(a VARCHAR), MAP {'k': email}::MAP(VARCHAR, VARCHAR) FROM @c
--> email | email | email
SELECT cast_to_type(salary, 'x'), salary::VARCHAR::INTEGER FROM @c
--> salary | salary
SELECT country::VARCHAR, id::VARCHAR, 5::VARCHAR FROM @c
--> - | - | -
SELECT email::ENUM('a', 'b') FROM @c WHERE id < 0
--> email
SELECT salary::BOOLEAN FROM @c
--> salary
-- dates
SELECT year(birth), month(birth), day(birth), dayofweek(birth), quarter(birth) FROM @c
--> birth | birth | birth | birth | birth
SELECT date_part('year', birth), extract(month FROM birth), extract('epoch' FROM seen) FROM @c
--> birth | birth | seen
SELECT date_trunc('month', birth), date_trunc('year', seen), birth + INTERVAL 1 DAY, birth - DATE '2000-01-01' FROM @c
--> birth | seen | birth | birth
SELECT datediff('day', birth, signup), date_sub('year', signup, signup), age(signup, birth) FROM @c
--> birth | - | birth
SELECT strftime(birth, '%Y'), strftime(seen, '%H'), monthname(birth), dayname(seen) FROM @c
--> birth | seen | birth | seen
SELECT epoch(seen), epoch_ms(seen), to_timestamp(salary), make_date(year(birth), 1, 1) FROM @c
--> seen | seen | salary | birth
SELECT last_day(birth), week(birth), yearweek(birth), decade(birth), century(birth), era(birth) FROM @c
--> birth | birth | birth | birth | birth | birth
SELECT (birth::VARCHAR)[1:4], time_bucket(INTERVAL '1 year', birth), seen::DATE, seen::TIME FROM @c
--> birth | birth | seen | seen
SELECT strptime(birth::VARCHAR, '%Y-%m-%d'), seen AT TIME ZONE 'UTC' FROM @c
--> birth | seen
SELECT datepart(['year', 'month'], birth) FROM @c
--> birth
SELECT make_timestamp(2000, 1, 1, id, 0, 0.0), make_date(2000, 1, id) FROM @c
--> - | -
SELECT signup - birth AS days, signup - INTERVAL 1 YEAR AS s FROM @c
--> birth | -
-- numbers
SELECT salary + 1, -salary, salary * 0, salary % 10, salary / 2, salary // 2, salary ** 2 FROM @c
--> salary | salary | salary | salary | salary | salary | salary
SELECT round(score, 1), floor(score), ceil(score), abs(salary), sqrt(salary), ln(score), sign(salary) FROM @c
--> score | score | score | salary | salary | score | salary
SELECT salary & 255, salary | 1, xor(salary, 1), ~salary, salary << 2, salary >> 4, bit_count(salary) FROM @c
--> salary | salary | salary | salary | salary | salary | salary
SELECT greatest(salary, 5), least(salary, id), greatest(email, phone), least(country, 'x') FROM @c
--> salary | salary | email phone | -
SELECT id + salary, id * 2, log10(id), sin(score), trunc(score) FROM @c
--> salary | - | - | score | score
SELECT bitstring('0101', 8), salary::BIT, get_bit(salary::BIT, 3), set_bit(salary::BIT, 1, 0) FROM @c
--> - | salary | salary | salary
SELECT salary::BIGINT // 7, gcd(salary, 12), lcm(salary, 2), factorial((length(email) % 5)::INTEGER) FROM @c
--> salary | salary | salary | email
-- values of one or the other
SELECT coalesce(email, phone), coalesce(country, 'x'), ifnull(email, 'x'), nullif(email, 'x') FROM @c
--> email phone | - | email | email
SELECT nullif(country, email), coalesce(country, email), if(id > 1, email, 'x'), iff FROM (SELECT *, 1 AS iff FROM @c)
--> email? | email | email | -
SELECT CASE WHEN id > 1 THEN email ELSE country END, CASE id WHEN 1 THEN phone END FROM @c
--> email | phone
SELECT CASE WHEN id > 1 THEN 'a' ELSE 'b' END, CASE WHEN true THEN country ELSE email END FROM @c
--> - | email
SELECT ifnull(NULL, salary), TRY(salary + 1), nvl FROM (SELECT *, coalesce(NULL, score) AS nvl FROM @c)
--> salary | salary | score
SELECT typeof(email), typeof(salary + 1), typeof(c.profile) FROM @c c
--> - | - | -
SELECT error(email) FROM @c WHERE id < 0
--> email
SELECT constant_or_null(1, email), can_cast_implicitly(email, 1) FROM @c
--> email? | ~email?
SELECT alias(email), current_database() FROM @c
--> - | -
-- JSON
SELECT notes->>'mail', notes->'mail', notes->>'$.mail', json_extract(notes, '$.mail') FROM @c
--> notes | notes | notes | notes
SELECT to_json(c) FROM @c c
--> =>
SELECT to_json(p), to_json(o) FROM @p p, @o o
--> - | -
SELECT to_json(email), to_json([phone]), json_object('a', name, 'b', country), json_array(country, salary) FROM @c
--> email | phone | name | salary
SELECT json_object('a', country, 'b', id), json_array(country), json_quote(email) FROM @c
--> - | - | email
SELECT json_group_array(email), json_group_object(id, phone), json_group_object(id, country) FROM @c
--> email | phone | -
SELECT json_keys(notes), json_structure(notes), json_type(notes), json_valid(notes) FROM @c
--> notes | notes? | notes? | notes?
SELECT json_merge_patch(notes, '{}'), json_transform(notes, '{"mail": "VARCHAR"}'), from_json(notes, '{"mail": "VARCHAR"}') FROM @c
--> notes | notes | notes
SELECT json_array_length(notes), json_extract_string(notes, ['$.mail', '$.count']), json_contains(notes, '"x"') FROM @c
--> notes | notes | notes?
SELECT ({'a': email, 'b': country}::JSON)->>'b' FROM @c
--> email
SELECT json_serialize_sql('select 1'), row_to_json({'a': email}) FROM @c
--> - | email
SELECT (to_json(c)->>'id') FROM @c c
--> =>
SELECT notes.mail FROM @c
--> notes
SELECT notes::VARCHAR::JSON->>'x' FROM @c
--> notes
