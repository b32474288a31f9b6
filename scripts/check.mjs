// The quick check while working: types, lint, and the tests that need no warehouse.
import { program, runSteps, tests } from './steps.mjs'

await runSteps([
  program('types', 'tsc', ['-b']),
  program('lint and format', 'biome', ['check', '.']),
  tests('language and architecture tests', ['test/language', 'test/architecture']),
])
