import { defineConfig } from 'vitest/config'

/** Journeys of a person through a real VS Code, one window after another. `npm test` runs them as a step of its own. */
export default defineConfig({
  test: {
    include: ['test/vscode/journeys/**/*.journey.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 120_000,
    // What is on the screen comes late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
  },
})
