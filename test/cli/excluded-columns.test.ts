/** `excluded_columns` of svc_catalog.json counts columns, not entries: a pattern may match many of them, or none. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createGround } from './bad-input/command-line.ts'
import { shop } from './shop-project.ts'

it.each([
  ['exclude: [day_of_week]', 0],
  ['exclude: ["x_*"]', 2],
  ['exclude: ["x_*", note, nothing]', 3],
  ['include: [id, customer_id, amount, day]', 3],
])('%s', async (words, count) => {
  const ground = createGround({
    ...shop,
    'data/orders.csv': 'id,customer_id,amount,day,x_a,x_b,note\n1,1,10.5,2026-01-01,1,2,3\n',
    'models/orders.svc': (shop['models/orders.svc'] ?? '').replace('exclude: [day_of_week]', words),
  })
  try {
    const said = await ground.line(['run'])
    expect(said.code, said.stderr).toBe(0)
    const catalog = () =>
      JSON.parse(readFileSync(join(ground.root, 'svc_catalog.json'), 'utf8')) as { excluded_columns: number }
    expect(catalog().excluded_columns).toBe(count)
    // Also where the look at the files was remembered.
    await ground.line(['run', '--all-tests'])
    expect(catalog().excluded_columns).toBe(count)
  } finally {
    ground.dispose()
  }
})
