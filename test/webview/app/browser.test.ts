import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserProgram } from '../graph/graph-page.ts'
import { type AppPages, axeFindings, startAppPages } from './app-page.ts'

describe.skipIf(browserProgram === undefined)('the page in a browser', () => {
  let pages: AppPages
  beforeAll(async () => {
    pages = await startAppPages(browserProgram ?? '')
  })
  afterAll(() => pages?.close())

  test('finds, opens and reads an asset by keys alone', async () => {
    const { page, problems } = await pages.open('')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('every order')
    await page.keyboard.press('Enter')
    const details = page.getByRole('complementary', { name: 'Details of orders' })
    await details.waitFor()
    expect(await details.textContent()).toContain('bbbbbbbbbbbb')
    await page.getByRole('tree').focus()
    await page.keyboard.type('daily')
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Overview' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('region', { name: 'SQL' }).textContent()).toBe(
      'SELECT count(*) FROM main.orders',
    )
    await page.keyboard.press('ArrowRight')
    const quality = page.getByRole('tabpanel', { name: 'Quality' })
    expect(await quality.textContent()).toMatch(
      /50% pass[\s\S]*unique_count[\s\S]*3 rows are twice there[\s\S]*1\.2 s/,
    )
    await page.keyboard.press('Escape')
    expect(await page.getByRole('complementary').count()).toBe(0)
    expect(problems).toEqual([])
    await page.close()
  })

  test('F6 goes through all regions and around', async () => {
    const { page } = await pages.open('')
    await page.getByRole('treeitem', { name: /^orders/ }).click()
    const seen: string[] = []
    for (let step = 0; step < 5; step++) {
      await page.keyboard.press('F6')
      seen.push(
        await page.evaluate<string>(
          'document.activeElement.getAttribute("role") ?? document.activeElement.getAttribute("aria-pressed") ?? document.activeElement.className',
        ),
      )
    }
    expect(new Set(seen)).toEqual(new Set(['application', 'complementary', 'true', 'tree']))
    await page.close()
  })

  test.each([
    ['dark', { colorScheme: 'dark' }],
    ['light', { colorScheme: 'light' }],
    ['high contrast', { colorScheme: 'dark', contrast: 'more' }],
    ['high contrast, light', { colorScheme: 'light', contrast: 'more' }],
  ] as const)('axe finds nothing in any view: %s', async (theme, look) => {
    // Only colours differ from theme to theme.
    const only = theme === 'dark' ? undefined : ['color-contrast']
    const { page, problems } = await pages.open('', look)
    await page.getByRole('treeitem', { name: /^daily/ }).click()
    await page.getByRole('button', { name: '▶ Run' }).click()
    await page.evaluate(
      `host.emit({ id: 'r:0', type: 'log', line: '\\u001b[31mno\\u001b[0m', asset: 'daily' })`,
    )
    const found: Record<string, string[]> = {}
    const lookAt = async (name: string) => {
      const findings = await axeFindings(page, only)
      if (findings.length > 0) found[name] = findings
    }
    for (const name of ['Code', 'Quality', 'Overview']) {
      await page.getByRole('tab', { name }).click()
      await lookAt(name)
    }
    for (const name of ['Table', 'Runs', 'Freshness']) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click()
      await lookAt(name)
    }
    await page.keyboard.press('Control+k')
    await page.keyboard.type('d')
    await lookAt('palette')
    expect(found).toEqual({})
    expect(problems).toEqual([])
    await page.close()
  })

  test('shows a run in its colours, cancels it, and says how it ended', async () => {
    const { page } = await pages.open('')
    await page.getByRole('treeitem', { name: /^daily/ }).click()
    await page.getByRole('button', { name: 'More ways to run' }).click()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('log').waitFor()
    await page.evaluate(
      `for (let i = 0; i < 3000; i++) host.emit({ id: 'r:' + i, type: 'log', line: '\\u001b[32m✓\\u001b[0m <b>' + i, asset: null })`,
    )
    const log = page.getByRole('log')
    await log.getByText('<b>2999').waitFor()
    expect(await log.locator('.line').count()).toBeLessThan(100)
    expect(await log.locator('.ansi-green').first().textContent()).toBe('✓')
    await page.getByLabel('Find in the lines').fill('<b>17')
    await log.getByText('<b>1799').waitFor()
    await page.getByRole('button', { name: 'Cancel run' }).click()
    await page.evaluate(
      `host.emit({ id: 'r:x', type: 'end', status: 'cancelled', verdict: 'Stopped', warned: 0, exit_code: 130, seconds: 2, reason: null })`,
    )
    await page.getByText('Run daily: Stopped (exit code 130).').waitFor()
    expect(await page.evaluate('host.asked')).toEqual([
      'load',
      'run daily upstream',
      'cancel r1',
      'close r1',
      'load',
    ])
    await page.close()
  })

  test('says what is wrong, and goes on when it is right again', async () => {
    const { page } = await pages.open('broken')
    await page.getByRole('alert').getByText('the catalogue is not JSON').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.evaluate('host.problem = undefined')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('treeitem', { name: /^orders/ }).click()
    await page.evaluate(`store.connection.value = 'expired'`)
    await page.getByText('This session is over').waitFor()
    expect(await page.getByRole('button', { name: '▶ Run' }).count()).toBe(0)
    await page.getByLabel('Filter assets').fill('tag:nothing')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByRole('application').waitFor()
    await page.close()
  })

  test('an exposure with a dangerous address gets no link; an empty project says how to begin', async () => {
    const shop = await pages.open('')
    await shop.page.getByRole('treeitem', { name: /^board/ }).click()
    await shop.page.getByText('javascript:alert(1)').waitFor()
    expect(await shop.page.getByRole('link').count()).toBe(0)
    await shop.page.close()
    const { page } = await pages.open('empty')
    await page.getByText('svc create asset orders').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.close()
  })

  test('of 3,000 assets only what is seen is on the page; a narrow page is a table', async () => {
    const { page, problems } = await pages.open('3000')
    await page.getByRole('tree').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary').waitFor()
    expect(await page.getByRole('treeitem').count()).toBeLessThan(120)
    expect(problems).toEqual([])
    await page.close()
    const tiny = await pages.open('', { width: 320 })
    await tiny.page.getByRole('table').waitFor()
    expect(await tiny.page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    expect(await axeFindings(tiny.page)).toEqual([])
    await tiny.page.close()
  })
})
