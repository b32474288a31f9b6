/** Somebody opens an empty folder and begins. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type EditorWindow, openWindow } from '../support/window.ts'

let editor: EditorWindow

beforeAll(async () => {
  editor = await openWindow({})
})

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await editor.shot(`failed ${task.name}`)
  expect(editor.errors).toEqual([])
})

afterAll(async () => {
  await editor.close()
})

test('the view of an empty folder says what to do, and does it', async () => {
  const { page } = editor
  await editor.showView('SVC')
  const welcome = page.locator('.sidebar .welcome-view-content', { hasText: 'There is no project here' })
  await welcome.waitFor()
  await editor.shots('welcome')
  await welcome.getByRole('button', { name: 'Set Up a Project' }).click()
  await page.locator('.tab.active[data-resource-name="svc.yaml"]').waitFor()
  expect(existsSync(join(editor.project, 'svc.yaml'))).toBe(true)
  await page.locator('.statusbar-item', { hasText: /^ ?dev$/ }).waitFor()
})

test('a new asset is asked for its name, and whole assets are offered in it', async () => {
  const { page } = editor
  await editor.command('SVC: New Asset…')
  const input = page.locator('.quick-input-widget input').first()
  await page.locator('.quick-input-title', { hasText: 'Name of the new asset' }).waitFor()
  await input.fill('Not a name')
  await page.locator('.quick-input-message', { hasText: 'Small letters' }).waitFor()
  await input.fill('first_one')
  await page.keyboard.press('Enter')
  await page.locator('.tab.active[data-resource-name="first_one.svc"]').waitFor()
  await editor.row('first_one').waitFor()
  const file = readFileSync(join(editor.project, 'models', 'first_one.svc'), 'utf8')
  expect(file).toContain('first_one')
  await page.locator('.editor-group-container.active .view-lines').first().click()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await page.keyboard.type('asset')
  const list = page.locator('.suggest-widget.visible .monaco-list-row')
  await list.filter({ hasText: 'asset' }).first().waitFor()
  await editor.shot('snippets')
  await page.keyboard.press('Escape')
  await editor.command('File: Revert File')
})

test('the walkthrough shows the way', async () => {
  const { page } = editor
  await editor.closeEditors()
  await editor.command('SVC: Get Started')
  const steps = page.locator('.getting-started-step')
  await steps.first().waitFor()
  expect(await steps.count()).toBe(5)
  await editor.shots('walkthrough')
  for (const title of ['Write an asset', 'See every mistake', 'Run it', 'Look at the rows']) {
    await steps.filter({ hasText: title }).click()
    await page.locator('.getting-started-step.expanded', { hasText: title }).waitFor()
    await editor.shot(`walkthrough ${title}`.toLowerCase().replaceAll(' ', '-'))
  }
})
