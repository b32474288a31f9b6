/** Macros as a user of the command line meets them: run, plan, a changed macro, mistakes, personal data. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGround, type Ground } from './bad-input/command-line.ts'

let ground: Ground

const money = `-- An amount in cents as a decimal amount.
CREATE MACRO cents(amount, digits := 2) AS round(amount / 100.0, digits);

CREATE MACRO domain(address) AS split_part(address, '@', 2);
CREATE MACRO of_shop(people, least := 0) AS TABLE SELECT * FROM people AS p WHERE p.amount >= least;
`

beforeEach(() => {
  ground = createGround({
    'svc.yaml': 'name: shop\n',
    'macros/shop/money.sql': money,
    'models/orders.svc': `name: orders
ingest: {type: rows, rows: [{id: 1, amount: 199, email: a@one.example}, {id: 2, amount: 50, email: b@two.example}]}
contract: {columns: {email: {pii: true}}}
transform: SELECT id, amount, email FROM {{ source }}
`,
    'models/prices.svc': `name: prices
ingest: none
transform: |
  SELECT id, {{ cents(amount) }} AS price, {{ domain(email) }} AS host
  FROM {{ of_shop({{ ref('orders') }}, least := 100) }}
`,
    'models/plain.svc': "name: plain\ningest: none\ntransform: SELECT id FROM {{ ref('orders') }}\n",
  })
})

afterEach(() => ground.dispose())

const json = async <T>(...words: string[]): Promise<T> => {
  const said = await ground.line([...words, '--json'])
  return JSON.parse(said.stdout) as T
}

interface Planned {
  readonly assets: readonly {
    readonly name: string
    readonly change: string
    readonly changed_keys: readonly string[]
  }[]
}

const changes = async (): Promise<readonly string[]> =>
  (await json<Planned>('plan')).assets.map(({ name, change, changed_keys }) =>
    `${name} ${change} ${changed_keys.join(' ')}`.trim(),
  )

interface Validated {
  readonly files: readonly {
    readonly path: string
    readonly diagnostics: readonly {
      readonly code: string
      readonly message: string
      readonly start: object
    }[]
  }[]
}

const problems = async (): Promise<readonly string[]> =>
  (await json<Validated>('validate')).files.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ code, message }) => `${path} ${code}: ${message}`),
  )

describe('a project with macros', () => {
  it('runs, and builds only what a changed macro changes', async () => {
    const said = await ground.line(['run'])
    expect(said.code, said.stdout + said.stderr).toBe(0)
    const rows = await json<{ rows: readonly object[] }>('sample', 'prices')
    expect(rows.rows).toEqual([expect.objectContaining({ id: 1, price: 1.99 })])
    ground.write('macros/shop/money.sql', money.replace('An amount', 'Any amount'))
    expect(await changes()).toEqual(['orders reused', 'plain reused', 'prices reused'])
    ground.write('macros/shop/money.sql', money.replace('100.0', '10.0'))
    expect(await changes()).toEqual([
      'orders reused',
      'plain reused',
      'prices modified macros.cents transform',
    ])
    const text = (await ground.line(['plan', '--offline'])).stdout
    expect(text).toMatch(/~ prices +modified +macros\.cents/)
    expect((await ground.line(['run'])).code).toBe(0)
    expect((await json<{ rows: readonly object[] }>('sample', 'prices')).rows).toEqual([
      expect.objectContaining({ id: 1, price: 19.9 }),
    ])
  })

  it('keeps the mark of personal data', async () => {
    ground.write(
      'glossary.yaml',
      'policies:\n  - {name: privacy, rule: No addresses., pii_columns: [orders.email], enforcement: strict}\n',
    )
    const found = (await problems()).filter(each => each.includes('policy'))
    expect(found.join('\n')).toMatch(/models\/prices\.svc .*host/)
  })

  it('shows a mistake in a macro at its call, with its place, and knows it at the next start', async () => {
    ground.write('macros/shop/money.sql', money.replace('round(', 'rond('))
    const expected = [
      'models/prices.svc sql-unknown-function: unknown function "rond", in the macro "cents" (macros/shop/money.sql:2:44)',
    ]
    expect(await problems()).toEqual(expected)
    expect(await problems()).toEqual(expected)
    ground.write('macros/shop/money.sql', `-- New.\n${money.replace('round(', 'rond(')}`)
    expect(await problems()).toEqual([expected[0]?.replace(':2:', ':3:')])
    ground.write('macros/shop/money.sql', money)
    expect(await problems()).toEqual([])
    ground.write('macros/shop/money.sql', '')
    expect(
      (await problems()).filter(each => each.includes('-macro')).map(each => each.replace(/:.*/, '')),
    ).toEqual([
      'models/prices.svc unknown-macro',
      'models/prices.svc unknown-macro',
      'models/prices.svc unknown-macro',
    ])
  })
})

it('macros are expanded for PostgreSQL too', async () => {
  ground.write('svc.yaml', "name: shop\nwarehouse: 'postgres://localhost/shop'\n")
  ground.write(
    'models/orders.svc',
    "name: orders\ningest: none\ntransform: SELECT 1 AS id, 199 AS amount, 'a@x.example' AS email\n",
  )
  expect(await problems()).toEqual([])
  const { schema } = await json<{ schema: { columns: readonly { name: string; type: string }[] } }>(
    'inspect',
    'prices',
  )
  expect(schema.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
    'id integer',
    'price numeric',
    'host text',
  ])
})
