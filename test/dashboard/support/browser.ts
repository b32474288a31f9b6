/** A browser for journeys. Whatever the console or the content policy complains about is a failure of the journey. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export interface Look {
  readonly colorScheme?: 'dark' | 'light'
  readonly contrast?: 'more'
  readonly width?: number
  /** Between the browser and everything, this machine too. */
  readonly proxy?: string
}

export interface Opened {
  readonly page: Page
  readonly context: BrowserContext
  /** What was complained about since the last question. */
  complaints(): readonly string[]
}

export interface Journeys {
  open(address: string, look?: Look): Promise<Opened>
  /** Another tab of the same user. */
  tab(opened: Opened, address: string): Promise<Opened>
  /** After each journey: fails on complaints, keeps a picture of a failure. */
  check(name: string, failed: boolean): Promise<void>
  close(): Promise<void>
}

export async function startJourneys(): Promise<Journeys> {
  const program = process.env['CHROME_PATH'] ?? places.find(existsSync)
  if (program === undefined)
    throw new Error('Chromium is not installed: install it, or name it in CHROME_PATH')
  const browser: Browser = await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  let opened: Opened[] = []
  const visit = async (context: BrowserContext, address: string) => {
    const page = await context.newPage()
    // On a busy machine a run of the example takes its time.
    page.setDefaultTimeout(90_000)
    const complaints = listen(page)
    await page.goto(address)
    const entry = { page, context, complaints }
    opened.push(entry)
    return entry
  }
  return {
    async open(address, { colorScheme = 'dark', contrast, width = 1280, proxy } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme,
        contrast: contrast ?? null,
        reducedMotion: 'reduce',
        ...(proxy !== undefined && { proxy: { server: proxy, bypass: '<-loopback>' } }),
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      return visit(context, address)
    },
    tab: ({ context }, address) => visit(context, address),
    async check(name, failed) {
      const pages = opened
      opened = []
      if (failed) await keepPictures(name, pages)
      const complaints = pages.flatMap(each => each.complaints())
      for (const { context } of pages) await context.close()
      expect(complaints).toEqual([])
    },
    close: () => browser.close(),
  }
}

function listen(page: Page): () => readonly string[] {
  let complaints: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || /content.security.policy/i.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.stack ?? error.message))
  return () => {
    const now = complaints
    complaints = []
    return now
  }
}

async function keepPictures(name: string, pages: readonly Opened[]): Promise<void> {
  const folder = join(import.meta.dirname, '../../../.tools/shots')
  mkdirSync(folder, { recursive: true })
  const file = name.replace(/\W+/g, '-').toLowerCase()
  for (const [index, { page }] of pages.entries()) {
    await page.screenshot({ path: join(folder, `dashboard-${file}-${index}.png`) }).catch(() => undefined)
  }
}

/** What the browser itself says of a connection that ends; the page says it too. */
export function withoutNetwork(complaints: readonly string[]): string[] {
  return complaints.filter(each => !each.includes('net::ERR_'))
}

/** What axe finds against WCAG 2.2 AA and its good practice. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Past the policy: as a user's own script would come.
  await page.evaluate(axe)
  return page.evaluate<string[]>(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    // A page that is opened from a folder cannot ask for its style sheet again.
    preload: location.protocol !== 'file:',
  }).then(({ violations }) => violations.map(each => each.id + ' ' + each.nodes[0].html))`)
}

/** The graph as a person finds it: what is selected, and where on the screen a card is. */
export const graph = {
  application: (page: Page) => page.getByRole('application'),
  /** What a screen reader says of the selected card, once the page has drawn what was last done to it. */
  async heard(page: Page): Promise<string | null> {
    await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    return page.getByRole('application').getByRole('img').getAttribute('aria-label')
  },
  /** Where the pointer is over a card, once no better layout is under way and the cards are at rest. */
  async findCard(page: Page): Promise<{ x: number; y: number }> {
    await page.locator('[role=application][data-layout=settled]').waitFor()
    let last: { x: number; y: number } | undefined
    for (;;) {
      const found = await graph.cardNow(page)
      if (found.x === last?.x && found.y === last.y) return found
      last = found
      await page.waitForTimeout(500)
    }
  },
  /** How far the brightest and the darkest point around a place of the window are apart, of 255. */
  contrastAt(page: Page, at: { x: number; y: number }): Promise<number> {
    return page.evaluate<number>(`(() => {
      const canvas = document.querySelector('.svc-graph-canvas')
      const { left, top, width } = canvas.getBoundingClientRect()
      const scale = canvas.width / width
      const [x, y, size] = [${at.x} - left, ${at.y} - top, 40].map(each => Math.round(each * scale))
      const { data } = canvas.getContext('2d').getImageData(x, y, size, Math.round(size / 2))
      const lights = []
      for (let i = 0; i < data.length; i += 4) lights.push((data[i] + data[i + 1] + data[i + 2]) / 3)
      return Math.round(Math.max(...lights) - Math.min(...lights))
    })()`)
  },
  async cardNow(page: Page): Promise<{ x: number; y: number }> {
    const found = await page.evaluate<{ x: number; y: number } | undefined>(`(() => {
      const graph = document.querySelector('[role=application]')
      const { left, top, right, bottom } = graph.getBoundingClientRect()
      for (let y = top + 20; y < bottom - 60; y += 6) {
        for (let x = left + 20; x < right - 20; x += 20) {
          graph.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y, bubbles: true }))
          if (graph.dataset.over === 'card') return { x: x + 2, y: y + 2 }
        }
      }
    })()`)
    if (found === undefined) throw new Error('no card is under the pointer anywhere')
    return found
  },
}
