import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

/** The folders of tests of which none changes its own process for the next. */
const folders = ['bad-days', 'cli', 'engine', 'hosted', 'language']
/** These use the catalogue's real process instead (`vi.unmock`). */
const apart = ['test/language/specs/*.test.ts', 'test/language/features/quick-fixes.test.ts']

export default defineConfig({
  test: {
    // The catalogue runs SQL in a process of its own, whose code is a bundle.
    globalSetup: ['scripts/node-bundles.mjs'],
    pool: 'forks',
    // One more than the machine has cores: many tests wait for a process that they have started.
    maxWorkers: availableParallelism() + 1,
    setupFiles: ['test/support/databases-in-process.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine needs longer than a second to notice what a test waits for.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        // A process that has the sources already need not read them again for its next file.
        test: {
          name: 'sharing a process',
          include: [`test/{${folders.join(',')}}/**/*.test.ts`],
          exclude: [...configDefaults.exclude, ...apart],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'a process each',
          include: [`test/!(${folders.join('|')})/**/*.test.ts`, ...apart],
        },
      },
    ],
  },
})
