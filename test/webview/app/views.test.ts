/** What the views do with a project that has something of everything, in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserProgram } from '../graph/graph-page.ts'
import { type AppPages, axeFindings, startAppPages } from './app-page.ts'

const assetRow = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })
const emit = (page: Page, event: object) => page.evaluate(`host.emit(${JSON.stringify(event)})`)
const status = (asset: string, word: string) => ({
  id: `r:${asset}${word}`,
  type: 'status',
  asset,
  status: word,
  rows: null,
  seconds: null,
})

describe.skipIf(browserProgram === undefined)('the views', () => {
  let pages: AppPages
  beforeAll(async () => {
    pages = await startAppPages(browserProgram ?? '')
  })
  afterAll(() => pages?.close())

  async function opened(look?: Parameters<AppPages['open']>[1]): Promise<{ page: Page; problems: string[] }> {
    return pages.open('flights', look)
  }

  test('the filter panel takes kinds, states and tags away and brings them back', async () => {
    const { page, problems } = await opened()
    await page.getByRole('button', { name: 'Filter by kind, status, tags' }).click()
    expect(await axeFindings(page)).toEqual([])
    const panel = page.getByRole('group', { name: 'Filters' })
    await panel.getByLabel('source', { exact: true }).uncheck()
    await panel.getByLabel('tests fail').uncheck()
    await panel.getByLabel('core').check()
    expect(await page.getByLabel('Filter assets').inputValue()).toBe('tag:core')
    const names = () => page.locator('.row:not(.group) .name').allTextContents()
    // `flights` is a source; `delay_board` shows `daily_delays`.
    expect(await names()).toEqual(['flights_clean', 'daily_delays', 'delay_board'])
    await page.keyboard.press('Escape')
    expect(await panel.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Filter by kind, status, tags: 2 hidden' }).click()
    await panel.getByRole('button', { name: 'Show everything' }).click()
    expect(await names()).toHaveLength(11)
    await page.getByLabel('Filter assets').fill('tag:none')
    await page.locator('.state').getByText('no asset has the tag "none"').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    expect(await names()).toHaveLength(11)
    expect(problems).toEqual([])
    await page.close()
  })

  test('comes back to where it was: asset, tab, colours, filters, path, widths, folders', async () => {
    const first = await opened()
    await assetRow(first.page, 'daily_delays').click()
    await first.page.getByRole('button', { name: 'delay', exact: true }).click()
    await first.page.getByRole('separator', { name: 'Width of the details' }).focus()
    await first.page.keyboard.press('ArrowLeft')
    await assetRow(first.page, 'staging').click()
    await first.page.getByLabel('Colour by').selectOption('tests')
    await first.page.getByRole('button', { name: 'no tests' }).click()
    await first.page.getByRole('tab', { name: 'Quality' }).click()
    await expect.poll(() => first.page.evaluate('host.saved?.tab')).toBe('quality')
    const saved = await first.page.evaluate<object>('host.saved')
    expect(saved).toMatchObject({
      selected: 'daily_delays',
      tab: 'quality',
      lens: 'tests',
      hidden: ['tests:none'],
      column: { asset: 'daily_delays', column: 'delay' },
      drawer: 404,
      closed: ['staging'],
    })
    expect(JSON.stringify(saved).length).toBeLessThan(10_000)
    await first.page.close()

    const { page } = await opened({ saved })
    await page.getByText('path of').waitFor()
    await expect.poll(() => page.evaluate('store.path.value?.columns.length')).toBe(3)
    expect(await page.getByRole('tab', { name: 'Quality' }).getAttribute('aria-selected')).toBe('true')
    expect((await page.getByRole('complementary').boundingBox())?.width).toBe(404)
    expect(await page.getByLabel('Colour by').inputValue()).toBe('tests')
    expect(await assetRow(page, 'flights_clean').count()).toBe(0)
    expect(await page.evaluate('host.saved ?? store.viewState.value')).toMatchObject(saved)
    await page.close()
  })

  test('the details are made wider and narrower by a drag and by keys, within limits', async () => {
    const { page } = await opened()
    await assetRow(page, 'routes').click()
    const edge = page.getByRole('separator', { name: 'Width of the details' })
    const box = await edge.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 3, 300)
    await page.mouse.down()
    await page.mouse.move((box?.x ?? 0) - 97, 300, { steps: 4 })
    await page.mouse.up()
    const width = async () => Number(await edge.getAttribute('aria-valuenow'))
    expect(await width()).toBeCloseTo(480, -1)
    await edge.focus()
    await page.keyboard.press('End')
    expect(await width()).toBe(760)
    await page.keyboard.press('Home')
    expect(await width()).toBe(280)
    await edge.dblclick()
    expect(await width()).toBe(380)
    await page.getByRole('button', { name: 'Close the details' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('tree')
    await page.close()
  })

  test('the whole graph stays in view when the details open', async () => {
    const { page } = await opened()
    await page.waitForTimeout(300)
    await assetRow(page, 'daily_delays').click()
    const inView = `(() => {
      const { x, zoom } = store.graph.value.camera ?? { x: NaN, zoom: 1 }
      return document.querySelector('.graph-slot').clientWidth
    })()`
    expect(await page.evaluate<number>(inView)).toBeLessThan(700)
    // The rightmost card can be clicked where the picture was made smaller.
    await expect
      .poll(async () => {
        const slot = await page.locator('.graph-slot').boundingBox()
        await page.mouse.move(
          (slot?.x ?? 0) + (slot?.width ?? 0) - 60,
          (slot?.y ?? 0) + (slot?.height ?? 0) / 2 - 10,
        )
        return page.getByRole('application').getAttribute('data-over')
      })
      .toBe('card')
    await page.close()
  })

  test('a run shows its marks in the list, is found again when its lines are closed, refuses a second', async () => {
    const { page, problems } = await opened()
    await assetRow(page, 'daily_delays').click()
    await page.getByRole('button', { name: '▶ Run' }).click()
    await page.getByRole('log').waitFor()
    await emit(page, status('flights_clean', 'running'))
    await emit(page, status('routes', 'done'))
    await assetRow(page, 'flights_clean').getByText('running').waitFor()
    await emit(page, status('daily_delays', 'waiting'))
    await page.locator('.facts').getByText('waiting').waitFor()
    // A test of `routes` warned before: nothing has said yet that it does not any more.
    expect(await assetRow(page, 'routes').textContent()).toContain('Warned')
    await page.getByRole('button', { name: 'Close the lines; the run goes on' }).click()
    await page.getByText('Run daily_delays: running, 1 of 3 assets done.').waitFor()
    await page.evaluate(`host.problem = new HostError('busy', 'another run is running', { runId: 'r1' })`)
    await page.getByRole('button', { name: '▶ Run' }).click()
    await page.getByText('Another run is running.').waitFor()
    await page.evaluate(`host.problem = undefined; store.shownRun.value = null`)
    await page.getByRole('button', { name: 'Show its lines' }).click()
    await page.getByRole('log').waitFor()
    // The catalogue comes late: the marks of the run stay until it does.
    await page.evaluate(
      `host.load = () => new Promise(resolve => { window.arrive = () => resolve(host.data) })`,
    )
    await emit(page, {
      id: 'r:e',
      type: 'end',
      status: 'Failed',
      verdict: 'Failed',
      warned: 0,
      exit_code: 1,
      seconds: 2,
      reason: null,
    })
    await page.getByText('Run daily_delays: Failed (exit code 1).').waitFor()
    await assetRow(page, 'flights_clean').getByText('running').waitFor()
    await page.evaluate('arrive()')
    await assetRow(page, 'flights_clean').getByText('Deployed').waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  test('what is chosen elsewhere comes into view in the list', async () => {
    const { page } = await pages.open('3000')
    const id = 'a02500'
    expect(await assetRow(page, id).count()).toBe(0)
    await page.evaluate(`store.selected.value = '${id}'`)
    await assetRow(page, id).waitFor()
    expect(await assetRow(page, id).getAttribute('aria-selected')).toBe('true')
    await page.close()
  })

  test('problems of files are on the page: in a line, as a list, and with their asset', async () => {
    const { page, problems } = await opened()
    const problem = {
      code: 'unknown-ref',
      severity: 'error',
      message: 'no asset is called "flight"',
      hint: null,
      column: 1,
    }
    await page.evaluate(`(() => {
      const path = store.data.value.catalog.assets.find(({ name }) => name === 'routes').path
      store.problems.value = { checked_at: new Date().toISOString(), failure: null, problems: [{ ...${JSON.stringify(problem)}, path, line: 27 }] }
    })()`)
    await page.getByRole('alert').getByText('1 error in 1 file: a run leaves out what it breaks').waitFor()
    await assetRow(page, 'routes').getByText('File broken').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Show it' }).click()
    await page.getByRole('region', { name: 'Problems' }).getByText('no asset is called "flight"').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await assetRow(page, 'routes').click()
    await page.getByRole('complementary').getByText('line 27').waitFor()
    await page.evaluate(
      `store.data.value = { ...store.data.value, changed: [{ path: store.asset.value.path, change: 'edited' }] }`,
    )
    await page.getByText('the file was edited since the last run').waitFor()
    await page.evaluate(
      `store.problems.value = { ...store.problems.value, problems: [{ ...${JSON.stringify(problem)}, path: 'svc.yaml', line: 1 }] }`,
    )
    await page.getByRole('alert').getByText('1 error in 1 file: no run can begin').waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  test('a run that was killed or refused is in the list with its reason, and a line says that the last one failed', async () => {
    const { page } = await opened()
    await page.evaluate(`(() => {
      const [newest, ...rest] = store.data.value.history.runs
      const killed = { ...newest, run_id: 'k1', status: 'Failed', ending: 'killed', assets: [], error: 'models/staging/routes.svc:3:5 was being built', selector: '+routes', started_at: new Date().toISOString() }
      store.data.value = { ...store.data.value, history: { runs: [killed, newest, ...rest] } }
    })()`)
    await page.locator('.banner').getByText('✕ killed: the last run').waitFor()
    await page.getByRole('button', { name: 'Runs' }).last().click()
    const row = page.locator('.runs tbody tr').first()
    await row.getByText('✕ killed').waitFor()
    expect(await row.textContent()).toContain('was being built')
    await row.getByRole('button', { name: 'lines of k1' }).click()
    await expect.poll(() => page.evaluate('host.asked.at(-1)')).toBe('attach k1')
    await page.close()
  })

  test('a line says which asset failed in the last run, why, and what is live', async () => {
    const { page } = await opened()
    const show = (change: object) =>
      page.evaluate(`(() => {
        const [newest, ...rest] = store.data.value.history.runs
        const run = { ...newest, kind: 'run', ending: 'finished', selector: null, failed_asset: 'flights', hint: undefined, ...${JSON.stringify(change)} }
        store.data.value = { ...store.data.value, history: { runs: [run, ...rest] } }
      })()`)
    const banner = page.locator('.banner', { hasText: 'the last run' })
    const error = 'the source has no records now'
    await show({ status: 'Failed', generation: null, error, hint: 'Check the source.' })
    await expect
      .poll(() => banner.textContent())
      .toContain(
        'flights: the source has no records now. Check the source. Nothing was promoted: prod is as before.',
      )
    await banner.getByRole('button', { name: 'flights' }).click()
    await page.getByRole('complementary').getByRole('heading', { name: 'flights', exact: true }).waitFor()
    const assets = [{ name: 'flights', status: 'test_failed', rows: 1, seconds: 1, definition_hash: 'a' }]
    await show({ status: 'deployed', error: 'test unique_id of flights failed: 1 row', assets })
    await expect.poll(() => banner.textContent()).toContain('! Deployed in part: the last run')
    expect(await banner.textContent()).toContain(
      'After a fix: svc retry --env prod. What passed is live in prod, 1 asset as before.',
    )
    await page.close()
  })

  test('a filter whose matches lie outside the view says so', async () => {
    const { page } = await opened()
    await assetRow(page, 'routes').click()
    await page.evaluate(
      `store.focus.value = 'routes'; store.scope.value = 'direct'; store.filter.value = 'delay_board'`,
    )
    await page.getByRole('status').getByText('not among those around routes').waitFor()
    await page.close()
  })

  test('a path that is cut has a total, and is shown whole', async () => {
    const { page } = await opened()
    await assetRow(page, 'daily_delays').click()
    await page.getByRole('button', { name: 'delay', exact: true }).click()
    await page.getByText('3 columns').waitFor()
    await page.evaluate(`store.focus.value = 'airports'; store.scope.value = 'direct'`)
    await page.getByText(/^\d of 3 columns shown$/).waitFor()
    await page.getByRole('button', { name: 'Show the whole path' }).click()
    await page.getByText('3 columns', { exact: true }).waitFor()
    await page.close()
  })

  test('of several runs one is chosen', async () => {
    const { page } = await opened()
    await page.evaluate(`(async () => {
      host.run = async (name, mode) => ({ runId: name, kind: 'run', selector: name, onEvent: () => () => {}, onConnection: () => () => {}, close() {} })
    })()`)
    for (const name of ['routes', 'flights']) {
      await assetRow(page, name).click()
      await page.getByRole('button', { name: '▶ Run' }).click()
    }
    const choice = page.getByLabel('Run', { exact: true })
    expect(await choice.locator('option').allTextContents()).toEqual([
      'Run flights (running)',
      'Run routes (running)',
    ])
    await choice.selectOption('routes')
    expect(await page.evaluate('store.shownRun.value')).toBe('routes')
    await page.close()
  })

  test('columns have their glossary term and the path through other assets', async () => {
    const { page } = await opened()
    await assetRow(page, 'daily_delays').click()
    const term = page.locator('.columns .term')
    expect([await term.textContent(), await term.getAttribute('title')]).toEqual([
      'Delay',
      'Minutes between the planned and the actual arrival',
    ])
    const column = page.getByRole('button', { name: 'delay', exact: true })
    await column.click()
    expect(await column.getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'Hide the path of the column' }).click()
    expect(await column.getAttribute('aria-pressed')).toBe('false')
    expect(await page.evaluate('store.path.value')).toBeUndefined()
    await page.getByRole('tab', { name: 'Code' }).click()
    await page.getByText('Minutes between the planned and the actual arrival').waitFor()
    await page.close()
  })

  test('the environment has the engine of its warehouse beside it, and its place in a tooltip', async () => {
    const { page, problems } = await opened()
    const chip = page.getByTitle(/^Environment \w+, warehouse postgres: db\.example\.com$/)
    const engine = chip.getByText('postgres')
    expect(await engine.isVisible()).toBe(true)
    await page.setViewportSize({ width: 900, height: 700 })
    expect(await engine.isVisible()).toBe(false)
    expect(problems).toEqual([])
    await page.close()
  })

  test('past runs and ages have figures beside their pictures', async () => {
    const { page } = await opened()
    const show = (name: string) =>
      page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click()
    await show('Runs')
    await page.getByText('Duration: figures').click()
    expect(await page.locator('.plot tbody tr').count()).toBe(14)
    const scale = page.locator('.plot .scale dt').first()
    expect(await scale.textContent()).toBe('last')
    await page.evaluate(`(() => {
      const { value } = store.data
      const [newest, ...before] = value.history.runs
      const [first, ...others] = newest.assets
      const assets = [{ ...first, repaired: 'its table was dropped from the warehouse, not by svc' }, ...others]
      store.data.value = { ...value, history: { runs: [{ ...newest, assets, finished_at: null }, ...before] } }
    })()`)
    await scale.getByText('last known').waitFor()
    expect(
      await page
        .locator('.runs')
        .getByText(/^! made \w+ again$/)
        .count(),
    ).toBe(1)
    await page.evaluate(`(() => {
      const { value } = store.data
      const [newest, ...before] = value.history.runs
      const warnings = [{ code: 'more-pages', asset: 'routes', message: 'the answer says that there are more pages', hint: 'See paginate.' }]
      const told = { ...newest, status: 'deployed', error: null, finished_at: newest.started_at, warnings }
      const assets = value.catalog.assets.map(each => (each.name === 'routes' ? { ...each, warnings } : each))
      store.data.value = { ...value, catalog: { ...value.catalog, assets }, history: { runs: [told, ...before] } }
    })()`)
    await page.locator('.runs').getByText('! Deployed with 1 warning').waitFor()
    await page.locator('.runs summary').getByText('1 warning').click()
    await page.locator('.runs').getByText('the answer says that there are more pages').waitFor()
    expect(await page.locator('.plot .bar.failed').count()).toBe(2)
    const failed = page.locator('.runs details').nth(2)
    await failed.locator('summary').click()
    await failed.getByText('test failed').waitFor()
    await failed.getByRole('button', { name: 'routes' }).click()
    const details = page.getByRole('complementary', { name: 'Details of routes' })
    await details.getByRole('heading', { name: 'Warnings of what is live 1' }).waitFor()
    await details.getByText('more-pages').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('tab', { name: 'Quality' }).click()
    const ticks = page.getByRole('row', { name: 'range_distance' }).locator('.ticks i')
    expect(await ticks.last().getAttribute('class')).toBe('fail warns')
    await show('Freshness')
    await page.getByText('4 assets watched: 1 too old, 1 getting old, 2 fresh').waitFor()
    expect(await page.locator('.ages tbody tr').first().textContent()).toContain('airport_risk')
    await page.close()
  })

  test('a narrow page has the list of assets behind a button', async () => {
    const { page, problems } = await opened({ width: 480 })
    expect(await page.getByRole('tree').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Show the list of assets' }).click()
    await assetRow(page, 'routes').click()
    expect(await page.getByRole('tree').isVisible()).toBe(false)
    await page.getByRole('complementary', { name: 'Details of routes' }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(480)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Search assets' }).click()
    await page.getByRole('combobox', { name: 'Search by name or description' }).waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  test('an asset whose source is edited beside a narrow page is shown among the others, its details a click away', async () => {
    const { page, problems } = await opened({ width: 560 })
    const reveal = (asset: string) => page.evaluate(`host.tell({ type: 'reveal', asset: '${asset}' })`)
    const graph = page.getByRole('application')
    for (const asset of ['routes', 'flights_clean']) {
      await reveal(asset)
      const details = page.getByRole('button', { name: `Details of ${asset}` })
      await details.waitFor()
      expect(await page.getByRole('complementary').count()).toBe(0)
      await graph.getByRole('img', { name: new RegExp(`^${asset},`) }).waitFor({ state: 'attached' })
      const { width = 0, height = 0 } = (await graph.boundingBox()) ?? {}
      expect(width).toBe(560)
      expect(height).toBeGreaterThan(300)
      await details.click()
      await page.getByRole('complementary', { name: `Details of ${asset}` }).waitFor()
    }
    expect(problems).toEqual([])
    await page.close()
  })

  test('waiting, never run and all else that is not there has a picture or words', async () => {
    const slow = await pages.open('slow')
    await slow.page.getByText('Reading the catalogue…').waitFor({ state: 'attached' })
    expect(await slow.page.locator('.skeleton i').count()).toBe(8)
    expect(await axeFindings(slow.page)).toEqual([])
    await slow.page.close()
    const many = await pages.open('20')
    await many.page.getByText('Nothing has run yet: this is what the files say.').waitFor()
    await many.page.close()
  })

  test.each([
    ['dark', { colorScheme: 'dark' }],
    ['light', { colorScheme: 'light' }],
    ['high contrast', { colorScheme: 'dark', contrast: 'more' }],
    ['high contrast, light', { colorScheme: 'light', contrast: 'more' }],
  ] as const)('axe finds nothing where something of everything is: %s', async (theme, look) => {
    const only = theme === 'dark' ? undefined : ['color-contrast']
    const { page, problems } = await opened(look)
    await assetRow(page, 'daily_delays').click()
    await page.getByRole('button', { name: 'delay', exact: true }).click()
    expect(await axeFindings(page, only)).toEqual([])
    await page.getByRole('tab', { name: 'Code' }).click()
    expect(await axeFindings(page, only)).toEqual([])
    await page.getByRole('button', { name: 'Show over the whole width' }).click()
    await page.getByRole('tab', { name: 'Overview' }).click()
    expect(await axeFindings(page, only)).toEqual([])
    await page.getByRole('button', { name: 'Show beside the graph' }).click()
    await page.getByRole('button', { name: 'More ways to run' }).click()
    expect(await axeFindings(page, only)).toEqual([])
    await page.keyboard.press('Escape')
    for (const name of ['Table', 'Runs', 'Freshness']) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click()
      expect(await axeFindings(page, only), name).toEqual([])
    }
    expect(problems).toEqual([])
    await page.close()
  })
})
