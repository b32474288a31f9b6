/** A mistake in `glossary.yaml` stops what it concerns: one record its own assets, a hidden policy everything. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGround, expectRefusal, type Ground } from '../bad-input/command-line.ts'

let ground: Ground
beforeAll(() => {
  ground = createGround({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc': 'name: orders\ningest: none\ntransform: SELECT 1 AS id\n',
    'models/rates.svc': 'name: rates\ningest: none\ntransform: SELECT 2 AS id\n',
  })
})
afterAll(() => ground.dispose())

const term = 'terms:\n  - {name: Customer, description: Buys.}\n'

it.each([
  ['a link', `${term}links:\n  - {term: Customer, asset: orders, column: nobody}\n`],
  ['a link to a term that does not exist', 'links:\n  - {term: Nobody, asset: orders, column: id}\n'],
  [
    'a metric',
    'metrics:\n  - {name: M, description: x, sql_definition: "SELECT max(nobody) FROM {{ ref(\'orders\') }}", source_assets: [orders, none]}\n',
  ],
  ['a policy that misspells its asset', 'policies:\n  - {name: P, applies_to: [ordrs]}\n'],
  [
    'a policy that misspells a column',
    'policies:\n  - {name: P, applies_to: [orders], pii_columns: [orders.idd]}\n',
  ],
])('%s stops its own asset alone', async (_what, glossary) => {
  ground.write('glossary.yaml', glossary)
  expectRefusal(await ground.line(['run', 'orders']), 1, '1 failed', 'glossary.yaml:')
  const said = await ground.line(['run', 'rates'])
  expect(said.code, said.stderr).toBe(0)
  const whole = await ground.line(['run'])
  expectRefusal(whole, 1, '1 reused, 1 failed', 'glossary.yaml:')
})

it('a file that cannot be read is no empty glossary', async () => {
  ground.write('glossary.yaml', 'terms: [\n')
  for (const words of [['list'], ['search', 'order']])
    expectRefusal(await ground.line(['glossary', ...words]), 1, 'glossary.yaml')
})

it('a mistake in a term that no asset has stops the whole run alone', async () => {
  ground.write('glossary.yaml', `${term}  - {name: Customer, description: Again.}\n`)
  expectRefusal(await ground.line(['run']), 1, 'nothing was done', 'select assets')
  expect((await ground.line(['run', 'orders', 'rates'])).code).toBe(0)
})

it.each([
  ['text that is not YAML', 'terms: [\n'],
  ['a policy with a mistake', 'policies:\n  - {name: P, rule: x, enforcment: strict}\n'],
  ['a key that does not exist', 'polices:\n  - {name: P, rule: x}\n'],
  ['a list', '- terms\n'],
])('%s stops every asset, because the policies are unknown', async (_what, glossary) => {
  ground.write('glossary.yaml', glossary)
  for (const words of [['run', 'rates'], ['run']]) {
    expectRefusal(await ground.line(words), 1, 'Fix glossary.yaml first', 'its policies are unknown')
  }
})
