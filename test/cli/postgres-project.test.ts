/** `svc validate` of a project whose warehouse is PostgreSQL: without the server, its address or its password. */
import { expect, it } from 'vitest'
import { createProjectHere } from '../support/cli-here.ts'

const files = {
  'svc.yaml': 'name: shop\nwarehouse: env:SHOP_WAREHOUSE\n',
  'models/orders.svc': `name: orders
ingest:
  type: rows
  rows: [{id: 1, customer: ada, amount: 12.5, placed: '2024-01-02', tags: 'x,y', payload: '{"lines": []}'}]
transform: |
  SELECT id::bigint AS id, customer, amount::numeric(12, 2) AS amount, placed::date AS placed,
    string_to_array(tags, ',') AS tags, payload::jsonb AS payload
  FROM {{ source }}
tests:
  - unique: id
  - expression: "amount >= 0 AND payload ? 'lines'"
`,
  'models/days.svc': `name: days
ingest: none
transform: |
  WITH daily AS (
    SELECT placed, count(*) FILTER (WHERE amount > 10) AS large FROM {{ ref('orders') }} GROUP BY placed
  )
  SELECT day::date AS day, coalesce(large, 0) AS large, sum(large) OVER (ORDER BY day) AS so_far
  FROM generate_series('2024-01-01'::date, '2024-12-31', interval '1 day') AS day LEFT JOIN daily ON placed = day
`,
  'models/lines.svc': `name: lines
ingest: none
transform: |
  SELECT DISTINCT ON (o.id) o.id, line ->> 'sku' AS sku, tag
  FROM {{ ref('orders') }} o
  CROSS JOIN LATERAL jsonb_array_elements(o.payload -> 'lines') AS line
  CROSS JOIN LATERAL unnest(o.tags) AS tag
  ORDER BY o.id, tag
`,
}

const mistakes = {
  'models/wrong.svc': `name: wrong
ingest: none
transform: |
  SELECT customer, placed, sum(amuont) AS total, day.large + l.sku AS more
  FROM {{ ref('orders') }} JOIN {{ ref('days') }} day ON true JOIN {{ ref('lines') }} l USING (id)
  GROUP BY customer, day.large, l.sku
`,
}

/** Nobody is at this address. */
const env = { SHOP_WAREHOUSE: 'postgresql://ada:s3cret-word@127.0.0.1:1/shop' }

it('mistakes are at their places, and no password is anywhere', async () => {
  const project = createProjectHere({ ...files, ...mistakes })
  try {
    const { code, stdout, stderr } = await project.svc(['validate', '--format', 'lines'], { env })
    const places = stdout
      .trim()
      .split('\n')
      .map(line => line.split(' ', 3).join(' '))
    expect(places).toEqual([
      'models/wrong.svc:4:20: error: "placed"',
      'models/wrong.svc:4:32: error: unknown',
      'models/wrong.svc:4:60: error: operator',
    ])
    expect(stdout).toContain('operator does not exist: bigint + text')
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).not.toContain('s3cret')
  } finally {
    project.dispose()
  }
}, 120_000)

it('nothing is wrong with SQL that PostgreSQL takes; where no address is known, it is that of the usual engine', async () => {
  const project = createProjectHere(files)
  try {
    expect(await project.svc(['validate', '--quiet'], { env })).toMatchObject({ code: 0, stderr: '' })
    const { stdout } = await project.svc(['validate', '--format', 'lines'])
    expect(stdout).toContain('sql-')
  } finally {
    project.dispose()
  }
}, 120_000)
