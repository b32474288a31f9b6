/** Somebody writes: mistakes, completion, cards, renames, compiled SQL. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { journeysIn } from '../support/journey.ts'

const glossary = `terms:
  - name: Late flight
    description: A flight that leaves fifteen minutes or more after its time.
  - name: Delay
    description: Minutes between the planned and the true departure, below zero when early.
links:
  - {term: Delay, asset: route_days, column: delay_total}
`

const editor = journeysIn({ project: 'examples/flights', files: { 'glossary.yaml': glossary } })

function writeFive(): void {
  writeFileSync(
    join(editor.project, 'models', 'five.svc'),
    `name: five
ingest: none
transform: |
  SELECT
    f.orgin AS a,
    sum(f.destination) AS b,
    no_such(f.delay_minutes) AS c,
    f.departed_at + 'abc' AS d
  FROM {{ ref('flights') }} AS f
  JOIN {{ ref('airprots') }} AS p ON p.iata = f.origin
`,
  )
}

test('five mistakes in one file are five squiggles at once, five lines in the panel, a sum in the bar', async () => {
  const { page } = editor
  writeFive()
  await editor.openFile('models/five.svc')
  await expect.poll(() => editor.squiggles().count()).toBe(5)
  // The editor's own count of problems; svc adds none beside it.
  await page.locator('#status\\.problems', { hasText: '5' }).waitFor()
  await page.keyboard.press('Control+Shift+M')
  const problems = page.locator('.markers-panel .monaco-list-row')
  for (const words of ['"orgin"', '"destination" is VARCHAR', '"no_such"', '"abc"', '"airprots"'])
    await problems.filter({ hasText: words }).waitFor()
  const card = await editor.hoverOver('orgin')
  expect(await card.textContent()).toContain('did you mean "origin"?')
  await editor.shots('mistakes')
  await editor.picture('vscode-mistakes', { x: 352, y: 36, width: 900, height: 300 })
})

test('a mistake is repaired with one click', async () => {
  const { page } = editor
  writeFive()
  await editor.openFile('models/five.svc')
  await expect.poll(() => editor.squiggles().count()).toBe(5)
  await editor.cursorBehind('orgin')
  const fix = page.locator('.action-widget .monaco-list-row.action', { hasText: 'origin' }).first()
  await editor.pressUntil('Control+.', () => fix.isVisible())
  await editor.shot('quick-fix')
  await fix.click()
  await expect.poll(() => editor.squiggles().count()).toBe(4)
})

test('behind an alias exactly its columns are offered, and the chosen one is typed', async () => {
  const { page } = editor
  await editor.openFile('models/marts/daily_delays.svc')
  await editor.lens('Preview').waitFor()
  await editor.shots('lenses')
  await editor.cursorBehind('FROM days')
  await page.keyboard.type(' AS d WHERE d.')
  const list = page.locator('.suggest-widget.visible .monaco-list-row')
  await expect.poll(() => list.count()).toBeGreaterThan(0)
  const offered = await list.allInnerTexts()
  expect(offered.map(line => line.split(/\s/)[0]).sort()).toEqual([
    'delay_total',
    'flight_count',
    'flight_day',
    'late_count',
  ])
  await editor.shots('completion')
  await editor.picture('vscode-completion', { x: 352, y: 400, width: 760, height: 240 })
  await page.keyboard.type('flight_c')
  await page.keyboard.press('Tab')
  await page.locator('.view-lines', { hasText: 'd.flight_count' }).waitFor()
})

test('the card of an asset has its columns, the card of a column its type, origin and term', async () => {
  await editor.openFile('models/marts/daily_delays.svc')
  const asset = await editor.hoverOver('route_days')
  await expect.poll(() => asset.textContent()).toContain('flight_count')
  expect(await asset.textContent()).toContain('One row for each route and day')
  await editor.shots('card-of-asset')
  await editor.page.keyboard.press('Escape')
  const column = await editor.hoverOver('sum(delay_total')
  await expect.poll(() => column.textContent()).toContain('BIGINT')
  await expect
    .poll(() => column.textContent())
    .toContain('Minutes between the planned and the true departure')
  await editor.shots('card-of-column')
  await editor.picture('vscode-card', { x: 352, y: 88, width: 900, height: 280 })
  await editor.page.keyboard.press('Escape')
})

test('a column is renamed in all files, after a look at the preview', async () => {
  const { page } = editor
  await editor.openFile('models/staging/route_days.svc')
  await editor.cursorBehind('AS late_count')
  await page.keyboard.press('F2')
  const name = page.locator('.monaco-editor.rename-box input')
  await name.fill('delayed_count')
  await name.press('Control+Enter')
  const preview = page.locator('.panel')
  await preview.getByRole('button', { name: 'Apply' }).waitFor()
  for (const file of ['daily_delays.svc', 'airport_days.svc'])
    await preview.locator('.monaco-list-row', { hasText: file }).first().waitFor()
  await expect.poll(() => preview.locator('.monaco-list-row input:not(:checked)').count()).toBe(0)
  await editor.shot('rename-preview')
  await preview.getByRole('button', { name: 'Apply' }).click()
  const textOf = (path: string) => readFileSync(join(editor.project, 'models', path), 'utf8')
  await expect.poll(() => textOf('marts/daily_delays.svc')).toContain('sum(delayed_count)')
  await expect.poll(() => textOf('staging/route_days.svc')).toContain('AS delayed_count')
  await expect.poll(() => editor.squiggles().count()).toBe(0)
})

test('the compiled SQL stands beside its source and follows it', async () => {
  const { page } = editor
  await editor.openFile('models/marts/quake_watch.svc')
  await page.keyboard.press('Control+K')
  await page.keyboard.press('v')
  const compiled = page.locator('.editor-group-container', { hasText: 'quake_watch.compiled.sql' }).last()
  await compiled.locator('.view-line', { hasText: 'WHERE' }).waitFor()
  await expect.poll(() => compiled.locator('.view-lines').textContent()).toContain('150')
  await editor.shot('compiled-sql')
  await editor.picture('vscode-compiled-sql', { x: 352, y: 36, width: 1044, height: 470 })
  await editor.cursorBehind('count(*) AS quakes')
  await page.keyboard.type('_seen')
  await compiled.locator('.view-line', { hasText: 'quakes_seen' }).waitFor()
})
