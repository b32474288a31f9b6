/** Hints about the command line, the project that it stands in, and its settings. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fromFiles, model, orders } from '../../support/hints/projects.ts'
import type { ErrorTable, Scenario, Stage } from '../../support/hints/stage.ts'

const one = { [orders]: model('orders', 'SELECT 1 AS id') }
const ran = (p: Stage) => p.works('run')
const nothing = () => undefined

/** A command line that is wrong, and the one that its hint leads to. */
const slip = (act: Scenario['act'], hint: string, works: string, more: Partial<Scenario> = {}): Scenario => ({
  hint,
  files: one,
  ...(act !== undefined && { act }),
  follow: nothing,
  works,
  ...more,
})

const usage: readonly Scenario[] = [
  slip('run --all orders', 'Leave out one of them.', 'run --all'),
  slip(
    'run --json --log-format json',
    'The last event holds the outcome: leave out --json.',
    'run --log-format json',
    {
      inWords: true,
    },
  ),
  slip('run --exclude !orders', 'Select it instead: --select x --exclude y.', 'run --select orders'),
  slip(
    'run --vars country',
    'Write, for example: --vars country=de --vars limit=10.',
    'run --vars country=de',
    {
      files: { ...one, 'svc.yaml': 'name: shop\nvars: {country: fr}\n' },
    },
  ),
  slip('run --vars land=de', 'It declares country.', 'run --vars country=de', {
    files: { ...one, 'svc.yaml': 'name: shop\nvars: {country: fr}\n' },
  }),
  slip('run --vars country=de', 'Declare it under vars with its usual value.', 'run --vars country=de', {
    follow: p => p.edit('svc.yaml', 'name: shop', 'name: shop\nvars: {country: fr}'),
  }),
  slip(
    'sample orders --child lines',
    'Child tables are part of the raw load: svc sample orders --source raw --child lines.',
    'sample orders --source raw --child lines',
    {
      files: {
        [orders]: fromFiles('resource: "*.json", nested: tables', 'SELECT id FROM {{ source }}'),
        'data/a.json': '[{"id": 1, "lines": [{"sku": "a"}]}]',
      },
      before: ran,
    },
  ),
  slip('sample orders --stdin', 'Without them nothing is read of the file but its name.', 'sample orders', {
    before: ran,
  }),
  slip('rollback --all orders', 'Leave out one of them.', 'rollback --all --dry-run', {
    before: async p => {
      await p.works('run')
      p.edit(orders, '1 AS', '2 AS')
      await p.works('run')
    },
  }),
  slip(
    'test --unit --run 06fz3ffej5',
    'Unit tests run in memory; --run is about tables in the warehouse.',
    'test --unit',
  ),
  slip('run --thread 2', 'svc run --help lists the options.', 'run --threads 2'),
  slip('sample orders --source table', 'It is one of raw, model, view.', 'sample orders --source view', {
    before: ran,
  }),
  slip('rn', 'svc --help lists all commands.', '--help', { inWords: true }),
  slip('glossary lst', 'It is one of: …', 'glossary list', { inWords: true }),
  slip('--env prod run', 'Options go after the command: svc run --env prod.', 'run --env prod', {
    inWords: true,
  }),
  slip('explain sorce-empty', 'did you mean "source-empty"?', 'explain source-empty'),
  slip('schema nothing', 'There are: …', 'schema error', { inWords: true }),
  slip('completion basch', 'There is one for …bash…', 'completion bash', { inWords: true }),
  slip(
    'create asset Orders2024!',
    'A name starts with a small letter and has small letters, digits and underscores, such as …',
    'create asset orders_2024',
  ),
  slip('validate models/nothing.svc', "The project's files are below models/.", 'validate models/orders.svc'),
  slip('fmt nothing', 'svc fmt without a path formats all files of the project.', 'fmt'),
  slip('fmt svc.lock', 'It formats .svc files, svc.yaml and glossary.yaml.', 'fmt', {
    files: { ...one, 'svc.lock': 'x' },
  }),
  slip(
    'notify test',
    'Add notify: {data-team: {type: slack, endpoint: env:SLACK_WEBHOOK}} to svc.yaml.',
    'notify test',
    {
      env: { SLACK_WEBHOOK: 'set below' },
      answers: { '/hook': 'ok' },
      follow: p => {
        p.env['SLACK_WEBHOOK'] = `${p.server.origin}/hook`
        p.edit(
          'svc.yaml',
          'name: shop',
          'name: shop\nnotify: {data-team: {type: slack, endpoint: env:SLACK_WEBHOOK}}',
        )
      },
    },
  ),
  slip(
    'upload',
    'Give --url https://host, or set SVC_HOSTED_URL.',
    'upload --dry-run --url http://127.0.0.1:1',
    {
      works: null,
    },
  ),
  slip('config ai --global --project --model x', 'Leave one of them out.', 'config ai --model x --project', {
    files: { ...one, 'svc.yaml': 'name: shop\nai: {provider: ollama}\n' },
  }),
  slip(
    'config ai --project --api-key secret-key-of-mine',
    'Give --api-key env:NAME, or leave out --project: ~/.svc/config is yours alone.',
    'config ai --project --api-key env:NAME',
    {
      files: { ...one, 'svc.yaml': 'name: shop\nai: {provider: openai}\n' },
    },
  ),
  slip(
    'config ai --project --model x',
    'Give --provider too: openai, anthropic, gemini, ollama or transformers.',
    'config ai --project --model x --provider ollama',
  ),
  slip(
    'backup shop.duckdb',
    'Name another file, by its day for example, or delete that one first.',
    'backup monday.duckdb',
    {
      before: async p => {
        await p.works('run')
        p.write('shop.duckdb', 'x')
      },
    },
  ),
  slip(
    'discover data',
    'Name its files: svc discover "data/*.csv"; * stands for part of a name.',
    'discover data/*.csv --no-write',
    {
      files: { ...one, 'data/a.csv': 'id\n1\n' },
    },
  ),
]

const project: ErrorTable = {
  'no-project': [
    {
      hint: 'Make one in this folder with: svc init.',
      before: p => p.remove('svc.yaml'),
      follow: p => p.works('init'),
      works: 'validate',
    },
  ],
  'unknown-asset': [
    slip('run ordesr', 'svc ls lists all assets.', 'run orders', { follow: p => p.works('ls') }),
    slip('inspect models/nothing.svc', "The project's files are below models/.", 'inspect models/orders.svc'),
  ],
  'unknown-environment': [
    slip(
      ['run', '--env', 'pr od'],
      'A name has small letters, digits and underscores, starts with a letter, and is 32 characters at most.',
      'run --env pr_od',
    ),
  ],
  'asset-exists': [
    slip('create asset orders', 'Choose another name, or edit that file.', 'create asset more_orders'),
    slip(
      'discover data/*.csv --name orders',
      'Choose another name with --name, or look at the new text with --no-write.',
      'discover data/*.csv --name more_orders',
      {
        files: { ...one, 'data/a.csv': 'id\n1\n' },
      },
    ),
    slip(
      'discover data/*.csv --name orders',
      'look at the new text with --no-write.',
      'discover data/*.csv --name orders --no-write',
      {
        files: { ...one, 'data/a.csv': 'id\n1\n' },
      },
    ),
  ],
  'invalid-settings': [
    {
      hint: 'Fix svc.yaml first: no asset can run before.',
      files: { ...one, 'svc.yaml': 'name: shop\nwarehuose: duckdb:./w.duckdb\n' },
      follow: p => p.edit('svc.yaml', 'warehuose', 'warehouse'),
      rows: { orders: [{ id: 1 }] },
    },
  ],
  'missing-credentials': [
    {
      hint: 'Set SHOP_WAREHOUSE to an address such as duckdb:./warehouse.duckdb.',
      files: { ...one, 'svc.yaml': 'name: shop\nwarehouse: env:SHOP_WAREHOUSE\n' },
      follow: p => {
        p.env['SHOP_WAREHOUSE'] = 'duckdb:./warehouse.duckdb'
      },
      rows: { orders: [{ id: 1 }] },
    },
  ],
  'invalid-project': [
    {
      hint: "The SQL query that makes the asset; {{ source }} and {{ ref('asset') }} name what it reads.",
      files: { [orders]: 'name: orders\ningest: none\n' },
      follow: p => p.write(orders, model('orders', 'SELECT 1 AS id')),
      rows: { orders: [{ id: 1 }] },
    },
    {
      hint: 'Write ingest.format: csv, json, ndjson or parquet.',
      files: { [orders]: fromFiles('resource: orders.data'), 'data/orders.data': 'id\n1\n' },
      follow: p => p.edit(orders, 'orders.data', 'orders.data, format: csv'),
      rows: { orders: [{ id: 1 }] },
    },
    {
      hint: "Read an asset of this project with ingest: none and {{ ref('base') }}: it is then built before its reader.",
      files: {
        'models/base.svc': model('base', 'SELECT 1 AS id'),
        [orders]: fromFiles().replace(
          'type: file, endpoint: data, resource: "*.csv"',
          'type: warehouse, resource: analytics_dev.base',
        ),
      },
      before: p => p.works('run base'),
      follow: p => p.write(orders, model('orders', "SELECT id FROM {{ ref('base') }}")),
      rows: { orders: [{ id: 1 }] },
    },
  ],
  'port-unavailable': [
    {
      hint: 'This one is free: svc ui --port …',
      files: one,
      act: p => ['ui', '--no-open', '--port', new URL(p.server.origin).port],
      inWords: true,
      follow: nothing,
      works: null,
    },
  ],
}

const disk: ErrorTable = {
  'file-failed': [
    {
      hint: 'The warehouse and its lease live there: create it, or name another warehouse in svc.yaml.',
      files: { ...one, 'svc.yaml': 'name: shop\nwarehouse: duckdb:./of/shop/w.duckdb\n' },
      follow: p => mkdirSync(join(p.root, 'of/shop'), { recursive: true }),
      rows: { orders: [{ id: 1 }] },
    },
    {
      hint: 'Create it, or name another file.',
      files: one,
      before: ran,
      act: 'backup of/shop.duckdb',
      follow: p => mkdirSync(join(p.root, 'of')),
    },
    {
      hint: 'svc run makes it; the address of another warehouse is in svc.yaml.',
      files: one,
      act: 'backup shop.duckdb',
      follow: ran,
    },
  ],
}

export const errors: ErrorTable = { 'wrong-usage': usage, ...project, ...disk }
