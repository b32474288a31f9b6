/** A page of somebody else, in the browser in which the dashboard is open: it starts nothing and reads nothing. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, it } from 'vitest'
import { shop } from '../shop-project.ts'
import { createDashboard } from './ground.ts'

const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

/** Tries everything that a page can; `done` when all of it has failed or come back. */
function attack(base: string): string {
  const run = `${base}/api/stream/run?asset=`
  return `<!doctype html><iframe src="${base}/"></iframe><link rel="prefetch" href="${run}orders">
<script>
window.read = []
const settled = Promise.allSettled([
  new Promise(go => { const image = new Image(); image.onload = image.onerror = go; image.src = '${run}customers' }),
  new Promise(go => { const script = document.createElement('script'); script.onload = script.onerror = go
    script.src = '${run}orders'; document.head.append(script) }),
  ...['no-cors', 'cors'].flatMap(mode => ['${base}/api/catalog.json', '${run}daily_sales', '${base}/'].map(url =>
    fetch(url, { mode, credentials: 'include' }).then(answer => answer.text()).then(text => { if (text) read.push(text) }))),
  ...['/api/rollback', '/api/run/cancel?run=12345678'].map(path =>
    fetch('${base}' + path, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' })),
  new Promise(go => { const events = new EventSource('${run}best_customers', { withCredentials: true })
    events.onmessage = event => read.push(event.data); events.onerror = () => { events.close(); go() } }),
])
settled.then(() => { window.done = true })
</script>`
}

it.skipIf(browserPath === undefined)(
  'starts no run and reads nothing, from any port of this machine',
  async () => {
    const profile = mkdtempSync(join(tmpdir(), 'svc-attack-'))
    writeFileSync(join(profile, 'index.html'), '<title>the dashboard</title>')
    const ground = await createDashboard(shop, { page: profile })
    const evil = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(attack(`http://${ground.host}`))
    })
    await new Promise<void>(done => evil.listen(0, '127.0.0.1', done))
    const { port } = evil.address() as AddressInfo
    const browser = await chromium.launch({
      ...(browserPath !== undefined && { executablePath: browserPath }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    })
    try {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(ground.dashboard.address)
      // The user is in: what follows fails although the browser has the cookie.
      expect([await page.title(), new URL(page.url()).search]).toEqual(['the dashboard', ''])
      const names = await page.evaluate('fetch("/api/catalog.json").then(answer => answer.json())')
      expect((names as { assets: unknown[] }).assets).toHaveLength(4)
      for (const host of ['127.0.0.1', 'localhost']) {
        const other = await context.newPage()
        await other.goto(`http://${host}:${port}/`)
        await other.waitForFunction('window.done === true')
        expect(await other.evaluate('window.read')).toEqual([])
        const frame = other.frames()[1]
        expect(await frame?.title()).not.toBe('the dashboard')
        await other.close()
      }
      expect(await ground.json('/api/dashboard.json')).toMatchObject({ run: null })
      // And the page itself may.
      const status = await page.evaluate(
        'fetch("/api/stream/run?asset=customers").then(answer => answer.status)',
      )
      expect(status).toBe(200)
      expect(await ground.json('/api/dashboard.json')).toMatchObject({ run: { selector: 'customers' } })
    } finally {
      await browser.close()
      evil.close()
      evil.closeAllConnections()
      await ground.dispose()
      rmSync(profile, { recursive: true, force: true })
    }
  },
)
