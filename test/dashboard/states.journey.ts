/** When things are not as they should be: never run, nothing there, broken, read-only, restarted, out of date. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeFindings, type Journeys, startJourneys, withoutNetwork } from './support/browser.ts'
import { smallWorld, type World } from './support/world.ts'

const shop = {
  'svc.yaml': 'name: shop\n',
  'models/orders.svc':
    'name: orders\ndescription: Every order\ningest: {type: rows, rows: [{id: 1, amount: 5}, {id: 2, amount: 7}]}\ntransform: SELECT id, amount FROM {{ source }}\ntests:\n  - unique: id\n',
  'models/total.svc':
    "name: total\ningest: none\ntransform: SELECT sum(amount) AS amount FROM {{ ref('orders') }}\n",
}

let journeys: Journeys
let world: World | undefined
beforeAll(async () => {
  journeys = await startJourneys()
})
afterEach(async context => {
  try {
    await journeys.check(context.task.name, context.task.result?.state === 'fail')
  } finally {
    await world?.dispose()
    world = undefined
  }
})
afterAll(() => journeys?.close())

describe('a project', () => {
  test('that never ran is shown from its files, and can be begun from the page', async () => {
    world = smallWorld(shop)
    const served = await world.serve(['ui'])
    await expect.poll(served.stderr).toContain('Nothing has run in dev yet')
    const { page } = await journeys.open(served.address)
    await page.getByRole('treeitem', { name: /^total/ }).click()
    await page.getByText('0 active assets').waitFor()
    await page.getByRole('complementary').getByText('never run').first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'More ways to run' }).click()
    await page.getByRole('menuitem', { name: /With upstreams/ }).click()
    await page.getByText('Run +total: deployed').first().waitFor()
    await page.getByText('2 active assets').waitFor()
  })

  test('without an asset says how to begin', async () => {
    world = smallWorld({ 'svc.yaml': 'name: shop\n' })
    const served = await world.serve(['ui'])
    const { page } = await journeys.open(served.address)
    await page.getByText('svc create asset orders').waitFor()
  })

  test('whose settings broke since says where, and is right again when they are', async () => {
    world = smallWorld(shop)
    const served = await world.serve(['ui'])
    world.write('svc.yaml', 'name: shop\nmodles: x\n')
    const { page, complaints } = await journeys.open(served.address)
    await page
      .getByRole('alert')
      .getByText(/svc\.yaml/)
      .waitFor()
    world.write('svc.yaml', 'name: shop\n')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('treeitem', { name: /^orders/ }).waitFor()
    // The browser says of a failed request when it likes: all of it has come once the page is whole again.
    expect(complaints().every(each => each.includes('500'))).toBe(true)
  })

  test('with a broken asset shows the others, and its run says what is wrong', async () => {
    world = smallWorld({
      ...shop,
      'models/bad.svc': 'name: bad\ningest: none\ntransform: SELECT nothing FRM x\n',
    })
    const served = await world.serve(['ui'])
    const { page } = await journeys.open(served.address)
    await page.getByRole('treeitem', { name: /^bad/ }).click()
    await page.getByRole('button', { name: '▶ Run' }).click()
    await page.getByText('Run bad: Failed').first().waitFor()
    await page
      .getByRole('log')
      .getByText(/models\/bad\.svc/)
      .first()
      .waitFor()
  })

  test('whose files are newer says so, and a new asset of it can be run', async () => {
    world = smallWorld(shop)
    expect((await world.svc(['run', '--all'])).code).toBe(0)
    const served = await world.serve(['ui'])
    const { page } = await journeys.open(served.address)
    await page.getByRole('treeitem', { name: /^orders/ }).waitFor()
    world.write('models/fresh.svc', 'name: fresh\ningest: none\ntransform: SELECT 1 AS one\n')
    await page.getByText('1 file changed').waitFor()
    await page.getByRole('treeitem', { name: /^fresh/ }).click()
    await page.getByRole('button', { name: '▶ Run' }).click()
    await page.getByText('Run fresh: deployed').first().waitFor()
  })
})

describe('svc ui', () => {
  test('with --read-only shows everything and runs nothing', async () => {
    world = smallWorld(shop)
    expect((await world.svc(['run', '--all'])).code).toBe(0)
    const served = await world.serve(['ui', '--read-only'])
    const { page, complaints } = await journeys.open(served.address)
    await page.getByRole('treeitem', { name: /^orders/ }).click()
    await page
      .getByRole('complementary')
      .getByText(/Deployed/)
      .first()
      .waitFor()
    expect(await page.getByRole('button', { name: '▶ Run' }).count()).toBe(0)
    const status = await page.evaluate(`fetch('api/stream/run?asset=orders').then(answer => answer.status)`)
    expect(status).toBe(403)
    expect(complaints().every(each => each.includes('403'))).toBe(true)
  })

  test('that was started anew does not know the page, which says what to do', async () => {
    world = smallWorld(shop)
    const first = await world.serve(['ui'])
    const { page, complaints } = await journeys.open(first.address)
    await page.getByRole('treeitem', { name: /^orders/ }).waitFor()
    await first.kill()
    await page.getByText('svc ui has stopped').waitFor()
    const again = await world.serve(['ui', '--port', new URL(first.base).port])
    expect(again.base).toBe(first.base)
    await page.getByText('This session is over').waitFor()
    await page.getByRole('treeitem', { name: /^orders/ }).waitFor()
    await page.goto(again.address)
    await page.getByRole('treeitem', { name: /^orders/ }).waitFor()
    expect(withoutNetwork(complaints()).every(each => each.includes('401'))).toBe(true)
  })

  test('is told apart from another one on its port, which says which is free', async () => {
    world = smallWorld(shop)
    const served = await world.serve(['ui'])
    const { port } = new URL(served.base)
    const { code, stderr } = await world.svc(['ui', '--port', port])
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`port ${port} is taken by the dashboard of shop (dev)`),
    ])
    expect(stderr).toMatch(/svc ui --port \d+/)
    expect(stderr).toContain('[port-unavailable]')
  })

  test('holds no warehouse: the command line runs beside it', async () => {
    world = smallWorld(shop)
    const served = await world.serve(['ui'])
    const { page } = await journeys.open(served.address)
    await page.getByText('0 active assets').waitFor()
    expect((await world.svc(['run', '--all'])).code).toBe(0)
    await page.getByText('2 active assets').waitFor()
  })
})
