/** Somebody opens an empty folder and begins. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startRestServer } from '../../support/rest-server.ts'
import { journeysIn } from '../support/journey.ts'

const editor = journeysIn({})

test('the view of an empty folder and the walkthrough say what to do, and do it', async () => {
  const { page, project } = editor
  await editor.showView('SVC')
  await page.locator('.sidebar .welcome-view-content', { hasText: 'There is no project here' }).waitFor()
  await page.locator('.statusbar-item', { hasText: 'Activating' }).waitFor({ state: 'detached' })
  await editor.shots('welcome')
  await editor.command('SVC: Get Started')
  const steps = page.locator('.getting-started-step')
  await steps.first().waitFor()
  expect(await steps.count()).toBe(5)
  await editor.shots('walkthrough')
  for (const title of [
    'Write an asset',
    'See every mistake',
    'Run it',
    'Look at the rows',
    'Set up a project',
  ]) {
    await steps.filter({ hasText: title }).click()
    await page.locator('.getting-started-step.expanded', { hasText: title }).waitFor()
    await page
      .frameLocator('iframe.webview.ready')
      .frameLocator('iframe#active-frame')
      .locator('svg')
      .waitFor()
    await editor.shot(`walkthrough ${title}`.toLowerCase().replaceAll(' ', '-'))
  }
  await steps.getByRole('button', { name: 'Set Up a Project' }).click()
  await page.locator('.tab.active[data-resource-name="svc.yaml"]').waitFor()
  expect(existsSync(join(project, 'svc.yaml'))).toBe(true)
  await page.locator('.statusbar-item', { hasText: /^ ?dev$/ }).waitFor()
  await editor.command('SVC: Get Started')
  await steps
    .filter({ hasText: 'Set up a project' })
    .locator('.codicon-getting-started-step-checked.complete')
    .waitFor()
})

test('a new asset is asked for its name, and whole assets are offered in it', async () => {
  const { page, project } = editor
  await editor.showView('SVC')
  if (!existsSync(join(project, 'svc.yaml')))
    await page.locator('.sidebar').getByRole('button', { name: 'Set Up a Project' }).click()
  await page.locator('.statusbar-item', { hasText: /^ ?dev$/ }).waitFor()
  await editor.command('SVC: New Asset…')
  const input = page.locator('.quick-input-widget input').first()
  await page.locator('.quick-input-title', { hasText: 'Name of the new asset' }).waitFor()
  await input.fill('Not a name')
  await page.locator('.quick-input-message', { hasText: 'Small letters' }).waitFor()
  await input.fill('first_one')
  await page.keyboard.press('Enter')
  await page.locator('.tab.active[data-resource-name="first_one.svc"]').waitFor()
  await editor.row('first_one').waitFor()
  const file = readFileSync(join(project, 'models', 'first_one.svc'), 'utf8')
  expect(file).toContain('first_one')
  await page.locator('.editor-group-container.active .view-lines').first().click()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await page.keyboard.type('asset')
  const list = page.locator('.suggest-widget.visible .monaco-list-row')
  await list.filter({ hasText: 'API source' }).first().waitFor()
  await editor.shot('snippets')
  await page.keyboard.press('Escape')
})

test('a file is picked as the source of a new asset', async () => {
  const { page, project } = editor
  mkdirSync(join(project, 'data'), { recursive: true })
  writeFileSync(join(project, 'data', 'visits.csv'), 'id,seconds\n1,20\n2,35\n')
  await editor.showView('SVC')
  if (!existsSync(join(project, 'svc.yaml')))
    await page.locator('.sidebar').getByRole('button', { name: 'Set Up a Project' }).click()
  await page.locator('.statusbar-item', { hasText: /^ ?dev$/ }).waitFor()
  await editor.command('SVC: New Asset from a Source…')
  await page.locator('.quick-input-title', { hasText: 'Where do the data come from?' }).waitFor()
  await page.locator('.quick-input-titlebar').getByRole('button', { name: 'Choose a File…' }).click()
  // The picker begins in the folder of the project.
  const input = page.locator('.quick-input-widget input').first()
  await expect.poll(() => input.inputValue()).toContain(project)
  await input.fill(join(project, 'data', 'visits.csv'))
  await page.locator('.quick-input-widget').getByRole('button', { name: 'Discover' }).click()
  await page.locator('.tab.active[data-resource-name="visits.svc"]').waitFor()
  const file = readFileSync(join(project, 'models', 'visits.svc'), 'utf8')
  expect(file).toContain('endpoint: data')
  expect(file).toContain('seconds: bigint')
})

test('a new asset from a source is asked for its address, looked at and opened', async () => {
  const { page, project } = editor
  const server = await startRestServer({ records: [{ id: 1, total: 2.5 }] })
  try {
    await editor.showView('SVC')
    if (!existsSync(join(project, 'svc.yaml')))
      await page.locator('.sidebar').getByRole('button', { name: 'Set Up a Project' }).click()
    await page.locator('.statusbar-item', { hasText: /^ ?dev$/ }).waitFor()
    await editor.command('SVC: New Asset from a Source…')
    const input = page.locator('.quick-input-widget input').first()
    await page.locator('.quick-input-title', { hasText: 'Where do the data come from?' }).waitFor()
    await input.fill('no address')
    await page.locator('.quick-input-message', { hasText: 'Write https://' }).waitFor()
    await input.fill(`${server.origin}/single`)
    await editor.shot('new-from-source')
    await page.keyboard.press('Enter')
    await page.locator('.tab.active[data-resource-name="single.svc"]').waitFor()
    await editor.row('single').waitFor()
    const file = readFileSync(join(project, 'models', 'single.svc'), 'utf8')
    expect(file).toContain(`endpoint: ${server.origin}`)
    expect(file).toContain('total: double')
    await editor.shot('new-from-source-file')
  } finally {
    await server.close()
  }
})
