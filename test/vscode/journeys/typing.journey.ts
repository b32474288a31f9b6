import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EditorWindow, openWindow } from '../support/window.ts'

let editor: EditorWindow

beforeAll(async () => {
  editor = await openWindow({ project: 'examples/flights' })
})

afterAll(async () => {
  await editor.close()
})

test('five mistakes in one file are five squiggles at once', async () => {
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
  await editor.openFile('models/five.svc')
  await expect.poll(() => editor.squiggles().count(), { timeout: 30_000 }).toBe(5)
  await editor.shot('five-mistakes')
})

test('behind an alias exactly its columns are offered, and the chosen one is typed', async () => {
  const { page } = editor
  await editor.openFile('models/marts/daily_delays.svc')
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
  await editor.shot('completion')
  await page.keyboard.type('flight_c')
  await page.keyboard.press('Tab')
  await page.locator('.view-lines', { hasText: 'd.flight_count' }).waitFor()
  for (let undone = 0; undone < 4; undone++) await page.keyboard.press('Control+Z')
})
