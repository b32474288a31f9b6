// Runs everything: build, types, lint, all tests, the dashboard in a browser, and the extension in a real VS
// Code. `npm test -- test/cli` limits the tests to some folders and leaves out browser and editor.
import { dashboardJourneys } from './dashboard-steps.mjs'
import { hostSuites, journeys } from './editor-steps.mjs'
import { program, runSteps, tests } from './steps.mjs'

const chosen = process.argv.slice(2)

await runSteps([
  program('build', 'node', ['esbuild.mjs']),
  program('types', 'tsc', ['-b']),
  program('lint and format', 'biome', ['check', '.']),
  tests('tests', chosen),
  ...(chosen.length === 0 ? [dashboardJourneys, hostSuites, journeys] : []),
])
