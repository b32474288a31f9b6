/**
 * Somebody runs things, in a folder with an unlikely name and with no `node` on the path: from lenses, menus, trees and
 * the palette, and looks at what came of it.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clickUntil } from '../support/click-until.ts'
import { journeysIn } from '../support/journey.ts'

const glossary = `terms:
  - {name: Revenue, description: What was paid for orders that are paid or shipped.}
metrics:
  - name: Revenue of a day
    sql_definition: SELECT sum(revenue) FROM {{ ref('daily_revenue') }}
policies:
  - {name: No people in reports, rule: Reports never show who a customer is., applies_to: [daily_revenue]}
links:
  - {term: Revenue, asset: daily_revenue, column: revenue}
`

const cli = join(import.meta.dirname, '..', '..', '..', 'cli', 'bin', 'svc.cjs')

const editor = journeysIn({
  project: 'test/fixtures/shop',
  name: `it's a "shop" & more`,
  files: { 'glossary.yaml': glossary },
  env: { PATH: '/nowhere' },
  // Every test finds a project that was run; what other tests have run does not matter to it.
  prepare(project) {
    for (const words of [['run'], ['run', '+daily_revenue']])
      execFileSync(process.execPath, [cli, ...words], { cwd: project, stdio: 'pipe' })
  },
})

async function terminalSays(words: string): Promise<void> {
  await expect.poll(() => editor.terminalText(), { timeout: 45_000 }).toContain(words)
}

async function openMenu(row: string): Promise<void> {
  const entries = editor.page.locator('.monaco-menu .action-item:visible')
  await clickUntil(editor.row(row), entries.first(), { button: 'right' })
}

async function choose(title: string): Promise<void> {
  const item = editor.page.locator('.monaco-menu .action-item:visible', {
    has: editor.page.getByText(title, { exact: true }),
  })
  await item.last().hover()
  // The editor ignores a click in the moment in which a menu comes up.
  await editor.page.locator('.monaco-menu .action-item.focused', { hasText: title }).last().waitFor()
  await editor.page.keyboard.press('Enter')
  await editor.page.locator('.monaco-menu-container').waitFor({ state: 'hidden' })
}

/** A row that is drawn anew under its menu loses what was chosen, and a person then chooses again. */
async function chooseUntilAsked(row: string, title: string): Promise<void> {
  const dialog = editor.page.locator('.monaco-dialog-box')
  for (let attempt = 0; attempt < 3; attempt++) {
    await openMenu(row)
    await choose(title)
    const isThere = await dialog.waitFor({ timeout: 8000 }).then(
      () => true,
      () => false,
    )
    if (isThere) return
  }
}

async function confirm(button: string): Promise<string> {
  const dialog = editor.page.locator('.monaco-dialog-box')
  await dialog.waitFor()
  const text = await dialog.textContent()
  await dialog.getByRole('button', { name: button, exact: true }).click()
  return text ?? ''
}

/** Ends when the grid shows rows, or fails with what it shows instead. */
async function showRows(asset: string): Promise<void> {
  const row = editor.row(asset)
  const tab = editor.page.locator('.tab', { has: editor.page.getByText(asset, { exact: true }) })
  await clickUntil(row.getByRole('button', { name: 'Show Rows' }), tab.first(), { row })
  const body = editor.grid().locator('body')
  const ends = body.locator('tbody tr, #refusal:not(:empty)').first()
  const isShown = await ends.waitFor({ timeout: 20_000 }).then(
    async () => (await body.locator('tbody tr').count()) > 0,
    () => false,
  )
  expect(isShown || (await body.textContent({ timeout: 2000 }))).toBe(true)
}

test('the first run that fails leads to the asset that did it', async () => {
  await editor.showView('SVC')
  await editor.row('daily_revenue').waitFor()
  editor.change('models/orders.svc', 'row_count: {min: 1}', 'row_count: {min: 1000}')
  await editor.command('SVC: Run All Assets')
  const told = editor.notification('svc run failed')
  await told.waitFor()
  expect(await told.textContent()).toContain('row_count')
  await terminalSays('Nothing was promoted')
  await terminalSays('exit code: 1')
  await editor.shot('run-failed')
  await told.getByRole('button', { name: 'Open Asset' }).click()
  await editor.page.locator('.tab.active[data-resource-name="orders.svc"]').waitFor()
  await editor.page.locator('.statusbar', { hasText: 'Ln 23' }).waitFor()
  await editor.row('orders').and(editor.page.locator('[aria-label$=", Failed"]')).waitFor()
})

test('the lens runs the asset in a coloured terminal, and trees and status bar know it', async () => {
  const { page } = editor
  await editor.showView('SVC')
  await editor.openFile('models/daily_revenue.svc')
  const before = await page.locator('.sidebar [aria-label^="run +daily_revenue"]').count()
  await editor.command('SVC: Run with Upstreams')
  await terminalSays('4 assets checked')
  await expect.poll(() => coloursOfTerminal()).toBeGreaterThan(0)
  await expect
    .poll(() => page.locator('.sidebar [aria-label^="run +daily_revenue"]').count())
    .toBe(before + 1)
  await editor.row('daily_revenue').and(page.locator('[aria-label$=", Deployed"]')).waitFor()
  await editor.shots('trees')
  await editor.picture('editor', { x: 0, y: 0, width: 1400, height: 900 })
})

/** A terminal gives a text of each of the sixteen colours a class of its own. */
async function coloursOfTerminal(): Promise<number> {
  const spans = editor.page.locator('.terminal-wrapper.active .xterm-rows span[class*="xterm-fg-"]')
  const classes = await spans.evaluateAll(found => found.map(span => span.className))
  return new Set(classes.flatMap(names => names.match(/xterm-fg-\d+/) ?? [])).size
}

test('rows of an asset are shown in a grid that sorts and filters', async () => {
  await editor.showView('SVC')
  await showRows('customers')
  const grid = editor.grid()
  expect(await grid.locator('tbody tr').count()).toBe(8)
  expect(await grid.locator('thead').textContent()).toContain('varchar')
  // Personal data is masked, NULL is told apart from an empty text.
  expect(await grid.locator('tbody').textContent()).not.toContain('ada@example.com')
  await grid.getByRole('button', { name: 'name' }).click()
  await grid.getByRole('button', { name: 'name' }).click()
  expect(await grid.locator('tbody tr').first().textContent()).toContain('Hugo')
  await grid.getByLabel('Filter').fill('fr')
  await expect.poll(() => grid.locator('tbody tr').count()).toBe(2)
  await editor.shots('grid')
})

test('the query under the cursor is shown as it stands in the editor, unsaved', async () => {
  const { page } = editor
  writeFileSync(
    join(editor.project, 'models', 'best.svc'),
    `name: best
ingest: none
transform: |
  WITH paid AS (
    SELECT order_id, amount
    FROM {{ ref('orders') }}
    WHERE status = 'paid'
  )
  SELECT max(amount) AS highest FROM paid
`,
  )
  await editor.openFile('models/best.svc')
  await editor.cursorBehind("status = 'paid'")
  await page.keyboard.type(' AND amount > 100')
  await page.keyboard.press('Control+Enter')
  const grid = editor.grid()
  await grid.locator('th', { hasText: 'order_id' }).waitFor()
  expect(await grid.locator('#title').textContent()).toBe('best: paid')
  const amounts = await grid.locator('tbody td[data-column="amount"]').allTextContents()
  expect(amounts.length).toBeGreaterThan(0)
  expect(amounts.every(amount => Number(amount) > 100)).toBe(true)
  await editor.shot('grid-of-cte')
  await editor.picture('vscode-grid', { x: 352, y: 36, width: 1044, height: 280 })
  await page.keyboard.press('Control+1')
  await editor.cursorBehind('AS highest')
  await page.keyboard.press('Control+Enter')
  await editor.grid().locator('th', { hasText: 'highest' }).waitFor()
  expect(await editor.grid().locator('#title').textContent()).toBe('best (query)')
})

test('a preview from the explorer is promoted from the list of runs, and rolled back from a lens', async () => {
  const { page } = editor
  editor.change('models/daily_revenue.svc', 'count(*) AS orders', 'count(*) AS order_count')
  await editor.showView('Explorer')
  if (!(await editor.row('daily_revenue.svc').isVisible())) await editor.row('models').click()
  await openMenu('daily_revenue.svc')
  await page.locator('.monaco-menu .action-item:visible', { hasText: 'SVC' }).first().hover()
  await choose('Preview (Build without Promoting)')
  await editor.showView('SVC')
  const preview = editor.row('preview daily_revenue, deployed')
  const dialog = page.locator('.monaco-dialog-box')
  await clickUntil(preview.getByRole('button', { name: 'Promote a Preview…' }), dialog, { row: preview })
  expect(await confirm('Promote')).toContain('daily_revenue')
  await editor.row('promote').waitFor()
  await editor.openFile('models/daily_revenue.svc')
  await editor.command('SVC: Roll Back…')
  expect(await confirm('Roll Back')).toContain('in dev')
  await editor.row('rollback daily_revenue').waitFor()
})

test('a lens previews an asset, and then there is one that promotes the preview', async () => {
  editor.change('models/daily_revenue.svc', 'count(*) AS orders', 'count(*) AS how_many')
  await editor.showView('SVC')
  await editor.openFile('models/daily_revenue.svc')
  await editor.lens('Preview').click()
  await terminalSays('Promote: svc promote')
  await editor.lens('Promote preview').waitFor()
  await editor.shot('promote-lens')
  await editor.lens('Promote preview').click()
  expect(await confirm('Promote')).toContain('daily_revenue')
  await editor.row('promote daily_revenue').waitFor()
  await editor.lens('Promote preview').waitFor({ state: 'detached' })
})

test('the title of the editor and the tree run, test and plan too', async () => {
  const { page } = editor
  await editor.openFile('models/orders.svc')
  await page.getByRole('button', { name: 'Run or Debug...' }).click()
  await choose('Run with Downstreams')
  await terminalSays('Run ')
  await editor.showView('SVC')
  await editor.row('run orders+').waitFor()
  await openMenu('orders')
  await choose('Test')
  await terminalSays('5 passed')
  await openMenu('orders')
  await choose('Plan')
  await terminalSays('as deployed')
})

test('a run of the list is done again, and gone back to', async () => {
  editor.change('models/daily_revenue.svc', 'count(*) AS orders', 'count(*) AS order_count')
  await editor.showView('SVC')
  await openMenu('run +daily_revenue')
  await choose('Run Again')
  await terminalSays('Deployed')
  await chooseUntilAsked('run all, deployed', 'Roll Back to This Run…')
  expect(await confirm('Roll Back')).toContain('all assets of dev')
  await editor.row('rollback all').waitFor()
})

test('the environment is picked in the status bar, and prod is confirmed', async () => {
  const { page } = editor
  await page.locator('.statusbar-item', { hasText: /^ ?dev$/ }).click()
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'prod' }).click()
  await page.locator('.statusbar-item', { hasText: /^ ?prod$/ }).waitFor()
  await editor.command('SVC: Run All Assets')
  expect(await confirm('Cancel')).toContain('in prod')
  expect(existsSync(join(editor.project, '.svc', 'prod'))).toBe(false)
  await page.locator('.statusbar-item', { hasText: /^ ?prod$/ }).click()
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'dev' }).click()
})

test('the glossary is a tree that leads to its columns', async () => {
  const { page } = editor
  await editor.showView('SVC')
  await page.locator('.pane-header', { hasText: 'Glossary' }).click()
  await clickUntil(editor.row('Revenue'), page.locator('.tab.active[data-resource-name="glossary.yaml"]'))
  await editor.row('Revenue').locator('.monaco-tl-twistie').click()
  const asset = page.locator('.tab.active[data-resource-name="daily_revenue.svc"]')
  await clickUntil(editor.row('daily_revenue.revenue'), asset)
  await editor.shot('glossary')
  await page.locator('.pane-header', { hasText: 'Glossary' }).click()
})

test('failing tests show their rows, and unit tests the cells that differ', async () => {
  const { page } = editor
  editor.change('models/orders.svc', 'amount: 15}]', 'amount: 16}]')
  editor.change('models/orders.svc', '[new, paid, shipped, cancelled]', '[new, paid, shipped]')
  await editor.openFile('models/orders.svc')
  await editor.showView('Testing')
  const summary = page.locator('.sidebar .result-summary')
  const orders = editor.row('orders')
  const failed = summary.filter({ hasText: '3/5' })
  await clickUntil(orders.getByRole('button', { name: 'Run Test' }), failed, { row: orders, waitMs: 20_000 })
  const results = page.locator('.panel .monaco-list-row[role="treeitem"]')
  const lines = page.locator('.panel .view-lines')
  const sides = page.locator('.panel .monaco-diff-editor .view-lines')
  await clickUntil(
    results.filter({ hasText: 'accepted_values_status' }),
    lines.filter({ hasText: 'cancelled' }).first(),
  )
  await clickUntil(
    results.filter({ hasText: 'amount_adds_up_the_lines' }),
    sides.filter({ hasText: '16' }).first(),
  )
  await expect.poll(() => sides.first().textContent()).toContain('16')
  await expect.poll(() => sides.last().textContent()).toContain('15')
  await editor.row('orders').click()
  await editor.shots('test-explorer')
  await editor.picture('vscode-tests', { x: 46, y: 36, width: 1350, height: 830 })
})

test('settings hold at once: what asks, what is told, how much is shown', async () => {
  const settings = {
    'svc.confirmEnvironments': ['dev'],
    'svc.notifyOnSuccess': true,
    'svc.sample.limit': 3,
  }
  mkdirSync(join(editor.project, '.vscode'), { recursive: true })
  writeFileSync(join(editor.project, '.vscode', 'settings.json'), JSON.stringify(settings))
  await editor.showView('SVC')
  await expect
    .poll(
      async () => {
        await showRows('customers')
        return editor.grid().locator('tbody tr').count()
      },
      { timeout: 90_000 },
    )
    .toBe(3)
  await editor.grid().locator('#status', { hasText: 'there may be more' }).waitFor()
  await editor.command('SVC: Run All Assets')
  expect(await confirm('Run')).toContain('svc run')
  await editor.notification('svc run --env dev is done.').waitFor()
})

test('the status bar shows what runs, and leads to its terminal', async () => {
  const { page } = editor
  const waiting: ServerResponse[] = []
  const server = createServer((_, response) => waiting.push(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  writeFileSync(
    join(editor.project, 'models', 'slow.svc'),
    `name: slow
ingest: {type: rest_api, endpoint: 'http://127.0.0.1:${port}', resource: rows}
contract: {columns: {id: {type: bigint}}}
transform: SELECT id FROM {{ source }}
`,
  )
  await editor.showView('SVC')
  const item = page.locator('.statusbar-item', { hasText: 'svc run slow' })
  const slow = editor.row('slow')
  await clickUntil(slow.getByRole('button', { name: 'Run', exact: true }), item, { row: slow })
  await expect.poll(() => waiting.length).toBeGreaterThan(0)
  await editor.hidePanel()
  await item.click()
  await terminalSays('slow')
  await editor.shot('running')
  for (const response of waiting)
    response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id": 1}]')
  await item.waitFor({ state: 'detached' })
  await editor.row('slow, source, Deployed').waitFor()
  server.closeAllConnections()
  server.close()
})

test('the status bar shows who else holds the environment, and a run that must not begin says so too', async () => {
  const { page } = editor
  const lease = join(editor.project, 'warehouse.duckdb.shop.dev.lease')
  const since = new Date().toISOString()
  const holder = { runId: '06fcecn88e', command: 'run', user: 'ada', host: 'mill', pid: 4711, since }
  writeFileSync(lease, JSON.stringify({ holder, token: '0badcafe' }))
  const item = page.locator('.statusbar-item', { hasText: 'svc run by ada' })
  await item.waitFor()
  await editor.command('SVC: Run All Assets')
  await editor.notification('svc run failed').waitFor()
  await terminalSays('ada')
  rmSync(lease)
  await item.waitFor({ state: 'detached' })
})

test('the output has the commands, and what it says follows its log level', async () => {
  const { page } = editor
  await editor.command('Developer: Set Log Level')
  const choice = (title: string) =>
    page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first()
  await choice('SVC').click()
  await choice('Debug').click()
  await editor.command('SVC: Validate All Files')
  await terminalSays('6 passed')
  await editor.showView('SVC')
  await showRows('products')
  await editor.command('SVC: Show Output')
  const output = page.locator('.panel .view-lines')
  await expect.poll(() => output.textContent()).toMatch(/\[info\]\ssvc\svalidate:\sexit\scode\s0/)
  await expect.poll(() => output.textContent()).toMatch(/\[debug\]\ssvc\ssample\sproducts/)
})

test('a language server that stops answering is started again after ten seconds, and that is said', async () => {
  await editor.openFile('models/orders.svc')
  await expect.poll(languageServers).toHaveLength(1)
  const [silent = 0] = await languageServers()
  process.kill(silent, 'SIGSTOP')
  await editor.cursorBehind('o.status')
  await editor.page.keyboard.type('s')
  await editor.notification('did not answer for ten seconds and is started again').waitFor()
  await expect.poll(languageServers).not.toContain(silent)
  await expect.poll(languageServers).toHaveLength(1)
  await expect.poll(() => editor.squiggles().count()).toBeGreaterThan(0)
})

/** Process ids of the servers of this window: their program lies in its folder of extensions. */
async function languageServers(): Promise<readonly number[]> {
  const window = join(editor.project, '..', '..')
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n')
  const own = lines.filter(line => line.includes(window) && line.includes('lsp --stdio'))
  return own.map(line => Number(line.trim().split(' ')[0]))
}
