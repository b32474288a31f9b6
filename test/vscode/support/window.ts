/**
 * A window of a real VS Code with the packed extension installed and a copy of a project open, driven as a person drives
 * it: by mouse, keys and what is on the screen. What the page reports as an error of ours ends the journey.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { chromiumOptions, startCodeServer } from '../../../scripts/code-server.mjs'
import { prepareEditor } from '../../../scripts/editor-tools.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')

export const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
} as const
export type Theme = keyof typeof themes

export interface EditorWindow {
  readonly page: Page
  /** The copy of the project that is open. */
  readonly project: string
  /** Lines of the browser's console and of the page's errors that name this extension. */
  readonly errors: readonly string[]
  openFile(path: string): Promise<void>
  /** Runs a command of the palette by its title. */
  command(title: string): Promise<void>
  /** Puts the cursor behind the first place of a text in the open editor. */
  cursorBehind(text: string): Promise<void>
  squiggles(severity?: 'error' | 'warning'): Locator
  setTheme(theme: Theme): Promise<void>
  /** A picture in .tools/shots, to be looked at. */
  shot(name: string): Promise<void>
  close(): Promise<void>
}

export interface WindowOptions {
  /** Folder of the project, relative to the root of the repository. */
  readonly project: string
  readonly theme?: Theme
  readonly settings?: Readonly<Record<string, unknown>>
  readonly size?: { readonly width: number; readonly height: number }
}

export async function openWindow(options: WindowOptions): Promise<EditorWindow> {
  const prepared = prepareEditor({ browser: true })
  if ('missing' in prepared) throw new Error(prepared.missing)
  const { tools } = prepared
  const folder = mkdtempSync(join(tmpdir(), 'svc-w-'))
  const project = join(folder, 'p', options.project.split('/').at(-1) ?? 'project')
  cpSync(join(root, options.project), project, { recursive: true, filter: isOfProject })
  const server = await startCodeServer({
    tools,
    folder: join(folder, 's'),
    vsix: packedExtension(),
    settings: { 'workbench.colorTheme': themes[options.theme ?? 'dark'], ...options.settings },
    // Without it a terminal's text cannot be read from the page.
    flags: ['--vscode-option', 'enable-smoke-test-driver'],
  })
  let browser: Browser | undefined
  try {
    browser = await chromium.launch({ executablePath: tools.chromium ?? '', args: [...chromiumOptions] })
    const page = await browser.newPage({ viewport: options.size ?? { width: 1400, height: 900 } })
    const errors = watchErrors(page)
    await page.goto(`${server.url}/?folder=${encodeURIComponent(project)}`)
    await page.locator('.monaco-workbench').waitFor({ timeout: 60_000 })
    return windowOf(page, project, errors, async () => {
      await browser?.close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    })
  } catch (error) {
    await browser?.close()
    await server.stop()
    throw error
  }
}

function isOfProject(path: string): boolean {
  return (
    !/[\\/](\.svc|node_modules)([\\/]|$)/.test(path) && !path.endsWith('.duckdb') && !path.endsWith('.wal')
  )
}

function packedExtension(): string {
  const wanted = `-${process.platform}-${process.arch}.vsix`
  const name = readdirSync(join(root, 'packages')).find(file => file.endsWith(wanted))
  if (name === undefined) throw new Error('the extension is not packed; run: npm run package -- --only vsix')
  return join(root, 'packages', name)
}

function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', error => {
    if (isOurs(error.stack ?? error.message)) errors.push(error.message)
  })
  page.on('console', message => {
    if (message.type() === 'error' && isOurs(message.text())) errors.push(message.text())
  })
  return errors
}

/** The workbench has errors of its own (services that this server does not have). */
function isOurs(text: string): boolean {
  return /svc\.svc|\bsvc-0|svc[/\\]dist|Content Security Policy/.test(text)
}

function windowOf(
  page: Page,
  project: string,
  errors: readonly string[],
  close: () => Promise<void>,
): EditorWindow {
  const command = async (title: string): Promise<void> => {
    await page.keyboard.press('F1')
    const input = page.locator('.quick-input-widget input').first()
    await input.fill(`>${title}`)
    await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().waitFor()
    await page.keyboard.press('Enter')
  }
  const setTheme = async (theme: Theme): Promise<void> => {
    await command('Preferences: Color Theme')
    const input = page.locator('.quick-input-widget input').first()
    await input.fill(themeLabels[theme])
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: themeLabels[theme] })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' })
  }
  return {
    page,
    project,
    errors,
    command,
    setTheme,
    async openFile(path) {
      await page.keyboard.press('Control+P')
      await page.locator('.quick-input-widget input').first().fill(path)
      const name = path.split('/').at(-1) ?? path
      await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().waitFor()
      await page.keyboard.press('Enter')
      await page.locator('.tab.active', { hasText: name }).waitFor()
      await page.locator('.monaco-editor .view-lines').first().waitFor()
    },
    async cursorBehind(text) {
      await page.locator('.monaco-editor .view-lines').first().click()
      await page.keyboard.press('Control+F')
      const find = page.locator('.find-widget.visible textarea, .find-widget.visible input').first()
      await find.fill(text)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await page.keyboard.press('ArrowRight')
    },
    squiggles: (severity = 'error') => page.locator(`.monaco-editor .squiggly-${severity}`),
    async shot(name) {
      const folder = join(root, '.tools', 'shots')
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: join(folder, `${name}.png`) })
    },
    close,
  }
}

const themeLabels = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  'high-contrast': 'Dark High Contrast',
  'high-contrast-light': 'Light High Contrast',
} as const
