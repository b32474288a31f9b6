/** What the page shows of two thousand columns, in a real browser. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserProgram } from '../graph/graph-page.ts'
import { type AppPages, axeFindings, startAppPages } from './app-page.ts'

/** A folder for pictures of it, to look at. */
const pictures = process.env['SVC_PICTURES']

describe.skipIf(browserProgram === undefined)('two thousand columns', () => {
  let pages: AppPages
  beforeAll(async () => {
    pages = await startAppPages(browserProgram ?? '')
  })
  afterAll(() => pages?.close())

  async function opened(name: string, colorScheme: 'dark' | 'light' = 'dark') {
    const found = await pages.open('columns-2000', { colorScheme })
    await found.page.getByRole('treeitem', { name: new RegExp(`^${name}\\b`) }).click()
    return found
  }
  const picture = async (page: Page, name: string) => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
  }

  test('are drawn a page at a time, and found by their names', async () => {
    const { page, problems } = await opened('wide')
    const columns = page.locator('.columns > li')
    await page.getByText('100 of 2,000 columns.').waitFor()
    expect(await columns.count()).toBe(100)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Show 100 more' }).click()
    await page.getByText('200 of 2,000 columns.').waitFor()
    expect(await columns.count()).toBe(200)
    const field = page.getByLabel('Find a column')
    await field.fill('C19')
    // c19, c190 to c199, and c1900 to c1999.
    await page.getByText('of 2,000 columns.').waitFor({ state: 'detached' })
    expect(await columns.count()).toBe(111)
    await field.fill('none')
    await page.getByText('No column is called so.').waitFor()
    expect(await columns.count()).toBe(0)
    expect(problems).toEqual([])
    await page.close()
  })

  test('begin anew for another asset, and failed tests stand first', async () => {
    const { page, problems } = await opened('wide')
    await page.getByLabel('Find a column').fill('c19')
    await page.getByRole('treeitem', { name: /^total\b/ }).click()
    // One column needs no field.
    await expect.poll(() => page.getByLabel('Find a column').count()).toBe(0)
    await page.getByRole('treeitem', { name: /^wide\b/ }).click()
    expect(await page.getByLabel('Find a column').inputValue()).toBe('')
    await page.getByRole('tab', { name: 'Quality' }).click()
    await page.getByText('100 of 2,000 tests.').waitFor()
    expect(await page.locator('.tests tbody tr').first().textContent()).toContain('not_null_c1999')
    expect(problems).toEqual([])
    await page.close()
  })

  test.each(['dark', 'light'] as const)('have a path of which a card names 40, in %s', async colorScheme => {
    const { page, problems } = await opened('total', colorScheme)
    await page.getByRole('button', { name: 'sum', exact: true }).click()
    await page.getByText('path of').waitFor()
    await expect.poll(() => page.evaluate('store.path.value?.columns.length')).toBe(2001)
    await page.waitForTimeout(500)
    await picture(page, `path-${colorScheme}`)
    await page.getByRole('treeitem', { name: /^wide\b/ }).click()
    await page.getByText('100 of 2,000 columns.').waitFor()
    await picture(page, `list-${colorScheme}`)
    expect(problems).toEqual([])
    await page.close()
  })
})
