// The dashboard of a project in Chromium, for scripts that take pictures of it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const svc = join(dirname(fileURLToPath(import.meta.url)), '..', 'cli', 'bin', 'svc.cjs')

/**
 * Starts `svc ui` without a browser, on a free port.
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} settings
 * @param {readonly string[]} [words] further options
 * @returns {Promise<{ address: string, pid: number, stop: () => Promise<void> }>} the address has the token
 */
export async function serveDashboard({ cwd, env }, words = []) {
  const child = spawn(process.execPath, [svc, 'ui', '--no-open', '--port', '0', ...words], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [text] = await once(child.stdout.setEncoding('utf8'), 'data')
  return {
    address: text.trim(),
    pid: child.pid,
    async stop() {
      const ended = once(child, 'close')
      child.kill('SIGINT')
      await ended
    },
  }
}

/**
 * Takes a picture of a page of the dashboard, after `prepare` has clicked.
 * @param {import('playwright-core').Browser} browser
 * @param {string} address
 * @param {object} look
 * @param {string} look.path where the picture goes
 * @param {'dark' | 'light'} look.colorScheme
 * @param {'more' | 'no-preference'} [look.contrast]
 * @param {(page: import('playwright-core').Page) => Promise<void>} look.prepare
 */
export async function dashboardPicture(browser, address, { path, colorScheme, contrast, prepare }) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 760 },
    colorScheme,
    ...(contrast !== undefined && { contrast }),
    reducedMotion: 'reduce',
  })
  await page.goto(address)
  await prepare(page)
  // The better layout replaces the instant one.
  await page.locator('[role=application][data-layout=settled]').waitFor({ state: 'attached' })
  await page.screenshot({ path })
  await page.close()
}
