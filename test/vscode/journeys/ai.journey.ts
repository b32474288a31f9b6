/** Somebody lets a language model of the editor work for svc: it repairs a mistake. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clickUntil } from '../support/click-until.ts'
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

test('the chat answers a question to svc about an asset', async () => {
  const { page } = editor
  await editor.command('Chat: Open Chat')
  const session = page.locator('.interactive-session')
  await session.locator('.chat-editor-container .monaco-editor').first().click()
  // The editor asks for models when somebody wants to choose one.
  const chosen = session.getByText('Fake 1')
  const offered = page.locator('.action-widget').getByText('Fake 1')
  await clickUntil(session.getByText('Models', { exact: true }).or(chosen), offered)
  await offered.click()
  await chosen.waitFor()
  await session.locator('.chat-editor-container .monaco-editor').first().click()
  await page.keyboard.type('@svc /explain daily_revenue')
  await page.keyboard.press('Enter')
  await page.locator('.interactive-response', { hasText: 'The revenue of the shop.' }).waitFor()
  await editor.shots('ai-chat')
})
