import { type DiagnosticExample, type DiagnosticExamples, inOrders, model, rows } from './example.ts'

const people = '{id: 1, email: ada@example.com}'
const customers = { 'models/customers.svc': 'name: customers\ningest: none\ntransform: SELECT 1 AS id\n' }

function withCustomers(text: string, fixed: string | undefined, fix: string): DiagnosticExample {
  return {
    files: { 'models/orders.svc': text, ...customers },
    ...(fixed !== undefined && { fixed }),
    fix,
  }
}

const asset = (lines: string): string => model("SELECT 1 AS id, DATE '2024-05-01' AS day", lines)

export const projectExamples: DiagnosticExamples = {
  'unknown-environment': {
    files: {
      'svc.yaml': 'name: shop\nnotify:\n  ops: {type: slack, endpoint: env:OPS_HOOK, environments: [PROD]}\n',
      ...customers,
    },
    fixed: 'name: shop\nnotify:\n  ops: {type: slack, endpoint: env:OPS_HOOK, environments: [prod]}\n',
    fix: 'Correct the name, or declare the environment under `environments` in `svc.yaml`.',
  },
  'column-doc-unknown': inOrders(
    asset('columns:\n  number: {description: Number of the order.}\n'),
    asset('columns:\n  id: {description: Number of the order.}\n'),
    'Correct the name; `svc inspect <asset>` lists the columns.',
  ),
  'contract-absent-column': inOrders(
    rows(people, 'SELECT id FROM {{ source }}', 'contract: {columns: {emial: {pii: true}}}\n'),
    rows(people, 'SELECT id FROM {{ source }}', 'contract: {columns: {email: {pii: true}}}\n'),
    'Correct the name. The column that the contract names is loaded as NULL, and what the contract says of it (a type, `pii: true`) does not count for the column that the source has.',
  ),
  'contract-excluded-column': inOrders(
    `name: orders\ningest: {type: rows, exclude: [email], rows: [${people}]}\ncontract: {required_columns: [email]}\ntransform: SELECT * FROM {{ source }}\n`,
    `name: orders\ningest: {type: rows, rows: [${people}]}\ncontract: {required_columns: [email]}\ntransform: SELECT * FROM {{ source }}\n`,
    'Take the column out of one of the two lists.',
  ),
  'contract-unknown-column': inOrders(
    rows(people, 'SELECT * FROM {{ source }}', 'contract: {required_columns: [mail]}\n'),
    rows(people, 'SELECT * FROM {{ source }}', 'contract: {required_columns: [email]}\n'),
    'Correct the name: contracts use the names that columns have in SQL.',
  ),
  'contract-without-source': inOrders(
    model('SELECT 1 AS id', 'contract: {columns: {id: bigint}}\n'),
    model('SELECT 1 AS id'),
    'Move the contract to the asset that has the source, or check the output with `tests`.',
  ),
  cycle: {
    files: {
      'models/orders.svc': "name: orders\ningest: none\ntransform: SELECT * FROM {{ ref('customers') }}\n",
      'models/customers.svc': "name: customers\ningest: none\ntransform: SELECT * FROM {{ ref('orders') }}\n",
    },
    fixed: model('SELECT 1 AS id'),
    fix: 'Remove one of the refs; the message shows the whole circle. What both need can be an asset of its own.',
  },
  'disabled-parent': {
    files: {
      'models/orders.svc': "name: orders\ningest: none\ntransform: SELECT * FROM {{ ref('customers') }}\n",
      'models/customers.svc': `${customers['models/customers.svc']}deploy: {enabled: false}\n`,
    },
    fixed: model('SELECT 1 AS id'),
    fix: 'Switch the other asset on, switch this one off too, or read something else.',
  },
  'duplicate-name': {
    files: { 'models/b.svc': model('SELECT 1 AS id'), 'models/a.svc': model('SELECT 2 AS id') },
    fixed: 'name: other_orders\ningest: none\ntransform: SELECT 1 AS id\n',
    fix: 'Rename one of them. Folders do not count: names are unique in a project.',
  },
  'ephemeral-without-reader': inOrders(
    model('SELECT 1 AS id', 'deploy: {materialize: ephemeral}\n'),
    model('SELECT 1 AS id', 'deploy: {materialize: view}\n'),
    'Make it a view or a table, or read it in another asset.',
  ),
  'exposure-duplicate': inOrders(
    model(
      'SELECT 1 AS id',
      'exposures:\n  - {name: Board, type: dashboard}\n  - {name: Board, type: dashboard}\n',
    ),
    model('SELECT 1 AS id', 'exposures:\n  - {name: Board, type: dashboard}\n'),
    'List it once in each asset, and describe it alike everywhere.',
  ),
  'grants-impossible': inOrders(
    model('SELECT 1 AS id', 'deploy: {grants: {select: [analyst]}}\n'),
    model('SELECT 1 AS id'),
    'Remove `grants`, or give an ephemeral asset a view in production. A warehouse that is a file has no roles: who may read the file reads all of it.',
  ),
  'hook-impossible': inOrders(
    model('SELECT 1 AS id', 'deploy: {after: [COMMIT]}\n'),
    model('SELECT 1 AS id'),
    'Remove the statement. What runs around a build is stored with it or not at all, so it may neither end the transaction nor need none.',
  ),
  'constraint-impossible': inOrders(
    model('SELECT 1 AS id', 'deploy: {materialize: view}\ncontract: {constraints: {primary_key: id}}\n'),
    model('SELECT 1 AS id', 'deploy: {materialize: table}\ncontract: {constraints: {primary_key: id}}\n'),
    'Make the asset a table, and give the asset that a foreign key names a primary key of these columns.',
  ),
  'constraint-unknown-column': inOrders(
    model('SELECT 1 AS id', 'contract: {constraints: {primary_key: idd}}\n'),
    model('SELECT 1 AS id', 'contract: {constraints: {primary_key: id}}\n'),
    'Correct the name, or deliver the column in the SQL.',
  ),
  'table-option-idle': inOrders(
    model('SELECT 1 AS id', 'deploy: {unlogged: true}\n'),
    model('SELECT 1 AS id'),
    'Remove the key, unless another environment of the project is on an engine that has them.',
  ),
  'index-impossible': inOrders(
    model('SELECT 1 AS id', 'deploy: {materialize: view, indexes: [id]}\n'),
    model('SELECT 1 AS id', 'deploy: {materialize: table, indexes: [id]}\n'),
    'Make the asset a table, choose a method that the engine has, give the index another name, or leave out what the message names.',
  ),
  'index-unknown-column': inOrders(
    model('SELECT 1 AS id', 'deploy: {indexes: [idd]}\n'),
    model('SELECT 1 AS id', 'deploy: {indexes: [id]}\n'),
    'Correct the name, or deliver the column in the SQL.',
  ),
  'freshness-column': inOrders(
    asset('freshness: {column: id, warn_after: 12h}\n'),
    asset('freshness: {column: day, warn_after: 12h}\n'),
    'Name a column with a date or a timestamp.',
  ),
  'freshness-order': inOrders(
    asset('freshness: {warn_after: 2d, error_after: 1d}\n'),
    asset('freshness: {warn_after: 1d, error_after: 2d}\n'),
    'Make `warn_after` the shorter of the two.',
  ),
  'hard-coded-credentials': inOrders(
    'name: orders\ningest:\n  type: rest_api\n  endpoint: https://api.example.com\n  resource: orders\n  auth: {type: bearer, token: 8f14e45fceea167a5a36dedd4bea2543}\ntransform: SELECT * FROM {{ source }}\n',
    'name: orders\ningest:\n  type: rest_api\n  endpoint: https://api.example.com\n  resource: orders\n  auth: {type: bearer, token: "env:SHOP_TOKEN"}\ntransform: SELECT * FROM {{ source }}\n',
    'Put the value into an environment variable and write `env:NAME`. A secret that was committed is no longer one: revoke it.',
  ),
  'name-too-long': inOrders(
    `name: ${'orders_of_the_shop_'.repeat(4)}\ningest: none\ntransform: SELECT 1 AS id\n`,
    'name: orders_of_the_shop\ningest: none\ntransform: SELECT 1 AS id\n',
    'Choose a name of at most 58 characters.',
  ),
  'policy-breach': {
    files: {
      'models/marts/report.svc':
        "name: report\ningest: none\ntransform: SELECT email AS contact FROM {{ ref('customers') }}\n",
      'models/customers.svc': `name: customers\ningest: {type: rows, rows: [${people}]}\ncontract: {columns: {email: {type: varchar, pii: true}}}\ntransform: SELECT id, email FROM {{ source }}\n`,
      'glossary.yaml':
        'policies:\n  - {name: No people in reports, rule: Reports name nobody., applies_to: [marts.*]}\n',
    },
    fixed:
      "name: report\ningest: none\ntransform: SELECT count(email) AS people FROM {{ ref('customers') }}\n",
    fix: 'Leave the column out, or count it. The message says where the data come from. If the policy is wrong, change the policy.',
  },
  'publish-personal': {
    files: {
      'models/customers.svc': `name: customers\ningest: {type: rows, rows: [${people}]}\ncontract: {columns: {email: {type: varchar, pii: true}}}\ntransform: SELECT id, email FROM {{ source }}\npublish:\n  sheet: {type: file, endpoint: ./out, resource: customers.csv}\n`,
      'glossary.yaml':
        'policies:\n  - {name: Nobody leaves, rule: No person leaves the warehouse., applies_to: [publish.*]}\n',
    },
    fixed: `name: customers\ningest: {type: rows, rows: [${people}]}\ncontract: {columns: {email: {type: varchar, pii: true}}}\ntransform: SELECT id, email FROM {{ source }}\npublish:\n  sheet: {type: file, endpoint: ./out, resource: customers.csv, fields: {id: id}}\n`,
    fix: 'Send other columns with `fields`. `svc publish` checks the same again by the build that is live.',
  },
  'publish-target': inOrders(
    model('SELECT 1 AS id', 'publish:\n  crm: {type: http, endpoint: https://crm.example.com, key: id}\n'),
    model(
      'SELECT 1 AS id',
      'publish:\n  crm: {type: http, endpoint: https://crm.example.com, resource: contacts, key: id}\n',
    ),
    'Add what is missing, in the asset or under `destinations` in `svc.yaml`; [publish](../publish.md) lists the keys of each kind.',
  ),
  'publish-unknown-column': inOrders(
    model(
      'SELECT 1 AS id',
      'publish:\n  crm: {type: http, endpoint: https://crm.example.com, resource: contacts, key: number}\n',
    ),
    model(
      'SELECT 1 AS id',
      'publish:\n  crm: {type: http, endpoint: https://crm.example.com, resource: contacts, key: id}\n',
    ),
    'Correct the name; `svc inspect <asset>` lists the columns.',
  ),
  'where-reaches-out': inOrders(
    model(
      'SELECT 1 AS id',
      "publish:\n  crm: {type: http, endpoint: https://crm.example.com, resource: contacts, key: id, where: id > nextval('sent')}\n",
    ),
    model(
      'SELECT 1 AS id',
      'publish:\n  crm: {type: http, endpoint: https://crm.example.com, resource: contacts, key: id, where: id > 0}\n',
    ),
    'Compare columns of the asset: what else it needs to know belongs to the SQL of the asset.',
  ),
  'relationship-unknown-column': withCustomers(
    asset('tests:\n  - relationships: {id: customers.number}\n'),
    asset('tests:\n  - relationships: {id: customers.id}\n'),
    'Correct the column of the other asset.',
  ),
  'reserved-name': inOrders(
    'name: svc_orders\ningest: none\ntransform: SELECT 1 AS id\n',
    'name: shop_orders\ningest: none\ntransform: SELECT 1 AS id\n',
    'Choose a name that does not begin with `svc_` or, for columns, CTEs and tables in SQL, with `_svc_`. Columns of tables of sources (`_svc_id`, `_svc_parent_id`, `_svc_idx`, `_svc_valid_from`, `_svc_valid_to`) may be taken over. Where every table of the warehouse has a column of the name already (`ctid`, `xmin`, `xmax`, `cmin`, `cmax`, `tableoid`), rename yours with `AS`, or one of a source with `from` under `contract.columns`.',
  ),
  'self-ref': inOrders(
    model("SELECT * FROM {{ ref('orders') }}"),
    model('SELECT 1 AS id'),
    'Read the source or another asset. Tables that add to themselves (incremental) do not exist yet.',
  ),
  'source-without-ingest': inOrders(
    model('SELECT * FROM {{ source }}'),
    rows(people, 'SELECT * FROM {{ source }}'),
    "Say where the data come from, in `ingest`, or read another asset with `{{ ref('name') }}`.",
  ),
  'test-duplicate': inOrders(
    asset('tests:\n  - not_null: id\n  - not_null: [id, day]\n'),
    asset('tests:\n  - not_null: [id, day]\n'),
    'Remove one of the two.',
  ),
  'test-impossible': inOrders(
    asset('tests:\n  - range: {id: {min: 10, max: 1}}\n'),
    asset('tests:\n  - range: {id: {min: 1, max: 10}}\n'),
    'Swap or widen the bounds.',
  ),
  'test-name-duplicate': inOrders(
    asset('tests:\n  - name: complete\n    not_null: id\n  - name: complete\n    not_null: day\n'),
    asset('tests:\n  - name: has_id\n    not_null: id\n  - name: has_day\n    not_null: day\n'),
    'Give each test a name of its own: the history of a test goes by its name.',
  ),
  'test-nullable-key': inOrders(
    rows(people, 'SELECT * FROM {{ source }}', 'contract: {columns: {id: bigint}}\ntests:\n  - unique: id\n'),
    rows(
      people,
      'SELECT * FROM {{ source }}',
      'contract: {columns: {id: bigint}}\ntests:\n  - unique: id\n  - not_null: id\n',
    ),
    'Add a test `not_null`, or write `nullable: false` in the contract.',
  ),
  'test-unknown-column': inOrders(
    asset('tests:\n  - unique: number\n'),
    asset('tests:\n  - unique: id\n'),
    'Correct the name, or deliver the column in the SELECT.',
  ),
  'test-wrong-type': inOrders(
    asset('tests:\n  - fresh: {column: id, within: 2d}\n'),
    asset('tests:\n  - fresh: {column: day, within: 2d}\n'),
    'Use a kind of test that fits the type of the column, or cast the column in the SELECT.',
  ),
  'unit-test-option': inOrders(
    model('SELECT 1 AS id', 'tests:\n  - unit: {expect: [{id: 1}]}\n    where: id > 0\n'),
    model('SELECT 1 AS id', 'tests:\n  - unit: {expect: [{id: 1}]}\n'),
    'Remove the option: `expect`, `contains` and `tolerance` decide what is compared.',
  ),
  'unknown-ref': withCustomers(
    "name: orders\ningest: none\ntransform: SELECT * FROM {{ ref('customer') }}\n",
    "name: orders\ningest: none\ntransform: SELECT * FROM {{ ref('customers') }}\n",
    'Correct the name: it is the `name` in a file, not the name of the file.',
  ),
  'unknown-source-child': inOrders(
    rows('{id: 1, lines: [{sku: tea}]}', "SELECT * FROM {{ source('line') }}"),
    rows('{id: 1, lines: [{sku: tea}]}', "SELECT * FROM {{ source('lines') }}"),
    'Correct the name: a child table is called as the list in the record.',
  ),
  'unknown-term': {
    files: {
      'models/orders.svc': model('SELECT 1 AS id', 'columns:\n  id: {term: Order number}\n'),
      'glossary.yaml': 'terms:\n  - {name: Order}\n',
    },
    fixed: model('SELECT 1 AS id', 'columns:\n  id: {term: Order}\n'),
    fix: 'Correct the term, or add it: `svc glossary add-term`.',
  },
  'unknown-type': inOrders(
    rows(people, 'SELECT * FROM {{ source }}', 'contract: {columns: {id: bigin}}\n'),
    rows(people, 'SELECT * FROM {{ source }}', 'contract: {columns: {id: bigint}}\n'),
    'Correct the type; the message has the nearest one.',
  ),
  'unknown-var': {
    files: {
      'models/orders.svc': model("SELECT {{ var('smalest') }} AS amount"),
      'svc.yaml': 'name: shop\nvars: {smallest: 0}\n',
    },
    fixed: model("SELECT {{ var('smallest') }} AS amount"),
    fix: 'Correct the name, or define the variable under `vars` in `svc.yaml`.',
  },
  'unused-source': inOrders(
    rows(people, 'SELECT 1 AS id'),
    rows(people, 'SELECT id FROM {{ source }}'),
    'Read it with `{{ source }}`, or write `ingest: none`.',
  ),
}
