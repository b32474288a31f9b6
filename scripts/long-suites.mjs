// The suites of test/long, and the line that each ends with.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

const folder = 'test/long'
const ending = '.test.ts'

/**
 * A suite is a file or a folder of test/long.
 * @typedef {{ readonly name: string, readonly path: string, readonly isAlone: boolean }} Suite
 */

/** Returns all suites. Those in `alone` measure times or CPU, which are others beside a busy neighbour, so that they have the machine for themselves. */
export function longSuites() {
  return [...suitesIn(folder, false), ...suitesIn(join(folder, 'alone'), true)]
}

function suitesIn(place, isAlone) {
  if (!existsSync(place)) return []
  return readdirSync(place, { withFileTypes: true })
    .filter(entry => (entry.isDirectory() ? holdsTests(join(place, entry.name)) : isTest(entry.name)))
    .filter(entry => isAlone || entry.name !== 'alone')
    .map(({ name }) => ({ name: withoutEnding(name), path: `${place}/${name}`, isAlone }))
}

function holdsTests(place) {
  return readdirSync(place, { recursive: true, encoding: 'utf8' }).some(isTest)
}

function isTest(name) {
  return name.endsWith(ending)
}

function withoutEnding(name) {
  return isTest(name) ? name.slice(0, -ending.length) : name
}

/**
 * Returns one line a suite: its own figure where its tests tell one by `figure` of test/support/figure.ts into the file
 * `told`, and how many of its tests passed otherwise. A suite of which something failed says how many tests did.
 * @param {string} report that of vitest
 * @param {string} told
 * @returns {readonly string[]}
 */
export function figuresOf(report, told) {
  const own = existsSync(told) ? readFileSync(told, 'utf8').split('\n').filter(Boolean) : []
  const counts = new Map()
  for (const { name, status, assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    const suite = suiteOf(name)
    const { passed, failed } = counts.get(suite) ?? { passed: 0, failed: 0 }
    const having = wanted => assertionResults.filter(each => each.status === wanted).length
    const isBroken = status === 'failed' && having('failed') === 0
    counts.set(suite, {
      passed: passed + having('passed'),
      failed: failed + having('failed') + Number(isBroken),
    })
  }
  return [
    ...own,
    ...[...counts]
      .filter(([suite, { failed }]) => failed > 0 || !own.some(line => line.startsWith(`${suite}: `)))
      .map(([suite, { passed, failed }]) => `${suite}: ${passed} tests passed, ${failed} failed`),
  ].sort()
}

/** The name of the suite to which a file belongs. */
function suiteOf(file) {
  const [first, second] = relative(join(process.cwd(), folder), file).split(sep)
  return withoutEnding((first === 'alone' ? second : first) ?? '')
}
