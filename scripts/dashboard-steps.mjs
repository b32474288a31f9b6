// The step of `npm test` that needs a browser: user journeys through the dashboard of the example.
import { prepareBrowser } from './editor-tools.mjs'
import { tests } from './steps.mjs'

/** If Chromium is not available, one line says so; in CI that is a failure. */
export const dashboardJourneys = {
  title: 'a person in the dashboard',
  run: async () => {
    const prepared = prepareBrowser()
    if ('missing' in prepared) {
      console.log(`not run: ${prepared.missing}`)
      return { passed: 0, failed: (process.env.CI ?? '') === '' ? 0 : 1 }
    }
    process.env.CHROME_PATH = prepared.chromium
    return await tests('journeys', ['--config', 'test/dashboard/vitest.config.ts']).run()
  },
}
