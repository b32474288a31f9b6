/** Looking around in `svc ui` over the example: what one sees, selects, searches and finds again. Nothing runs here. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeFindings, graph, type Journeys, startJourneys } from './support/browser.ts'
import { exampleWorld, type Served, type World } from './support/world.ts'

interface Catalog {
  readonly assets: readonly { name: string; upstream: string[]; downstream: string[] }[]
}

let world: World
let served: Served
let journeys: Journeys
beforeAll(async () => {
  world = await exampleWorld()
  expect((await world.svc(['run', '--all'])).code).toBe(0)
  const file = 'models/marts/daily_delays.svc'
  const text = world.read(file)
  const changed = text.replace(
    ', flight_count) }} AS average_delay',
    ', flight_count, 3) }} AS average_delay',
  )
  expect(changed).not.toBe(text)
  world.write(file, changed)
  expect((await world.svc(['run', 'daily_delays'])).code).toBe(0)
  served = await world.serve(['ui'])
  journeys = await startJourneys()
})
afterAll(async () => {
  await journeys?.close()
  expect((await served?.stop())?.code).toBe(0)
  await world?.dispose()
})
afterEach(async context => {
  await journeys.check(context.task.name, context.task.result?.state === 'fail')
})

const open = async (hash = '', look = {}): Promise<Page> => {
  const { page } = await journeys.open(served.address, look)
  // The token has left the address by then; a link is opened as if it were the first page.
  if (hash !== '') {
    await page.goto('about:blank')
    await page.goto(`${served.base}/${hash}`)
  }
  await page.getByRole('treeitem', { name: /^flights/ }).waitFor()
  return page
}
const select = (page: Page, name: string) =>
  page.getByRole('treeitem', { name: new RegExp(`^${name}\\b`) }).click()
const drawer = (page: Page) => page.getByRole('complementary')
const saved = (page: Page) =>
  page.evaluate<Record<string, unknown>>(
    `JSON.parse(Object.entries(sessionStorage).find(([key]) => key.startsWith('svc.view.'))?.[1] ?? '{}')`,
  )
/** What is read twice, a second apart, and was the same. */
async function atRest<T>(page: Page, read: () => Promise<T>): Promise<T> {
  for (let last = ''; ; ) {
    const found = await read()
    const text = JSON.stringify(found) ?? ''
    if (text !== '' && text === last) return found
    last = text
    await page.waitForTimeout(1_000)
  }
}

describe('the page', () => {
  test('opens with the token, keeps it to itself, and says what there is', async () => {
    const page = await open()
    expect(page.url()).toBe(`${served.base}/`)
    await expect.poll(() => page.title()).toContain('flights (dev)')
    await page.getByText('23 active assets').waitFor()
    await page.getByText('4 columns excluded from ingestion').waitFor()
    await expect
      .poll(() => graph.application(page).getAttribute('aria-label'))
      .toBe('Lineage graph, 26 of 26 shown')
  })

  test('shows what is selected in the drawer, with its code and its tests', async () => {
    const page = await open()
    await select(page, 'daily_delays')
    await drawer(page)
      .getByText(/^\S? ?Deployed$/)
      .first()
      .waitFor()
    await drawer(page).getByRole('button', { name: 'route_days' }).waitFor()
    await page.getByRole('tab', { name: 'Code' }).click()
    const code = () => drawer(page).locator('pre').first().textContent()
    await drawer(page).getByRole('button', { name: 'Raw' }).click()
    await expect.poll(code).toContain("{{ ref('route_days') }}")
    await drawer(page).getByRole('button', { name: 'Compiled' }).click()
    await expect.poll(code).not.toContain('{{')
    await page.getByRole('tab', { name: 'Quality' }).click()
    await drawer(page).getByText('7 of 7').first().waitFor()
    await page.getByRole('tab', { name: 'Overview' }).click()
    await drawer(page).getByRole('button', { name: 'route_days' }).click()
    await expect.poll(() => graph.heard(page)).toContain('route_days, transformation model')
  })

  test('draws the way of a column', async () => {
    const page = await open()
    await select(page, 'daily_delays')
    const asked = page.waitForResponse(/column-path/)
    await drawer(page).getByRole('button', { name: 'average_delay' }).click()
    const path = (await (await asked).json()) as { columns: { asset: string; column: string }[] }
    expect(path.columns).toContainEqual({ asset: 'flights', column: 'delay_minutes', pii: false })
    await expect
      .poll(async () => (await saved(page))['column'])
      .toEqual({
        asset: 'daily_delays',
        column: 'average_delay',
      })
  })

  test('selects by a click, moves a card by a drag, zooms by the wheel, and has it all after a reload', async () => {
    const page = await open()
    const at = await graph.findCard(page)
    await page.mouse.click(at.x, at.y)
    await expect.poll(() => graph.heard(page)).not.toContain('No asset selected')
    const heard = (await graph.heard(page)) ?? ''
    const name = heard.split(',')[0] ?? ''
    await drawer(page).getByRole('heading', { name, exact: true }).waitFor()
    const card = await graph.findCard(page)
    await page.mouse.move(card.x, card.y)
    await page.mouse.down()
    await page.mouse.move(card.x + 30, card.y + 90, { steps: 5 })
    await page.mouse.up()
    await expect.poll(async () => Object.keys((await saved(page))['moved'] ?? {})).toHaveLength(1)
    await page.mouse.move(card.x + 200, card.y + 200)
    const zoom = async () => ((await saved(page))['camera'] as { zoom: number } | null)?.zoom ?? 0
    await page.mouse.wheel(0, -300)
    await expect.poll(zoom).toBeGreaterThan(0)
    await page.getByRole('tab', { name: 'Quality' }).click()
    await expect.poll(async () => (await saved(page))['tab']).toBe('quality')
    const before = await saved(page)
    await page.reload()
    await drawer(page).getByRole('heading', { name, exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Quality', selected: true }).waitFor()
    expect((await saved(page))['moved']).toEqual(before['moved'])
    await expect.poll(() => page.url()).toContain(`#asset=${name}&tab=quality`)
  })

  test('lights what is upstream and downstream of the selected card, and dims all others', async () => {
    const page = await open()
    // The picture moves to what was asked for, also to what is selected, and is looked at when it rests.
    const showAll = async () => {
      await page.getByRole('button', { name: 'Fit graph' }).click()
      await page.waitForTimeout(700)
    }
    await select(page, 'flights')
    await showAll()
    // The first click opens what stays open from then on, so that the second finds the card where it remains.
    const clickCard = async () => {
      const found = await graph.findCard(page)
      await page.mouse.click(found.x, found.y)
      await showAll()
      return found
    }
    await clickCard()
    const card = await clickCard()
    const [name = ''] = ((await graph.heard(page)) ?? '').split(',')
    const { assets } = await page.evaluate<Catalog>(`fetch('api/catalog.json').then(answer => answer.json())`)
    const reach = (from: string, side: 'upstream' | 'downstream'): string[] =>
      (assets.find(asset => asset.name === from)?.[side] ?? []).flatMap(next => [next, ...reach(next, side)])
    const related = [...reach(name, 'upstream'), ...reach(name, 'downstream')]
    const others = assets.map(asset => asset.name).filter(each => each !== name && !related.includes(each))
    const contrast = async () => {
      await showAll()
      return graph.contrastAt(page, card)
    }
    // While the picture moves to what was selected, the card is elsewhere: each look counts for itself.
    const poll = (isAsWanted: (contrast: number) => boolean) =>
      expect.poll(async () => isAsWanted(await contrast())).toBe(true)
    let lit = 0
    await select(page, related[0] ?? '')
    await poll(now => {
      lit = now
      return now > 100
    })
    await select(page, others[0] ?? '')
    await poll(now => now > 20 && now < lit * 0.8)
    await select(page, related.at(-1) ?? '')
    await poll(now => now > lit * 0.9)
  })

  test('is found by a link to an asset, also in a page that is open', async () => {
    const page = await open('#asset=weather&tab=code')
    await drawer(page).getByRole('heading', { name: 'weather', exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Code', selected: true }).waitFor()
    await page.evaluate(`location.hash = 'asset=states'`)
    await drawer(page).getByRole('heading', { name: 'states', exact: true }).waitFor()
  })

  test('finds assets by name and by what they are about, from the keyboard alone', async () => {
    const page = await open()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('seven days')
    await page.getByRole('option', { name: /daily_delays/ }).waitFor()
    await page.keyboard.press('Enter')
    await drawer(page).getByRole('heading', { name: 'daily_delays', exact: true }).waitFor()
    await graph.application(page).focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => graph.heard(page)).toContain('route_days, transformation model')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.evaluate(`document.activeElement.closest('[role=complementary], aside') !== null`))
      .toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => drawer(page).count()).toBe(0)
  })

  test('filters by the selectors of the command line and by kind', async () => {
    const page = await open()
    const filter = page.getByLabel('Filter assets')
    await filter.fill('+daily_delays')
    await expect.poll(() => page.getByRole('treeitem', { name: /, (source|model)/ }).count()).toBe(5)
    await filter.fill('nothing_like_this')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page
      .getByRole('group', { name: 'Legend and filter' })
      .getByRole('button', { name: 'source' })
      .click()
    await expect.poll(() => page.getByRole('treeitem', { name: /, source/ }).count()).toBe(0)
  })

  test('filters by tag and status from a panel', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Filter by kind, status, tags' }).click()
    const panel = page.getByRole('group', { name: 'Filters' })
    const assets = page.getByRole('treeitem', { name: /, (source|model)/ })
    await panel.getByLabel('safety').check()
    await expect.poll(() => assets.count()).toBeGreaterThan(0)
    await expect.poll(async () => (await assets.allTextContents()).join()).toContain('quake_watch')
    await expect.poll(() => assets.count()).toBeLessThan(23)
    await panel.getByLabel('deployed').uncheck()
    await expect.poll(() => assets.count()).toBe(0)
    await panel.getByRole('button', { name: 'Show everything' }).click()
    await expect.poll(() => assets.count()).toBe(23)
  })

  test('is moved over by the background, by buttons and by a map', async () => {
    const page = await open()
    const map = page.locator('.svc-graph-minimap')
    const camera = async () => (await saved(page))['camera'] as { x: number; zoom: number }
    for (let times = 0; times < 4; times++) await page.getByRole('button', { name: 'Zoom in' }).click()
    await map.waitFor()
    // What is saved lags behind what is seen.
    const before = await atRest(page, camera)
    const box = await graph.application(page).boundingBox()
    // Below all cards, above the legend.
    const free = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + (box?.height ?? 0) - 70 }
    await page.mouse.move(free.x, free.y)
    await page.mouse.down()
    await page.mouse.move(free.x + 80, free.y, { steps: 4 })
    await page.mouse.up()
    const dragged = before.x - 80 / before.zoom
    await expect.poll(async () => (await camera()).x).toBeCloseTo(dragged)
    expect((await saved(page))['moved'] ?? {}).toEqual({})
    const frame = await map.boundingBox()
    await page.mouse.click((frame?.x ?? 0) + 4, (frame?.y ?? 0) + (frame?.height ?? 0) / 2)
    await expect.poll(async () => (await camera()).x).toBeLessThan(dragged - 10)
    await page.getByRole('button', { name: 'Fit graph' }).click()
    await map.waitFor({ state: 'hidden' })
  })

  test('shows what is around an asset, step by step', async () => {
    const page = await open()
    const shown = async () =>
      Number(/, (\d+) of/.exec((await graph.application(page).getAttribute('aria-label')) ?? '')?.[1])
    await select(page, 'route_days')
    await graph.application(page).focus()
    await page.keyboard.press('Space')
    await page.getByText('around', { exact: true }).waitFor()
    await page.getByLabel('Scope').selectOption('direct')
    await expect.poll(shown).toBeLessThan(10)
    const direct = await shown()
    await graph.application(page).focus()
    await page.keyboard.press(']')
    await expect.poll(shown).toBeGreaterThan(direct)
    await page.keyboard.press('[')
    await expect.poll(shown).toBe(direct)
    await page.getByRole('button', { name: 'Show everything again' }).click()
    await expect.poll(shown).toBe(26)
  })

  test('plots how long runs took and how many rows they made, with the figures behind', async () => {
    const page = await open('#asset=daily_delays')
    const figures = async (title: string, within: Locator) => {
      await within.getByText(`${title}: figures`).click()
      return within
        .locator('figure', { hasText: `${title}: figures` })
        .locator('tbody tr')
        .allTextContents()
    }
    expect(await figures('Duration', drawer(page))).toHaveLength(2)
    const days = '182'
    expect(await figures('Rows', drawer(page))).toEqual([
      expect.stringMatching(days),
      expect.stringMatching(days),
    ])
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Runs' }).click()
    expect(await figures('Duration', page.getByRole('main'))).toHaveLength(2)
  })

  test('has the runs, the freshness and everything as a table', async () => {
    const page = await open()
    const views = page.getByRole('navigation', { name: 'Views' })
    await views.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('table').getByText('earthquakes').first().waitFor()
    await views.getByRole('button', { name: 'Runs' }).click()
    await page.getByRole('main').getByText('deployed').first().waitFor()
    await views.getByRole('button', { name: 'Freshness' }).click()
    await page.getByRole('main').getByText('flights').first().waitFor()
    await expect.poll(() => page.url()).toContain('view=freshness')
  })
})

describe('in every theme', () => {
  const looks = [
    { colorScheme: 'dark' },
    { colorScheme: 'light' },
    { colorScheme: 'dark', contrast: 'more' },
    { colorScheme: 'light', contrast: 'more' },
  ] as const
  test.each(looks)('axe finds nothing: $colorScheme $contrast', async look => {
    const page = await open('#asset=earthquakes&tab=quality', look)
    await drawer(page).getByRole('heading', { name: 'earthquakes', exact: true }).waitFor()
    expect(await axeFindings(page)).toEqual([])
  })
})
