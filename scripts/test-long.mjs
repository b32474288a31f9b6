// Runs everything: what `npm test` runs, with all that it takes samples of, then the long suites of test/long (kills, soaks, fuzzing, corpora, whole matrices) and
// the tests of the engine on PostgreSQL. Each suite ends with one line, its figure; at the end stand all of them.
// `npm run test:long -- names width` runs these suites alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figuresOf, longSuites } from './long-suites.mjs'
import { program, runSteps, tests } from './steps.mjs'
import { folderInMemory, installed, testSteps } from './test-steps.mjs'

const chosen = process.argv.slice(2)
const suites = longSuites()
const unknown = chosen.filter(name => !suites.some(suite => suite.name === name))
if (unknown.length > 0) {
  const names = suites.map(({ name }) => name).join(', ')
  process.stderr.write(`error: there is no long suite ${unknown.join(', ')}: there are ${names}\n`)
  process.exit(2)
}
const told = mkdtempSync(join(tmpdir(), 'svc-figures-'))
process.on('exit', () => rmSync(told, { recursive: true, force: true }))
const wanted = suites.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
const beside = wanted.filter(({ isAlone }) => !isAlone)
const alone = wanted.filter(({ isAlone }) => isAlone)

await runSteps([
  ...(chosen.length === 0 ? testSteps([], true) : prepared()),
  ...(chosen.length === 0 ? [onPostgres()] : []),
  ...(beside.length === 0 ? [] : [longTests('long suites', beside)]),
  ...(alone.length === 0 ? [] : [longTests('long suites that measure', alone, '--no-file-parallelism')]),
])

function prepared() {
  const { native, databases } = installed()
  return [program('build', 'node', ['esbuild.mjs']), native, databases]
}

function longTests(title, some, ...options) {
  const path = join(told, title)
  return tests(title, [...some.map(suite => suite.path), ...options], {
    temporary: folderInMemory(),
    env: { SVC_TEST_LONG: '1', SVC_FIGURES: path },
    figures: report => figuresOf(report, path),
  })
}

/** All files that both warehouses have, by the same text. */
function onPostgres() {
  const title = 'the engine on PostgreSQL'
  return tests(title, ['--project', 'on PostgreSQL'], {
    temporary: folderInMemory(),
    env: { SVC_TEST_WAREHOUSE: 'postgres', SVC_TEST_LONG: 'samples' },
    figures: (_, { passed, failed }) => [`${title}: ${passed} tests passed, ${failed} failed`],
  })
}
