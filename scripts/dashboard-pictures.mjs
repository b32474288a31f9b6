// Takes docs/images/dashboard.png and dashboard-run.png: the dashboard of the example, in Chromium.
// Run it by hand after the page has changed: `node scripts/dashboard-pictures.mjs`.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
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
await ended(spawn(process.execPath, [svc, 'run', '--all'], { ...settings, stdio: 'ignore' }))
const ui = spawn(process.execPath, [svc, 'ui', '--no-open', '--port', '0'], {
  ...settings,
  stdio: ['ignore', 'pipe', 'ignore'],
})
const address = await addressOf(ui)
const browser = await chromium.launch({
  executablePath: prepared.chromium,
  args: ['--no-sandbox', '--disable-gpu'],
})
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
  ui.kill('SIGINT')
  await ended(ui)
  await quakes.close()
  rmSync(project, { recursive: true })
}

/** @param {(page: import('playwright-core').Page) => Promise<void>} prepare */
async function picture(name, colorScheme, prepare) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 760 },
    colorScheme,
    reducedMotion: 'reduce',
  })
  await page.goto(address)
  await page.getByRole('treeitem', { name: /^flights/ }).waitFor()
  await prepare(page)
  // The better layout replaces the instant one after a moment.
  await page.waitForTimeout(4000)
  const path = join(images, name)
  await page.screenshot({ path })
  await page.close()
  console.log(`took docs/images/${name}`)
}

function addressOf(child) {
  return new Promise(resolve => {
    child.stdout.setEncoding('utf8').once('data', text => resolve(text.trim()))
  })
}

function ended(child) {
  return new Promise(resolve => child.once('close', resolve))
}
