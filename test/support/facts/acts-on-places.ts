/** Clocks, machines, branches, backups, folders and the warehouse itself. */
import { rmSync } from 'node:fs'
import { relative } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { closeLeftOpen } from '../../../cli/engine/warehouse/duckdb/open-instances.ts'
import type { Act } from './acts.ts'
import { daily, Ground } from './ground.ts'

const day = 86_400_000

/** Another machine with the same files but for `.svc`, whose warehouse is the one here. */
async function elsewhere(g: Ground, work: (other: Ground) => Promise<unknown>, ahead = 0): Promise<void> {
  await closeLeftOpen()
  const other = new Ground(g)
  other.here = g.here
  other.remove('.svc')
  other.remove('svc_catalog.json')
  other.remove('w.duckdb')
  other.write('svc.yaml', g.settings.replace('./w.duckdb', relative(other.root, g.path('w.duckdb'))))
  other.wait(ahead)
  try {
    await work(other)
  } finally {
    await other.dispose()
  }
  g.wait(10 * 60_000)
}

async function sql(g: Ground, statement: string): Promise<void> {
  await closeLeftOpen()
  const instance = await DuckDBInstance.create(g.path('w.duckdb'))
  const connection = await instance.connect()
  await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}

const schemaOf = (g: Ground) => (g.here === 'prod' ? 'analytics' : `analytics_dev_${branchOf(g)}`)
const branchOf = (g: Ground) => g.read('.git/HEAD').trim().replace('ref: refs/heads/', '')

export const actsOnPlaces: readonly Act[] = [
  {
    name: 'a run with the clock a year ahead, which is right again',
    act: async g => {
      g.wait(365 * day)
      g.deliver()
      await g.act('run')
      g.wait(-365 * day)
    },
  },
  {
    name: 'a changed run with the clock an hour ahead, which is right again',
    act: async g => {
      g.wait(day / 24)
      g.edit('models/daily.svc', 'count(*)', 'count(*) + 1')
      await g.act('run')
      g.wait(-day / 24)
      g.model('daily', daily)
    },
  },
  {
    name: 'the clock is a month back',
    act: async g => {
      g.wait(-30 * day)
      g.edit('models/daily.svc', 'count(*)', 'count(*) + 1')
      await g.act('run')
    },
    end: async g => g.wait(30 * day),
  },
  { name: 'two days go by', act: g => g.wait(2 * day) },
  { name: 'ten days go by', act: g => g.wait(10 * day) },
  { name: 'another machine runs', act: g => elsewhere(g, other => other.act('run')) },
  {
    name: 'another machine deploys a change',
    act: g =>
      elsewhere(g, async other => {
        other.edit('models/daily.svc', 'count(*)', 'count(*) + 1')
        await other.act('run')
      }),
  },
  {
    name: 'another machine rolls back',
    takesBack: true,
    act: g => elsewhere(g, other => other.act('rollback')),
  },
  {
    name: 'another machine runs with its clock ahead',
    act: g =>
      elsewhere(
        g,
        async other => {
          other.edit('models/daily.svc', 'count(*)', 'count(*) + 1')
          await other.act('run')
        },
        day / 2,
      ),
  },
  {
    name: 'a run in another branch, and back',
    act: async g => {
      const branch = branchOf(g)
      g.checkOut('other')
      g.edit('models/daily.svc', 'count(*)', 'count(*) + 1')
      await g.svc('run', '--env', 'dev')
      g.checkOut(branch)
      g.model('daily', daily)
    },
  },
  {
    name: 'a run with a detached head, and back',
    act: async g => {
      const head = g.read('.git/HEAD')
      g.write('.git/HEAD', `${'0123456789'.repeat(4)}\n`)
      await g.svc('run', '--env', 'dev')
      g.write('.git/HEAD', head)
    },
  },
  {
    name: 'a backup takes the place of the warehouse',
    onFile: true,
    act: async g => {
      await g.act('backup', 'b.duckdb')
      await g.move('b.duckdb', 'w.duckdb')
    },
  },
  {
    name: 'an older backup takes the place of the warehouse',
    onFile: true,
    takesBack: true,
    act: async g => {
      await g.act('backup', 'b.duckdb')
      g.edit('models/daily.svc', 'count(*)', 'count(*) + 1')
      g.deliver()
      await g.act('run')
      await g.move('b.duckdb', 'w.duckdb')
    },
  },
  {
    name: 'the warehouse has another name',
    onFile: true,
    act: async g => {
      await g.move('w.duckdb', 'v.duckdb')
      g.write('svc.yaml', g.settings.replace('w.duckdb', 'v.duckdb'))
    },
  },
  {
    name: 'the warehouse is gone',
    onFile: true,
    takesBack: true,
    act: async g => g.move('w.duckdb', 'gone.duckdb'),
  },
  {
    name: 'the folder of the project has another name',
    act: async g => {
      await closeLeftOpen()
      const { renameSync } = await import('node:fs')
      renameSync(g.root, g.beside('store'))
      g.root = g.beside('store')
    },
  },
  { name: 'the folder .svc is removed', act: g => g.remove('.svc') },
  { name: 'the cache is removed', act: g => g.remove('.svc/cache') },
  {
    name: 'the folder of the environment is removed',
    act: g => g.remove(`.svc/${g.here === 'prod' ? 'prod' : `dev_${branchOf(g)}`}`),
  },
  {
    name: 'the files at the root are removed',
    act: g => rmSync(g.path('svc_catalog.json'), { force: true }),
  },
  {
    name: 'somebody puts another view in the place of one',
    onFile: true,
    act: g =>
      sql(
        g,
        `CREATE OR REPLACE VIEW ${schemaOf(g)}.prices AS FROM (VALUES (0, 'cheap'), (1, 'mine')) v(price, label)`,
      ),
  },
  { name: 'somebody drops a view', onFile: true, act: g => sql(g, `DROP VIEW ${schemaOf(g)}.prices`) },
]
