/** Names of child tables in a contract: as the warehouse has them, as the source has them, in other letters. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectMaker } from './test-project.ts'

const project = projectMaker()

test.each(['order_lines', 'orderLines', 'Order_Lines', 'ORDER_LINES'])(
  'contract.tables: {%s: …} is what it promises of the child table order_lines',
  async name => {
    const p = project({
      orders: `ingest: {type: file, endpoint: data, resource: orders.ndjson}
contract: {tables: {${name}: {columns: {sku: {type: varchar, pii: true}}}}}
transform: SELECT l.sku FROM {{ source }} AS o JOIN {{ source('order_lines') }} AS l ON l._svc_parent_id = o._svc_id`,
    })
    mkdirSync(join(p.root, 'data'), { recursive: true })
    writeFileSync(
      join(p.root, 'data', 'orders.ndjson'),
      '{"id": 1, "orderLines": [{"sku": 7}, {"sku": 8}]}\n',
    )
    await p.run()
    expect(await p.query('SELECT sku FROM analytics.orders ORDER BY 1')).toEqual([{ sku: '7' }, { sku: '8' }])
  },
)
