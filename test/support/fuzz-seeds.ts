/** Whole, valid files from which damaged ones are made. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folders = ['test/fixtures/shop/models', 'examples/flights/models']

/** One asset with every block, in the less usual ways to write YAML. */
export const everything = `# every block
name: "orders"
description: >-
  Orders of the shop,
  folded into one line
owner: data@example.com
tags: [shop, 'daily']
ingest:
  type: rest_api
  endpoint: https://api.example.com/v1
  resource: orders
  params: {per_page: 200, since: "{cursor}"}
  auth: {type: api_key, name: X-Key, value: env:SHOP_KEY, in: header}
  records: data.items
  paginate: {type: cursor, path: meta.next, param: page_token}
  exclude: [card_number, customer.phone]
  nested: {mode: tables, depth: 2}
  limits: {rate: 10/s, concurrency: 4, retries: 5, timeout: 60s}
  on_status: {"404": skip}
contract:
  evolution: evolve
  enforce_types: true
  required_columns: [id, status]
  columns:
    id: bigint
    amount: {type: "decimal(12,2)", nullable: false, pii: true}
transform: |2-
    SELECT o.id AS order_id, o.amount, 'it''s "fine"' AS note, count(l.sku) AS line_count
    FROM {{ source }} AS o /* {{ not a tag }} */
    LEFT JOIN {{ source('lines') }} l ON l._svc_parent_id = o._svc_id
    LEFT JOIN {{ ref("x") }} c USING (id) -- 😀
    WHERE o.day > DATE '{{ var('start') }}'
    GROUP BY ALL
columns:
  order_id: {description: Shop order number, role: primary_key}
tests:
  - unique: [order_id, note]
  - accepted_values: {note: [a, 1, true, null]}
  - relationships: {order_id: x.id}
    severity: warn
    error_if: "> 10"
  - row_count: {min: 1, change: "50%"}
  - name: own
    sql: "SELECT *\\tFROM {{ this }} -- \\u00e4"
freshness: {warn_after: 12h, error_after: 24h, column: updated_at}
deploy: {materialize: view, schema: marts, keep: 3, enabled: true}
exposures:
  - {name: Board, type: dashboard, url: https://bi.example.com/revenue}
`

/** `root` is the folder of the repository. */
export function fuzzSeeds(root: string): readonly string[] {
  return [everything, ...folders.flatMap(folder => textsIn(join(root, folder)))]
}

function textsIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter(name => name.endsWith('.svc')).sort()
  return files.map(name => readFileSync(join(folder, name), 'utf8'))
}
