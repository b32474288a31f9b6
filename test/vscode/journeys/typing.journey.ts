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
