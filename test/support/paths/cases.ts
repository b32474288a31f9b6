/**
 * What becomes of a column: small projects over two sources, each with a column that goes away, and all that had something of
 * it. `@p` is a reference. Of what is reached `p.total` is a column, `p <WHERE o.status` an asset whose rows the column decided,
 * `>crm mail` a field of a publish target, `!Board` an exposure.
 */
export interface PathCase {
  readonly name: string
  /** The column that goes away, of one of the two sources. */
  readonly drop: string
  /** SQL by the name of the asset; what follows a line `---` are keys of its file. */
  readonly assets: Readonly<Record<string, string>>
  readonly reaches: readonly string[]
}

export const sources: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  o: {
    id: '1',
    customer_id: '7',
    status: "'paid'",
    amount: '10',
    day: "DATE '2024-01-01'",
    email: "'a@example.com'",
    note: "'a b'",
  },
  c: { id: '7', name: "'Ann'", email: "'a@example.com'", country: "'AT'", score: '3' },
}

const path = (
  name: string,
  drop: string,
  assets: PathCase['assets'] | string,
  ...reaches: readonly string[]
): PathCase => ({ name, drop, assets: typeof assets === 'string' ? { p: assets } : assets, reaches })

const values: readonly PathCase[] = [
  path('as it is', 'o.amount', 'SELECT id, amount FROM @o', 'p.amount'),
  path(
    'renamed, and read by that name',
    'o.amount',
    { p: 'SELECT amount AS value FROM @o', q: 'SELECT value FROM @p' },
    'p.value',
    'q.value',
  ),
  path('of a star', 'o.note', 'SELECT * FROM @o', 'p.note'),
  path(
    'of a star, and read',
    'o.note',
    { p: 'SELECT * FROM @o', q: 'SELECT note FROM @p' },
    'p.note',
    'q.note',
  ),
  path(
    'of a star with another value',
    'o.amount',
    'SELECT * REPLACE (amount / 2 AS amount) FROM @o',
    'p.amount',
  ),
  path('of a star under another name', 'o.note', 'SELECT * RENAME (note AS remark) FROM @o', 'p.remark'),
  path('of a star of a pattern', 'o.amount', "SELECT COLUMNS('^am') FROM @o", 'p.amount'),
  path('a sum', 'o.amount', 'SELECT status, sum(amount) AS total FROM @o GROUP BY status', 'p.total'),
  path('a count', 'o.note', 'SELECT count(note) AS n FROM @o', 'p.n'),
  path('another type', 'o.amount', 'SELECT CAST(amount AS VARCHAR) AS t FROM @o', 'p.t'),
  path(
    'a condition of a value',
    'o.status',
    "SELECT CASE WHEN status = 'paid' THEN amount END AS v FROM @o",
    'p.v',
  ),
  path(
    'a product of two sources',
    'c.score',
    'SELECT amount * score AS w FROM @o AS o JOIN @c AS c ON c.id = o.customer_id',
    'p.w',
  ),
  path('the value before', 'o.amount', 'SELECT lag(amount) OVER (ORDER BY day) AS v FROM @o', 'p.v'),
  path(
    'of a query for one value',
    'o.amount',
    'SELECT id, (SELECT max(amount) FROM @o) AS top FROM @c',
    'p.top',
  ),
  path(
    'parts of a text',
    'o.note',
    "SELECT id, part FROM @o, unnest(string_split(note, ' ')) AS t(part)",
    'p.part',
  ),
  path(
    'columns that become rows',
    'o.amount',
    'SELECT * FROM (UNPIVOT (SELECT id, amount, customer_id FROM @o) ON amount, customer_id INTO NAME k VALUE v)',
    'p.v',
  ),
  path(
    'the filter of a sum',
    'o.status',
    "SELECT sum(amount) FILTER (WHERE status = 'paid') AS t FROM @o",
    'p.t',
  ),
  path('the order of a list', 'o.day', "SELECT string_agg(note, ',' ORDER BY day) AS t FROM @o", 'p.t'),
]

const rows: readonly PathCase[] = [
  path('a filter', 'o.status', "SELECT id FROM @o WHERE status = 'paid'", 'p <WHERE o.status'),
  path(
    'a value and its filter',
    'o.amount',
    'SELECT amount FROM @o WHERE amount > 0',
    'p.amount',
    'p <WHERE o.amount',
  ),
  path(
    'a filter below a filter',
    'o.status',
    { p: "SELECT id, status FROM @o WHERE status <> ''", q: "SELECT id FROM @p WHERE status = 'paid'" },
    'p.status',
    'p <WHERE o.status',
    'q <WHERE p.status',
  ),
  path(
    'a filter of a CTE, by another name',
    'o.status',
    "WITH x AS (SELECT id, status AS s FROM @o) SELECT id FROM x WHERE s = 'paid'",
    'p <WHERE o.status',
  ),
  path(
    'a filter by another query',
    'o.customer_id',
    'SELECT name FROM @c WHERE id IN (SELECT customer_id FROM @o)',
    'p <WHERE o.customer_id',
  ),
  path(
    'the filter of that query',
    'o.status',
    "SELECT name FROM @c WHERE id IN (SELECT customer_id FROM @o WHERE status = 'paid')",
    'p <WHERE o.status',
  ),
  path(
    'what must exist',
    'o.customer_id',
    'SELECT name FROM @c AS c WHERE EXISTS (SELECT 1 FROM @o AS o WHERE o.customer_id = c.id)',
    'p <WHERE o.customer_id',
  ),
  path(
    'a key of a join, left',
    'o.customer_id',
    'SELECT o.id, c.name FROM @o AS o JOIN @c AS c ON c.id = o.customer_id',
    'p <JOIN o.customer_id',
  ),
  path(
    'a key of a join, right',
    'c.id',
    'SELECT o.id, c.name FROM @o AS o JOIN @c AS c ON c.id = o.customer_id',
    'p <JOIN c.id',
  ),
  path(
    'a condition of a join',
    'c.country',
    "SELECT o.id, c.name FROM @o AS o LEFT JOIN @c AS c ON c.id = o.customer_id AND c.country = 'AT'",
    'p <JOIN c.country',
  ),
  path(
    'a key of USING, under another name',
    'c.id',
    'SELECT o.id, name FROM @o AS o JOIN (SELECT id AS customer_id, name FROM @c) AS x USING (customer_id)',
    'p <JOIN c.id',
  ),
  path(
    'a key of USING that is a value too',
    'o.customer_id',
    'SELECT customer_id, name FROM @o AS o JOIN (SELECT id AS customer_id, name FROM @c) AS x USING (customer_id)',
    'p.customer_id',
    'p <JOIN o.customer_id',
  ),
  path(
    'a key that nobody names',
    'o.customer_id',
    'SELECT note, name FROM (SELECT note, customer_id FROM @o) AS y NATURAL JOIN (SELECT id AS customer_id, name FROM @c) AS x',
    'p <JOIN o.customer_id',
  ),
  path(
    'a key of a semi join',
    'c.id',
    'SELECT id FROM @o AS o SEMI JOIN @c AS c ON c.id = o.customer_id',
    'p <JOIN c.id',
  ),
  path(
    'a group that is no value',
    'o.status',
    'SELECT sum(amount) AS t FROM @o GROUP BY status',
    'p <GROUP BY o.status',
  ),
  path(
    'a group',
    'o.status',
    'SELECT status, count(*) AS n FROM @o GROUP BY status',
    'p.status',
    'p <GROUP BY o.status',
  ),
  path('a group by all', 'o.status', 'SELECT status, count(*) AS n FROM @o GROUP BY ALL', 'p.status'),
  path(
    'a condition of a group',
    'o.amount',
    'SELECT customer_id FROM @o GROUP BY customer_id HAVING sum(amount) > 5',
    'p <HAVING o.amount',
  ),
  path('an order', 'o.day', 'SELECT id FROM @o ORDER BY day LIMIT 3', 'p <ORDER BY o.day'),
  path(
    'a choice by a window',
    'o.day',
    'SELECT id FROM @o QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY day DESC) = 1',
    'p <WINDOW o.day',
  ),
  path(
    'a choice among a window',
    'o.amount',
    'SELECT id FROM @o QUALIFY amount = max(amount) OVER ()',
    'p <QUALIFY o.amount',
  ),
  path(
    'a rank',
    'o.day',
    'SELECT id, row_number() OVER (ORDER BY day) AS n FROM @o',
    'p.n',
    'p <WINDOW o.day',
  ),
  path(
    'a rank that is chosen by',
    'o.day',
    'WITH x AS (SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY day) AS rn FROM @o) SELECT id FROM x WHERE rn = 1',
    'p <WHERE WINDOW o.day',
  ),
  path(
    'a window with a name',
    'o.status',
    'SELECT id, sum(amount) OVER w AS s FROM @o WINDOW w AS (PARTITION BY status)',
    'p.s',
    'p <WINDOW o.status',
  ),
  path('a side of a union', 'c.email', 'SELECT email FROM @o UNION ALL SELECT email FROM @c', 'p.email'),
  path('a side of a union of sets', 'o.email', 'SELECT email FROM @o UNION SELECT email FROM @c', 'p.email'),
  path(
    'a side that becomes narrower',
    'o.note',
    "SELECT * FROM @o UNION ALL SELECT 1, 7, 'x', 2, DATE '2024-01-01', 'e', 'n'",
    'p.note',
  ),
  path('what is taken away', 'c.id', 'SELECT customer_id FROM @o EXCEPT SELECT id FROM @c', 'p <EXCEPT c.id'),
  path('what both have', 'c.id', 'SELECT customer_id FROM @o INTERSECT SELECT id FROM @c', 'p.customer_id'),
  path(
    'what makes rows equal',
    'o.note',
    'SELECT id FROM (SELECT DISTINCT id, note FROM @o) AS x',
    'p <DISTINCT o.note',
  ),
  path(
    'what makes sides equal',
    'c.email',
    'SELECT id FROM (SELECT id, email FROM @o UNION SELECT id, email FROM @c) AS x',
    'p <UNION c.email',
  ),
  path(
    'the first of each',
    'o.customer_id',
    'SELECT DISTINCT ON (customer_id) id FROM @o ORDER BY customer_id, day',
    'p <ORDER BY DISTINCT o.customer_id',
  ),
  path(
    'a filter of a value of another source',
    'o.customer_id',
    'SELECT name, (SELECT sum(amount) FROM @o AS o WHERE o.customer_id = c.id) AS total FROM @c AS c',
    'p <WHERE o.customer_id',
  ),
  path('what a star leaves out', 'o.email', 'SELECT * EXCLUDE (email) FROM @o', 'p <EXCLUDE o.email'),
  path(
    'what nobody reads',
    'o.note',
    'WITH x AS (SELECT note FROM @o) SELECT id FROM @o',
    'p <SELECT o.note',
  ),
  path(
    'values that become columns',
    'o.status',
    "SELECT paid, open FROM (PIVOT (SELECT id, status, amount FROM @o) ON status IN ('paid', 'open') USING sum(amount))",
    'p.paid',
    'p.open',
    'p <PIVOT o.status',
  ),
]

const board = 'exposures: [{name: Board, type: dashboard}]'
const crm = (keys: string) => `publish: {crm: {${keys}}}`

const ends: readonly PathCase[] = [
  path('an exposure', 'o.amount', `SELECT amount FROM @o\n---\n${board}`, 'p.amount', '!Board'),
  path(
    'an exposure of rows that it decides',
    'o.status',
    `SELECT id FROM @o WHERE status = 'paid'\n---\n${board}`,
    'p <WHERE o.status',
    '!Board',
  ),
  path(
    'an exposure further down',
    'o.note',
    { p: 'SELECT * FROM @o', q: `SELECT upper(note) AS t FROM @p\n---\n${board}` },
    'p.note',
    'q.t',
    '!Board',
  ),
  path(
    'an exposure beside it',
    'o.note',
    { p: 'SELECT note FROM @o', q: `SELECT id FROM @o\n---\n${board}` },
    'p.note',
  ),
  path(
    'a target of all columns',
    'o.email',
    `SELECT id, email FROM @o\n---\n${crm('key: id')}`,
    'p.email',
    '>crm email',
  ),
  path(
    'a target under another name',
    'o.email',
    `SELECT * FROM @o\n---\n${crm('key: id, fields: {mail: email}')}`,
    'p.email',
    '>crm mail',
  ),
  path(
    'a target of other columns',
    'o.email',
    `SELECT id, email, amount FROM @o\n---\n${crm('key: id, fields: {value: amount}')}`,
    'p.email',
  ),
  path(
    'the key of a target',
    'o.id',
    `SELECT id, email FROM @o\n---\n${crm('key: id, fields: {mail: email}')}`,
    'p.id',
    '>crm id',
  ),
  path(
    'a target of rows that it decides',
    'o.status',
    `SELECT id, email FROM @o WHERE status = 'paid'\n---\n${crm('key: id')}`,
    'p <WHERE o.status',
  ),
  path(
    'all of it at once',
    'o.amount',
    {
      p: 'SELECT id, customer_id, amount FROM @o WHERE amount > 0',
      q: `SELECT customer_id AS id, sum(amount) AS total FROM @p GROUP BY customer_id\n---\n${crm('key: id, fields: {value: total}')}\n${board}`,
      r: `SELECT c.name FROM @c AS c JOIN @q AS q ON q.id = c.id WHERE q.total > 100\n---\nexposures: [{name: Letter, type: report}]`,
    },
    'p.amount',
    'p <WHERE o.amount',
    'q.total',
    'r <WHERE q.total',
    '>crm value',
    '!Board',
    '!Letter',
  ),
]

const shapes: readonly PathCase[] = [
  path(
    'two ways to one value',
    'o.amount',
    {
      p: 'SELECT id, amount FROM @o',
      q: 'SELECT id, amount FROM @o',
      r: 'SELECT p.amount + q.amount AS both FROM @p AS p JOIN @q AS q ON q.id = p.id',
    },
    'p.amount',
    'q.amount',
    'r.both',
  ),
  path(
    'two ways to one join',
    'o.id',
    {
      p: 'SELECT id, amount FROM @o',
      q: 'SELECT id, amount FROM @o',
      r: 'SELECT p.amount + q.amount AS both FROM @p AS p JOIN @q AS q ON q.id = p.id',
    },
    'p.id',
    'q.id',
    'r <JOIN p.id',
    'r <JOIN q.id',
  ),
  path(
    'a test of a column that came by a star',
    'o.amount',
    'SELECT * FROM @o\n---\ntests: [{not_null: amount}]',
    'p.amount',
  ),
  path('nothing', 'o.note', 'SELECT id FROM @o'),
]

export const pathCases: readonly PathCase[] = [...values, ...rows, ...ends, ...shapes]
