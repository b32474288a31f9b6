/** Running from `svc ui`: in three modes, watched live, cut and resumed, refused twice, cancelled, rolled back. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Journeys, type Look, type Opened, startJourneys, withoutNetwork } from './support/browser.ts'
import { layCable } from './support/cable.ts'
import { exampleWorld, type Served, type World } from './support/world.ts'

let world: World
let served: Served
let journeys: Journeys
beforeAll(async () => {
  world = await exampleWorld()
  expect((await world.svc(['run', '--all'])).code).toBe(0)
  journeys = await startJourneys()
})
beforeEach(async () => {
  served = await world.serve(['ui'])
})
afterEach(async context => {
  world.gate.open()
  await journeys.check(context.task.name, context.task.result?.state === 'fail')
  await served.stop()
})
afterAll(async () => {
  await journeys?.close()
  await world?.dispose()
})

const open = async (asset: string, look: Look = {}): Promise<Opened> => {
  const opened = await journeys.open(served.address, look)
  await opened.page.goto(`${served.base}/#asset=${asset}`)
  await opened.page.getByRole('complementary').getByRole('heading', { name: asset, exact: true }).waitFor()
  return opened
}
/** The list is drawn anew when a run has ended: who clicks at that moment clicks again. */
const select = (page: Page, name: string) =>
  expect
    .poll(async () => {
      await page.getByRole('treeitem', { name: new RegExp(`^${name}\\b`) }).click()
      return page.getByRole('complementary').getByRole('heading', { name, exact: true }).count()
    })
    .toBe(1)
const run = (page: Page) => page.getByRole('button', { name: '▶ Run' }).click()
const choose = async (page: Page, mode: RegExp) => {
  await page.getByRole('button', { name: 'More ways to run' }).click()
  await page.getByRole('menuitem', { name: mode }).click()
}
const log = (page: Page) => page.getByRole('log')
/** A run that finds everything as it is deployed already has done what it was started for. */
const done = (page: Page, selector: string, verdict = '(Deployed|Nothing to do)') =>
  page
    .getByText(new RegExp(`Run ${selector.replaceAll('+', '\\+')}: ${verdict}`))
    .first()
    .waitFor()
const runs = async (page: Page) =>
  page.evaluate<{ selector: string | null; kind: string; status: string }[]>(
    `fetch('api/history.json').then(answer => answer.json()).then(({ runs }) => runs)`,
  )

describe('a run', () => {
  test('is started in three modes, each with its selector', async () => {
    const { page } = await open('delay_bands')
    await run(page)
    await done(page, 'delay_bands')
    await select(page, 'quake_watch')
    await choose(page, /With upstreams/)
    await done(page, '+quake_watch')
    await select(page, 'region_scorecard')
    await choose(page, /With downstreams/)
    await done(page, 'region_scorecard+')
    expect((await runs(page)).slice(0, 3).map(each => each.selector)).toEqual([
      'region_scorecard+',
      '+quake_watch',
      'delay_bands',
    ])
  })

  test('is shown live: marks in the graph, lines in colours, found, copied, saved', async () => {
    const { page } = await open('earthquakes')
    world.gate.shut()
    await run(page)
    await world.gate.asked()
    await page
      .getByText(/running/)
      .first()
      .waitFor()
    const marks = () =>
      page.evaluate<[string, string][]>(
        `[...document.querySelector('svc-app').store.activeRun.value?.steps ?? []].map(([name, step]) => [name, step.status])`,
      )
    await expect.poll(marks).toContainEqual(['earthquakes', 'running'])
    world.gate.open()
    await done(page, 'earthquakes')
    await expect.poll(() => log(page).locator('[class*=ansi-]').count()).toBeGreaterThan(0)
    await page.getByLabel('Find in the lines').fill('1,707')
    await log(page).getByText('1,707').first().waitFor()
    await page.getByLabel('Find in the lines').fill('')
    await page.getByRole('button', { name: 'Copy the lines' }).click()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toContain('earthquakes')
    expect(copied).not.toContain('\u001b')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the lines as a file' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.log$/)
  })

  test('is followed to its last line, until somebody scrolls back to read', async () => {
    const { page } = await open('region_scorecard')
    await choose(page, /With upstreams/)
    await done(page, '+region_scorecard')
    const fromEnd = () =>
      page.evaluate<number>(`(() => {
        const log = document.querySelector('[role=log]')
        return log.scrollHeight - log.scrollTop - log.clientHeight
      })()`)
    const follow = page.getByLabel('Follow')
    expect(await follow.isChecked()).toBe(true)
    await expect.poll(fromEnd).toBeLessThan(20)
    await log(page).hover()
    await page.mouse.wheel(0, -400)
    await expect.poll(() => follow.isChecked()).toBe(false)
    await expect.poll(fromEnd).toBeGreaterThan(20)
    await follow.check()
    await expect.poll(fromEnd).toBeLessThan(20)
  })

  test('goes on when the connection is cut, and is one run', async () => {
    const cable = await layCable()
    const opened = await open('earthquakes', { proxy: cable.proxy })
    const { page } = opened
    const before = (await runs(page)).length
    world.gate.shut()
    await run(page)
    await world.gate.asked()
    cable.cut()
    await page
      .getByText(/connection is lost/i)
      .first()
      .waitFor()
    world.gate.open()
    cable.repair()
    await done(page, 'earthquakes')
    expect((await runs(page)).length).toBe(before + 1)
    // Each line once and in order, those of the time without a connection too.
    const lines = await page.evaluate<string[]>(
      `document.querySelector('svc-app').store.runs.value[0].lines.map(line => line.text)`,
    )
    expect(
      lines.filter(line => /(Deployed|Nothing to do)( with \d+ warnings?)?\S*\.$/.test(line)),
    ).toHaveLength(1)
    expect(lines.filter(line => /earthquakes.*1,707 rows/.test(line)).length).toBeGreaterThan(0)
    await expect.poll(() => page.getByText(/connection is lost/i).count()).toBe(0)
    await page.close()
    expect(withoutNetwork(opened.complaints())).toEqual([])
    cable.close()
  })

  test('that ends while nobody looks is seen by who comes back to the page', async () => {
    const { page } = await open('delay_bands')
    const see = (state: string) =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
        document.dispatchEvent(new Event('visibilitychange'))`)
    const gone = page.waitForEvent('requestfailed', request => request.url().endsWith('/api/changes'))
    await see('hidden')
    // A page in the background gives its connection back.
    await gone
    const before = (await runs(page)).length
    expect((await world.svc(['run', 'delay_bands'])).code).toBe(0)
    const asked = page.waitForRequest(/catalog\.json/)
    await see('visible')
    await asked
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Runs' }).click()
    await expect
      .poll(() =>
        page.evaluate<number>(`document.querySelector('svc-app').store.data.value.history.runs.length`),
      )
      .toBe(before + 1)
  })

  test('is seen by every page, a second one is refused and leads to the first, which can be cancelled', async () => {
    const first = await open('earthquakes')
    const second = await journeys.tab(first, `${served.base}/#asset=states`)
    await second.page
      .getByRole('complementary')
      .getByRole('heading', { name: 'states', exact: true })
      .waitFor()
    world.gate.shut()
    await run(first.page)
    await world.gate.asked()
    await second.page.getByText('Run earthquakes').first().waitFor()
    await run(second.page)
    await second.page
      .getByText(/A run of earthquakes is in progress/)
      .first()
      .waitFor()
    expect(second.complaints().filter(each => !each.includes('409'))).toEqual([])
    await second.page.getByRole('button', { name: 'Cancel run' }).click()
    await done(first.page, 'earthquakes', 'Stopped')
    await done(second.page, 'earthquakes', 'Stopped')
    world.gate.open()
    await run(first.page)
    await done(first.page, 'earthquakes')
  })

  test('that fails says why, and marks the asset', async () => {
    const { page } = await open('states')
    const path = 'models/sources/states.svc'
    const text = world.read(path)
    world.write(path, `${text.trimEnd()}\n  - row_count: {min: 5000}\n`)
    await run(page)
    await done(page, 'states', 'Failed')
    await log(page)
      .getByText(/at least 5,?000 expected/)
      .first()
      .waitFor()
    await page.getByRole('treeitem', { name: /^states\b.*(Failed|fail)/ }).waitFor()
    world.write(path, text)
  })

  test('is cancelled in order by Ctrl-C, and the page says that svc ui is gone', async () => {
    const { page, complaints } = await open('earthquakes')
    world.gate.shut()
    await run(page)
    await world.gate.asked()
    const { code, stderr } = await served.stop()
    expect(code).toBe(0)
    expect(stderr).toContain('Cancelling the run of earthquakes: dev stays as it was')
    await page.getByText('svc ui has stopped').waitFor()
    await expect.poll(() => page.getByRole('button', { name: '▶ Run' }).count()).toBe(0)
    await page.close()
    expect(withoutNetwork(complaints())).toEqual([])
  })
})

describe('a rollback', () => {
  test('shows first what would change, then does it', async () => {
    const { page } = await open('delay_bands')
    const path = 'models/sources/delay_bands.svc'
    const text = world.read(path)
    world.write(path, text.replace('SELECT', 'SELECT 1 AS one,'))
    await run(page)
    await done(page, 'delay_bands')
    await choose(page, /Roll back/)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('cell', { name: 'delay_bands' }).waitFor()
    await dialog.getByRole('button', { name: 'Roll back 1 asset' }).click()
    await expect
      .poll(async () => (await runs(page))[0])
      .toMatchObject({ kind: 'rollback', selector: 'delay_bands', status: 'deployed' })
    world.write(path, text)
  })
})
