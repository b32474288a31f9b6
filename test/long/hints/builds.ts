/** Hints about what is built, tested, promoted and rolled back. */
import { fromFiles, model, orders } from '../../support/hints/projects.ts'
import type { ErrorTable, Scenario, Stage, WarningTable } from '../../support/hints/stage.ts'

const one = (sql: string, more = '') => ({ [orders]: model('orders', sql, more) })
/** orders, and daily, which reads it. */
const two = {
  [orders]: model('orders', 'SELECT 1 AS id, 5 AS amount'),
  'models/daily.svc': model('daily', "SELECT amount FROM {{ ref('orders') }}"),
}
const ran = (p: Stage) => p.works('run')
const change = (from: string, to: string) => (p: Stage) => p.edit(orders, from, to)
const idOf = (text: string) => (JSON.parse(text) as { run_id: string }).run_id

const doubled = (name: string, sql: string) => model(name, sql, 'deploy: {materialize: ephemeral}\n')

const broken: readonly Scenario[] = [
  {
    hint: 'Leave out "unique", or take the duplicates out in the query.',
    files: one('SELECT unnest([1, 1]) AS id', 'deploy: {indexes: [{columns: id, unique: true}]}\n'),
    follow: change('SELECT', 'SELECT DISTINCT'),
    rows: { orders: [{ id: 1 }] },
  },
  {
    hint: 'Nothing is promoted: take such rows out in the query, or the key out of contract.constraints.',
    files: one('SELECT unnest([1, 1]) AS id', 'contract: {constraints: {primary_key: id}}\n'),
    follow: change('SELECT', 'SELECT DISTINCT'),
    rows: { orders: [{ id: 1 }] },
  },
  {
    hint: 'They may change it, and not drop or rename it.',
    files: one('SELECT 1 AS id', 'deploy: {after: "DROP TABLE {{ this }}"}\n'),
    follow: change('DROP TABLE {{ this }}', 'INSERT INTO {{ this }} VALUES (2)'),
    rows: { orders: [{ id: 1 }, { id: 2 }] },
  },
  {
    hint: 'Materialize one of the assets that it reads as a table, or raise limits.sql.length in svc.yaml.',
    files: {
      'svc.yaml': 'name: shop\nlimits: {sql: {length: 200}}\n',
      'models/base.svc': doubled('base', `SELECT 1 AS id, '${'x'.repeat(20)}' AS note`),
      ...Object.fromEntries(
        ['base', 'two', 'four', 'eight', 'sixteen', 'more', 'most'].flatMap((name, index, all) => {
          const next = all[index + 1]
          const half = `SELECT id, note FROM {{ ref('${name}') }}`
          return next === undefined
            ? []
            : [[`models/${next}.svc`, doubled(next, `${half} UNION ALL ${half}`)]]
        }),
      ),
      [orders]: model('orders', "SELECT DISTINCT id FROM {{ ref('most') }}"),
    },
    follow: p => {
      for (const name of ['four', 'sixteen']) p.edit(`models/${name}.svc`, 'ephemeral', 'table')
    },
    rows: { orders: [{ id: 1 }] },
  },
]

const foreign: readonly Scenario[] = [
  {
    hint: 'Rename or drop it, or give the asset "orders" another name or another deploy.schema.',
    files: one('SELECT 1 AS id'),
    before: async p => {
      await p.works('init')
      await p.sql(
        'CREATE SCHEMA IF NOT EXISTS analytics_dev',
        'CREATE TABLE analytics_dev.orders (x INTEGER)',
      )
    },
    follow: p => p.sql('ALTER TABLE analytics_dev.orders RENAME TO orders_of_others'),
    rows: { orders: [{ id: 1 }] },
  },
  {
    hint: 'Give each environment a schema of its own in svc.yaml.',
    files: {
      'svc.yaml': 'name: shop\nenvironments: {prod: {schema: same}, test: {schema: same}}\n',
      ...one('SELECT 1 AS id'),
    },
    before: p => p.works('run --env prod'),
    act: 'run --env test',
    follow: p => p.edit('svc.yaml', 'test: {schema: same}', 'test: {schema: other}'),
  },
  {
    hint: 'svc did not make that view: change or drop it first, or keep what it reads.',
    files: one('SELECT 1 AS id, 2 AS amount'),
    before: async p => {
      await p.works('run')
      await p.sql('CREATE SCHEMA bi', 'CREATE VIEW bi.report AS SELECT amount FROM analytics_dev.orders')
      p.edit(orders, ', 2 AS amount', '')
    },
    follow: p => p.sql('DROP VIEW bi.report'),
    rows: { orders: [{ id: 1 }] },
  },
]

const promotions: ErrorTable = {
  'build-gone': [
    {
      hint: 'Preview again, so that what is gone is built anew: svc preview.',
      files: one('SELECT 1 AS id'),
      before: async p => {
        await p.works('run')
        p.edit(orders, '1 AS', '2 AS')
        p.notes['run'] = idOf((await p.works('preview --json')).stdout)
        await p.sql(`DROP TABLE svc_g_${p.notes['run']}.orders`)
      },
      act: p => `promote ${p.notes['run']}`,
      follow: async p => {
        const id = idOf((await p.works('preview --json')).stdout)
        await p.works(`promote ${id}`)
      },
      works: null,
      rows: { orders: [{ id: 2 }] },
    },
  ],
  'promotion-stale': [
    {
      hint: 'Preview again, check the result, and promote that preview.',
      files: one('SELECT 1 AS id'),
      before: async p => {
        await p.works('run')
        p.edit(orders, '1 AS', '2 AS')
        p.notes['run'] = idOf((await p.works('preview --json')).stdout)
        p.edit(orders, '2 AS', '3 AS')
        await p.works('run')
        p.edit(orders, '3 AS', '2 AS')
      },
      act: p => `promote ${p.notes['run']}`,
      follow: async p => {
        const id = idOf((await p.works('preview --json')).stdout)
        await p.works(`promote ${id}`)
      },
      works: null,
      rows: { orders: [{ id: 2 }] },
    },
  ],
  'nothing-to-roll-back': [
    {
      hint: 'svc run deploys.',
      files: one('SELECT 1 AS id'),
      act: 'rollback --dry-run',
      follow: ran,
      works: 'status',
      shows: 'orders',
    },
    {
      hint: 'Preview again, so that it is built anew: svc preview.',
      files: one('SELECT 1 AS id'),
      before: async p => {
        await p.works('run')
        p.edit(orders, '1 AS', '2 AS')
        p.notes['run'] = idOf((await p.works('preview --json')).stdout)
        p.clock(9 * 24)
        await p.works('gc')
      },
      act: p => `promote ${p.notes['run']}`,
      follow: async p => {
        const id = idOf((await p.works('preview --json')).stdout)
        await p.works(`promote ${id}`)
      },
      works: null,
      rows: { orders: [{ id: 2 }] },
    },
    {
      hint: 'svc versions orders lists what was deployed.',
      files: one('SELECT 1 AS id'),
      before: ran,
      act: 'rollback orders',
      follow: () => undefined,
      works: 'versions orders',
      shows: 'deployed',
    },
  ],
  'wrong-usage': [
    {
      hint: 'svc preview says the id of its run at the end.',
      files: one('SELECT 1 AS id'),
      before: async p => {
        p.notes['run'] = idOf((await p.works('run --json')).stdout)
        p.edit(orders, '1 AS', '2 AS')
      },
      act: p => `promote ${p.notes['run']}`,
      follow: async p => {
        const said = await p.works('preview')
        await p.works(`promote ${/svc promote (\w+)/.exec(said.stdout)?.[1]}`)
      },
      works: null,
      rows: { orders: [{ id: 2 }] },
    },
  ],
  'replaced-view': [
    {
      hint: 'Keep its query elsewhere if it is needed: svc run --replace-views puts that of svc in its place.',
      files: one('SELECT 1 AS id'),
      before: async p => {
        await p.works('run')
        await p.sql('CREATE OR REPLACE VIEW analytics_dev.orders AS SELECT 7 AS id')
        p.edit(orders, '1 AS', '2 AS')
      },
      follow: () => undefined,
      works: 'run --replace-views',
      rows: { orders: [{ id: 2 }] },
    },
  ],
  'new-warnings': [
    {
      hint: 'See to its cause; or run without --strict (in svc.yaml: warnings: show), and the warning counts as known from then on.',
      files: { [orders]: fromFiles('', 'SELECT id FROM {{ source }}'), 'data/a.csv': 'id,v\n1,a\n\n2,b\n' },
      act: 'run --strict',
      follow: p => p.works('run'),
      isToldAgain: true,
      rows: { orders: [{ id: 1 }, { id: 2 }] },
    },
    {
      hint: 'See to its cause',
      files: { [orders]: fromFiles('', 'SELECT id FROM {{ source }}'), 'data/a.csv': 'id,v\n1,a\n\n2,b\n' },
      act: 'run --strict',
      follow: p => p.write('data/a.csv', 'id,v\n1,a\n2,b\n'),
      rows: { orders: [{ id: 1 }, { id: 2 }] },
    },
  ],
}

const runs: ErrorTable = {
  'breaking-change': [
    {
      hint: 'orders has: id, total',
      files: two,
      before: async p => {
        await p.works('run')
        p.edit(orders, 'AS amount', 'AS total')
      },
      follow: p => p.edit('models/daily.svc', 'SELECT amount', 'SELECT total'),
      rows: { daily: [{ total: 5 }] },
    },
  ],
  'parent-not-built': [
    {
      hint: 'Build what it reads first: svc run +daily.',
      files: two,
      act: 'run daily',
      follow: () => undefined,
      works: 'run +daily',
      rows: { daily: [{ amount: 5 }] },
    },
    {
      hint: 'Run without --no-ingest once.',
      files: { [orders]: fromFiles(), 'data/a.csv': 'id\n1\n' },
      act: 'run --no-ingest',
      follow: ran,
      rows: { orders: [{ id: 1 }] },
    },
  ],
  'not-deployed': [
    {
      hint: 'Run it first: svc run +daily.',
      files: two,
      act: 'sample daily',
      follow: p => p.works('run +daily'),
      rows: { daily: [{ amount: 5 }] },
    },
    {
      hint: 'svc logs --list shows the runs with their assets.',
      files: two,
      before: async p => {
        await p.works('run')
        p.edit('models/daily.svc', 'SELECT amount', 'SELECT amount + 1 AS amount')
        p.notes['run'] = idOf((await p.works('run daily --json')).stdout)
        p.write('models/new.svc', model('new', 'SELECT 1 AS id'))
        await p.works('run new')
      },
      act: p => `sample new --source model --run ${p.notes['run']}`,
      follow: async p => {
        const { stdout } = await p.works('logs --list')
        const run = stdout
          .split('\n')
          .find(line => /\bnew\b/.test(line))
          ?.split(' ')[0]
        await p.works(`sample new --source model --run ${run}`)
      },
      works: null,
    },
    {
      hint: 'Run it first: svc run.',
      files: two,
      act: 'test',
      follow: ran,
    },
    {
      hint: 'Its table is shown by svc sample orders --source model.',
      files: one('SELECT 1 AS id', 'deploy: {materialize: ephemeral}\n'),
      before: ran,
      act: 'sample orders',
      follow: () => undefined,
      works: 'sample orders --source model',
    },
  ],
  'build-failed': broken,
  'foreign-object': foreign,
  'unknown-run': [
    {
      hint: 'svc logs --list shows the runs whose logs are kept.',
      files: one('SELECT 1 AS id'),
      before: ran,
      act: 'sample orders --source model --run 0123456789',
      follow: async p => {
        const { stdout } = await p.works('logs --list --json')
        p.notes['run'] = /"run_id": "(\w+)"/.exec(stdout)?.[1] ?? ''
        await p.works(`sample orders --source model --run ${p.notes['run']}`)
      },
      works: null,
    },
    {
      hint: 'svc preview says the id of its run at the end.',
      files: one('SELECT 1 AS id'),
      before: ran,
      act: 'promote 0123456789',
      follow: async p => {
        p.edit(orders, '1 AS', '2 AS')
        const said = await p.works('preview')
        await p.works(`promote ${/svc promote (\w+)/.exec(said.stdout)?.[1]}`)
      },
      works: null,
      rows: { orders: [{ id: 2 }] },
    },
    {
      hint: 'svc logs --list shows those that are kept.',
      files: one('SELECT 1 AS id'),
      before: ran,
      act: 'logs 0123456789',
      follow: async p => {
        const { stdout } = await p.works('logs --list --json')
        await p.works(`logs ${/"run_id": "(\w+)"/.exec(stdout)?.[1]}`)
      },
      works: null,
    },
    {
      hint: 'Every run, preview, promotion and rollback keeps one.',
      files: one('SELECT 1 AS id'),
      act: 'logs',
      follow: ran,
    },
  ],
}

export const errors: ErrorTable = { ...promotions, ...runs }

export const warnings: WarningTable = {
  'lost-history': [
    {
      hint: 'Until the last run that has them goes, svc rollback brings them back.',
      files: {
        [orders]: fromFiles('only_new: true, write: append', 'SELECT id FROM {{ source }}'),
        'data/a.csv': 'id\n1\n',
      },
      before: async p => {
        await p.works('run')
        p.remove('data/a.csv')
        p.write('data/b.csv', 'id\n2\n')
        await p.works('run')
      },
      act: 'run --full-refresh',
      follow: p => p.works('rollback'),
      works: null,
      rows: { orders: [{ id: 1 }, { id: 2 }] },
    },
    {
      hint: 'Until they go, svc rollback brings them back; an asset of this name then keeps them.',
      files: {
        [orders]: fromFiles('only_new: true, write: append', 'SELECT id FROM {{ source }}'),
        'models/other.svc': model('other', 'SELECT 1 AS id'),
        'data/a.csv': 'id\n1\n',
      },
      before: async p => {
        await p.works('run')
        p.remove(orders)
      },
      follow: async p => {
        await p.works('rollback')
        p.remove('data/a.csv')
        p.write('data/b.csv', 'id\n2\n')
        p.write(orders, fromFiles('only_new: true, write: append', 'SELECT id FROM {{ source }}'))
      },
      rows: { orders: [{ id: 1 }, { id: 2 }] },
    },
  ],
}
