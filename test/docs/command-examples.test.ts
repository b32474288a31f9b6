/** Every example in the help of a command, and so on docs/commands.md, is run on a project that has what it names. */
import { expect, it } from 'vitest'
import { commandSections } from '../../cli/commands/index.ts'
import { shop } from '../cli/shop-project.ts'
import { followPage } from './run-page.ts'

/** What cannot be run alone, and where it is. */
const elsewhere: Readonly<Record<string, string>> = {
  'svc upload --env prod --project 3': 'test/cli/upload, on a store',
  'svc upload --dry-run': 'test/cli/upload, on a store',
  'svc glossary pull --dry-run': 'test/cli/glossary/sync.test.ts, on a store',
  'svc glossary pull --take term.customer=theirs': 'test/cli/glossary/sync.test.ts, on a store',
  'svc glossary push --dry-run': 'test/cli/glossary/sync.test.ts, on a store',
  'svc glossary push --take ours': 'test/cli/glossary/sync.test.ts, on a store',
  'svc discover https://api.example.com/v1/orders': 'test/cli/discover.test.ts',
  'svc discover env:SHOP_DATABASE table:public.orders --no-write': 'test/cli/discover.test.ts',
  'svc import dbt ../my-dbt -o .': 'test/cli/import-dbt/whole-project.test.ts',
  'svc import dbt ../my-dbt --no-write': 'test/cli/import-dbt/whole-project.test.ts',
  'svc notify test': 'test/cli/notify, with servers that take the messages',
  'svc notify test data-team --env prod': 'test/cli/notify, with servers that take the messages',
  ...onModels(
    'explain daily_sales',
    'explain daily_sales --json',
    'review daily_sales',
    'review daily_sales --json',
  ),
  ...onModels('new --name big_orders', 'new --path models/marts/big.svc --apply'),
  ...onModels(
    'fix daily_sales',
    'fix daily_sales --json > fix.json',
    'tests daily_sales',
    'tests daily_sales --apply',
  ),
  'svc mcp': 'test/cli/mcp',
  'svc mcp --env prod': 'test/cli/mcp',
  'svc lsp --stdio': 'test/lsp',
  'svc lsp --stdio --clientProcessId 42': 'test/lsp',
}

function onModels(...lines: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.map(line => [`svc ai ${line}`, 'test/cli/ai, with a server that answers as a model']),
  )
}

const files: Readonly<Record<string, string>> = {
  ...shop,
  // As the example of a renamed project leaves it.
  'svc.yaml': (shop['svc.yaml'] ?? '').replace('name: shop', 'name: store'),
  'models/marts/daily_sales.svc': `name: daily_sales
ingest: none
tags: [core]
transform: |
  WITH paid AS (SELECT * FROM {{ ref('orders') }} WHERE amount > {{ var('smallest') }})
  SELECT day, sum(amount) AS total FROM paid GROUP BY day
tests:
  - not_null: total
  - name: adds_up
    unit:
      given: {orders: [{day: 2026-01-01, amount: 1}]}
      expect: [{total: 1}]
`,
  'models/stg_days.svc':
    "name: stg_days\ningest: none\ntransform: SELECT DISTINCT day FROM {{ ref('orders') }}\n",
  'models/orders.svc': (shop['models/orders.svc'] ?? '').replace(
    'transform:',
    'contract: {columns: {amount: {type: double}}, enforce_types: true, max_rejects: 5}\ntransform:',
  ),
}

const change = (from: string, to: string) => `<!-- edit: models/marts/daily_sales.svc /${from}/${to}/ -->`
const failedRun = (env: string) => [
  change('not_null: total', 'row_count: {min: 99}'),
  `<!-- do (1): svc run${env} -->`,
  change('row_count: {min: 99}', 'not_null: total'),
]

const patch = {
  version: 1,
  files: [
    {
      path: 'models/patched.svc',
      base_sha256: null,
      ops: [{ op: 'add', path: '', value: { name: 'patched', ingest: 'none', transform: 'SELECT 1 AS id' } }],
    },
  ],
}

/** What an example needs before it. */
const before: Readonly<Record<string, readonly string[]>> = {
  'svc init --adopt shop': [
    '<!-- edit: svc.yaml /name: empty/name: shop/ -->',
    '<!-- file: models/first.svc\nname: first\ningest: none\ntransform: SELECT 1 AS id\n-->',
    '<!-- do: svc run -->',
    '<!-- edit: svc.yaml /name: shop/name: store/ -->',
  ],
  'svc doctor': [
    ...Object.entries(files).map(([path, text]) => `<!-- file: ${path}\n${text}-->`),
    '<!-- do: svc run -->',
    '<!-- do: svc run --env prod -->',
    change('> {{', '>= {{'),
    '<!-- do: svc run -->',
    '<!-- do: svc run --env prod -->',
  ],
  'svc publish customers --to crm --dry-run': [
    `<!-- file: models/customers.svc\n${files['models/customers.svc']}publish:\n  crm: {type: duckdb, endpoint: "duckdb:./crm.duckdb", resource: people, key: id, environments: [dev, prod]}\n-->`,
  ],
  'svc promote <run>': [
    '<!-- do: svc run -->',
    change('AS total', 'AS total, 1 AS a'),
    '<!-- do: svc preview -->',
  ],
  'svc promote <run> --env prod': [
    '<!-- do: svc run --env prod -->',
    change('1 AS a', '2 AS a'),
    '<!-- do: svc preview --env prod -->',
  ],
  'svc rollback daily_sales,best_customers --env prod': [
    '<!-- edit: models/marts/best_customers.svc /AS spent/AS spent, 1 AS a/ -->',
    '<!-- do: svc run --env prod -->',
  ],
  // An example before it has removed the term.
  'svc glossary link-term Customer --asset customers': ['<!-- do: svc glossary add-term Customer -->'],
  'svc metric Revenue --by day': [
    '<!-- do: svc glossary edit Revenue --set sql_definition="sum(amount)" --set source_assets=orders -->',
  ],
  'svc glossary import terms.csv --dry-run': [
    '<!-- file: terms.csv\nname,description\nShipment,What left the house.\n-->',
  ],
  'svc glossary import business_glossary.yml': [
    '<!-- file: business_glossary.yml\nversion: "1"\nnodes:\n  - {name: Sales, terms: [{name: Refund}]}\n-->',
  ],
  'svc ai apply fix.json --dry-run': [`<!-- file: fix.json\n${JSON.stringify(patch)}\n-->`],
  'svc retry': failedRun(''),
  'svc retry --env prod': failedRun(' --env prod'),
  'svc test daily_sales --run <run>': [change('2 AS a', '3 AS a'), '<!-- do: svc preview -->'],
}

const page = [
  '<!-- project: empty -->',
  ...commandSections.flatMap(({ commands }) => commands).flatMap(examplesOf),
]

function examplesOf({
  examples,
}: {
  readonly examples: readonly { readonly line: string }[]
}): readonly string[] {
  return examples.flatMap(({ line }) => {
    if (elsewhere[line] !== undefined) return []
    const known = line.replace('5h1t8zkq2m', '<run>')
    return [...(before[known] ?? []), '```sh', known.replace('stg_*', "'stg_*'"), '```']
  })
}

it('every example of the help does what it says', async () => {
  const { faults } = await followPage(page.join('\n'))
  expect(faults.join('\n\n')).toBe('')
}, 240_000)
