import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Native modules (DuckDB) and child processes: one process a file, no more than the machine has cores.
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
