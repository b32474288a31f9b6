/** The whole page over a host that the test drives, under a policy as strict as the dashboard's, in a real browser. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { chromium, type Page } from 'playwright-core'

const root = join(import.meta.dirname, '../../..')
const require = createRequire(join(root, 'package.json'))
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** `host` is in reach of the test. `#empty`, `#broken`, `#flights`, `#slow`, `#<count>`, `#layers-<count>`, `#columns-<count>` choose what it loads. */
const pageScript = `
import { startDashboard } from './webview/start.ts'
import { followSystemTheme } from './webview/browser-theme.ts'
import { fakeHost, HostError } from './test/webview/app/fake-host.ts'
import { shopData, manyData } from './test/webview/app/shop-data.ts'
import { largeCatalog } from './test/webview/graph/catalogs.ts'
import { flightsData, flightsPath } from './test/webview/app/flights-data.ts'
import { wideData, widePath } from './test/webview/app/wide-data.ts'
followSystemTheme(document.body)
const wish = location.hash.slice(1)
const layers = Number(/^layers-(\\d+)$/.exec(wish)?.[1])
const columns = Number(/^columns-(\\d+)$/.exec(wish)?.[1])
const data = columns > 0 ? wideData(columns) : wish === 'flights' ? flightsData(Date.now()) : layers > 0 ? { ...shopData(true), catalog: largeCatalog(layers) } : Number(wish) > 0 ? manyData(Number(wish)) : shopData(wish === 'empty')
const host = window.host = fakeHost(data, window.saved)
if (wish === 'flights') host.columnPath = async (asset, column) => flightsPath(asset, column)
if (columns > 0) host.columnPath = async () => widePath(columns)
if (wish === 'slow') host.load = () => new Promise(() => {})
if (wish === 'broken') host.problem = new HostError('failed', 'the catalogue is not JSON', { hint: 'Run svc manifest.' })
window.HostError = HostError
window.store = startDashboard(host, document.body, '/elk.js')
`

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; connect-src 'self'; worker-src blob:; require-trusted-types-for 'script'"

export interface AppPages {
  /** `problems` collects what the console and the policy complain about. */
  open(
    wish: string,
    look?: { colorScheme?: 'dark' | 'light'; contrast?: 'more'; width?: number; saved?: unknown },
  ): Promise<{ page: Page; problems: string[] }>
  close(): Promise<void>
}

export async function startAppPages(program: string): Promise<AppPages> {
  const [script, styles] = await Promise.all([
    bundled({
      stdin: { contents: pageScript, resolveDir: root, loader: 'js' },
      format: 'iife',
      target: 'es2023',
      tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    }),
    bundled({ entryPoints: [join(root, 'webview/app.css')] }),
  ])
  const files: Record<string, readonly [type: string, text: string]> = {
    '/app.js': ['text/javascript', script],
    '/elk.js': ['text/javascript', readFileSync(require.resolve('elkjs/lib/elk-worker.min.js'), 'utf8')],
    '/app.css': ['text/css', styles],
    '/theme.css': ['text/css', readFileSync(join(root, 'webview/theme.css'), 'utf8')],
    '/favicon.ico': ['image/x-icon', ''],
    '/': [
      'text/html',
      '<!doctype html><html lang="en"><head><title>shop</title><link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/app.css"></head><body><script src="/app.js"></script></body></html>',
    ],
  }
  const server = createServer((request, response) => {
    const [type, text] = files[request.url ?? ''] ?? ['text/plain', '']
    response
      .writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy })
      .end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] })
  return {
    async open(wish, { colorScheme = 'dark', contrast, width = 1280, saved } = {}) {
      const page = await browser.newPage({
        viewport: { width, height: 800 },
        colorScheme,
        contrast: contrast ?? null,
        reducedMotion: 'reduce',
      })
      const problems: string[] = []
      page.on('console', message => {
        if (message.type() === 'error') problems.push(message.text())
      })
      page.on('pageerror', error => problems.push(error.message))
      if (saved !== undefined) await page.addInitScript(`window.saved = ${JSON.stringify(saved)}`)
      await page.goto(`${address}#${wish}`)
      await page.locator('.app').waitFor()
      return { page, problems }
    },
    async close() {
      await browser.close()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function bundled(options: BuildOptions): Promise<string> {
  const { outputFiles = [] } = await build({ ...options, bundle: true, write: false })
  return outputFiles[0]?.text ?? ''
}

/** What axe finds against WCAG 2.2 AA and its good practice; `only` the rules that are named. */
export async function axeFindings(page: Page, only?: readonly string[]): Promise<string[]> {
  // Past the policy: as a user's own script would come.
  await page.evaluate(axe)
  return page.evaluate<string[]>(`axe.run(document, {
    runOnly: ${JSON.stringify(only ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])},
  }).then(({ violations }) => violations.map(each => each.id + ' ' + each.nodes[0].html))`)
}
