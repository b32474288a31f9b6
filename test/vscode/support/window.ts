/**
 * A window of a real VS Code with the packed extension installed and a copy of a project open, driven as a person drives
 * it: by mouse, keys and what is on the screen.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type FrameLocator, type Locator, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { chromiumOptions, startCodeServer } from '../../../scripts/code-server.mjs'
import { prepareEditor } from '../../../scripts/editor-tools.mjs'
import { copyProject, type ProjectCopy, type ProjectOptions } from './project-copy.ts'
import { stillSettings } from './still.mjs'

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
/** A key that is pressed while the focus moves goes nowhere: after that time it is pressed again. */
const keyMs = 1500

/** Pictures take time, and are taken to be looked at: `SVC_SHOTS=1`. */
const takesPictures = process.env['SVC_SHOTS'] !== undefined
const shotsFolder = join(root, '.tools', 'shots')

export interface WindowOptions extends ProjectOptions {
  /** What is done with the copy before it is opened. */
  readonly prepare?: (project: string) => void
  readonly settings?: Readonly<Record<string, unknown>>
  /** On top of the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>
  /** Another extension that is there too: its folder, relative to the root of the repository. */
  readonly beside?: string
  /** What the folder of its settings and extensions is called. Short, as sockets live in it. */
  readonly profile?: string
}

export interface EditorWindow {
  readonly page: Page
  /** The copy of the project that is open. */
  readonly project: string
  /** Changes a file of the copy on the disk. */
  change(path: string, old: string, text: string): void
  /** As it was in the beginning, but for what was run: files of the project, editors, panel, notifications. */
  reset(): Promise<void>
  /** What the browser's console says against this extension. */
  readonly errors: readonly string[]
  /** Opens a file by its path in the project. */
  openFile(path: string): Promise<void>
  /** Runs a command of the palette by its title. */
  command(title: string): Promise<void>
  /** Puts the cursor behind the first place of a text in the open editor. */
  cursorBehind(text: string): Promise<void>
  /** Presses a key until what it brings is there: a person presses again where the window was busy. */
  pressUntil(key: string, isDone: () => Promise<boolean>): Promise<void>
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
  hidePanel(): Promise<void>
  setTheme(theme: Theme): Promise<void>
  /** With `SVC_SHOTS`: a picture in .tools/shots, to be looked at. */
  shot(name: string): Promise<void>
  /** One picture a theme. */
  shots(name: string): Promise<void>
  /** With `SVC_SHOTS`: a picture of a part of the window, for the documentation. */
  picture(name: string, part: Part): Promise<void>
  /** What a person who looks for the cause of a failure needs: a picture and the logs. */
  keepTraces(name: string): Promise<void>
  close(): Promise<void>
}

/** In CSS pixels; a window has 1400 × 900. */
export interface Part {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Opened {
  readonly page: Page
  readonly copy: ProjectCopy
  readonly errors: readonly string[]
  logs(): string
  close(): Promise<void>
}

export async function openWindow(options: WindowOptions): Promise<EditorWindow> {
  const prepared = prepareEditor({ browser: true })
  if ('missing' in prepared) throw new Error(prepared.missing)
  const { tools } = prepared
  const folder = mkdtempSync(join(tmpdir(), 'svc-w-'))
  const copy = copyProject(root, join(folder, 'p'), options)
  options.prepare?.(copy.folder)
  const server = await startCodeServer({
    tools,
    folder: join(folder, options.profile ?? 's'),
    vsix: packedExtension(),
    settings: { ...themeSettings, ...stillSettings, ...options.settings },
    ...(options.env !== undefined && { env: options.env }),
    // Without it a built workbench takes no extension from a folder.
    ...(options.beside !== undefined && { flags: ['--vscode-option', 'enable-smoke-test-driver'] }),
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
    await page.goto(addressOf(server, copy.folder, options.beside))
    await page.locator('.monaco-workbench .statusbar').waitFor()
    return windowOf({ page, copy, errors, logs: () => server.logs(), close })
  } catch (error) {
    await close()
    throw error
  }
}

function addressOf({ url, port }: { url: string; port: number }, folder: string, beside?: string): string {
  const address = new URL(url)
  address.searchParams.set('folder', folder)
  if (beside !== undefined) {
    const place = `vscode-remote://127.0.0.1:${port}${join(root, beside)}`
    address.searchParams.set('payload', JSON.stringify([['extensionDevelopmentPath', place]]))
  }
  return address.href
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

function windowOf({ page, copy, errors, logs, close }: Opened): EditorWindow {
  const editor = page.locator('.editor-group-container.active .monaco-editor[data-uri]').first()
  const quickInput = page.locator('.quick-input-widget input').first()
  const tabs = page.locator('.editor-group-container .tab')
  const panel = page.locator('.part.panel')

  async function quickInputBy(key: string): Promise<void> {
    await pressUntil(key, () => quickInput.isVisible())
  }

  /** Opens the box by its key and types: again where it closes meanwhile, because a view took the focus. */
  async function ask(key: string, text: string): Promise<void> {
    for (const deadline = Date.now() + patienceMs; ; ) {
      await quickInputBy(key)
      const isTyped = await quickInput.fill(text, { timeout: keyMs }).then(
        () => true,
        () => false,
      )
      if (isTyped) return
      if (Date.now() > deadline) throw new Error(`the box of ${key} does not stay open`)
    }
  }

  async function pressUntil(key: string, isDone: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + patienceMs; ; ) {
      await page.keyboard.press(key)
      const isIt = await expect
        .poll(isDone, { timeout: keyMs })
        .toBe(true)
        .then(
          () => true,
          () => false,
        )
      if (isIt) return
      if (Date.now() > deadline) throw new Error(`${key} does nothing`)
    }
  }

  /** Asks the palette again where it lost what was typed, or did not know the command yet. */
  async function command(title: string): Promise<void> {
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first()
    for (let attempt = 0; attempt < 5; attempt++) {
      await ask('F1', `>${title}`)
      const isOffered = await row.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      )
      if (isOffered) break
      await page.keyboard.press('Escape')
    }
    await row.click()
  }

  async function openFile(path: string): Promise<void> {
    const name = path.split('/').at(-1) ?? path
    const tab = page.locator(`.tab.active[data-resource-name="${name}"]`)
    const row = page.locator(`.quick-input-list .monaco-list-row.focused[aria-label^="${name}"]`)
    const nothing = page.locator('.quick-input-list', { hasText: 'No matching results' })
    // A file that is quite new may not be in the list yet, which is made when the box is opened.
    for (let attempt = 0; attempt < 10 && !(await row.isVisible()); attempt++) {
      await page.keyboard.press('Escape')
      // Quotes: the path as it is, not files whose paths have these letters in this order.
      await ask('Control+P', `"${path}"`)
      await row.or(nothing).first().waitFor()
    }
    await row.waitFor()
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

  async function closeEditors(): Promise<void> {
    if ((await tabs.count()) === 0) return
    await command('View: Close All Editors')
    const throwAway = page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" })
    await expect
      .poll(
        async () => {
          if (await throwAway.isVisible()) await throwAway.click()
          return tabs.count()
        },
        { timeout: patienceMs },
      )
      .toBe(0)
  }

  async function hidePanel(): Promise<void> {
    if (await panel.isVisible()) await pressUntil('Control+J', async () => !(await panel.isVisible()))
  }

  async function setTheme(theme: Theme): Promise<void> {
    const { mark, ...media } = themes[theme]
    await page.emulateMedia(media)
    await page.locator(`.monaco-workbench.${mark}`).waitFor()
  }

  async function shot(name: string, clip?: Part): Promise<void> {
    if (!takesPictures) return
    mkdirSync(shotsFolder, { recursive: true })
    // What moves is waited for: a picture is of what stays.
    const path = join(shotsFolder, `${name}.png`)
    await page.screenshot({ path, animations: 'disabled', ...(clip !== undefined && { clip }) })
  }

  return {
    page,
    project: copy.folder,
    errors,
    command,
    pressUntil,
    openFile,
    closeEditors,
    hidePanel,
    change: copy.change,
    async reset() {
      copy.restore()
      await page.keyboard.press('Escape')
      await closeEditors()
      await hidePanel()
      if (await page.locator('.notifications-toasts .notification-list-item').first().isVisible())
        await command('Notifications: Clear All Notifications')
    },
    async cursorBehind(text) {
      await find(text)
      await page.keyboard.press('ArrowRight')
    },
    async hoverOver(text) {
      await find(text)
      const card = page.locator('.monaco-hover:not(.hidden)', { hasText: /\S/ }).first()
      // The editor shows nothing while it still draws: the mouse comes again, from the empty end of the line.
      for (let attempt = 0; attempt < 10 && !(await card.isVisible()); attempt++) {
        const place = await editor.locator('.selected-text').first().boundingBox()
        const { x, y, width, height } = place ?? { x: 0, y: 0, width: 0, height: 0 }
        await page.mouse.move(x + width + 600, y + height / 2)
        await page.mouse.move(x + width / 2, y + height / 2)
        await page.mouse.move(x + width / 2 + 1, y + height / 2)
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
    setTheme,
    shot,
    async shots(name) {
      if (!takesPictures) return
      for (const theme of allThemes) {
        await setTheme(theme)
        await shot(`${name}-${theme}`)
      }
      await setTheme('dark')
    },
    picture: (name, part) => shot(`docs ${name}`, part),
    async keepTraces(name) {
      mkdirSync(shotsFolder, { recursive: true })
      const path = join(shotsFolder, `failed ${name.replaceAll(/[^\w ,-]/g, '_')}`)
      await page.screenshot({ path: `${path}.png` })
      writeFileSync(`${path}.log`, logs())
    },
    close,
  }
}
