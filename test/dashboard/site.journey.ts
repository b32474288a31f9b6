/** The site of `svc lineage`: served, on any web server under any path, from the disk; and a stranger's page at `svc ui`. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeFindings, type Journeys, startJourneys } from './support/browser.ts'
import { exampleWorld, type World } from './support/world.ts'

let world: World
let journeys: Journeys
beforeAll(async () => {
  world = await exampleWorld()
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

const lookAround = async (page: Page) => {
  await page.getByRole('treeitem', { name: /^daily_delays/ }).click()
  const drawer = page.getByRole('complementary')
  await drawer.getByRole('button', { name: 'average_delay' }).click()
  await expect
    .poll(() =>
      page.evaluate<number>(`document.querySelector('svc-app').store.path.value?.columns.length ?? 0`),
    )
    .toBeGreaterThan(3)
  await page.getByRole('tab', { name: 'Quality' }).click()
  await drawer.getByText(/7/).first().waitFor()
  expect(await page.getByRole('button', { name: '▶ Run' }).count()).toBe(0)
}

/** As strict as a careful host of pages would have it. */
const strict =
  "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; img-src 'self' data:; connect-src 'self'; worker-src blob:"

async function hosted(folder: string): Promise<{ address: string; server: Server }> {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/[?#].*/, '').replace(/^\/team\/docs\/?/, '') || 'index.html'
    const type = types[extname(path)] ?? 'image/svg+xml'
    response.writeHead(200, { 'content-type': type, 'content-security-policy': strict })
    response.end(readFileSync(join(folder, path)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/team/docs/`, server }
}

describe('the site', () => {
  test('is served and opened with a token of its own, and shows the next run after a reload', async () => {
    const served = await world.serve(['lineage', '--debug'])
    const { page } = await journeys.open(served.address)
    expect(page.url()).toBe(`${served.base}/`)
    await lookAround(page)
    expect(await axeFindings(page)).toEqual([])
    expect(served.stderr()).toContain('-- read .svc/dev/svc_catalog.json (')
    const asStranger = await fetch(served.base)
    expect(asStranger.status).toBe(401)
    expect((await world.svc(['run', 'delay_bands'])).code).toBe(0)
    await page.reload()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Runs' }).click()
    await page.getByRole('main').getByText('delay_bands').first().waitFor()
    // A page that still asks would meet a server that is gone.
    await page.close()
    expect((await served.stop()).code).toBe(0)
  })

  test('kept as files works on any web server, under any path and a strict policy', async () => {
    expect((await world.svc(['lineage', '--out', 'site'])).code).toBe(0)
    const { address, server } = await hosted(join(world.root, 'site'))
    const { page } = await journeys.open(address)
    await lookAround(page)
    await page.goto(`${address}#asset=weather`)
    await page.getByRole('complementary').getByRole('heading', { name: 'weather', exact: true }).waitFor()
    server.close()
    server.closeAllConnections()
  })

  test('opens from the disk', async () => {
    expect((await world.svc(['lineage', '--out', 'site'])).code).toBe(0)
    const { page } = await journeys.open(pathToFileURL(join(world.root, 'site', 'index.html')).href)
    await lookAround(page)
  })
})

describe('a page of a stranger', () => {
  test('starts nothing and reads nothing, though its reader has the dashboard open', async () => {
    const served = await world.serve(['ui'])
    const opened = await journeys.open(served.address)
    await opened.page.getByRole('treeitem', { name: /^flights/ }).waitFor()
    const evil = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(attack(served.base))
    })
    await new Promise<void>(resolve => evil.listen(0, '127.0.0.1', resolve))
    for (const host of ['127.0.0.1', 'localhost']) {
      const other = await journeys.tab(opened, `http://${host}:${(evil.address() as AddressInfo).port}/`)
      await other.page.waitForFunction('window.done === true')
      expect(await other.page.evaluate('window.read')).toEqual([])
      // What the browser refused is what the attack is about.
      other.complaints()
      await other.page.close()
    }
    const about = await opened.page.evaluate<{ run: unknown }>(
      `fetch('api/dashboard.json').then(answer => answer.json())`,
    )
    expect(about.run).toBeNull()
    evil.close()
    evil.closeAllConnections()
    await served.stop()
    opened.complaints()
  })
})

/** Tries everything that a page can; `done` when all of it has failed or come back. */
function attack(base: string): string {
  const run = `${base}/api/stream/run?asset=delay_bands`
  return `<!doctype html><iframe src="${base}/"></iframe><link rel="prefetch" href="${run}"><script>
window.read = []
const note = text => { if (text) read.push(text) }
Promise.allSettled([
  new Promise(go => { const image = new Image(); image.onload = image.onerror = go; image.src = '${run}' }),
  ...['no-cors', 'cors'].flatMap(mode => ['${base}/api/catalog.json', '${run}', '${base}/'].map(url =>
    fetch(url, { mode, credentials: 'include' }).then(answer => answer.text()).then(note))),
  fetch('${base}/api/rollback', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }),
  new Promise(go => { const events = new EventSource('${run}', { withCredentials: true })
    events.onmessage = event => note(event.data); events.onerror = () => { events.close(); go() } }),
]).then(() => { window.done = true })
</script>`
}
