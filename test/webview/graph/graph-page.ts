/** The graph alone on a page under a policy as strict as the dashboard's, in a real browser. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'

/** undefined: this machine has none, and nothing can be seen. */
export const browserProgram = [
  process.env['CHROME_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find(path => path !== '' && existsSync(path))

/** `asked` is what the graph asked of its page; the page does as it is asked. */
const script = `
import { mountGraph } from './webview/graph/mount.ts'
import { centred } from './webview/graph/camera.ts'
import { filterOf } from './webview/graph/filter.ts'
import { makeGraphModel } from './webview/graph/model.ts'
import { largeCatalog, catalogOf } from './test/webview/graph/catalogs.ts'
const options = JSON.parse(decodeURIComponent(location.hash.slice(1)))
const catalog = options.count ? largeCatalog(options.count) : catalogOf(options.lines)
const asked = window.asked = []
const asks = (name, apply) => [name, (...values) => { asked.push([name, ...values]); apply?.(...values) }]
const model = makeGraphModel(catalog, Date.now())
const keep = hidden => graph.update({ hidden, kept: filterOf(model, catalog, { text: '', hidden }).kept })
const set = key => value => graph.update({ [key]: value })
const started = performance.now()
const graph = window.graph = mountGraph(document.getElementById('graph'), {
  input: { model, kept: undefined, selected: null, focus: null, scope: 'all', expanded: [], moved: {}, lens: 'kind', hidden: new Set(), live: new Map(), path: null, ...options.input },
  camera: null,
  elkUrl: options.elk ? '/elk.js' : undefined,
  ...Object.fromEntries([
    asks('onSelect', set('selected')), asks('onOpen'), asks('onScope', set('scope')), asks('onExpanded', set('expanded')),
    asks('onMoved', set('moved')), asks('onLens', set('lens')), asks('onHidden', keep), asks('onCamera'), asks('onFocus', focus => graph.update({ focus, scope: 'near' })),
  ]),
})
window.firstPaintMs = performance.now() - started
graph.camera = graph.motion.camera
graph.show = (id, zoom) => graph.look(centred(graph.cardOf(id), { width: innerWidth, height: innerHeight }, zoom))
`

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src blob:; require-trusted-types-for 'script'"

export interface GraphPages {
  /** `problems` collects what the console and the policy complain about. */
  open(options: object): Promise<{ page: Page; problems: string[] }>
  close(): Promise<void>
}

export async function startGraphPages(root: string, program: string): Promise<GraphPages> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: root, loader: 'js' },
    bundle: true,
    write: false,
    format: 'iife',
  })
  const elk = createRequire(join(root, 'package.json')).resolve('elkjs/lib/elk-worker.min.js')
  const files: Record<string, readonly [type: string, text: string]> = {
    '/page.js': ['text/javascript', outputFiles[0]?.text ?? ''],
    '/elk.js': ['text/javascript', readFileSync(elk, 'utf8')],
    '/page.css': ['text/css', '#graph { position: absolute; inset: 0 }'],
    '/favicon.ico': ['image/x-icon', ''],
    '/': [
      'text/html',
      '<!doctype html><html lang="en"><title>Graph</title><link rel="stylesheet" href="/page.css"><main id="graph"></main><script src="/page.js"></script></html>',
    ],
  }
  const server = createServer((request, response) => {
    const [type, text] = files[request.url ?? ''] ?? ['text/plain', '']
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const browser: Browser = await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  return {
    async open(options) {
      const page = await browser.newPage({ viewport: { width: 1000, height: 600 } })
      const problems: string[] = []
      page.on('console', message => {
        if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
      })
      page.on('pageerror', error => problems.push(error.message))
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto(`${address}#${encodeURIComponent(JSON.stringify(options))}`)
      await page.waitForFunction('window.firstPaintMs !== undefined')
      return { page, problems }
    },
    async close() {
      await browser.close()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
