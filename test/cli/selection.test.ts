/** `svc ls`, `--select` and `--exclude`: one language of selection for every command. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { createGround, expectRefusal, type Ground } from './bad-input/command-line.ts'
import { shop } from './shop-project.ts'

let ground: Ground

beforeAll(() => {
  ground = createGround(shop)
})

afterAll(() => ground.dispose())

const listed = async (...words: string[]) => {
  const said = await ground.line(['ls', ...words])
  expect(said).toMatchObject({ code: 0, stderr: '' })
  return said.stdout.split('\n').filter(Boolean).join(' ')
}

it('lists names in building order, one a line', async () => {
  expect(await listed()).toBe('customers orders best_customers daily_sales')
  expect(await listed('+daily_sales')).toBe('orders daily_sales')
  expect(await listed('daily_sales', 'tag:core')).toBe('customers daily_sales')
})

it.each([
  [['--select', 'orders+'], 'orders best_customers daily_sales'],
  [['-s', 'orders', '-s', 'customers'], 'customers orders'],
  [['-s', 'orders customers'], 'customers orders'],
  [['-s', 'orders', 'customers'], 'customers orders'],
  [['--select=orders,customers'], 'customers orders'],
  [['--exclude', 'orders+'], 'customers'],
  [['--select', 'orders+', '--exclude', '*_sales', '--exclude', 'tag:core'], 'orders best_customers'],
  [['@customers', '--exclude', 'materialize:view & +customers+'], 'customers orders'],
  [['--exclude', 'exposure:"Board"', '--exclude', 'orders'], 'customers best_customers'],
  [['state:new', '--exclude', 'path:marts'], 'customers orders'],
])('ls %j', async (words, names) => {
  expect(await listed(...words)).toBe(names)
})

it('says kind, file and tags with --long, and everything with --json', async () => {
  const long = await ground.line(['ls', 'customers', '--long'])
  expect(long.stdout).toBe(
    'Asset      Materialize  Ingest  File                  Tags\n' +
      'customers  table        rows    models/customers.svc  core\n',
  )
  const { stdout } = await ground.line(['ls', 'tag:core', '--json'])
  const value: unknown = JSON.parse(stdout)
  const ajv = new Ajv2020()
  expect(ajv.validate(outputSchemas['ls'] ?? {}, value), JSON.stringify(ajv.errors)).toBe(true)
  expect(value).toMatchObject({ selector: 'tag:core', assets: [{ downstream: ['best_customers'] }] })
})

it('needs no warehouse where the files say enough', async () => {
  const { stdout } = await ground.line(['ls'], { env: {} })
  expect(stdout).toContain('orders')
  expect((await ground.line(['status'])).stdout).toContain('not deployed')
})

it('refuses what contradicts itself', async () => {
  for (const command of ['run', 'preview']) {
    const both = await ground.line([command, '--all', '-s', 'orders'])
    expectRefusal(both, 2, '--all cannot be combined with an asset selector')
    expectRefusal(await ground.line([command, '--all', '--exclude', 'orders']), 2, '--all cannot')
  }
  expectRefusal(await ground.line(['ls', '--exclude', '!orders']), 2, '--exclude takes what is left out')
  expectRefusal(await ground.line(['ls', '--select', ' ']), 2, 'the option "--select" needs a value')
  expectRefusal(await ground.line(['plan', '--select', 'ordres']), 2, 'did you mean "orders"?')
})

it('plan, run and test understand the same words', async () => {
  const plan = await ground.line([
    'plan',
    '-s',
    '@customers',
    '--exclude',
    'customers',
    '--json',
    '--offline',
  ])
  expect(plan.code, plan.stderr).toBe(1)
  expect(JSON.parse(plan.stdout)).toMatchObject({ error: { code: 'parent-not-built' } })
  const run = await ground.line(['run', '--exclude', 'daily_sales', '--json'])
  expect(run.code, run.stderr).toBe(0)
  const built = (JSON.parse(run.stdout) as { assets: { name: string }[] }).assets.map(({ name }) => name)
  expect(built).toEqual(['customers', 'orders', 'best_customers'])
  const tested = await ground.line(['test', '-s', 'tag:core', '--all-tests', '--json'])
  const tests = (JSON.parse(tested.stdout) as { tests: { asset: string }[] }).tests
  expect(new Set(tests.map(({ asset }) => asset))).toEqual(new Set(['customers']))
  expect(await listed('state:new')).toBe('daily_sales')
  expect(await listed('result:fail')).toBe('')
})

it('says so when nothing is selected', async () => {
  const said = await ground.line(['plan', 'result:failed', '--offline'])
  expect(said.code).toBe(0)
  expect(said.stdout.replace(/\s+/g, ' ').trim()).toBe(
    'Nothing to do for dev (analytics_dev in warehouse.duckdb): result:failed selects no asset.',
  )
  const run = await ground.line(['run', 'result:failed'])
  expect(run.stdout).toBe('Nothing to do for dev: no asset is selected.\n')
})
