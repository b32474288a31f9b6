import { type DiagnosticExamples, inOrders, model } from './example.ts'

export const schemaExamples: DiagnosticExamples = {
  'declaration-not-loaded': {
    files: {
      'database/ours.sql': 'CREATE TABLE amounts (amount numeric);\n',
      'svc.yaml': 'name: shop\nwarehouse: postgres://localhost/shop\n',
      'models/orders.svc': model('SELECT 1 AS id'),
    },
    fixed: 'CREATE DOMAIN amount AS numeric;\n',
    fix: 'Correct the statement as its message says. The files declare what the database has already: `CREATE FUNCTION`, `AGGREGATE`, `TYPE`, `DOMAIN`, `OPERATOR`, `CAST`, `SCHEMA`. What `svc doctor --write` wrote it writes again.',
  },
  'defaults-unmatched': {
    files: {
      'svc.yaml': 'name: shop\ndefaults:\n  models/stagin/**: {tags: staging}\n',
      'models/staging/orders.svc': model('SELECT 1 AS id'),
    },
    fixed: 'name: shop\ndefaults:\n  models/staging/**: {tags: staging}\n',
    fix: "Correct the pattern, or remove the entry. Patterns are relative to the project's root; `*` stands for a part of a name, `**` for any folders.",
  },
  'extension-not-loaded': {
    files: {},
    fix: 'Install the extension once, or correct its path under `extensions` in `svc.yaml`; its file must fit the version of the SQL engine and this machine.',
  },
  'invalid-duration': inOrders(
    model('SELECT 1 AS id', 'freshness: {warn_after: 12}\n'),
    model('SELECT 1 AS id', 'freshness: {warn_after: 12h}\n'),
    'Add the unit: `s`, `m`, `h` or `d`.',
  ),
  'invalid-name': inOrders(
    'name: daily orders\ningest: none\ntransform: SELECT 1 AS id\n',
    'name: daily_orders\ningest: none\ntransform: SELECT 1 AS id\n',
    'Use letters, digits and underscores, beginning with a letter.',
  ),
  'missing-key': inOrders(
    'name: orders\ntransform: SELECT 1 AS id\n',
    'name: orders\ningest: none\ntransform: SELECT 1 AS id\n',
    'Add the key. `name`, `ingest` and `transform` are required in each file; `ingest: none` is for assets made from others.',
  ),
  'not-built-yet': inOrders(
    model('SELECT 1 AS id', 'deploy: {materialize: incremental}\n'),
    model('SELECT 1 AS id', 'deploy: {materialize: table}\n'),
    'Remove it. The name is reserved for a later version, so that files for that version are refused and not misunderstood.',
  ),
  'own-test-broken': {
    files: {
      'models/orders.svc': model('SELECT 1 AS id', 'tests:\n  - positive: id\n'),
      'tests/positive.sql': '-- param column: column\nSELECT * FROM {{ source }} WHERE {{ column }} <= 0\n',
    },
    fix: 'Correct the file in `tests/`: the message has what is wrong there.',
  },
  'own-test-syntax': {
    files: {
      'tests/positive.sql': '-- param column: colum\nSELECT * FROM {{ this }} WHERE {{ column }} <= 0\n',
      'models/orders.svc': model('SELECT 1 AS id', 'tests:\n  - positive: id\n'),
    },
    fixed: '-- param column: column\nSELECT * FROM {{ this }} WHERE {{ column }} < 0\n',
    fix: 'A file begins with SQL comments: a description, and `-- param name: type = default` for each parameter. Its query reads `{{ this }}` and has `{{ name }}` where the values of parameters belong.',
  },
  'selector-unmatched': {
    files: {
      'svc.yaml': 'name: shop\nnotify:\n  ops: {type: slack, endpoint: env:SLACK_WEBHOOK, select: ordres+}\n',
      'models/orders.svc': model('SELECT 1 AS id'),
    },
    fixed: 'name: shop\nnotify:\n  ops: {type: slack, endpoint: env:SLACK_WEBHOOK, select: orders+}\n',
    fix: 'Correct the selector; `svc ls <selector>` shows what it selects.',
  },
  'unknown-key': inOrders(
    model('SELECT 1 AS id', 'descripton: Orders of the shop.\n'),
    model('SELECT 1 AS id', 'description: Orders of the shop.\n'),
    'Correct the key; the message has the nearest one. `svc explain <key>` shows the keys below another, such as `svc explain contract`.',
  ),
  'wrong-type': inOrders(
    model('SELECT 1 AS id', 'owner: [ada, bob]\n'),
    model('SELECT 1 AS id', 'owner: ada, bob\n'),
    'Write a value of the kind that the message names: a text, a number, a list, a mapping, `true` or `false`.',
  ),
  'wrong-value': inOrders(
    model('SELECT 1 AS id', 'deploy: {materialize: tabel}\n'),
    model('SELECT 1 AS id', 'deploy: {materialize: table}\n'),
    'Use one of the values that the message lists.',
  ),
}
