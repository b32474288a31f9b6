/** Every file of tests is in `npm test` or in a suite of test/long, and `npm run test:long` runs both. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { longSuites } from '../../scripts/long-suites.mjs'
import { longFiles, longKinds } from '../support/long-files.ts'

const root = join(import.meta.dirname, '..', '..')
const inTest = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).map(
  path => `test/${path.replaceAll('\\', '/')}`,
)
const files = inTest.filter(path => path.endsWith('.test.ts')).sort()
const isLong = (path: string) => path.startsWith('test/long/')

/** What vitest would run; a file that runs on two warehouses is there once. */
function listed(env: Readonly<Record<string, string>>): string[] {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const text = execFileSync(process.execPath, [vitest, 'list', '--filesOnly', '--json'], {
    cwd: root,
    env: { ...process.env, SVC_TEST_LONG: '', ...env },
    encoding: 'utf8',
  })
  const paths = (JSON.parse(text) as { file: string }[]).map(({ file }) => relative(root, file))
  return [...new Set(paths.map(path => path.replaceAll('\\', '/')))].sort()
}

it('npm test has every file that is neither in test/long nor in the list of long files', () => {
  expect(listed({})).toEqual(files.filter(path => !isLong(path) && !longFiles.includes(path)))
})

it('npm run test:long has them all, and those of test/long', () => {
  expect(listed({ SVC_TEST_LONG: '1' })).toEqual(files)
  expect(listed({ SVC_TEST_LONG: 'samples' })).toEqual(files.filter(path => !isLong(path)))
})

it('each long file is there and listed once, and something of its kind is in npm test', () => {
  expect(longFiles.filter(path => !files.includes(path))).toEqual([])
  expect(new Set(longFiles).size).toBe(longFiles.length)
  const samples = longKinds.flatMap(({ sample }) => sample)
  expect(samples.filter(path => !files.includes(path) || isLong(path) || longFiles.includes(path))).toEqual(
    [],
  )
  expect(longKinds.filter(({ sample }) => sample.length === 0)).toEqual([])
})

it('each file of test/long is in one suite, and no two suites have one name', () => {
  const suites = longSuites()
  const homes = files
    .filter(isLong)
    .map(path => suites.filter(suite => path === suite.path || path.startsWith(`${suite.path}/`)).length)
  expect(homes.filter(count => count !== 1)).toEqual([])
  expect(new Set(suites.map(({ name }) => name)).size).toBe(suites.length)
})

it('npm run test:long begins with the steps of npm test', () => {
  const steps = (script: string) => readFileSync(join(root, 'scripts', script), 'utf8')
  expect(steps('test.mjs')).toContain('runSteps(testSteps(process.argv.slice(2)))')
  expect(steps('test-long.mjs')).toContain('chosen.length === 0 ? testSteps([], true) : ')
})

it('each journey is in the folder of one of the two steps that have a browser', () => {
  const journeys = inTest.filter(path => path.endsWith('.journey.ts'))
  expect(journeys.filter(path => !/^test\/(dashboard|vscode\/journeys)\//.test(path))).toEqual([])
  for (const folder of ['dashboard', 'vscode'])
    expect(readFileSync(join(root, 'test', folder, 'vitest.config.ts'), 'utf8')).toMatch(
      folder === 'dashboard' ? "'test/dashboard/**/*.journey.ts'" : "'test/vscode/journeys/**/*.journey.ts'",
    )
})
