/** Cards and the camera on the move, in a real browser: without a drag, by copies of a picture, when the page changes. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserProgram, type GraphPages, startGraphPages } from './graph-page.ts'

const root = join(import.meta.dirname, '../../..')
const lines = ['raw', 'orders <- raw', 'daily <- orders', 'other <- raw']

const asked = (page: Page, name: string) =>
  page.evaluate<unknown[][]>(`asked.filter(each => each[0] === '${name}').map(each => each.slice(1))`)
/** In the page: all pixels of the graph, a number each. */
const pixels = `(() => {
  const canvas = document.querySelector('.svc-graph-canvas')
  return new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)
})()`
const pan = (page: Page, times: number) =>
  page.evaluate(`(async () => {
    const graph = document.querySelector('[role=application]')
    for (let index = 0; index < ${times}; index++) {
      graph.dispatchEvent(new WheelEvent('wheel', { clientX: 500, clientY: 300, cancelable: true, deltaX: 30, shiftKey: true }))
      await new Promise(requestAnimationFrame)
    }
  })()`)

describe.skipIf(browserProgram === undefined)('the graph, moving', () => {
  let pages: GraphPages
  beforeAll(async () => {
    pages = await startGraphPages(root, browserProgram ?? '')
  })
  afterAll(() => pages?.close())

  test('a card is moved without a drag: by a click on its new place, or by Shift and arrows', async () => {
    const { page, problems } = await pages.open({ lines: ['raw'], input: { selected: 'raw' } })
    const move = page.getByRole('button', { name: 'Move to…' })
    await move.click()
    expect(await move.getAttribute('aria-pressed')).toBe('true')
    expect(await page.getByRole('status').textContent()).toBe('Click where raw is to stand. Esc: as it was.')
    await page.mouse.click(300, 200)
    const camera = await page.evaluate<{ x: number; y: number; zoom: number }>('graph.camera()')
    const [x, y] = [camera.x + 300 / camera.zoom - 84, camera.y + 200 / camera.zoom - 26]
    expect(await asked(page, 'onMoved')).toEqual([[{ raw: [Math.round(x), Math.round(y)] }]])
    expect(await move.getAttribute('aria-pressed')).toBe('false')
    await page.getByRole('application').focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowUp')
    const [last] = (await asked(page, 'onMoved')).at(-1) ?? []
    expect(last).toEqual({ raw: [Math.round(x) + 24, Math.round(y) - 24] })
    await page.keyboard.press('m')
    await page.keyboard.press('Escape')
    expect(await move.getAttribute('aria-pressed')).toBe('false')
    expect(await asked(page, 'onSelect')).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  test('a pan that copies a picture shows what drawing anew shows', async () => {
    const { page } = await pages.open({ count: 400, input: { expanded: ['group:*'] } })
    for (const zoom of [0.1, 0.6, 1]) {
      await page.evaluate(`graph.show('model_300', ${zoom})`)
      await pan(page, 8)
      const found = await page.evaluate<{ part: number; colours: number }>(`(async () => {
        const copied = ${pixels}
        // What is shown is another object now: it is drawn anew.
        graph.update({ hidden: new Set() })
        await new Promise(requestAnimationFrame)
        await new Promise(requestAnimationFrame)
        const drawn = ${pixels}
        return { part: drawn.filter((pixel, at) => pixel !== copied[at]).length / drawn.length, colours: new Set(drawn).size }
      })()`)
      // Lines that fall between pixels are blended a little otherwise.
      expect(found.part, `zoom ${zoom}`).toBeLessThan(0.02)
      expect(found.colours).toBeGreaterThan(5)
    }
    await page.close()
  })

  test('the whole graph stays in view when the page gets another size, a closer look stays where it is', async () => {
    const { page } = await pages.open({ lines })
    const zoom = () => page.evaluate<number>('graph.camera().zoom')
    const before = await zoom()
    await page.setViewportSize({ width: 500, height: 600 })
    await expect.poll(zoom).toBeLessThan(before)
    await page.setViewportSize({ width: 1000, height: 600 })
    await expect.poll(zoom).toBe(before)
    await pan(page, 1)
    const looked = await page.evaluate('graph.camera()')
    await page.setViewportSize({ width: 700, height: 600 })
    await expect.poll(() => page.evaluate('document.querySelector(".svc-graph-canvas").width')).toBe(700)
    expect(await page.evaluate('graph.camera()')).toEqual(looked)
    await page.close()
  })

  test('a click keeps the zoom when the details take a third of the page, and a lower page keeps the middle', async () => {
    const { page } = await pages.open({ lines })
    const camera = () => page.evaluate<{ x: number; y: number; zoom: number }>('graph.camera()')
    const before = await camera()
    // On the card of `raw`, the leftmost one of the fitted graph.
    await page.mouse.click(200, 300)
    expect(await asked(page, 'onSelect')).toEqual([['raw']])
    await page.setViewportSize({ width: 620, height: 600 })
    await expect.poll(() => page.evaluate('document.querySelector(".svc-graph-canvas").width')).toBe(620)
    expect((await camera()).zoom).toBe(before.zoom)
    await page.setViewportSize({ width: 620, height: 300 })
    await expect.poll(() => page.evaluate('document.querySelector(".svc-graph-canvas").height')).toBe(300)
    const after = await camera()
    expect(after.y + 150 / after.zoom).toBeCloseTo(before.y + 300 / before.zoom, 0)
    await page.close()
  })

  test('a card that is chosen outside the graph is shown among all others, whenever the better layout comes', async () => {
    const chain = [
      'raw',
      'orders <- raw',
      'paid <- orders',
      'daily <- paid',
      'board <- daily',
      'value <- paid',
    ]
    const { page } = await pages.open({ lines: chain, elk: true })
    const camera = () => page.evaluate<{ x: number; y: number; zoom: number }>('graph.camera()')
    await page.evaluate(`graph.update({ selected: 'daily' })`)
    await page.locator('[role=application][data-layout=settled]').waitFor()
    const shown = await camera()
    await page.getByRole('button', { name: 'Fit graph' }).click()
    expect(await camera()).toEqual(shown)
    await page.close()
  })

  test('a card that is chosen outside the graph keeps what is around it in view when the details open beside it', async () => {
    const { page } = await pages.open({ lines })
    const camera = () => page.evaluate<{ x: number; y: number; zoom: number }>('graph.camera()')
    await page.evaluate(`graph.update({ selected: 'daily' })`)
    await page.setViewportSize({ width: 620, height: 600 })
    await expect.poll(() => page.evaluate('document.querySelector(".svc-graph-canvas").width')).toBe(620)
    const shown = await camera()
    await page.getByRole('button', { name: 'Fit graph' }).click()
    expect(await camera()).toEqual(shown)
    await page.close()
  })

  test('a narrow canvas begins with cards whose names can be read', async () => {
    const chain = Array.from({ length: 12 }, (_, index) =>
      index === 0 ? 'a0' : `a${index} <- a${index - 1}`,
    )
    const { page } = await pages.open({ lines: chain })
    await page.setViewportSize({ width: 420, height: 700 })
    await expect.poll(() => page.evaluate<number>('graph.camera().zoom')).toBe(0.5)
    await page.getByRole('button', { name: 'Fit graph' }).click()
    await expect.poll(() => page.evaluate<number>('graph.camera().zoom')).toBeLessThan(0.3)
    await page.close()
  })

  test('a narrow canvas has no empty room beside its selected card while others are out of sight', async () => {
    const chain = ['products', 'orders <- products', 'paid <- orders', 'daily <- paid', 'board <- daily']
    const { page } = await pages.open({ lines: chain, input: { selected: 'daily' } })
    await page.setViewportSize({ width: 480, height: 700 })
    await expect.poll(() => page.evaluate<number>('graph.camera().zoom')).toBe(0.5)
    const shown = await page.evaluate<{ x: number }>('graph.camera()')
    await page.getByRole('button', { name: 'Fit graph' }).click()
    const whole = await page.evaluate<{ x: number; zoom: number }>('graph.camera()')
    const end = whole.x + (480 - 32) / whole.zoom
    expect(shown.x + (480 - 16) / 0.5).toBeCloseTo(end, 0)
    await page.close()
  })

  test('a map shows where one is, and leads there by a click, while not everything is in view', async () => {
    const { page } = await pages.open({ lines })
    const map = page.locator('.svc-graph-minimap')
    expect(await map.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await map.waitFor()
    const box = await map.boundingBox()
    await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 52)
    const camera = await page.evaluate<{ x: number; zoom: number }>('graph.camera()')
    // The leftmost card is in the middle now.
    expect(camera.x + 500 / camera.zoom).toBeLessThan(84)
    await page.getByRole('button', { name: 'Fit graph' }).click()
    await map.waitFor({ state: 'hidden' })
    await page.close()
  })

  test('folders are opened and closed by buttons', async () => {
    const { page } = await pages.open({ count: 400 })
    const shown = async () =>
      Number(/(\d+) of/.exec((await page.getByRole('application').getAttribute('aria-label')) ?? '')?.[1])
    const closed = await shown()
    expect(closed).toBeLessThan(20)
    await page.getByRole('button', { name: 'Open all folders' }).click()
    expect(await shown()).toBeGreaterThan(400)
    expect(await page.getByRole('button', { name: 'Open all folders' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Close what was opened' }).click()
    expect(await shown()).toBe(closed)
    await page.close()
  })

  test('the colours are chosen where they are explained', async () => {
    const { page } = await pages.open({ lines })
    await page.getByLabel('Colour by').selectOption('status')
    expect(await asked(page, 'onLens')).toEqual([['status']])
    await page.getByRole('button', { name: 'never run' }).waitFor()
    await page.close()
  })

  test('assets that read each other are named', async () => {
    const { page } = await pages.open({ lines: ['a <- c', 'b <- a', 'c <- b'] })
    expect(await page.getByRole('status').textContent()).toBe('These read each other: a, b, c')
    await page.close()
  })
})
