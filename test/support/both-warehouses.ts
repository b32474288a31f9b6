/**
 * Which files of `test/engine` run on PostgreSQL as well as on DuckDB, and why the others do not. `npm test` runs there those
 * whose subject differs most between engines; with `SVC_TEST_WAREHOUSE=postgres` all of them run there:
 * `SVC_TEST_WAREHOUSE=postgres npm test -- test/engine`. `npm run warehouses` counts the tests of both; `duckdbOnly` says beside
 * each test that stays on DuckDB why it does.
 */
const inFolder = (folder: string, names: string) =>
  names.split(/\s+/).map(name => `test/engine/${folder}/${name}.test.ts`)

/** Promotion, rollback, collection, personal data, several projects. */
export const alwaysOnBoth: readonly string[] = inFolder(
  'run',
  'edits failures gc materialize privacy-tests promote-passed rollback selection two-projects',
)

export const onBoth: readonly string[] = [
  ...alwaysOnBoth,
  ...inFolder('run', 'crash interrupt renewal retry'),
  ...inFolder('import', 'generic-tests'),
  ...inFolder(
    'ingest',
    `child-contracts contract-modes empty-lists files mask partitions primary-key rest round-trip shapes types web-files`,
  ),
  ...inFolder('plan', 'plan remembered-plan steps'),
  ...inFolder('quality', 'data-tests freshness'),
  ...inFolder(
    'run',
    `attempted-runs collect-meanwhile contracts cursor-names cursor-order file-warnings for-each gone-columns here-not-anywhere history identity
    incremental incremental-databases look only-new plan-equals-run policies property remote-files separate-records setting-names source-empty sources state-migrated declared-types
    text-layouts
    threads unchanged-answers unchanged-loads warnings`,
  ),
  ...inFolder('state', 'migrations state'),
]

/** Whole matrices that run on both, each with a figure of its own. */
export const longOnBoth: readonly string[] = ['test/long/edits.test.ts']

/** Why files run once: their subject is no warehouse, or they name the engine that they are about. */
const reasons: readonly (readonly [reason: string, files: readonly string[]])[] = [
  [
    'no warehouse is opened: files, texts and values in memory',
    [
      ...inFolder('ai/patch', 'edit-yaml killed'),
      ...inFolder('artifacts', 'blocks pieces'),
      ...inFolder('import', 'jinja'),
      ...inFolder('notify', 'stale time-limit'),
      ...inFolder('plan', 'column-changes volatile-test'),
      ...inFolder('publish', 'json-sql shown-values'),
      ...inFolder('run', 'schedule'),
      ...inFolder('state', 'reachable-builds'),
      ...inFolder('workspace', 'cache clean-assets'),
    ],
  ],
  [
    'what is asked of a source, and how it is answered, before the warehouse is opened',
    [
      ...inFolder(
        'ingest',
        `answers find-files host-pace http-parts limits oauth rest-body rest-promises rest-resume s3-files session
        sftp-files text-files wide-files`,
      ),
      ...inFolder('ingest/sql', 'address'),
    ],
  ],
  [
    'the embedded DuckDB reads files for every warehouse, and this is about its memory',
    [...inFolder('ingest', 'file-memory memory'), ...inFolder('publish', 'memory')],
  ],
  [
    'what the embedded DuckDB makes of the types of another database, for every warehouse',
    inFolder('ingest/sql', 'duckdb-file mariadb postgres sqlite values'),
  ],
  [
    'how the embedded DuckDB reads numbers and texts of files, for every warehouse',
    inFolder('ingest', 'json-numbers promised-types'),
  ],
  ['objects with typed fields, which PostgreSQL does not have', inFolder('ingest', 'structs')],
  ['the spelling of unquoted names, which PostgreSQL does not keep', inFolder('run', 'spelling')],
  ['names both engines: one reads, the other one keeps', inFolder('ingest', 'reading-types')],
  [
    'a file of DuckDB: its locks, versions, bytes and words',
    [
      ...inFolder('run', 'lost-lease shown-builds'),
      ...inFolder('warehouse', 'duckdb-view-texts file-bytes lease-file left-open open-ahead'),
      ...inFolder('workspace', 'remembered-warehouse'),
    ],
  ],
  [
    'the suite that every adapter passes, and what one adapter alone has',
    inFolder('warehouse', 'around duckdb postgres postgres-promotion postgres-size stub'),
  ],
]

/** The reason of every file that runs once. */
export const onOne: ReadonlyMap<string, string> = new Map(
  reasons.flatMap(([reason, files]) => files.map(file => [file, reason] as const)),
)
