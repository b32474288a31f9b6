/** Somebody lets a language model of the editor work for svc: it repairs a mistake. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { journeysIn } from '../support/journey.ts'

const editor = journeysIn({
  project: 'test/fixtures/shop',
  settings: { 'chat.disableAIFeatures': false },
  beside: 'test/vscode/support/fake-model',
})

const file = 'models/daily_revenue.svc'
const written = () => readFileSync(join(editor.project, file), 'utf8')

test('a mistake is repaired by a model: shown as a difference, written after a yes', async () => {
  const { page } = editor
  editor.change(file, 'sum(amount) AS revenue', 'sum(amuont) AS revenue')
  await editor.openFile(file)
  await editor.squiggles().first().waitFor()
  await editor.cursorBehind('sum(amu')
  const fix = page.locator('.action-widget [role=option]', { hasText: 'Fix with AI' }).first()
  await editor.pressUntil('Control+.', () => fix.isVisible())
  await fix.click()
  const proposed = page.locator('.tab.active', { hasText: '(proposed)' })
  await proposed.waitFor()
  await editor.shots('ai-proposed')
  expect(written()).toContain('sum(amuont)')
  await page.getByRole('button', { name: /^Apply Proposed Change/ }).click()
  await expect.poll(written).toContain('sum(amount) AS revenue')
  await proposed.waitFor({ state: 'hidden' })
  await expect.poll(() => editor.squiggles().count()).toBe(0)
})
