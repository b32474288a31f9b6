import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { alwaysOnBoth, longOnBoth, onBoth } from './test/support/both-warehouses.ts'
import { fromCompiledProduct, isCompiled } from './test/support/compiled-product.ts'
import { isLong } from './test/support/long.ts'
import { longFiles } from './test/support/long-files.ts'
import { canStartPostgres } from './test/support/postgres.ts'

/** These have a process for each file. */
const apart = ['test/catalog/extensions.test.ts', 'test/lsp/other-engine.test.ts']
/** This puts a package in the place of one that svc asks for, which only vitest can do. */
const fromSources = ['test/cli/ai/transformers.test.ts']

/** `npm run test:long` runs them, with everything else: all by `1`, those outside test/long by any other word. */
const long = process.env['SVC_TEST_LONG'] === '1' ? [] : ['test/long/**', ...(isLong ? [] : longFiles)]

/** All on one server, where its programs are installed. */
const onPostgres = process.env['SVC_TEST_WAREHOUSE'] === 'postgres' ? onBoth : alwaysOnBoth

const shared = {
  pool: 'forks',
  setupFiles: ['test/support/databases-in-process.ts'],
  server: { deps: { external: [isCompiled] } },
  // Only what hangs ends by it: a busy machine takes several times as long as a quiet one.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // A busy machine needs longer than a second to notice what a test waits for.
  expect: { poll: { timeout: 20_000 } },
} as const
/** Whoever watches edits the sources, and what was compiled before them would be out of date. */
const plugins = process.argv.includes('run') ? [fromCompiledProduct] : []

export default defineConfig({
  test: {
    // The catalogue runs SQL in a process of its own, whose code is a bundle.
    globalSetup: ['scripts/node-bundles.mjs', 'test/support/compiled-product.ts'],
    // One more than the machine has cores: many tests wait for a process that they have started.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        plugins,
        test: {
          ...shared,
          name: 'sharing a process',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...apart, ...fromSources, ...long],
          // A process that has the modules already need not read them again for its next file.
          isolate: false,
        },
      },
      {
        plugins,
        test: { ...shared, name: 'a process each', include: apart },
      },
      {
        test: { ...shared, name: 'from the sources', include: fromSources },
      },
      {
        plugins,
        test: {
          ...shared,
          name: 'on PostgreSQL',
          include: canStartPostgres() ? [...onPostgres, ...(long.length === 0 ? longOnBoth : [])] : [],
          globalSetup: ['test/support/one-postgres.ts'],
          isolate: false,
        },
      },
    ],
  },
})
