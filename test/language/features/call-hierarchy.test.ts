import { openCatalog } from '@svc/server/catalog'
import { createProject, parseSettings } from '@svc/server/language'
import { expect, test } from 'vitest'
import { incoming, outgoing, prepareHierarchy } from '../../../server/language/features/call-hierarchy.ts'
import { hoverAt } from '../../../server/language/features/hover/hover-at.ts'
import { engine } from '../../support/engine.ts'
import { knowledgeOf } from '../../support/knowledge.ts'
import { hash } from '../../support/spec-project.ts'

const texts = {
  orders: "name: orders\ningest: none\ntransform: SELECT 1 AS id, 'paid' AS status, 10 AS amount\n",
  paid: `name: paid
ingest: none
transform: SELECT id, amount AS value FROM {{ ref('orders') }} WHERE status = 'paid'
publish: {crm: {type: duckdb, endpoint: 'duckdb:./crm.duckdb', resource: t, key: id, fields: {amount: value}}}
exposures: [{name: Board, type: dashboard}]
`,
}

async function known() {
  const catalog = await openCatalog(engine)
  const files = Object.entries(texts).map(([name, text]) => ({ path: `models/${name}.svc`, text }))
  const project = createProject({ settings: parseSettings('name: x\n'), files, hash })
  const knowledge = await knowledgeOf(catalog, project)
  catalog.close()
  return knowledge
}

test('a column is read by columns, by rows that it decides, by targets and by exposures, and so says its hover', async () => {
  const knowledge = await known()
  const at = (asset: keyof typeof texts, words: string) =>
    prepareHierarchy(knowledge, `models/${asset}.svc`, texts[asset].indexOf(words) + 1)
  const readers = (item: ReturnType<typeof at>) =>
    item === undefined
      ? []
      : incoming(knowledge, item).map(call => `${call.item.asset} ${call.item.column ?? ''}`)
  expect(readers(at('orders', 'status'))).toEqual(['paid '])
  expect(readers(at('orders', 'amount'))).toEqual(['paid value'])
  const value = at('paid', 'value FROM')
  expect(readers(value)).toEqual(['target crm ', 'exposure Board '])
  expect(value && outgoing(knowledge, value).map(({ item }) => item.column)).toEqual(['amount', 'status'])
  const card = hoverAt(knowledge, 'models/orders.svc', texts.orders.indexOf('status') + 1)
  expect(JSON.stringify(card)).toContain('Where it goes: rows of `paid` (WHERE), exposure Board')
})
