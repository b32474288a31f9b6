// Takes docs/images/dashboard.png and dashboard-run.png: the dashboard of the example, in Chromium.
// Run it by hand after the page has changed: `node scripts/dashboard-pictures.mjs`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { chromiumOptions } from './code-server.mjs'
import { dashboardPicture, serveDashboard } from './dashboard-page.mjs'
import { prepareBrowser } from './editor-tools.mjs'
import { copyExample } from './example.mjs'
import { startExampleServer } from './example-server.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const svc = join(root, 'cli', 'bin', 'svc.cjs')
const images = join(root, 'docs', 'images')
const prepared = prepareBrowser()
if ('missing' in prepared) {
  process.stderr.write(`error: ${prepared.missing}\n`)
  process.exit(3)
}

const project = mkdtempSync(join(tmpdir(), 'svc-pictures-'))
copyExample(project)
const quakes = await startExampleServer()
const settings = { cwd: project, env: { ...process.env, QUAKES_URL: quakes.url } }
await once(spawn(process.execPath, [svc, 'run', '--all'], { ...settings, stdio: 'ignore' }), 'close')
const ui = await serveDashboard(settings)
const browser = await chromium.launch({ executablePath: prepared.chromium, args: chromiumOptions })
mkdirSync(images, { recursive: true })
try {
  await picture('dashboard.png', 'dark', async page => {
    await page.getByRole('treeitem', { name: /^daily_delays/ }).click()
    await page.getByRole('button', { name: 'average_delay' }).click()
  })
  await picture('dashboard-run.png', 'light', async page => {
    await page.getByRole('treeitem', { name: /^quake_watch/ }).click()
    await page.getByRole('button', { name: 'More ways to run' }).click()
    await page.getByRole('menuitem', { name: /With upstreams/ }).click()
    await page.getByText('Run +quake_watch: deployed').first().waitFor()
  })
} finally {
  await browser.close()
  await ui.stop()
  await quakes.close()
  rmSync(project, { recursive: true })
}

/** @param {(page: import('playwright-core').Page) => Promise<void>} prepare */
async function picture(name, colorScheme, prepare) {
  await dashboardPicture(browser, ui.address, { path: join(images, name), colorScheme, prepare })
  console.log(`took docs/images/${name}`)
}
