/** The state tables as earlier versions made them, word for word: nothing here may follow what the code does now. */

const meta = ['CREATE SCHEMA svc', 'CREATE TABLE svc.svc_meta ("version" BIGINT)']

const version1 = [
  'CREATE TABLE svc.svc_live ("environment" VARCHAR PRIMARY KEY, "generation" BIGINT, "run_id" VARCHAR)',
  `CREATE TABLE svc.svc_state_history ("run_id" VARCHAR, "environment" VARCHAR, "kind" VARCHAR, "selector" VARCHAR,
    "status" VARCHAR, "started_at" TIMESTAMP WITH TIME ZONE, "finished_at" TIMESTAMP WITH TIME ZONE,
    "generation" BIGINT, "assets" JSON, "error" VARCHAR, "from_generation" BIGINT)`,
  `CREATE TABLE svc.svc_catalog ("environment" VARCHAR, "asset" VARCHAR, "definition_hash" VARCHAR,
    "build_key" VARCHAR, "run_id" VARCHAR, "deployed_at" TIMESTAMP WITH TIME ZONE, "green_schema" VARCHAR,
    "columns" JSON)`,
  `CREATE TABLE svc.svc_builds ("build_key" VARCHAR, "asset" VARCHAR, "part" VARCHAR, "kind" VARCHAR,
    "definition_hash" VARCHAR, "relation_schema" VARCHAR, "relation_name" VARCHAR, "children" JSON, "columns" JSON,
    "rows" BIGINT, "run_id" VARCHAR, "created_at" TIMESTAMP WITH TIME ZONE, "seconds" DOUBLE, "pins" JSON,
    "load_id" VARCHAR, "sql" VARCHAR, "deploy_schema" VARCHAR)`,
  `CREATE TABLE svc.svc_views ("environment" VARCHAR, "asset" VARCHAR, "view_schema" VARCHAR, "view_name" VARCHAR)`,
  'CREATE TABLE svc.svc_definitions ("definition_hash" VARCHAR PRIMARY KEY, "definition" VARCHAR)',
  `CREATE TABLE svc.svc_test_results ("environment" VARCHAR, "asset" VARCHAR, "name" VARCHAR, "test_hash" VARCHAR,
    "input_key" VARCHAR, "status" VARCHAR, "severity" VARCHAR, "failures" BIGINT, "message" VARCHAR,
    "seconds" DOUBLE, "run_id" VARCHAR, "ran_at" TIMESTAMP WITH TIME ZONE)`,
]

const version2 = [
  ...version1,
  `CREATE TABLE svc.svc_rejects ("environment" VARCHAR, "run_id" VARCHAR, "asset" VARCHAR, "load_key" VARCHAR,
    "load_id" VARCHAR, "status" VARCHAR, "record_number" BIGINT, "kind" VARCHAR, "code" VARCHAR, "child" VARCHAR,
    "column_name" VARCHAR, "message" VARCHAR, "raw" JSON, "record_hash" VARCHAR,
    "rejected_at" TIMESTAMP WITH TIME ZONE, "replayed_run_id" VARCHAR)`,
]

const version3 = [
  ...version2,
  'CREATE TABLE svc.svc_drift ("load_key" VARCHAR, "asset" VARCHAR, "changes" JSON)',
]

/** From this version on each row belongs to a project. */
const version4 = [
  `CREATE TABLE svc.svc_live ("environment" VARCHAR, "generation" BIGINT, "run_id" VARCHAR, "project" VARCHAR,
    PRIMARY KEY ("project", "environment"))`,
  `CREATE TABLE svc.svc_state_history ("run_id" VARCHAR, "environment" VARCHAR, "kind" VARCHAR, "selector" VARCHAR,
    "status" VARCHAR, "started_at" TIMESTAMP WITH TIME ZONE, "finished_at" TIMESTAMP WITH TIME ZONE,
    "generation" BIGINT, "assets" JSON, "error" VARCHAR, "from_generation" BIGINT, "project" VARCHAR)`,
  `CREATE TABLE svc.svc_catalog ("environment" VARCHAR, "asset" VARCHAR, "definition_hash" VARCHAR,
    "build_key" VARCHAR, "run_id" VARCHAR, "deployed_at" TIMESTAMP WITH TIME ZONE, "green_schema" VARCHAR,
    "columns" JSON, "project" VARCHAR)`,
  `CREATE TABLE svc.svc_builds ("build_key" VARCHAR, "asset" VARCHAR, "part" VARCHAR, "kind" VARCHAR,
    "definition_hash" VARCHAR, "relation_schema" VARCHAR, "relation_name" VARCHAR, "children" JSON, "columns" JSON,
    "rows" BIGINT, "run_id" VARCHAR, "created_at" TIMESTAMP WITH TIME ZONE, "seconds" DOUBLE, "pins" JSON,
    "load_id" VARCHAR, "sql" VARCHAR, "deploy_schema" VARCHAR, "project" VARCHAR)`,
  `CREATE TABLE svc.svc_views ("environment" VARCHAR, "asset" VARCHAR, "view_schema" VARCHAR, "view_name" VARCHAR,
    "project" VARCHAR)`,
  `CREATE TABLE svc.svc_definitions ("definition_hash" VARCHAR, "definition" VARCHAR, "project" VARCHAR,
    PRIMARY KEY ("project", "definition_hash"))`,
  `CREATE TABLE svc.svc_test_results ("environment" VARCHAR, "asset" VARCHAR, "name" VARCHAR, "test_hash" VARCHAR,
    "input_key" VARCHAR, "status" VARCHAR, "severity" VARCHAR, "failures" BIGINT, "message" VARCHAR,
    "seconds" DOUBLE, "run_id" VARCHAR, "ran_at" TIMESTAMP WITH TIME ZONE, "project" VARCHAR)`,
  `CREATE TABLE svc.svc_rejects ("environment" VARCHAR, "run_id" VARCHAR, "asset" VARCHAR, "load_key" VARCHAR,
    "load_id" VARCHAR, "status" VARCHAR, "record_number" BIGINT, "kind" VARCHAR, "code" VARCHAR, "child" VARCHAR,
    "column_name" VARCHAR, "message" VARCHAR, "raw" JSON, "record_hash" VARCHAR,
    "rejected_at" TIMESTAMP WITH TIME ZONE, "replayed_run_id" VARCHAR, "project" VARCHAR)`,
  'CREATE TABLE svc.svc_drift ("load_key" VARCHAR, "asset" VARCHAR, "changes" JSON, "project" VARCHAR)',
]

const version5 = [
  ...version4.map(statement =>
    statement.startsWith('CREATE TABLE svc.svc_state_history')
      ? statement.replace(/\)$/, ', "trigger" VARCHAR, "git_commit" VARCHAR, "refused" BOOLEAN)')
      : statement.startsWith('CREATE TABLE svc.svc_builds')
        ? statement.replace(/\)$/, ', "salt" VARCHAR)')
        : statement,
  ),
  `CREATE TABLE svc.svc_lineage ("build_key" VARCHAR, "asset" VARCHAR, "complete" BOOLEAN, "lineage" JSON,
    "project" VARCHAR)`,
  `CREATE TABLE svc.svc_marks ("environment" VARCHAR, "build_key" VARCHAR, "asset" VARCHAR, "marks" JSON,
    "project" VARCHAR)`,
]

const version6 = [
  ...version5,
  `CREATE TABLE svc.svc_publishes ("run_id" VARCHAR, "environment" VARCHAR, "asset" VARCHAR, "target" VARCHAR,
    "place" VARCHAR, "mode" VARCHAR, "status" VARCHAR, "started_at" TIMESTAMP WITH TIME ZONE,
    "finished_at" TIMESTAMP WITH TIME ZONE, "build_key" VARCHAR, "counts" JSON, "error" VARCHAR, "project" VARCHAR,
    "trigger" VARCHAR, "git_commit" VARCHAR)`,
  `CREATE TABLE svc.svc_published ("environment" VARCHAR, "asset" VARCHAR, "target" VARCHAR, "place" VARCHAR,
    "key_hash" VARCHAR, "row_hash" VARCHAR, "row_key" JSON, "remote_id" VARCHAR, "run_id" VARCHAR,
    "acknowledged_at" TIMESTAMP WITH TIME ZONE, "project" VARCHAR)`,
  `CREATE TABLE svc.svc_publish_rejects ("environment" VARCHAR, "asset" VARCHAR, "target" VARCHAR, "run_id" VARCHAR,
    "operation" VARCHAR, "row_key" JSON, "reason" VARCHAR, "raw" JSON, "rejected_at" TIMESTAMP WITH TIME ZONE,
    "project" VARCHAR)`,
]

const version7 = [
  ...version6,
  'CREATE TABLE svc.svc_loaded_files ("load_key" VARCHAR, "asset" VARCHAR, "files" JSON, "project" VARCHAR)',
]

/** What targets have acknowledged is kept once for all rows of a publish. */
const version8 = version7.map(statement =>
  statement.startsWith('CREATE TABLE svc.svc_published ')
    ? `CREATE TABLE svc.svc_published ("key_hash" UUID, "row_hash" UUID, "row_key" JSON, "remote_id" VARCHAR,
        "run_id" VARCHAR, "project" VARCHAR)`
    : statement,
)

/** Version 9 keeps who may read a view. */
const version9 = version8.map(statement =>
  statement.startsWith('CREATE TABLE svc.svc_views ')
    ? statement.replace(/\)$/, ', "readers" VARCHAR)')
    : statement,
)

/** Version 10 keeps what the views of the warehouse said when they were made. */
const version10 = [
  ...version9,
  'CREATE TABLE svc.svc_view_texts ("build_key" VARCHAR, "asset" VARCHAR, "text" VARCHAR, "project" VARCHAR)',
]

/** Version 11 keeps what a run has warned of. */
const version11 = version10.map(statement =>
  statement.startsWith('CREATE TABLE svc.svc_state_history')
    ? statement.replace(/\)$/, ', "warnings" JSON)')
    : statement,
)

/** Version 12 keeps when sources were asked. */
const version12 = [
  ...version11,
  `CREATE TABLE svc.svc_fetches ("build_key" VARCHAR, "asset" VARCHAR, "fetched_at" TIMESTAMP WITH TIME ZONE,
    "run_id" VARCHAR, "project" VARCHAR)`,
]

/** One row in each table that every version has. */
const rows = [
  "INSERT INTO svc.svc_live VALUES ('prod', 7, 'r1')",
  `INSERT INTO svc.svc_state_history VALUES ('r1', 'prod', 'run', NULL, 'deployed', '2026-01-02 03:00:05.678Z',
    '2026-01-02 03:01:05.678Z', 7, '[{"name":"a","definition_hash":"d","build_key":"k","rows":3,"seconds":0.25,"status":"built"}]',
    NULL, 6)`,
  `INSERT INTO svc.svc_catalog VALUES ('prod', 'a', 'd', 'k', 'r1', '2026-01-02 03:01:05.678Z', 'svc_g_r1',
    '[{"name":"id","type":"INTEGER"}]')`,
  `INSERT INTO svc.svc_builds VALUES ('k', 'a', 'model', 'table', 'd', 'svc_g_r1', 'a', '{}',
    '[{"name":"id","type":"INTEGER"}]', 3, 'r1', '2026-01-02 03:00:30Z', 0.5, '[]', NULL, NULL, NULL)`,
  "INSERT INTO svc.svc_views VALUES ('prod', 'a', 'analytics', 'a')",
  "INSERT INTO svc.svc_definitions VALUES ('d', 'the text')",
  `INSERT INTO svc.svc_test_results VALUES ('prod', 'a', 'not_null_id', 't', 'k', 'pass', 'error', 0, NULL, 0.1, 'r1',
    '2026-01-02 03:00:40Z')`,
]

const reject = `INSERT INTO svc.svc_rejects VALUES ('prod', 'r1', 'a', 'load', 'l', 'rejected', 4, 'row', 'null', NULL,
  'id', 'no id', '{"id":null}', 'hash', '2026-01-02 03:00:20Z', NULL)`
const drift = `INSERT INTO svc.svc_drift VALUES ('load', 'a', '[]')`

/** Two rows that a target has acknowledged, and one of another environment. */
const published = ['prod', 'prod', 'dev'].flatMap((environment, nth) => [
  `INSERT INTO svc.svc_publishes VALUES ('p${nth}', '${environment}', 'a', 'crm', 'place', 'upsert', 'published',
    '2026-01-02 03:02:00Z', '2026-01-02 03:03:00Z', 'k', NULL, NULL, 'shop', 'cli', NULL)`,
  `INSERT INTO svc.svc_published VALUES ('${environment}', 'a', 'crm', 'place', md5('key ${nth}'), md5('row ${nth}'),
    '{"id":${nth}}', 'remote ${nth}', 'p${nth}', '2026-01-02 03:03:00Z', 'shop')`,
])

/** The same rows, of a project. */
function ofProject(statement: string): string {
  return statement.replace(/\)$/, ", 'shop')")
}

/** What version 5 added to the rows of two tables. */
function inVersion5(statement: string): string {
  if (statement.includes('svc.svc_state_history'))
    return statement.replace(/\)$/, ", 'cli', 'c0ffee', false)")
  return statement.includes('svc.svc_builds') ? statement.replace(/\)$/, ', NULL)') : statement
}

/** Version 8 keeps of a published row what other rows of its publish do not have. */
function inVersion8(statement: string): string {
  return statement.replace(
    /svc_published VALUES \('\w+', 'a', 'crm', 'place', md5\((.*?)\), md5\((.*?)\),\s+(.*), '2026[^']*', 'shop'\)$/s,
    "svc_published VALUES (CAST(md5($1) AS UUID), CAST(md5($2) AS UUID), $3, 'shop')",
  )
}

function inVersion9(statement: string): string {
  return statement.includes('svc.svc_views') ? statement.replace(/\)$/, ', NULL)') : statement
}

function inVersion11(statement: string): string {
  return statement.includes('svc.svc_state_history') ? statement.replace(/\)$/, ", '[]')") : statement
}

/** Statements that make the tables of a version and fill them, by version. */
export const olderTables: ReadonlyMap<number, readonly string[]> = new Map([
  [1, [...meta, ...version1, ...rows, 'INSERT INTO svc.svc_meta VALUES (1)']],
  [2, [...meta, ...version2, ...rows, reject, 'INSERT INTO svc.svc_meta VALUES (2)']],
  [3, [...meta, ...version3, ...rows, reject, drift, 'INSERT INTO svc.svc_meta VALUES (3)']],
  [
    4,
    [...meta, ...version4, ...[...rows, reject, drift].map(ofProject), 'INSERT INTO svc.svc_meta VALUES (4)'],
  ],
  [
    5,
    [
      ...meta,
      ...version5,
      ...[...rows, reject, drift].map(ofProject).map(inVersion5),
      'INSERT INTO svc.svc_meta VALUES (5)',
    ],
  ],
  [
    6,
    [
      ...meta,
      ...version6,
      ...[...rows, reject, drift].map(ofProject).map(inVersion5),
      ...published,
      'INSERT INTO svc.svc_meta VALUES (6)',
    ],
  ],
  [
    7,
    [
      ...meta,
      ...version7,
      ...[...rows, reject, drift].map(ofProject).map(inVersion5),
      ...published,
      'INSERT INTO svc.svc_meta VALUES (7)',
    ],
  ],
  [
    8,
    [
      ...meta,
      ...version8,
      ...[...rows, reject, drift].map(ofProject).map(inVersion5),
      ...published.map(inVersion8),
      'INSERT INTO svc.svc_meta VALUES (8)',
    ],
  ],
  [
    9,
    [
      ...meta,
      ...version9,
      ...[...rows, reject, drift].map(ofProject).map(inVersion5).map(inVersion9),
      ...published.map(inVersion8),
      'INSERT INTO svc.svc_meta VALUES (9)',
    ],
  ],
  [
    10,
    [
      ...meta,
      ...version10,
      ...[...rows, reject, drift].map(ofProject).map(inVersion5).map(inVersion9),
      ...published.map(inVersion8),
      'INSERT INTO svc.svc_meta VALUES (10)',
    ],
  ],
  [
    11,
    [
      ...meta,
      ...version11,
      ...[...rows, reject, drift].map(ofProject).map(inVersion5).map(inVersion9).map(inVersion11),
      ...published.map(inVersion8),
      'INSERT INTO svc.svc_meta VALUES (11)',
    ],
  ],
  [
    12,
    [
      ...meta,
      ...version12,
      ...[...rows, reject, drift].map(ofProject).map(inVersion5).map(inVersion9).map(inVersion11),
      ...published.map(inVersion8),
      'INSERT INTO svc.svc_meta VALUES (12)',
    ],
  ],
])
