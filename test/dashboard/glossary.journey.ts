/** The words of the business on a page of their own, in `svc ui` and in the site. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeFindings, type Journeys, startJourneys } from './support/browser.ts'
import { smallWorld, type World } from './support/world.ts'

const shop = {
  'svc.yaml': 'name: shop\n',
  'models/customers.svc':
    'name: customers\ningest: {type: rows, rows: [{id: 1, name: Ana}]}\ntransform: SELECT id, name FROM {{ source }}\n',
  'glossary.yaml': `terms:
  - {id: term.customer, name: Customer, description: Somebody who buys, synonyms: [buyer], owner: sales@example.com}
metrics:
  - {id: metric.customers, name: Customers, description: How many there are, sql_definition: count(*), source_assets: [customers]}
links:
  - {term: Customer, asset: customers, column: id, role: primary_key}
`,
}

let world: World
let journeys: Journeys
beforeAll(async () => {
  world = smallWorld(shop)
  expect((await world.svc(['run', '--all'])).code).toBe(0)
  journeys = await startJourneys()
})
afterEach(async context => {
  await journeys.check(context.task.name, context.task.result?.state === 'fail')
})
afterAll(async () => {
  await journeys?.close()
  await world?.dispose()
})

const show = (page: Page) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Glossary' }).click()

describe('the glossary', () => {
  test('says what words mean and leads to what they stand for', async () => {
    const served = await world.serve(['ui'])
    const { page } = await journeys.open(served.address)
    await show(page)
    const glossary = page.getByRole('region', { name: 'Glossary' })
    await glossary.getByText('Somebody who buys').waitFor()
    await glossary.getByText('also buyer').waitFor()
    await glossary.getByText('count(*)').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await glossary.getByRole('button', { name: 'customers' }).first().click()
    await page.getByRole('complementary').getByRole('heading', { name: 'customers', exact: true }).waitFor()
    await expect.poll(() => page.url()).toContain('view=glossary')
  })

  test('is in the site too', async () => {
    const served = await world.serve(['lineage'])
    const { page } = await journeys.open(served.address)
    await show(page)
    await page.getByText('Somebody who buys').waitFor()
  })
})
