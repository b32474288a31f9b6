import { type DiagnosticExample, type DiagnosticExamples, inOrders, model } from './example.ts'

function query(sql: string, fixed: string | undefined, fix: string): DiagnosticExample {
  return inOrders(model(sql), fixed === undefined ? undefined : model(fixed), fix)
}

const orders = '(SELECT 1 AS id, 2.5 AS amount, TRUE AS paid)'

export const sqlExamples: DiagnosticExamples = {
  'sql-duplicate-column': query(
    'SELECT 1 AS id, 2 AS id',
    'SELECT 1 AS id, 2 AS other_id',
    'Give one of them another name.',
  ),
  'sql-bracketed-name': query(
    `SELECT [id], [amount] FROM ${orders}`,
    `SELECT id, amount FROM ${orders}`,
    'Write the name as it is, or in double quotes; a list gets a name with AS.',
  ),
  'sql-shadowed-column': query(
    'SELECT price FROM (SELECT *, 2 AS price FROM (SELECT 1 AS price))',
    'SELECT price FROM (SELECT * REPLACE (2 AS price) FROM (SELECT 1 AS price))',
    'Replace the column with `* REPLACE`, or give the second one another name.',
  ),
  'sql-ambiguous-column': query(
    `SELECT id FROM ${orders} AS a JOIN ${orders} AS b ON a.id = b.id`,
    `SELECT a.id FROM ${orders} AS a JOIN ${orders} AS b ON a.id = b.id`,
    'Write the table in front: `a.id`.',
  ),
  'sql-bad-literal': query(
    "SELECT DATE '2024-02-30' AS day",
    "SELECT DATE '2024-02-29' AS day",
    'Correct the literal: the SQL would fail at its first row.',
  ),
  'sql-group-by': query(
    `SELECT paid, id, sum(amount) AS total FROM ${orders} GROUP BY paid`,
    `SELECT paid, sum(amount) AS total FROM ${orders} GROUP BY paid`,
    'Group by the column too, put it into an aggregate such as `max`, or leave it out.',
  ),
  'sql-no-matching-function': query(
    "SELECT sum('a') AS total",
    "SELECT sum(length('a')) AS total",
    'Cast the argument to a type that the function takes; the message lists them.',
  ),
  'sql-not-a-select': query(
    "DELETE FROM {{ ref('customers') }}",
    undefined,
    'Write one SELECT: svc makes the table from its rows.',
  ),
  'sql-too-expensive': {
    files: {},
    fix: 'Look for values that are worked out from constants alone (`repeat`, `range`), and for deep nesting. `limits.sql` in `svc.yaml` allows more.',
  },
  'sql-too-large': {
    files: {},
    fix: 'Part the query into several assets, or move the rows into a data file.',
  },
  'sql-other': query(
    'SELECT row_number() AS place',
    'SELECT row_number() OVER () AS place',
    "The message is the SQL engine's own. Try the query in smaller parts.",
  ),
  'sql-reaches-out': query(
    "SELECT id FROM query('SELECT 1 AS id')",
    'SELECT id FROM (SELECT 1 AS id)',
    'Write the SQL itself, and name what it reads: an asset with `ref()`, a file, a table of others or a service as the source of an asset, a setting as a variable with `var()`.',
  ),
  'sql-syntax': query(
    'SELECT (1 + 2 AS id',
    'SELECT (1 + 2) AS id',
    'Look at the marked place and the word before it: usually a comma, a bracket or a keyword is wrong.',
  ),
  'sql-type': query(
    'SELECT [1, 2] + 5 AS total',
    'SELECT list_sum([1, 2]) + 5 AS total',
    'Cast one side, or compare and combine values of the same kind.',
  ),
  'sql-unknown-column': query(
    `SELECT id, amout FROM ${orders}`,
    `SELECT id, amount FROM ${orders}`,
    'Correct the name; the message has the nearest one and all that exist. If the source has a new column, run once or name it in `contract.columns`.',
  ),
  'sql-unknown-function': query(
    "SELECT upperr('a') AS name",
    "SELECT upper('a') AS name",
    'Correct the name, or use the function that the SQL engine has for it.',
  ),
  'sql-unknown-table': query(
    'SELECT * FROM customers',
    undefined,
    "Name another asset with `{{ ref('customers') }}`: plain table names are those of CTEs only.",
  ),
  'sql-unknown-type': query(
    "SELECT CAST('1' AS intger) AS id",
    "SELECT CAST('1' AS integer) AS id",
    'Correct the type; the message has the nearest one.',
  ),
  'sql-unnamed-column': {
    files: {
      'models/orders.svc': model(
        "SELECT id, (SELECT max(id) FROM {{ ref('customers') }}) FROM {{ ref('customers') }}",
      ),
      'models/customers.svc': 'name: customers\ningest: none\ntransform: SELECT 1 AS id\n',
    },
    fixed: model(
      "SELECT id, (SELECT max(id) FROM {{ ref('customers') }}) AS largest FROM {{ ref('customers') }}",
    ),
    fix: 'Give it a name with `AS`.',
  },
  'sql-wrong-arity': query(
    'SELECT round(1.5, 2, 3) AS amount',
    'SELECT round(1.5, 2) AS amount',
    'Remove or add arguments; the message says how many the function takes.',
  ),
  'sql-null-comparison': query(
    `SELECT id FROM ${orders} WHERE amount = NULL`,
    `SELECT id FROM ${orders} WHERE amount IS NULL`,
    'Write `IS NULL`, `IS NOT NULL` or `IS DISTINCT FROM`.',
  ),
}
