/** Somebody looks at the lineage of a project in the editor, and runs from it. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { FrameLocator } from 'playwright-core'
import { expect, test } from 'vitest'
import { journeysIn } from '../support/journey.ts'

const cli = join(import.meta.dirname, '..', '..', '..', 'cli', 'bin', 'svc.cjs')

const editor = journeysIn({
  project: 'test/fixtures/shop',
  name: 'shop with lineage',
  prepare(project) {
    execFileSync(process.execPath, [cli, 'run'], { cwd: project, stdio: 'pipe' })
  },
})

/** The page of the lineage view that is shown. */
function lineage(): FrameLocator {
  return editor.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame')
}

/** Waits until the card of an asset is selected in the graph, which is a picture: what is read out says so. */
const isHeard = (name: string) =>
  lineage()
    .getByRole('application')
    .getByRole('img', { name: new RegExp(`^${name}, .* upstream`) })
    .waitFor({ state: 'attached' })

const item = (name: string) => lineage().getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })

async function open(): Promise<void> {
  await editor.command('SVC: Show Lineage')
  await item('daily_revenue').waitFor()
}

test('the lens Lineage shows the asset among what it reads and who reads it', async () => {
  await editor.openFile('models/daily_revenue.svc')
  await editor.lens('Lineage').click()
  // Beside the source the graph has the room, and its details and the list of assets are a click away.
  await lineage().getByRole('button', { name: 'Details of daily_revenue' }).waitFor()
  await isHeard('daily_revenue')
  await editor.shots('lineage')
  await lineage().getByRole('button', { name: 'Show the list of assets' }).click()
  await item('daily_revenue').waitFor()
  expect(await item('daily_revenue').getAttribute('aria-selected')).toBe('true')
  await lineage().getByRole('button', { name: 'Hide the list of assets' }).click()
  await editor.command('View: Close Primary Side Bar')
  await lineage().getByRole('button', { name: 'Fit graph' }).click()
  await editor.picture('vscode-lineage', { x: 46, y: 36, width: 1350, height: 830 })
})

test('Run opens a terminal, and the graph shows how far the run is', async () => {
  await open()
  await item('orders').click()
  editor.change('models/orders.svc', 'FROM {{ source }} AS o', 'FROM (SELECT * FROM {{ source }}) AS o')
  await lineage().getByRole('button', { name: '▶ Run' }).click()
  await expect.poll(() => editor.terminalText(), { timeout: 45_000 }).toContain('Deployed')
  await lineage()
    .getByText(/Run orders: .*deployed/i)
    .waitFor()
  await editor.shot('lineage-run')
})

test('what is shown is there again after a reload of the window', async () => {
  await open()
  await item('orders').click()
  await lineage().getByRole('tab', { name: 'Code' }).click()
  await editor.command('Developer: Reload Window')
  await lineage().getByRole('heading', { name: 'orders' }).waitFor()
  await expect
    .poll(() => lineage().getByRole('tab', { name: 'Code' }).getAttribute('aria-selected'))
    .toBe('true')
})

test('it goes to the asset of the file that is edited, and back to the file', async () => {
  await open()
  await item('orders').click()
  await lineage().getByRole('button', { name: 'models/orders.svc' }).click()
  await editor.page.locator('.tab.active[data-resource-name="orders.svc"]').waitFor()
  await editor.openFile('models/daily_revenue.svc')
  await isHeard('daily_revenue')
})
