// Runs what a change can break: build, types, lint, all tests but the long ones, the dashboard in a browser, and the extension
// in a real VS Code. `npm test -- test/cli` limits the tests to some folders and leaves out browser and editor.
import { runSteps } from './steps.mjs'
import { testSteps } from './test-steps.mjs'

await runSteps(testSteps(process.argv.slice(2)))
