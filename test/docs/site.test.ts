/** `npm run docs:site`: every page is there, every link leads somewhere, and pages and search work from a folder. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { axeFindings, type Journeys, startJourneys } from '../dashboard/support/browser.ts'

const root = join(import.meta.dirname, '..', '..')
let site = ''
let journeys: Journeys
beforeAll(async () => {
  site = mkdtempSync(join(tmpdir(), 'svc-site-'))
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts', 'docs-site.mjs'), '--output', site],
    { encoding: 'utf8', cwd: tmpdir() },
  )
  expect(status, stderr).toBe(0)
  journeys = await startJourneys()
}, 120_000)
afterEach(({ task }) => journeys.check(task.name, task.result?.state === 'fail'))
afterAll(async () => {
  await journeys.close()
  rmSync(site, { recursive: true, force: true })
})

const filesIn = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith(ending))
    .sort()
const htmlOf = (page: string) => readFileSync(join(site, page), 'utf8')

it('has a page for each of docs/, with its title and no tag of a template or comment of ours', () => {
  const pages = filesIn(join(root, 'docs'), '.md').map(path => path.replace(/md$/, 'html'))
  expect(filesIn(site, '.html')).toEqual([...pages, 'index.html', 'search.html'].sort())
  for (const page of pages) expect(htmlOf(page), page).toMatch(/<title>[^<]+ · svc<\/title>[\s\S]*<h1 id="/)
  expect(htmlOf('assets.html')).toContain("{{ ref('orders') }}")
  expect(filesIn(site, '.html').filter(page => htmlOf(page).includes('<!--'))).toEqual([])
})

it('has no link that leads nowhere, and loads nothing from elsewhere', () => {
  const anchors = new Map(
    filesIn(site, '.html').map(page => [
      page,
      new Set(Array.from(htmlOf(page).matchAll(/ id="([^"]+)"/g), ([, id]) => id)),
    ]),
  )
  const lost = [...anchors.keys()].flatMap(page =>
    Array.from(htmlOf(page).matchAll(/ (?:href|src)="([^"]*)"/g), ([, address = '']) => address)
      .filter(address => !/^(https?|mailto):/.test(address))
      .filter(address => {
        const [path = '', id] = address.split('#')
        const target = path === '' ? page : join(dirname(page), path).replaceAll('\\', '/')
        if (!existsSync(join(site, target))) return true
        return id !== undefined && anchors.get(target)?.has(decodeURIComponent(id)) !== true
      })
      .map(address => `${page}: ${address}`),
  )
  expect(lost).toEqual([])
  const loaded = [...anchors.keys()].flatMap(
    page => htmlOf(page).match(/<(script|link|img)[^>]*"https?:[^>]*>/g) ?? [],
  )
  expect(loaded).toEqual([])
})

it('finds what is looked for, opened from a folder, and can be used by everybody', async () => {
  const { page } = await journeys.open(pathToFileURL(join(site, 'diagnostics', 'unknown-key.html')).href)
  await page.getByRole('searchbox', { name: 'Search' }).fill('rollback')
  await page.getByRole('searchbox').press('Enter')
  await page.waitForURL(/search\.html\?q=rollback$/)
  await page.getByRole('link', { name: 'Commands › svc rollback' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('searchbox').fill('ingest.auth oauth2')
  await page.getByRole('link', { name: 'Reference › ingest.auth with type: oauth2' }).click()
  expect(new URL(page.url()).hash).toBe('#ingestauth-with-type-oauth2')
  expect(await page.getByRole('heading', { name: 'ingest.auth with type: oauth2' }).first().isVisible()).toBe(
    true,
  )
  expect(await axeFindings(page)).toEqual([])
})

it('leaves a folder alone that has other files in it', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts', 'docs-site.mjs'), '--output', join(root, 'docs')],
    { encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([2, expect.stringContaining('has other files in it')])
  expect(existsSync(join(root, 'docs', 'assets.md'))).toBe(true)
})
