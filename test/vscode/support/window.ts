/**
 * A window of a real VS Code with the packed extension installed and a copy of a project open, driven as a person drives
 * it: by mouse, keys and what is on the screen.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type FrameLocator, type Locator, type Page } from 'playwright-core'
import { chromiumOptions, startCodeServer } from '../../../scripts/code-server.mjs'
import { prepareEditor } from '../../../scripts/editor-tools.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')
/** What the window is told that a person prefers; `mark` is the class of a page in that theme. */
const themes = {
  dark: { colorScheme: 'dark', forcedColors: 'none', mark: 'vs-dark' },
  light: { colorScheme: 'light', forcedColors: 'none', mark: 'vs' },
  'high-contrast': { colorScheme: 'dark', forcedColors: 'active', mark: 'hc-black' },
  'high-contrast-light': { colorScheme: 'light', forcedColors: 'active', mark: 'hc-light' },
} as const
const themeSettings = {
  'window.autoDetectColorScheme': true,
  'window.autoDetectHighContrast': true,
  'workbench.preferredDarkColorTheme': 'Dark Modern',
  'workbench.preferredLightColorTheme': 'Light Modern',
}
export type Theme = keyof typeof themes
export const allThemes = Object.keys(themes) as readonly Theme[]

/** What is on the screen comes late on a busy machine. */
const patienceMs = 45_000

export interface WindowOptions {
  /** Folder of the project, relative to the root of the repository; undefined: an empty folder. */
  readonly project?: string
  /** What the copy is called. */
  readonly name?: string
  /** Files that are added to the copy, by path. */
  readonly files?: Readonly<Record<string, string>>
  readonly settings?: Readonly<Record<string, unknown>>
  /** On top of the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>
}

export interface EditorWindow {
  readonly page: Page
  /** The copy of the project that is open. */
  readonly project: string
  /** What the browser's console says against this extension. */
  readonly errors: readonly string[]
  /** Opens a file by its path in the project. */
  openFile(path: string): Promise<void>
  /** Runs a command of the palette by its title. */
  command(title: string): Promise<void>
  /** Puts the cursor behind the first place of a text in the open editor. */
  cursorBehind(text: string): Promise<void>
  /** Rests the mouse on the first place of a text in the open editor, and gives the card that comes up. */
  hoverOver(text: string): Promise<Locator>
  squiggles(severity?: 'error' | 'warning'): Locator
  lens(title: string): Locator
  /** A part of the activity bar: `Explorer`, `SVC`, `Testing`. */
  showView(title: string): Promise<void>
  /** A row of the tree that is shown, by the beginning of what is read out for it. */
  row(title: string): Locator
  /** What stands in the terminal that is shown. */
  terminalText(): Promise<string>
  notification(words: string): Locator
  /** The page of the results grid that is shown. */
  grid(): FrameLocator
  closeEditors(): Promise<void>
  setTheme(theme: Theme): Promise<void>
  /** A picture in .tools/shots, to be looked at. */
  shot(name: string): Promise<void>
  /** One picture a theme. */
  shots(name: string): Promise<void>
  close(): Promise<void>
}

interface Opened {
  readonly page: Page
  readonly project: string
  readonly errors: readonly string[]
  close(): Promise<void>
}

export async function openWindow(options: WindowOptions): Promise<EditorWindow> {
  const prepared = prepareEditor({ browser: true })
  if ('missing' in prepared) throw new Error(prepared.missing)
  const { tools } = prepared
  const folder = mkdtempSync(join(tmpdir(), 'svc-w-'))
  const project = copyProject(join(folder, 'p'), options)
  const server = await startCodeServer({
    tools,
    folder: join(folder, 's'),
    vsix: packedExtension(),
    settings: { ...themeSettings, ...options.settings },
    ...(options.env !== undefined && { env: options.env }),
  })
  let browser: Browser | undefined
  const close = async () => {
    await browser?.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    browser = await chromium.launch({ executablePath: tools.chromium ?? '', args: [...chromiumOptions] })
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: 'dark' })
    page.setDefaultTimeout(patienceMs)
    const errors = watchErrors(page)
    await page.goto(`${server.url}/?folder=${encodeURIComponent(project)}`)
    await page.locator('.monaco-workbench .statusbar').waitFor()
    return windowOf({ page, project, errors, close })
  } catch (error) {
    await close()
    throw error
  }
}

function copyProject(parent: string, { project, name, files = {} }: WindowOptions): string {
  const copy = join(parent, name ?? project?.split('/').at(-1) ?? 'empty')
  if (project === undefined) mkdirSync(copy, { recursive: true })
  else cpSync(join(root, project), copy, { recursive: true, filter: isOfProject })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(copy, path), text)
  return copy
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

/** The workbench has errors of its own (services that this server does not have), and repeats our notifications. */
function isOurs(text: string): boolean {
  return /svc\.svc|\bsvc-0|svc[/\\]dist|Content Security Policy|command 'svc\./.test(text)
}

function windowOf({ page, project, errors, close }: Opened): EditorWindow {
  const editor = page.locator('.editor-group-container.active .monaco-editor[data-uri]').first()
  const quickInput = page.locator('.quick-input-widget input').first()

  async function command(title: string): Promise<void> {
    await page.keyboard.press('F1')
    await quickInput.fill(`>${title}`)
    await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click()
  }

  async function openFile(path: string): Promise<void> {
    const name = path.split('/').at(-1) ?? path
    const tab = page.locator(`.tab.active[data-resource-name="${name}"]`)
    await page.keyboard.press('Control+P')
    // Quotes: the path as it is, not files whose paths have these letters in this order.
    await quickInput.fill(`"${path}"`)
    await page.locator(`.quick-input-list .monaco-list-row.focused[aria-label^="${name}"]`).waitFor()
    await page.keyboard.press('Enter')
    await tab.waitFor()
    await editor.locator('.view-lines').waitFor()
  }

  async function find(text: string): Promise<void> {
    await editor.locator('.view-lines').click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+F')
    const box = page.locator('.find-widget.visible textarea, .find-widget.visible input').first()
    await box.fill(text)
    await page.locator('.find-widget .matchesCount', { hasText: /^1 of/ }).waitFor()
    await page.keyboard.press('Escape')
  }

  async function setTheme(theme: Theme): Promise<void> {
    const { mark, ...media } = themes[theme]
    await page.emulateMedia(media)
    await page.locator(`.monaco-workbench.${mark}`).waitFor()
  }

  async function shot(name: string): Promise<void> {
    const folder = join(root, '.tools', 'shots')
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}.png`) })
  }

  return {
    page,
    project,
    errors,
    command,
    openFile,
    async cursorBehind(text) {
      await find(text)
      await page.keyboard.press('ArrowRight')
    },
    async hoverOver(text) {
      await find(text)
      const card = page.locator('.monaco-hover:not(.hidden)', { hasText: /\S/ }).first()
      // The editor shows nothing while it still draws: the mouse comes again.
      for (let attempt = 0; attempt < 10 && !(await card.isVisible()); attempt++) {
        const place = await editor.locator('.selected-text').first().boundingBox()
        const { x, y, width, height } = place ?? { x: 0, y: 0, width: 0, height: 0 }
        await page.mouse.move(x + width / 2, y - 40)
        await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 })
        await card.waitFor({ timeout: 3000 }).catch(() => undefined)
      }
      await card.waitFor()
      return card
    },
    squiggles: (severity = 'error') => editor.locator(`.squiggly-${severity}`),
    lens: title => page.locator('.codelens-decoration a').getByText(title, { exact: true }).first(),
    async showView(title) {
      const item = page.locator('.activitybar .action-item', {
        has: page.locator(`a[aria-label^="${title}"]`),
      })
      if (!(await item.getAttribute('class'))?.includes('checked')) await item.click()
      await page.locator('.sidebar .composite.title', { hasText: new RegExp(title, 'i') }).waitFor()
    },
    row: title => page.locator(`.sidebar .monaco-list-row[aria-label^="${title}"]`).first(),
    async terminalText() {
      const rows = await page.locator('.terminal-wrapper.active .xterm-rows').allInnerTexts()
      return rows.join('\n').replaceAll('\u00a0', ' ')
    },
    notification: words =>
      page.locator('.notifications-toasts .notification-list-item', { hasText: words }).first(),
    grid: () => page.frameLocator('iframe.webview.ready').last().frameLocator('iframe#active-frame'),
    async closeEditors() {
      await command('View: Close All Editors')
      await page.locator('.tab').first().waitFor({ state: 'detached' })
    },
    setTheme,
    shot,
    async shots(name) {
      for (const theme of allThemes) {
        await setTheme(theme)
        await shot(`${name}-${theme}`)
      }
      await setTheme('dark')
    },
    close,
  }
}
