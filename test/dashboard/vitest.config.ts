import { defineConfig } from 'vitest/config'

/** Journeys of a person through the dashboard in a real browser, two files at a time. `npm test` runs them as a step. */
export default defineConfig({
  test: {
    include: ['test/dashboard/**/*.journey.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is on the screen comes late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
  },
})
