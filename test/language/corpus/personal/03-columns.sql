-- regular expressions of RE2
SELECT COLUMNS('^em[[:alpha:]]+$') FROM @c
--> email
SELECT COLUMNS('\Aemail\z') FROM @c
--> email
SELECT COLUMNS('\Qemail\E') FROM @c
--> email
SELECT COLUMNS('^e\pL+$') FROM @c
--> email
SELECT COLUMNS('\x{65}mail') FROM @c
--> email
SELECT COLUMNS('(?i)EMAIL') FROM @c
--> email
SELECT COLUMNS('^(?P<part>ema)il') FROM @c
--> email
SELECT COLUMNS('^\pL{5}$') FROM @c
--> email | phone | birth | score | blood | attrs | notes
SELECT COLUMNS('^[[:lower:]]{6}$') FROM @c
--> gender | salary | -
SELECT COLUMNS('^s') FROM @c
--> seen | salary | score | -
SELECT COLUMNS('(id|country)$') FROM @c
--> - | -
SELECT COLUMNS('.*') FROM @c
--> c.*
SELECT COLUMNS('.') FROM @o
--> o.*
SELECT COLUMNS('mail') FROM @c
--> email
SELECT COLUMNS('^.{2}$') FROM @c
--> -
SELECT COLUMNS('\bemail\b') FROM @c
--> email
SELECT COLUMNS('^e(?:mail)$') FROM @c
--> email
SELECT COLUMNS('\C\Cail') FROM @c
--> email
SELECT COLUMNS('^[^s].*l$') FROM @c
--> email | is_ill
SELECT COLUMNS('(?s-i)^ph.ne$') FROM @c
--> phone
SELECT COLUMNS('\p{Greek}|email') FROM @c
--> email
SELECT COLUMNS('^[\d\w]{4}$') FROM @c
--> name | seen | tags
SELECT upper(COLUMNS('^(em|ph)')) FROM @c
--> email | phone
SELECT COLUMNS('^.$') FROM @u
--> u.É | -
SELECT COLUMNS('^É$') FROM @u
--> u.É
SELECT COLUMNS('^é$') FROM @u
--> -
SELECT COLUMNS('(?i)^é$') FROM @u
--> u.É | -
SELECT COLUMNS('[[:space:]]') FROM @u
--> u."user x" | -
SELECT COLUMNS('^(\w)m') AS '\1_col' FROM @c
--> email
SELECT COLUMNS('(e)(m).*') AS '\2\1' FROM @c
--> email
SELECT COLUMNS(c.*) FROM @c c, @o o
--> c.*
SELECT COLUMNS(o.*) FROM @c c, @o o
--> o.*
-- lists of names
SELECT COLUMNS(['email', 'id']) FROM @c
--> - | email
SELECT COLUMNS(['country', 'phone', 'email']) FROM @c
--> email | phone | -
SELECT COLUMNS(['EMAIL']) FROM @c
--> email
SELECT upper(COLUMNS(['phone', 'country', 'email'])) FROM @c
--> email | phone | -
SELECT COLUMNS(['total', 'status']) FROM @o
--> - | -
SELECT min(COLUMNS(['salary', 'id', 'birth'])), max(country) FROM @c
--> - | birth | salary | -
SELECT COLUMNS(['email', 'id']) FROM (SELECT email, id FROM @c)
--> email | -
SELECT COLUMNS(['v', 'w']) FROM (SELECT country AS w, email AS v FROM @c)
--> - | email
-- lambdas
SELECT COLUMNS(c -> c = 'gender') FROM @c
--> gender
SELECT COLUMNS(lambda c: c IN ('email', 'id')) FROM @c
--> - | email
SELECT COLUMNS(lambda x: x LIKE 'e%') FROM @c
--> email
SELECT COLUMNS(lambda x: length(x) = 2) FROM @c
--> -
SELECT COLUMNS(lambda x: NOT x LIKE '%a%') FROM @c
--> - | phone | gender | birth | seen | score | is_ill | blood | profile | notes | - | -
SELECT upper(COLUMNS(lambda x: starts_with(x, 'ph') OR x = 'country')) FROM @c
--> phone | -
SELECT COLUMNS(lambda email: email = 'country') FROM @c
--> -
SELECT COLUMNS(lambda x: x > 'm') FROM (SELECT email AS z, country AS a FROM @c)
--> email
WITH t AS (SELECT COLUMNS(lambda x: x IN ('id', 'phone', 'country')) FROM @c) SELECT phone, id, country FROM t
--> phone | - | -
SELECT id AS first, COLUMNS(lambda x: x = 'email'), country AS last FROM @c
--> - | email | -
SELECT COLUMNS(lambda x: x = 'gender'), COLUMNS(lambda x: x = 'country') FROM @c
--> gender | -
-- stars within COLUMNS
SELECT COLUMNS(* EXCLUDE (email, name, phone, profile, tags, attrs, notes)) FROM @c
--> - | gender | birth | seen | salary | score | is_ill | blood | - | -
SELECT count(COLUMNS(*)) FROM @o
--> o.*
SELECT min(COLUMNS(*)) FROM (SELECT id, email, birth FROM @c)
--> - | email | birth
SELECT count(COLUMNS(*)) FROM (SELECT id, email, birth FROM @c)
--> - | ~email | ~birth
SELECT COLUMNS(* REPLACE (upper(email) AS email)) FROM (SELECT id, email FROM @c)
--> - | email
SELECT COLUMNS(* REPLACE ('x' AS email)) FROM (SELECT id, email FROM @c)
--> - | -
SELECT COLUMNS(*)::VARCHAR FROM (SELECT id, salary, country FROM @c)
--> - | salary | -
SELECT coalesce(COLUMNS(*), country) FROM (SELECT email, country FROM @c)
--> email | -
SELECT COLUMNS(*) || phone FROM (SELECT email, country, phone FROM @c)
--> email phone | phone | phone
SELECT COLUMNS(['id', 'salary']) + COLUMNS(['id', 'salary']) FROM @c
--> - | salary
SELECT max(COLUMNS(['id', 'salary'])) - min(COLUMNS(['id', 'salary'])) FROM @c
--> - | salary
SELECT first(COLUMNS(*)) FROM (SELECT email, id FROM @c)
--> email | -
SELECT id FROM (SELECT id, email, phone FROM @c) WHERE COLUMNS(*) IS NOT NULL
--> ~email? ~phone?
SELECT * FROM (SELECT id, salary FROM @c) WHERE COLUMNS(['id', 'salary']) > 1
--> ~salary? | salary
SELECT CASE WHEN COLUMNS(['id', 'salary']) > 3 THEN 1 END FROM @c
--> - | ~salary
-- unpacked columns
SELECT coalesce(*COLUMNS(['email', 'country'])) FROM @c
--> email
SELECT struct_pack(*COLUMNS(['id', 'email'])) FROM @c
--> email
SELECT struct_pack(*COLUMNS(*)) FROM @c
--> =>
SELECT concat(*COLUMNS(['id', 'country'])) FROM @c
--> -
SELECT greatest(*COLUMNS(['email', 'phone', 'country'])) FROM @c
--> email phone
SELECT concat_ws('-', *COLUMNS('^(em|co)')) FROM @c
--> email
SELECT [*COLUMNS(['country', 'phone'])] FROM @c
--> phone
SELECT hash(*COLUMNS(*)) FROM @c
--> =>
SELECT hash(*COLUMNS(*)) FROM @o
--> -
SELECT row(*COLUMNS(['email', 'id'])) FROM @c
--> email
SELECT greatest(*COLUMNS(lambda x: x IN ('id', 'salary'))) FROM @c
--> salary
SELECT email IN (*COLUMNS(['country', 'phone'])) FROM @c
--> ~email ~phone
-- stars that match names
SELECT * LIKE 'e%' FROM @c
--> email
SELECT * ILIKE 'E%' FROM @c
--> email
SELECT * NOT LIKE '%a%' FROM (SELECT id, email, phone FROM @c)
--> - | phone
SELECT * SIMILAR TO '.*ail' FROM @c
--> email
SELECT * GLOB 'ph*' FROM @c
--> phone
SELECT c.* LIKE 'co%' FROM @c c, @o o
--> -
SELECT * EXCLUDE (email) LIKE '%a%' FROM (SELECT id, email, name FROM @c)
--> name
-- further forms
SELECT COLUMNS(* RENAME (email AS e)) FROM (SELECT id, email FROM @c)
--> - | email
SELECT COLUMNS(* EXCLUDE (id) REPLACE (phone AS country)) FROM (SELECT id, country, phone FROM @c)
--> phone | phone
SELECT upper(COLUMNS(* EXCLUDE (id))) FROM (SELECT country, id, email FROM @c)
--> - | email
SELECT COLUMNS(t.* EXCLUDE (id)) FROM (SELECT country, id, email FROM @c) t, @o
--> - | email
SELECT * EXCLUDE (id) FROM (SELECT id, email, phone FROM @c) LIMIT 50%
--> email | phone
SELECT COLUMNS('email|phone') || '-' || COLUMNS('email|phone') FROM @c
--> email | phone
SELECT COLUMNS(lambda x: x SIMILAR TO 'e.*') FROM @c
--> email
SELECT * REPLACE (email || '!' AS email) FROM (SELECT * FROM (SELECT id, email FROM @c))
--> - | email
SELECT first(COLUMNS('^(em|id$)') ORDER BY signup) FROM @c
--> - | email
