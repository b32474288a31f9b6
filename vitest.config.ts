import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { alwaysOnBoth, onBoth } from './test/support/both-warehouses.ts'
import { canStartPostgres } from './test/support/postgres.ts'

/** These have a process for each file: they put something of their own in place of a part of svc (`vi.mock`). */
const apart = [
  'test/catalog/extensions.test.ts',
  'test/catalog/unit-lost.test.ts',
  'test/lsp/other-engine.test.ts',
]
/** In these the databases of the catalogue are processes, as those of users are: `vi.unmock` in each of them says so. */
const withRealWorkers = [
  'test/catalog/budget.test.ts',
  'test/catalog/large-statements.test.ts',
  'test/catalog/unit-tests.test.ts',
  'test/catalog/worker-process.test.ts',
  'test/language/features/quick-fixes.test.ts',
  'test/language/specs/specs.test.ts',
  'test/lsp/unit-test-timing.test.ts',
]

/** All on one server, where its programs are installed. */
const onPostgres = process.env['SVC_TEST_WAREHOUSE'] === 'postgres' ? onBoth : alwaysOnBoth

export default defineConfig({
  test: {
    // The catalogue runs SQL in a process of its own, whose code is a bundle.
    globalSetup: ['scripts/node-bundles.mjs'],
    pool: 'forks',
    // One more than the machine has cores: many tests wait for a process that they have started.
    maxWorkers: availableParallelism() + 1,
    setupFiles: ['test/support/databases-in-process.ts'],
    // Only what hangs ends by it: a busy machine takes several times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A busy machine needs longer than a second to notice what a test waits for.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        // A process that has the sources already need not read them again for its next file.
        test: {
          name: 'sharing a process',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...apart, ...withRealWorkers],
          isolate: false,
        },
      },
      {
        extends: true,
        // What was loaded with a part of svc replaced cannot be used by them, so they share processes among themselves.
        test: {
          name: 'with real workers',
          include: withRealWorkers,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'a process each',
          include: apart,
        },
      },
      {
        extends: true,
        test: {
          name: 'on PostgreSQL',
          include: canStartPostgres() ? [...onPostgres] : [],
          globalSetup: ['test/support/one-postgres.ts'],
          isolate: false,
        },
      },
    ],
  },
})
