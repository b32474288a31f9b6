/** Views of production are compared with what svc makes, however the engine quotes names. */
import { expect, test } from 'vitest'
import { shownBuilds } from '../../../cli/engine/run/shown-builds.ts'
import { emptyState } from '../../../cli/engine/state/state.ts'
import { duckdbDialect } from '../../../cli/engine/warehouse/duckdb/dialect.ts'
import type { WarehouseReader } from '../../../cli/engine/warehouse/warehouse.ts'

const columns = [{ name: 'id' }, { name: 'name' }, { name: 'say "hi"' }, { name: 'a, b' }]

async function shown(query: string): Promise<boolean> {
  const build = { relation: { schema: 'svc_g_1', name: 'orders' }, sql: null, columns }
  const state = {
    ...emptyState('prod'),
    live: new Map([['orders', { build_key: 'k' }]]),
    builds: new Map([['k', build]]),
  } as unknown as Parameters<typeof shownBuilds>[1]
  const session = { dialect: duckdbDialect } as unknown as WarehouseReader
  return (await shownBuilds(session, state))('orders', { name: 'orders', kind: 'view', query })
}

test.each([
  ['as it was made', 'SELECT id, name, "say ""hi""", "a, b" FROM svc_g_1.orders', true],
  ['more names quoted', 'SELECT "id", "name", "say ""hi""", "a, b" FROM "svc_g_1".orders', true],
  ['laid out otherwise', 'select id, name,\n  "say ""hi""", "a, b" from svc_g_1."orders"', true],
  ['another table', 'SELECT id, name, "say ""hi""", "a, b" FROM svc_g_1.others', false],
  ['one column made two', 'SELECT id, name, "say ""hi""", a, b FROM svc_g_1.orders', false],
  ['a text for a column', `SELECT id, 'name', "say ""hi""", "a, b" FROM svc_g_1.orders`, false],
  ['a name that is an alias', 'SELECT id"name", "say ""hi""", "a, b" FROM svc_g_1.orders', false],
  ['columns left out', 'SELECT id FROM svc_g_1.orders', false],
])('%s', async (_, query, expected) => {
  expect(await shown(query)).toBe(expected)
})
