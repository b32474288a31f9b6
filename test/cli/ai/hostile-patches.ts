/** Patches that must never be applied, as models, agents or attackers might hand them in. */
import {
  asset,
  at,
  customers,
  daily,
  drop,
  envelope,
  type HostilePatch,
  knownSecret,
  ops,
  orders,
  raw,
  set,
  some,
  sql,
} from './hostile-project.ts'
import { consents, weakenings } from './hostile-weakenings.ts'
import { hashOf } from './patch-of.ts'

// ---------------------------------------------------------------- where

const outsidePaths = [
  '../escape.svc',
  '../../../../etc/cron.d/x.svc',
  '/etc/passwd',
  '/tmp/x.svc',
  'models/../../escape.svc',
  'models/../svc.yaml',
  'models/../models/orders.svc',
  './models/orders.svc',
  './glossary.yaml',
  'models//orders.svc',
  'models/orders.svc/',
  'models\\orders.svc',
  '..\\escape.svc',
  'C:\\escape.svc',
  'C:/escape.svc',
  'models/orders.svc:stream',
  'models/orders.svc\0',
  'models/a\nb.svc',
  'models/\u202ecvs.svc',
  'models/\u200bhidden.svc',
  'models/or*.svc',
  'models/orders.svc ',
  'models/ /x.svc',
  'models/folder./x.svc',
  'models/e\u0301.svc',
  'file:///etc/passwd',
  '',
  '.',
  '..',
  '/',
  `models/${'x'.repeat(300)}.svc`,
  `models/${'é'.repeat(120)}.svc`,
  `models/${'deep/'.repeat(200)}x.svc`,
].map(path => at(path, 'path-outside'))

const wrongKinds = [
  'svc.yaml',
  'schemas.lock.json',
  'notes.txt',
  'data/orders.csv',
  'package.json',
  'AGENTS.md',
  '.env',
  '.git/hooks/pre-commit',
  '.svc/manifest.json',
  '.svc/patch/journal.json',
  'models/.hidden.svc',
  'models/.git/x.svc',
  'models/node_modules/x.svc',
  'models/orders.svc.bak',
  'models/orders.yaml',
  'models',
  'other/outside.svc',
  'Glossary.yaml',
  'MODELS/orders.svc',
  'models/%2e%2e/svc.yaml',
  '~/x.svc',
].map(path => at(path, 'path-kind'))

const links: readonly HostilePatch[] = [
  ops('models/link.svc', 'path-link', 'a link to a file outside', ...some),
  ops('models/inside-link.svc', 'path-link', 'a link to another asset', ...some),
  raw(
    'a new file below a linked folder',
    envelope([{ path: 'models/linked/x.svc', base_sha256: null, ops: some }]),
    'path-link',
  ),
  raw(
    'a folder that is called like an asset',
    envelope([{ path: 'models/folder.svc', base_sha256: null, ops: some }]),
    'path-kind',
  ),
  raw(
    'a file as a folder',
    envelope([{ path: 'models/orders.svc/x.svc', base_sha256: null, ops: some }]),
    'path-kind',
  ),
]

// ---------------------------------------------------------------- form

const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) as unknown
const file = (root: string, more: Readonly<Record<string, unknown>>) =>
  envelope([{ path: orders, base_sha256: hashOf(root, orders), ops: some, ...more }])
const oneOp = (op: unknown) => (root: string) => file(root, { ops: [op] })

const forms: readonly HostilePatch[] = [
  raw('nothing', ''),
  raw('no JSON', '{version: 1}'),
  raw('text behind the JSON', '{"version":1,"files":[]} and more'),
  raw('prose around JSON', 'Here is the patch:\n```json\n{"version":1,"files":[]}\n```'),
  raw('null', 'null'),
  raw('a list', '[]'),
  raw('a text', '"patch"'),
  raw('no version', '{"files":[]}'),
  raw('another version', root =>
    envelope([{ path: orders, base_sha256: hashOf(root, orders), ops: some }], 2),
  ),
  raw('the version as a text', root =>
    envelope([{ path: orders, base_sha256: hashOf(root, orders), ops: some }], '1'),
  ),
  raw('files as a mapping', envelope({})),
  raw('no files', envelope([])),
  raw('a member that nobody knows', root => file(root, { mode: '0777' })),
  raw('a command beside the files', '{"version":1,"files":[],"run":"svc run --env prod"}'),
  raw('a file that is a text', envelope(['models/orders.svc'])),
  raw('a path that is a number', root => file(root, { path: 7 })),
  raw('no operations', root => file(root, { ops: [] })),
  raw('operations as a mapping', root => file(root, { ops: {} })),
  raw('a hash in capitals', root => file(root, { base_sha256: hashOf(root, orders)?.toUpperCase() })),
  raw('a short hash', root => file(root, { base_sha256: 'abc' })),
  raw('no hash', root => file(root, { base_sha256: undefined })),
  raw('an operation that nobody knows', oneOp({ op: 'exec', path: '/x', value: 'rm -rf /' })),
  raw('no value', oneOp({ op: 'add', path: '/description' })),
  raw('a value of remove', oneOp({ op: 'remove', path: '/description', value: 1 })),
  raw('no from', oneOp({ op: 'move', path: '/description' })),
  raw('a path that is no pointer', oneOp({ op: 'add', path: 'description', value: 'x' })),
  raw('an escape that there is not', oneOp({ op: 'add', path: '/a~2b', value: 'x' })),
  raw('__proto__ as a step', oneOp({ op: 'add', path: '/__proto__/polluted', value: true })),
  raw('constructor as a step', oneOp({ op: 'add', path: '/constructor/prototype/polluted', value: true })),
  raw('a file twice', root => {
    const each = { path: orders, base_sha256: hashOf(root, orders), ops: some }
    return envelope([each, each])
  }),
  raw('a file twice, in capitals', root =>
    envelope([
      { path: orders, base_sha256: hashOf(root, orders), ops: some },
      { path: 'models/ORDERS.svc', base_sha256: null, ops: some },
    ]),
  ),
  raw(
    'too many files',
    envelope(
      Array.from({ length: 51 }, (_, index) => ({
        path: `models/n${index}.svc`,
        base_sha256: null,
        ops: some,
      })),
    ),
    'patch-too-large',
  ),
  raw(
    'too many operations',
    root => file(root, { ops: Array.from({ length: 501 }, () => some[0]) }),
    'patch-too-large',
  ),
  raw('too large', `"${'x'.repeat(1_000_001)}"`, 'patch-too-large'),
  raw('too deep', oneOp({ op: 'add', path: '/columns', value: deep }), 'patch-too-large'),
  raw(
    'a pointer that is too long',
    oneOp({ op: 'add', path: `/${'x'.repeat(1001)}`, value: 1 }),
    'patch-too-large',
  ),
]

const bases: readonly HostilePatch[] = [
  raw('the hash of another text', root => file(root, { base_sha256: '0'.repeat(64) }), 'patch-base'),
  raw('null for a file that is there', root => file(root, { base_sha256: null }), 'patch-base'),
  raw(
    'a hash for a file that is not there',
    envelope([{ path: 'models/none.svc', base_sha256: '0'.repeat(64), ops: some }]),
    'patch-base',
  ),
  ops('models/latin.svc', 'patch-base', 'bytes that are no UTF-8', ...some),
  raw(
    'one right file and one stale one',
    root =>
      envelope([
        { path: customers, base_sha256: hashOf(root, customers), ops: some },
        { path: orders, base_sha256: '1'.repeat(64), ops: some },
      ]),
    'patch-base',
  ),
  ops(orders, 'patch-test', 'a test that fails', { op: 'test', path: '/name', value: 'customers' }, ...some),
]

const places: readonly HostilePatch[] = [
  ops(orders, 'patch-path', 'remove what is not there', drop('/contract')),
  ops(orders, 'patch-path', 'replace what is not there', { op: 'replace', path: '/contract', value: {} }),
  ops(orders, 'patch-path', 'add below a text', set('/name/x', 1)),
  ops(orders, 'patch-path', 'an index with zeros', set('/tests/00', { unique: 'id' })),
  ops(orders, 'patch-path', 'an index below zero', set('/tests/-1', { unique: 'id' })),
  ops(orders, 'patch-path', 'an index beyond the end', set('/tests/99', { unique: 'id' })),
  ops(orders, 'patch-path', 'move what is not there', { op: 'move', from: '/nothing', path: '/description' }),
  ops(orders, 'patch-path', 'copy what is not there', { op: 'copy', from: '/nothing', path: '/description' }),
  ops('models/shared.svc', 'patch-path', 'an anchor whose alias stays', drop('/columns/id')),
]

// ---------------------------------------------------------------- what the files say

const contents: readonly HostilePatch[] = [
  ops(daily, 'unknown-key', 'a key of a test that there is not', set('/tests/-', { not_nul: 'total' })),
  ops(daily, 'wrong-type', 'a list as SQL', set('/transform', ['SELECT 1'])),
  ops(daily, 'missing-key', 'no SQL', drop('/transform')),
  ops('glossary.yaml', 'wrong-type', 'terms as a text', set('/terms', 'none')),
  sql('sql-syntax', 'SELECT FROM WHERE'),
  sql('sql-not-a-select', 'DROP TABLE analytics.orders'),
  sql('sql-not-a-select', 'DELETE FROM analytics.orders'),
  sql('sql-not-a-select', 'UPDATE svc_live SET generation = 0'),
  sql('sql-not-a-select', 'INSERT INTO x VALUES (1)'),
  sql('sql-not-a-select', 'CREATE TABLE x AS SELECT 1 AS id'),
  sql('sql-not-a-select', "COPY (SELECT 1) TO '/tmp/x.csv'"),
  sql('sql-not-a-select', "ATTACH '/tmp/x.db' AS x"),
  sql('sql-not-a-select', "EXPORT DATABASE '/tmp/x'"),
  sql('sql-not-a-select', 'INSTALL httpfs'),
  sql('sql-not-a-select', 'LOAD httpfs'),
  sql('sql-not-a-select', "SET home_directory = '/'"),
  sql('sql-not-a-select', 'PRAGMA database_list'),
  sql('sql-not-a-select', 'CALL pragma_version()'),
  sql('sql-not-a-select', 'SELECT 1 AS total, 2 AS orders; SELECT 2'),
  sql('sql-not-a-select', 'SELECT 1 AS total, 2 AS orders; DROP TABLE x'),
  sql('patch-sql', "SELECT content AS total FROM read_text('/etc/passwd')"),
  sql('patch-sql', "SELECT 1 AS total, 2 AS orders FROM read_csv('https://evil.example/x.csv')"),
  sql('patch-sql', "SELECT file AS total, 2 AS orders FROM glob('/root/.ssh/*')"),
  sql('patch-sql', 'SELECT secret_string AS total, 2 AS orders FROM duckdb_secrets()'),
  sql('patch-sql', "SELECT current_setting('home_directory') AS total, 2 AS orders"),
  sql('patch-sql', "SELECT total, 2 AS orders FROM query('SELECT 1 AS total')"),
  sql('patch-sql', 'SELECT 1 AS total, 2 AS orders FROM "read_blob" (\'/etc/shadow\')'),
  sql('patch-sql', "SELECT 1 AS total, 2 AS orders FROM /* x */ read_parquet /* y */ ('s3://b/x')"),
  sql('patch-sql', "SELECT 1 AS total, 2 AS orders WHERE EXISTS (FROM sqlite_scan('x.db', 't'))"),
  sql('patch-sql', 'SELECT 1 AS total, 2 AS orders FROM information_schema.tables'),
  sql('patch-sql', 'SELECT 1 AS total, 2 AS orders FROM duckdb_views'),
  sql('patch-sql', "SELECT 1 AS total, 2 AS orders FROM sniff_csv('/etc/passwd')"),
  sql('patch-sql', 'SELECT 1 AS total, 2 AS orders FROM (SHOW ALL TABLES)'),
  sql('sql-other', "SELECT * FROM '/etc/passwd.csv'"),
  sql('sql-unknown-table', 'SELECT total, orders FROM "/etc/passwd.csv"'),
  sql('sql-unknown-table', 'SELECT 1 AS total, 2 AS orders FROM svc_live'),
  sql('patch-sql', "SELECT getenv('HOME') AS total, 2 AS orders FROM x_unknown"),
  sql('unknown-ref', "SELECT 1 AS total, 2 AS orders FROM {{ ref('nothing') }}"),
  sql('self-ref', "SELECT 1 AS total, 2 AS orders FROM {{ ref('daily_sales') }}"),
  ops(
    customers,
    'cycle',
    'a circle',
    set('/transform', "SELECT 1 AS id, name FROM {{ source }} CROSS JOIN {{ ref('best_customers') }}"),
  ),
  ops(
    daily,
    'patch-sql',
    'a test that reads files',
    set('/tests/-', { sql: "SELECT * FROM read_text('/etc/passwd')" }),
  ),
  ops(
    daily,
    'patch-sql',
    'a condition that reads files',
    set('/tests/-', { not_null: 'total', where: "total IN (SELECT 1 FROM glob('/*'))" }),
  ),
  ops(
    'glossary.yaml',
    'patch-sql',
    'a metric that reads files',
    set('/metrics/0/sql_definition', "SELECT count(*) FROM read_text('/etc/passwd')"),
  ),
  ops(
    orders,
    'sql-unknown-column',
    'a column that others read',
    set('/transform', 'SELECT id, customer_id, day FROM {{ source }}'),
  ),
  sql('policy-breach', "SELECT c.name AS total, 1 AS orders FROM {{ ref('customers') }} c"),
  ops(
    daily,
    'unit-test-failed',
    'another sum',
    set(
      '/transform',
      "SELECT day, max(amount) AS total, count(*) AS orders FROM {{ ref('orders') }} WHERE amount >= {{ var('smallest') }} GROUP BY day",
    ),
  ),
  ops(
    daily,
    'unit-test-failed',
    'a unit test that fails',
    set('/tests/-', { name: 'wrong', unit: { given: { orders: [] }, expect: [{ total: 1 }] } }),
  ),
  asset('duplicate-name', 'the name of another', {
    name: 'orders',
    ingest: 'none',
    transform: 'SELECT 1 AS id',
  }),
]

const secrets: readonly HostilePatch[] = [
  ops(
    orders,
    'patch-secret',
    'a key of AWS',
    set('/description', `key ${['AKIA', 'IOSFODNN7EXAMPLE'].join('')}`),
  ),
  ops(
    orders,
    'patch-secret',
    'a token of GitHub',
    set('/description', `${['gh', 'p_'].join('')}${'a1B2'.repeat(9)}`),
  ),
  ops(
    orders,
    'patch-secret',
    'a password in an address',
    set('/description', 'postgres://ana:Xk29fjw0sq@db/x'),
  ),
  ops(
    orders,
    'patch-secret',
    'a private key',
    set('/description', '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'),
  ),
  ops(
    orders,
    'patch-secret',
    'a value that the project knows as secret',
    set('/description', `it is ${knownSecret}`),
  ),
  ops(
    orders,
    'patch-secret',
    'a known value in SQL',
    set('/transform', `SELECT id, customer_id, amount, day FROM {{ source }} WHERE '${knownSecret}' <> ''`),
  ),
  ops(
    'glossary.yaml',
    'patch-secret',
    'a token in a term',
    set('/terms/0/description', `${['gh', 'p_'].join('')}${'a1B2'.repeat(9)}`),
  ),
  ops('glossary.yaml', 'patch-secret', 'a known value in a term', set('/terms/0/description', knownSecret)),
]

export const hostilePatches: readonly HostilePatch[] = [
  ...outsidePaths,
  ...wrongKinds,
  ...links,
  ...forms,
  ...bases,
  ...places,
  ...consents,
  ...weakenings,
  ...contents,
  ...secrets,
]
