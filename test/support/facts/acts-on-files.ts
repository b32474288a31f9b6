/** Edits of the project's files: assets renamed, moved and removed, tests, environments, the lock. */
import type { Act } from './acts.ts'
import { daily, models, orders, top } from './ground.ts'

const test = '  - unique: id\n'

export const actsOnFiles: readonly Act[] = [
  { name: 'nothing', act: () => undefined },
  {
    name: 'an asset is moved to another folder',
    act: g => g.move('models/orders.svc', 'models/raw/orders.svc'),
  },
  { name: 'a file is renamed', act: g => g.move('models/daily.svc', 'models/day.svc') },
  {
    name: 'an asset is renamed, and its readers with it',
    act: g => {
      g.remove('models/daily.svc')
      g.model('days', daily.replace('name: daily', 'name: days'))
      g.model('top', top.replace('daily', 'days'))
    },
  },
  {
    name: 'an asset that gathers is renamed',
    act: g => {
      g.edit('models/daily.svc', 'orders', 'sales')
      g.edit('models/events.svc', 'orders', 'sales')
      g.remove('models/orders.svc')
      g.model('sales', orders.replace('name: orders', 'name: sales'))
    },
  },
  {
    name: 'the folder of the models is moved',
    act: async g => {
      await g.move('models', 'assets')
      g.write('svc.yaml', `${g.settings}models: assets/\n`)
    },
  },
  {
    name: 'a definition is changed',
    act: g => g.edit('models/daily.svc', 'count(*)', 'count(*) + 1'),
  },
  {
    name: 'a definition is changed and put back by the next run',
    act: async g => {
      g.edit('models/daily.svc', 'count(*)', 'count(*) + 1')
      await g.act('run')
      g.model('daily', daily)
    },
  },
  {
    name: 'only comments and descriptions are changed',
    act: g => g.append('models/orders.svc', 'description: Everything that was ordered.\n# A comment.\n'),
  },
  {
    name: 'an asset is added',
    act: g => g.model('few', 'name: few\ningest: none\ntransform: SELECT 1 AS id\ntests: [{unique: id}]\n'),
  },
  { name: 'an asset is removed', act: g => g.remove('models/top.svc') },
  {
    name: 'an asset is removed, and comes back',
    act: async g => {
      g.remove('models/top.svc')
      await g.act('run')
      g.model('top', top)
    },
  },
  {
    name: 'an asset that gathers is removed, and comes back',
    takesBack: true,
    act: async g => {
      g.remove('models/customers.svc')
      await g.act('run')
      g.model('customers', models['customers'] ?? '')
    },
  },
  {
    name: 'an asset is switched off',
    act: g =>
      g.edit('models/top.svc', 'deploy: {materialize: view}', 'deploy: {materialize: view, enabled: false}'),
  },
  {
    name: 'a table becomes a view',
    act: g => g.edit('models/daily.svc', 'materialize: table', 'materialize: view'),
  },
  {
    name: 'a view becomes a table',
    act: g => g.edit('models/top.svc', 'materialize: view', 'materialize: table'),
  },
  { name: 'a test is removed', act: g => g.edit('models/orders.svc', test, '') },
  {
    name: 'all tests are removed',
    act: g => g.edit('models/orders.svc', 'tests:\n  - not_null: id\n  - unique: id\n', ''),
  },
  { name: 'a test is renamed', act: g => g.edit('models/orders.svc', test, `${test}    name: once\n`) },
  {
    name: 'a test is added that passes',
    act: g => g.append('models/orders.svc', '  - row_count: {min: 1}\n'),
  },
  {
    name: 'a test is added that warns',
    act: g => g.append('models/orders.svc', '  - row_count: {max: 1}\n    severity: warn\n'),
  },
  {
    name: 'a test is added that fails',
    act: g => g.append('models/orders.svc', '  - row_count: {max: 1}\n'),
  },
  {
    name: 'a test that failed is taken back',
    act: async g => {
      g.append('models/orders.svc', '  - row_count: {max: 1}\n')
      await g.act('run')
      g.model('orders', orders)
    },
  },
  {
    name: 'tests are run by themselves',
    act: async g => {
      g.append('models/orders.svc', '  - row_count: {min: 1}\n')
      await g.act('test')
    },
  },
  {
    name: 'an environment is added and run',
    act: async g => {
      g.write('svc.yaml', `${g.settings}environments: {staging: {}}\n`)
      await g.svc('run', '--env', 'staging')
    },
  },
  {
    name: 'an environment promotes what passed',
    act: g => {
      g.write(
        'svc.yaml',
        `${g.settings}environments: {prod: {promotion: passed}, dev: {promotion: passed}}\n`,
      )
      g.append('models/customers.svc', 'tests: [{row_count: {max: 0}}]\n')
    },
  },
  { name: 'the lock is removed', act: g => g.remove('schemas.lock.json') },
  {
    name: 'the lock is edited',
    act: g => g.write('schemas.lock.json', g.read('schemas.lock.json').replace(/BIGINT/g, 'VARCHAR')),
  },
  {
    name: 'the lock is left with the marks of a merge',
    act: g =>
      g.write(
        'schemas.lock.json',
        `<<<<<<< HEAD\n${g.read('schemas.lock.json')}=======\n{}\n>>>>>>> feature\n`,
      ),
    end: async g => {
      g.remove('schemas.lock.json')
      await g.act('run')
    },
  },
  {
    name: 'the lock of an older state is merged',
    act: g => {
      const lock = JSON.parse(g.read('schemas.lock.json')) as Record<string, unknown>
      g.write('schemas.lock.json', `${JSON.stringify(lock, undefined, 2).replace(/"label"/, '"name"')}\n`)
    },
  },
]
