import { defineConfig } from 'vitest/config'

/** Journeys of a person through a real VS Code, two windows at a time. `npm test` runs them as a step of its own. */
export default defineConfig({
  test: {
    include: ['test/vscode/journeys/**/*.journey.ts'],
    pool: 'forks',
    // A window waits more than it works, but each takes a gigabyte.
    maxWorkers: 2,
    testTimeout: 300_000,
    // What is on the screen comes late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 300_000,
  },
})
