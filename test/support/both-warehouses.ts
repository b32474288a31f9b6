/**
 * Which files of tests run on PostgreSQL too. `npm test` runs those there whose subject is what a warehouse does;
 * `SVC_TEST_WAREHOUSE=postgres npm test -- test/engine` runs all of them there. `node scripts/both-warehouses.mjs` tells how
 * many tests that are.
 */
const run = (names: string) => names.split(/\s+/).map(name => `test/engine/run/${name}.test.ts`)

/** Where the engine makes a difference: promotion, retry, rollback, collection, crashes, several projects, damage. */
export const alwaysOnBoth = run('gc promote-passed rollback two-projects')

export const onBoth = [...alwaysOnBoth]
