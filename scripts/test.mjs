// Runs everything: build, types, lint, all tests, the dashboard in a browser, and the extension in a real VS
// Code. `npm test -- test/cli` limits the tests to some folders and leaves out browser and editor.
import { dashboardJourneys } from './dashboard-steps.mjs'
import { hostSuites, journeys } from './editor-steps.mjs'
import { inBackground, program, runSteps, tests } from './steps.mjs'

const chosen = process.argv.slice(2)
const isAll = chosen.length === 0
// One file of C keeps one processor busy for a minute or two: the other one begins with what needs no database.
const native = inBackground('sqlite3', 'node', ['scripts/with-deps.mjs', '--native', 'node', '--version'])

await runSteps([
  program('build', 'node', ['esbuild.mjs']),
  program('types', 'tsc', ['-b']),
  program('lint and format', 'biome', ['check', '.']),
  ...(isAll ? [dashboardJourneys] : []),
  native,
  tests('tests', chosen),
  ...(isAll ? [hostSuites, journeys] : []),
])
