// Everything: build, types, lint, and all tests. `npm test -- test/cli` limits the tests, nothing else.
import { program, runSteps, tests } from './steps.mjs'

await runSteps([
  program('build', 'node', ['esbuild.mjs']),
  program('types', 'tsc', ['-b']),
  program('lint and format', 'biome', ['check', '.']),
  tests('tests', process.argv.slice(2)),
])
