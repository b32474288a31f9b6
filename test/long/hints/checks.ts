/** Hints of a run about what its files ask for in vain, or mean otherwise than they seem to. */
import { fromFiles, fromService, model, orders } from '../../support/hints/projects.ts'
import type { Scenario, Stage, WarningTable } from '../../support/hints/stage.ts'

const one = [{ id: 1 }]
const edit =
  (from: string, to: string, path = orders) =>
  (p: Stage) =>
    p.edit(path, from, to)
const sql = (text: string, hint: string, from: string, to: string, rows: Scenario['rows']): Scenario => ({
  hint,
  files: { [orders]: model('orders', text) },
  follow: edit(from, to),
  ...(rows !== undefined && { rows }),
})
const amounts = '(SELECT 1 AS id, 5 AS amount)'

export const warnings: WarningTable = {
  'column-doc-unknown': [
    {
      hint: 'did you mean "number"? orders has: number',
      files: {
        [orders]: model('orders', 'SELECT 1 AS number', 'columns: {numbr: {description: Of the order.}}\n'),
      },
      follow: edit('numbr', 'number'),
    },
  ],
  'contract-without-source': [
    {
      hint: 'Check the result with tests, such as not_null or accepted_values, and remove the contract.',
      files: {
        [orders]: model('orders', 'SELECT 1 AS id', 'contract: {columns: {id: {nullable: false}}}\n'),
      },
      follow: edit('contract: {columns: {id: {nullable: false}}}', 'tests: [{not_null: id}]'),
      rows: { orders: one },
    },
  ],
  'table-option-idle': [
    {
      hint: 'Remove "unlogged", unless another environment of the project is on an engine that has them.',
      files: { [orders]: model('orders', 'SELECT 1 AS id', 'deploy: {unlogged: true}\n') },
      follow: edit('deploy: {unlogged: true}\n', ''),
      rows: { orders: one },
    },
  ],
  'defaults-unmatched': [
    {
      hint: 'did you mean "models/staging/**"?',
      files: {
        'svc.yaml': 'name: shop\ndefaults:\n  models/stagin/**: {tags: staging}\n',
        'models/staging/orders.svc': model('orders', 'SELECT 1 AS id'),
      },
      follow: edit('stagin/', 'staging/', 'svc.yaml'),
    },
    {
      hint: "Patterns are relative to the project's root: * stands for a part of a name, ** for any folders.",
      files: {
        'svc.yaml': 'name: shop\ndefaults:\n  "zzz*": {tags: staging}\n',
        'models/staging/orders.svc': model('orders', 'SELECT 1 AS id'),
      },
      follow: edit('zzz*', 'models/**', 'svc.yaml'),
    },
  ],
  'file-passed-over': [
    {
      hint: 'Rename it, so that it ends in .svc in small letters.',
      files: {
        [orders]: model('orders', 'SELECT 1 AS id'),
        'models/More.SVC': model('more', 'SELECT 1 AS id'),
      },
      follow: p => {
        p.remove('models/More.SVC')
        p.write('models/more.svc', model('more', 'SELECT 1 AS id'))
      },
      rows: { more: one },
    },
  ],
  'selector-unmatched': [
    {
      hint: 'Tags here: daily.',
      files: {
        'svc.yaml':
          'name: shop\nnotify:\n  ops: {type: slack, endpoint: env:OPS_HOOK, select: "tag:weekly"}\n',
        [orders]: model('orders', 'SELECT 1 AS id', 'tags: [daily]\n'),
      },
      env: { OPS_HOOK: 'https://hooks.example.com/x' },
      follow: edit('tag:weekly', 'tag:daily', 'svc.yaml'),
    },
  ],
  'sql-bracketed-name': [
    sql(
      `SELECT [id] FROM ${amounts}`,
      'Names are quoted with double quotes; if a list is meant, give it a name: [id] AS id.',
      '[id]',
      '"id"',
      { orders: one },
    ),
    sql(
      `SELECT [id] FROM ${amounts}`,
      'if a list is meant, give it a name: [id] AS id.',
      '[id]',
      '[id] AS id',
      { orders: [{ id: [1] }] },
    ),
  ],
  'sql-duplicate-column': [
    sql(
      'SELECT 1 AS id, 2 AS id',
      'Give each column a name of its own with AS.',
      '2 AS id',
      '2 AS other_id',
      { orders: [{ id: 1, other_id: 2 }] },
    ),
  ],
  'sql-null-comparison': [
    sql(`SELECT id FROM ${amounts} WHERE amount <> NULL`, 'Write IS NOT NULL.', '<> NULL', 'IS NOT NULL', {
      orders: one,
    }),
    sql(`SELECT id FROM ${amounts} WHERE amount = NULL`, 'Write IS NULL.', '= NULL', 'IS NULL', {
      orders: [],
    }),
  ],
  'sql-shadowed-column': [
    sql(
      'SELECT price FROM (SELECT *, 2 AS price FROM (SELECT 1 AS price))',
      'To replace a column, write SELECT * REPLACE (… AS price); or give the second a name of its own.',
      '*, 2 AS price',
      '* REPLACE (2 AS price)',
      { orders: [{ price: 2 }] },
    ),
  ],
  'unknown-environment': [
    {
      hint: 'Declare it: environments: {staging: {}} in svc.yaml.',
      files: {
        'svc.yaml':
          'name: shop\nenvironments: {prod: {schema: analytics}}\nnotify:\n  ops: {type: slack, endpoint: env:OPS_HOOK, environments: [staging]}\n',
        [orders]: model('orders', 'SELECT 1 AS id'),
      },
      env: { OPS_HOOK: 'https://hooks.example.com/x' },
      follow: edit('{prod: {schema: analytics}}', '{prod: {schema: analytics}, staging: {}}', 'svc.yaml'),
    },
  ],
  'unknown-placeholder': [
    {
      hint: 'The tags of requests are {{ cursor }}, {{ cursor.end }} and {{ parent.column }}.',
      files: {
        [orders]: fromService(
          'params: {since: "{number}"}, write: append, incremental: {cursor: id, start: 0}, on_change: forward',
          'SELECT id FROM {{ source }}',
        ),
      },
      answers: { '/orders': one },
      follow: edit('{number}', '{{ cursor }}'),
      rows: { orders: one },
    },
  ],
  'unknown-var': [
    {
      hint: 'Give "currency" a value for all other environments under vars in svc.yaml.',
      files: {
        'svc.yaml': 'name: shop\nvars: {country: fr}\nenvironments: {prod: {vars: {currency: EUR}}}\n',
        [orders]: model('orders', "SELECT {{ var('country') }} AS country"),
      },
      follow: edit('{country: fr}', '{country: fr, currency: USD}', 'svc.yaml'),
    },
  ],
  'absent-column': [
    {
      hint: 'if it must be there, name it in contract.required_columns.',
      files: {
        [orders]: fromFiles(
          '',
          'SELECT id, amount FROM {{ source }}',
          'contract: {columns: {amount: bigint}}\n',
        ),
        'data/a.csv': 'id,amonut\n1,5\n',
      },
      follow: async p => {
        p.edit(orders, 'columns:', 'required_columns: [amount], columns:')
        const said = await p.svc('run')
        if (said.code === 0) throw new Error('a required column is missing, and the run works')
        p.edit('data/a.csv', 'amonut', 'amount')
      },
      rows: { orders: [{ id: 1, amount: 5 }] },
    },
  ],
}
