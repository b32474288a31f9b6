/** Every query of PostgreSQL is laid out, says the same afterwards, and stays as it is when laid out again. */
import { expect, it } from 'vitest'
import { postgres } from '../../../server/language/engines/postgres/postgres.ts'
import { formatSql } from '../../../server/language/format/format-sql.ts'
import { postgresQueries } from '../sql/postgres-queries.ts'

const queries = postgresQueries.map(sql => sql.replace(/(?<![\w'"$])@([a-z]{6,})/g, "{{ ref('$1') }}"))

/**
 * sql-formatter does not know these literals, and puts on one line what is one literal on two alone: what has them stays as it is.
 */
const unknownLiterals = /uescape|0o17|'\n'/

it.each(queries)('%s', sql => {
  const once = formatSql(sql, false, postgres)
  expect(once === undefined).toBe(unknownLiterals.test(sql))
  if (once === undefined) return
  expect(formatSql(once, false, postgres)).toBe(once)
})

it('a list behind DISTINCT ON, on one line or on several as it was written', () => {
  const text = formatSql(
    `select distinct on (a, lower(b))
    a,b from t order by a, lower(b)`,
    false,
    postgres,
  )
  expect(text).toBe('SELECT DISTINCT ON (a, lower(b)) a, b\nFROM t\nORDER BY a, lower(b)')
  const lines = `SELECT DISTINCT ON (customer_id)
  customer_id, -- who
  created_at
FROM orders
ORDER BY customer_id, created_at`
  expect(formatSql(lines, false, postgres)).toBe(lines)
})

it('clauses, casts, operators and what stands behind aggregates', () => {
  const sql = `with last as materialized (select distinct on (customer_id) * from {{ ref('orders') }} order by customer_id, created_at desc)
    select c.id, l.detail ->> 'channel' as channel, count(*) filter (where l.amount::int > 10) as large,
    percentile_cont(0.5) within group (order by l.amount) as median from {{ ref('customers') }} c
    left join lateral (select * from last where customer_id = c.id) l on true group by c.id, l.detail`
  expect(formatSql(sql, false, postgres)).toMatchInlineSnapshot(`
    "WITH last AS MATERIALIZED (
      SELECT DISTINCT ON (customer_id) *
      FROM {{ ref('orders') }}
      ORDER BY customer_id, created_at DESC
    )
    SELECT
      c.id,
      l.detail ->> 'channel' AS channel,
      count(*) FILTER (WHERE l.amount::int > 10) AS large,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY l.amount) AS median
    FROM {{ ref('customers') }} c
    LEFT JOIN LATERAL (SELECT * FROM last WHERE customer_id = c.id) l ON TRUE
    GROUP BY c.id, l.detail"
  `)
})
