import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserProgram, type GraphPages, startGraphPages } from './graph-page.ts'

const root = join(import.meta.dirname, '../../..')
const lines = ['raw', 'orders <- raw', 'daily <- orders', 'other <- raw']
const asked = (page: Page, name: string) =>
  page.evaluate<unknown[][]>(`asked.filter(each => each[0] === '${name}').map(each => each.slice(1))`)
const zoom = (page: Page) => page.evaluate<number>('graph.camera().zoom')

describe.skipIf(browserProgram === undefined)('the graph in a browser', () => {
  let pages: GraphPages
  beforeAll(async () => {
    pages = await startGraphPages(root, browserProgram ?? '')
  })
  afterAll(() => pages?.close())

  /** On the card of `raw`, the leftmost one of the fitted graph. */
  const firstCard = { x: 200, y: 300 }

  test('walks by keys, hears what is selected, and opens it', async () => {
    const { page, problems } = await pages.open({ lines })
    const application = page.getByRole('application')
    await application.focus()
    await page.keyboard.press('Home')
    const heard = () => application.locator('[role=img]').getAttribute('aria-label')
    expect(await heard()).toContain('raw, ingestion source, deployed')
    await page.keyboard.press('ArrowRight')
    expect(await heard()).toMatch(/^(orders|other), transformation model/)
    await page.keyboard.press('Enter')
    await page.keyboard.press(' ')
    await page.keyboard.press(']')
    await page.keyboard.press('Escape')
    expect(await heard()).toBe('No asset selected')
    expect((await asked(page, 'onOpen')).length).toBe(1)
    expect((await asked(page, 'onFocus')).length).toBe(1)
    expect(await asked(page, 'onScope')).toEqual([['connected']])
    expect(problems).toEqual([])
    await page.close()
  })

  test('selects by a click, moves a card or the background by a drag, zooms by the wheel', async () => {
    const { page, problems } = await pages.open({ lines: ['raw'] })
    const middle = { x: 500, y: 300 }
    await page.mouse.click(middle.x, middle.y)
    expect(await asked(page, 'onSelect')).toEqual([['raw']])
    await page.mouse.move(middle.x, middle.y)
    await page.mouse.down()
    await page.mouse.move(middle.x + 60, middle.y + 30, { steps: 4 })
    await page.mouse.up()
    expect(await asked(page, 'onMoved')).toEqual([[{ raw: [60, expect.closeTo(4, -1)] }]])
    const before = await page.evaluate<{ x: number }>('graph.camera()')
    await page.mouse.move(100, 100)
    await page.mouse.down()
    await page.mouse.move(140, 100, { steps: 3 })
    await page.mouse.up()
    expect((await page.evaluate<{ x: number }>('graph.camera()')).x).toBeCloseTo(before.x - 40)
    await page.mouse.wheel(0, -200)
    await expect.poll(() => zoom(page)).toBeGreaterThan(1.2)
    await page.getByRole('button', { name: 'Reset layout' }).click()
    expect((await asked(page, 'onMoved')).at(-1)).toEqual([{}])
    await page.mouse.click(20, 20)
    expect((await asked(page, 'onSelect')).at(-1)).toEqual([null])
    expect(problems).toEqual([])
    await page.close()
  })

  test('is laid out by elkjs in a worker that a strict page allows', async () => {
    const instant = await pages.open({ count: 40 })
    const before = await instant.page.screenshot()
    await instant.page.close()
    const { page, problems } = await pages.open({ count: 40, elk: true })
    await page.locator('[role=application][data-layout=settled]').waitFor()
    await expect.poll(async () => (await page.screenshot()).equals(before)).toBe(false)
    expect(problems).toEqual([])
    await page.close()
  })

  test('filters by its legend', async () => {
    const { page, problems } = await pages.open({ lines })
    await page.mouse.click(firstCard.x, firstCard.y)
    expect(await asked(page, 'onSelect')).toEqual([['raw']])
    const source = page.getByRole('button', { name: 'source' })
    await source.click()
    expect(await source.getAttribute('aria-pressed')).toBe('false')
    await page.mouse.click(firstCard.x, firstCard.y)
    expect(await asked(page, 'onSelect')).toEqual([['raw'], [null]])
    const box = await source.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24)
    expect(problems).toEqual([])
    await page.close()
  })

  test('shows 3,000 assets at once and goes on when they are all opened', async () => {
    const { page, problems } = await pages.open({ count: 3000 })
    expect(await page.getByRole('application').getAttribute('aria-label')).toMatch(/^Lineage graph, 1\d of/)
    await page.evaluate(`graph.update({ expanded: ['group:*'] })`)
    expect(await page.getByRole('application').getAttribute('aria-label')).toMatch(
      /^Lineage graph, 3\d{3} of/,
    )
    for (const key of ['+', '+', '-', '0']) await page.keyboard.press(key)
    expect(problems).toEqual([])
    await page.close()
  })
})
