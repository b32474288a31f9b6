import { configDefaults, defineConfig } from 'vitest/config'
import { isLong } from '../support/long.ts'

/** What host suites and the other journeys do not show in less time: `npm run test:long` has these too. */
const long = ['running', 'lineage'].map(name => `test/vscode/journeys/${name}.journey.ts`)

/** Journeys of a person through a real VS Code, two windows at a time. `npm test` runs them as a step of its own. */
export default defineConfig({
  test: {
    include: ['test/vscode/journeys/**/*.journey.ts'],
    exclude: [...configDefaults.exclude, ...(isLong ? [] : long)],
    pool: 'forks',
    // A window waits more than it works, but each takes a gigabyte.
    maxWorkers: 2,
    testTimeout: 300_000,
    // What is on the screen comes late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 300_000,
  },
})
