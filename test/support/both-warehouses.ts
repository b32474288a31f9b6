/**
 * Which files of tests run on PostgreSQL as well as on DuckDB. `npm test` runs there those whose subject is what a warehouse
 * does; with `SVC_TEST_WAREHOUSE=postgres` all of them run there: `SVC_TEST_WAREHOUSE=postgres npm test -- test/engine/run`.
 * `SVC_TEST_WAREHOUSE=postgres npx vitest list --project 'on PostgreSQL'` lists their tests, and `duckdbOnly` says beside each
 * test that stays on DuckDB why it does.
 */
const inRun = (names: string) => names.split(/\s+/).map(name => `test/engine/run/${name}.test.ts`)

/** Promotion, rollback, retry, collection, crashes, damage, personal data, several projects. */
export const alwaysOnBoth: readonly string[] = inRun(
  'crash failures gc interrupt materialize privacy-tests promote-passed renewal retry rollback selection two-projects',
)

export const onBoth: readonly string[] = [
  ...alwaysOnBoth,
  ...inRun('attempted-runs collect-meanwhile look only-new plan-equals-run policies property threads'),
]
