/** What commands do: previews, promotions, rollbacks, failed runs, collection. */
import type { Act } from './acts.ts'
import { daily, type Ground, orders } from './ground.ts'

async function preview(g: Ground): Promise<string> {
  const { stdout } = await g.act('preview', '--json')
  return (JSON.parse(stdout) as { readonly run_id: string }).run_id
}

const change = (g: Ground, more = 1) => g.edit('models/daily.svc', 'count(*)', `count(*) + ${more}`)

export const actsOnRuns: readonly Act[] = [
  { name: 'a run with nothing new', act: g => g.act('run') },
  {
    name: 'a preview stays',
    act: async g => {
      change(g)
      await preview(g)
    },
  },
  { name: 'a preview without a change is promoted', act: async g => g.act('promote', await preview(g)) },
  {
    name: 'a preview with a change is promoted',
    act: async g => {
      change(g)
      await g.act('promote', await preview(g))
    },
  },
  {
    name: 'a preview with new rows is promoted',
    act: async g => {
      g.deliver()
      await g.act('promote', await preview(g))
    },
  },
  {
    name: 'a preview is promoted after production has moved',
    act: async g => {
      change(g)
      const run = await preview(g)
      g.deliver()
      await g.act('run')
      await g.act('promote', run)
    },
  },
  {
    name: 'a preview is promoted twice',
    act: async g => {
      change(g)
      const run = await preview(g)
      await g.act('promote', run)
      await g.act('promote', run)
    },
  },
  { name: 'a rollback', takesBack: true, act: g => g.act('rollback') },
  {
    name: 'a rollback and another one',
    takesBack: true,
    act: async g => {
      await g.act('rollback')
      await g.act('rollback')
    },
  },
  { name: 'a rollback of one asset', takesBack: true, act: g => g.act('rollback', 'orders') },
  {
    name: 'a rollback of a changed definition',
    takesBack: true,
    act: async g => {
      change(g)
      await g.act('run')
      await g.act('rollback')
    },
  },
  {
    name: 'a rollback takes an asset away',
    takesBack: true,
    act: async g => {
      g.model('few', 'name: few\ningest: none\ntransform: SELECT 1 AS id\ntests: [{unique: id}]\n')
      await g.act('run')
      await g.act('rollback')
    },
  },
  {
    name: 'a rollback after a failed run',
    takesBack: true,
    act: async g => {
      g.edit('models/daily.svc', 'count(*)', "count(*) + CAST(concat('no') AS INTEGER)")
      await g.act('run')
      await g.act('rollback')
      g.model('daily', daily)
    },
  },
  {
    name: 'a run fails',
    act: async g => {
      g.edit('models/daily.svc', 'count(*)', "count(*) + CAST(concat('no') AS INTEGER)")
      await g.act('run')
    },
  },
  {
    name: 'a run fails and is tried again',
    act: async g => {
      g.edit('models/daily.svc', 'count(*)', "count(*) + CAST(concat('no') AS INTEGER)")
      await g.act('run')
      g.model('daily', daily)
      await g.act('retry')
    },
  },
  {
    name: 'a run is refused',
    act: async g => {
      const text = g.read('models/orders.svc')
      g.model('orders', `${text}tests: [\n`)
      await g.act('run')
      g.model('orders', text)
    },
  },
  {
    name: 'one asset is run',
    act: async g => {
      g.deliver()
      await g.act('run', 'orders')
    },
  },
  {
    name: 'an asset is run with its readers',
    act: async g => {
      change(g)
      await g.act('run', 'daily+')
    },
  },
  { name: 'everything is built anew', act: g => g.act('run', '--full-refresh') },
  {
    name: 'a run without fetching',
    act: async g => {
      g.deliver()
      change(g)
      await g.act('run', '--no-ingest')
    },
  },
  { name: 'garbage is collected', act: g => g.act('gc') },
  {
    name: 'garbage is collected after two months',
    act: async g => {
      g.wait(60 * 86_400_000)
      await g.act('gc')
    },
  },
  {
    name: 'production collects the garbage of branches after two months',
    isToldBefore: true,
    takesBack: true,
    act: async g => {
      g.wait(60 * 86_400_000)
      await g.svc('gc', '--env', 'prod')
    },
  },
  {
    name: 'seven deployments, and a rollback to the first',
    takesBack: true,
    act: async g => {
      for (let n = 1; n <= 7; n++) {
        g.model('daily', daily.replace('count(*)', `count(*) + ${n}`))
        await g.act('run')
      }
      await g.act('rollback')
      g.model('orders', orders)
    },
  },
]
