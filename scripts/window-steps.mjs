// The steps of `npm test` that have windows: the dashboard in a browser, then the extension in a real VS Code, which is set up
// meanwhile. `node scripts/window-steps.mjs`, behind a build.
import { dashboardJourneys } from './dashboard-steps.mjs'
import { hostSuites, journeys } from './editor-steps.mjs'
import { inBackground, runSteps } from './steps.mjs'

const editor = inBackground('VS Code', 'node', ['scripts/editor-tools.mjs', '--without-browser'])

await runSteps([dashboardJourneys, waitFor(editor), hostSuites, journeys])

/** The steps after it say what is missing, and whether that is a failure. */
function waitFor({ title, ended }) {
  return { title, run: async () => ({ passed: Number((await ended) === 0), failed: 0 }) }
}
