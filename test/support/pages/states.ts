/** States of a project, each made by what people do and by what happens to them, with what has to be said of it. */
import type { AssetState, RunVerdict } from '../../../server/contract/verdicts.ts'
import { both, daily, names, orders, people } from './shop.ts'
import type { Stage } from './stage.ts'

export interface PageState {
  readonly name: string
  /** Comes to the state; the last command that it gives is the one whose words are compared. */
  readonly make: (stage: Stage) => Promise<unknown>
  /** What its last command came to. */
  readonly verdict: RunVerdict
  /** The assets that are not Deployed. */
  readonly not?: Readonly<Record<string, AssetState>>
  /** How many causes are named. */
  readonly causes?: number
}

const broken = "SELECT error('boom') AS n"
const ran = async (stage: Stage) => stage.svc('run')
const all = (state: AssetState) =>
  Object.fromEntries(['orders', 'people', 'daily', 'names', 'both'].map(name => [name, state]))
const badRows = 'id,amount\n1,10\n2,twenty\n3,30\n'
const twice = 'id,amount\n1,10\n1,20\n'

/** Runs once, changes files, and runs again. */
function afterwards(files: Readonly<Record<string, string>>, ...words: string[]) {
  return async (stage: Stage) => {
    await ran(stage)
    for (const [path, text] of Object.entries(files)) stage.write(path, text)
    await stage.svc('run', ...words)
  }
}

const dailyFails = { 'models/daily.svc': daily(broken) }
const heldBack = { daily: 'Failed', both: 'Held back' } as const

export const states: readonly PageState[] = [
  { name: 'a first run', make: ran, verdict: 'Deployed' },
  { name: 'a second run with nothing new', make: afterwards({}), verdict: 'Nothing to do' },
  {
    name: 'a run of one asset that changed',
    make: afterwards(
      { 'models/daily.svc': daily("SELECT count(*) + 1 AS n FROM {{ ref('orders') }}") },
      'daily',
    ),
    verdict: 'Deployed',
  },
  {
    name: 'a first run of one source',
    make: stage => stage.svc('run', 'orders'),
    verdict: 'Deployed',
    not: { people: 'Never run', daily: 'Never run', names: 'Never run', both: 'Never run' },
  },
  { name: 'a build that fails', make: afterwards(dailyFails), verdict: 'Failed', not: heldBack, causes: 1 },
  {
    name: 'a build that fails in the first run',
    make: async stage => {
      stage.write('models/daily.svc', daily(broken))
      await ran(stage)
    },
    verdict: 'Failed',
    not: { ...all('Never run'), ...heldBack },
    causes: 1,
  },
  {
    name: 'two builds that fail',
    make: afterwards({ ...dailyFails, 'models/names.svc': names(broken) }),
    verdict: 'Failed',
    not: { daily: 'Failed', names: 'Failed', both: 'Held back' },
    causes: 2,
  },
  {
    name: 'three failures, one of each kind',
    make: afterwards({
      ...dailyFails,
      'models/people.svc': people({ rows: '{id: 1, name: null}' }),
      'models/both.svc': both.replace('ingest: none', 'ingest: none\ntests: [{row_count: {min: 9}}]'),
    }),
    verdict: 'Failed',
    not: { daily: 'Failed', people: 'Failed', both: 'Held back' },
    causes: 2,
  },
  {
    name: 'a test that fails',
    make: afterwards({ 'data/orders.csv': twice }),
    verdict: 'Failed',
    not: { orders: 'Failed' },
    causes: 1,
  },
  {
    name: 'a unit test that fails',
    make: afterwards({
      'models/names.svc': names(
        undefined,
        'tests:\n  - name: one\n    unit: {given: {people: [{name: x}]}, expect: [{name: y}]}\n',
      ),
    }),
    verdict: 'Failed',
    not: { names: 'Failed', both: 'Held back' },
    causes: 1,
  },
  {
    name: 'a source that is not there',
    make: async stage => {
      await ran(stage)
      stage.remove('data/orders.csv')
      await ran(stage)
    },
    verdict: 'Failed',
    not: { orders: 'Failed', daily: 'Held back', both: 'Held back' },
    causes: 1,
  },
  {
    name: 'a source that is empty now',
    make: afterwards({ 'data/orders.csv': 'id,amount\n' }),
    verdict: 'Failed',
    not: { orders: 'Failed', daily: 'Held back', both: 'Held back' },
    causes: 1,
  },
  {
    name: 'a contract that refuses the source',
    make: afterwards({
      'models/orders.svc': orders().replace('contract: {', 'contract: {required_columns: [day], '),
    }),
    verdict: 'Failed',
    not: { orders: 'Failed', daily: 'Held back', both: 'Held back' },
    causes: 1,
  },
  {
    name: 'too many rejects',
    make: afterwards({
      'data/orders.csv': badRows,
      'models/orders.svc': orders().replace(
        'contract: {',
        'contract: {evolution: discard_row, max_rejects: 0, ',
      ),
    }),
    verdict: 'Failed',
    not: { orders: 'Failed', daily: 'Held back', both: 'Held back' },
    causes: 1,
  },
  {
    name: 'rejected records',
    make: afterwards({
      'data/orders.csv': badRows,
      'models/orders.svc': orders().replace('contract: {', 'contract: {evolution: discard_row, '),
    }),
    verdict: 'Deployed with warnings',
    not: { orders: 'Warned' },
  },
  {
    name: 'rejected values',
    make: afterwards({ 'data/orders.csv': badRows }),
    verdict: 'Deployed with warnings',
    not: { orders: 'Warned' },
  },
  {
    name: 'a test that warns',
    make: afterwards({
      'data/orders.csv': 'id,amount\n1,10\n2,-5\n',
      'models/orders.svc': orders({ more: '  - range: {amount: {min: 0}}\n    severity: warn\n' }),
    }),
    verdict: 'Deployed with warnings',
    not: { orders: 'Warned' },
  },
  {
    name: 'a test that warns, and nothing new',
    make: async stage => {
      stage.write('data/orders.csv', 'id,amount\n1,10\n2,-5\n')
      stage.write(
        'models/orders.svc',
        orders({ more: '  - range: {amount: {min: 0}}\n    severity: warn\n' }),
      )
      await ran(stage)
      await ran(stage)
    },
    verdict: 'Nothing to do',
    not: { orders: 'Warned' },
  },
  {
    name: 'a warning that is gone',
    make: async stage => {
      stage.write('data/orders.csv', badRows)
      await ran(stage)
      stage.write('data/orders.csv', 'id,amount\n1,10\n')
      await ran(stage)
    },
    verdict: 'Deployed',
  },
  {
    name: 'a strict run that is refused',
    make: afterwards({ 'data/orders.csv': badRows }, '--strict'),
    verdict: 'Failed',
    // What was built of it stays where it is, as after a test that failed.
    not: { orders: 'Failed' },
    causes: 1,
  },
  {
    name: 'a run in part',
    make: afterwards(
      { ...dailyFails, 'models/names.svc': names("SELECT name, 1 AS one FROM {{ ref('people') }}") },
      '--promote',
      'passed',
    ),
    verdict: 'Deployed in part',
    not: heldBack,
    causes: 1,
  },
  {
    name: 'a run in part with a warning',
    make: afterwards({ ...dailyFails, 'data/orders.csv': badRows }, '--promote', 'passed'),
    verdict: 'Deployed in part',
    not: { ...heldBack, orders: 'Warned' },
    causes: 1,
  },
  {
    name: 'a run in part of which nothing passed',
    make: afterwards(
      {
        'models/orders.svc': orders({ sql: broken }),
        'models/people.svc': people().replace('SELECT id, name', "SELECT error('x') AS id, name"),
      },
      '--promote',
      'passed',
    ),
    verdict: 'Failed',
    not: { orders: 'Failed', people: 'Failed', daily: 'Held back', names: 'Held back', both: 'Held back' },
    causes: 2,
  },
  {
    name: 'a failure that is mended',
    make: async stage => {
      await afterwards(dailyFails)(stage)
      stage.write('models/daily.svc', daily())
      await ran(stage)
    },
    verdict: 'Nothing to do',
  },
  {
    name: 'a retry',
    make: async stage => {
      await afterwards(dailyFails)(stage)
      stage.write('models/daily.svc', daily('SELECT 7 AS n'))
      await stage.svc('retry')
    },
    verdict: 'Deployed',
  },
  {
    name: 'a preview',
    make: async stage => {
      await ran(stage)
      stage.write('models/daily.svc', daily('SELECT 7 AS n'))
      await stage.svc('preview')
    },
    verdict: 'Previewed',
  },
  {
    name: 'a preview that fails',
    make: async stage => {
      await ran(stage)
      stage.write('models/daily.svc', daily(broken))
      await stage.svc('preview')
    },
    verdict: 'Failed',
    causes: 1,
  },
  {
    name: 'a preview that is promoted',
    make: async stage => {
      await ran(stage)
      stage.write('models/daily.svc', daily('SELECT 7 AS n'))
      const id = await stage.svc('preview')
      await stage.svc('promote', id)
    },
    verdict: 'Deployed',
  },
  {
    name: 'a preview that warns, promoted',
    make: async stage => {
      await ran(stage)
      stage.write('data/orders.csv', badRows)
      const id = await stage.svc('preview')
      await stage.svc('promote', id)
    },
    verdict: 'Deployed with warnings',
    not: { orders: 'Warned' },
  },
  {
    name: 'a rollback',
    make: async stage => {
      await afterwards({ 'models/daily.svc': daily('SELECT 7 AS n') })(stage)
      await stage.svc('rollback')
    },
    verdict: 'Rolled back',
  },
  {
    name: 'a rollback of one asset',
    make: async stage => {
      await afterwards({ 'models/daily.svc': daily('SELECT 7 AS n') })(stage)
      await stage.svc('rollback', 'daily')
    },
    verdict: 'Rolled back',
  },
  {
    name: 'a rollback of a new asset',
    make: async stage => {
      await ran(stage)
      stage.write('models/more.svc', 'name: more\ningest: none\ntransform: SELECT 1 AS a\n')
      await ran(stage)
      await stage.svc('rollback')
    },
    verdict: 'Rolled back',
    not: { more: 'Never run' },
  },
  {
    name: 'a deleted asset',
    make: async stage => {
      await ran(stage)
      stage.remove('models/both.svc')
      await ran(stage)
    },
    verdict: 'Deployed',
  },
  {
    name: 'a view that somebody dropped',
    make: async stage => {
      await ran(stage)
      await stage.sql('DROP VIEW {schema}.daily')
      await stage.renew()
    },
    verdict: 'Deployed',
    not: { daily: 'Gone' },
  },
  {
    name: 'a view that somebody replaced',
    make: async stage => {
      await ran(stage)
      await stage.sql('CREATE OR REPLACE VIEW {schema}.names AS SELECT 1 AS x')
      await stage.renew()
    },
    verdict: 'Deployed',
    not: { names: 'Gone' },
  },
  {
    name: 'a dropped view that a run made again',
    make: async stage => {
      await ran(stage)
      await stage.sql('DROP VIEW {schema}.daily')
      await ran(stage)
    },
    verdict: 'Deployed',
  },
  {
    name: 'data that are too old',
    make: async stage => {
      stage.write('models/orders.svc', orders({ more: 'freshness: {error_after: 1ms}\n' }))
      await ran(stage)
    },
    verdict: 'Deployed',
    not: { orders: 'Stale' },
  },
  {
    name: 'data that are getting old',
    make: async stage => {
      stage.write('models/orders.svc', orders({ more: 'freshness: {warn_after: 1ms, error_after: 30d}\n' }))
      await ran(stage)
    },
    verdict: 'Deployed',
    not: { orders: 'Stale' },
  },
  {
    name: 'a row that is too old',
    make: async stage => {
      stage.write(
        'models/names.svc',
        names("SELECT TIMESTAMP '2020-01-01' AS at", 'freshness: {column: at, error_after: 1d}\n'),
      )
      stage.remove('models/both.svc')
      await ran(stage)
    },
    verdict: 'Deployed',
    not: { names: 'Stale' },
  },
  {
    name: 'a publish',
    make: async stage => {
      await ran(stage)
      await stage.svc('publish', 'people', '--to', 'crm')
    },
    verdict: 'Published',
  },
  {
    name: 'a publish with nothing to send',
    make: async stage => {
      await ran(stage)
      await stage.svc('publish', 'people', '--to', 'crm')
      await stage.svc('publish', 'people', '--to', 'crm')
    },
    verdict: 'Nothing to do',
  },
  {
    name: 'a publish of rows that have no key',
    make: async stage => {
      stage.write('models/people.svc', people({ rows: '{id: 1, name: Ana}, {id: null, name: Bo}' }))
      await ran(stage)
      await stage.svc('publish', 'people', '--to', 'crm')
    },
    verdict: 'Published in part',
  },
  {
    name: 'a publish that fails',
    make: async stage => {
      await ran(stage)
      stage.write('crm.duckdb', 'no database')
      await stage.svc('publish', 'people', '--to', 'crm')
    },
    verdict: 'Failed',
  },
  {
    name: 'a run that was killed',
    make: async stage => {
      await ran(stage)
      await stage.killed()
    },
    verdict: 'Killed',
  },
  {
    name: 'a run that was killed, and a look at it',
    make: async stage => {
      await ran(stage)
      await stage.killed()
      await stage.quiet('run')
    },
    verdict: 'Killed',
  },
  {
    name: 'a run that a person stopped',
    make: async stage => {
      await ran(stage)
      await stage.stopped()
    },
    verdict: 'Stopped',
  },
]
