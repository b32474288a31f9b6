import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The catalogue runs SQL in a process of its own, whose code is a bundle.
    globalSetup: ['scripts/node-bundles.mjs'],
    // Native modules (DuckDB) and child processes: one process a file, no more than the machine has cores.
    pool: 'forks',
    maxWorkers: availableParallelism(),
    setupFiles: ['test/support/databases-in-process.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine needs longer than a second to notice what a test waits for.
    expect: { poll: { timeout: 20_000 } },
  },
})
