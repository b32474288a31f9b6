// A file of a project in code-server with the packed extension, for scripts that take pictures of it.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCodeServer } from './code-server.mjs'

const packages = join(dirname(fileURLToPath(import.meta.url)), '..', 'packages')

/**
 * Takes a picture of a file with its problems below and its lineage beside it.
 * @param {import('playwright-core').Browser} browser
 * @param {object} look
 * @param {import('./editor-tools.mjs').EditorTools} look.tools
 * @param {string} look.project
 * @param {string} look.file
 * @param {string} look.server a folder for what the server leaves behind
 * @param {Record<string, unknown>} look.settings
 * @param {Record<string, string>} look.env
 * @param {string} look.path where the picture goes
 */
export async function editorPicture(browser, { tools, project, file, server, settings, env, path }) {
  const vsix = join(packages, packedExtension())
  const dark = { 'workbench.colorTheme': 'Dark Modern', 'window.autoDetectColorScheme': false }
  const code = await startCodeServer({ tools, folder: server, vsix, settings: { ...dark, ...settings }, env })
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: 'dark' })
    // On a busy machine the editor takes its time to open.
    page.setDefaultTimeout(120_000)
    const opened = `vscode-remote://127.0.0.1:${code.port}${join(project, file)}`
    const query = new URLSearchParams({ folder: project, payload: JSON.stringify([['openFile', opened]]) })
    await page.goto(`${code.url}/?${query}`)
    await page.locator('.codelens-decoration a').getByText('Lineage', { exact: true }).first().click()
    const lineage = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame')
    await lineage.locator('[role=application][data-layout=settled]').waitFor({ state: 'attached' })
    await page.keyboard.press('Control+Shift+M')
    await page.locator('.markers-panel').waitFor()
    // The server of the project has its picture of production a moment later.
    await page.locator('.statusbar-item', { hasText: 'prod' }).first().waitFor()
    await page.screenshot({ path, animations: 'disabled' })
    await page.close()
  } finally {
    await code.stop()
  }
}

function packedExtension() {
  const wanted = `-${process.platform}-${process.arch}.vsix`
  const packed = existsSync(packages) ? readdirSync(packages) : []
  const name = packed.find(file => file.endsWith(wanted))
  if (name === undefined) throw new Error('the extension is not packed; run: npm run package -- --only vsix')
  return name
}
