/** Tests of many assets wait at one database: each has its own rows, its own time, and its own mistakes. */
import { openCatalog } from '@svc/server/catalog'
import { expect, it } from 'vitest'
import { engine } from '../support/engine.ts'
import { projectOf } from '../support/spec-project.ts'

interface Kind {
  readonly sql: string
  readonly test: (number: number) => string
  readonly message: string | undefined
}

const given = (value: unknown) => `given: {orders: [{id: ${value}}]}`
const cte = "WITH base AS (SELECT id FROM {{ ref('orders') }}) SELECT id AS total FROM base"
const time = (second: number) => `2024-01-31 09:30:${String(second % 60).padStart(2, '0')}`

const kinds: readonly Kind[] = [
  {
    sql: "SELECT id FROM {{ ref('orders') }}",
    test: number => `${given(number)}, expect: [{id: ${number}}]`,
    message: undefined,
  },
  // The same rows as the one before, after those that cannot be made.
  {
    sql: "SELECT id FROM {{ ref('orders') }}",
    test: () => `${given('x')}, expect: [{id: 1}]`,
    message: '"x" is no value of column "id", which is INTEGER',
  },
  {
    sql: "SELECT id + 1 AS more FROM {{ ref('orders') }}",
    test: () => `${given('x')}, expect: [{more: 1}]`,
    message: '"x" is no value of column "id", which is INTEGER',
  },
  {
    sql: "SELECT id - 1 AS less FROM {{ ref('orders') }}",
    test: number => `${given(number - 3)}, expect: [{less: ${number - 4}}]`,
    message: undefined,
  },
  { sql: cte, test: number => `cte: base, ${given(number)}, expect: [{id: ${number}}]`, message: undefined },
  {
    sql: "SELECT now()::TIMESTAMP AS at FROM {{ ref('orders') }}",
    test: number => `now: ${time(number)}, ${given(1)}, expect: [{at: ${time(number)}}]`,
    message: undefined,
  },
  {
    sql: "SELECT now()::TIMESTAMP AS at FROM {{ ref('orders') }}",
    test: () => `now: 2024-02-31 09:30:00, ${given(1)}, expect: [{at: 2024-01-01}]`,
    message: 'there is no time "2024-02-31 09:30:00"',
  },
  {
    sql: "SELECT now()::TIMESTAMP AS at FROM {{ ref('orders') }}",
    test: () => `now: 2024-02-31 09:30:00, ${given(2)}, expect: [{at: 2024-01-01}]`,
    message: 'there is no time "2024-02-31 09:30:00"',
  },
  {
    sql: "SELECT now() AS at FROM {{ ref('orders') }}",
    test: () => `${given(1)}, expect: [{at: 2024-01-01}]`,
    message: 'the SQL asks for the time, and unit test "unit" does not say which',
  },
]

it('each has its own rows, time and mistakes', async () => {
  const count = 90
  const files = new Map([['models/orders.svc', 'name: orders\ningest: none\ntransform: SELECT 1 AS id\n']])
  const kindOf = (number: number) => kinds[(number * 7) % kinds.length]
  for (let number = 0; number < count; number++) {
    const kind = kindOf(number)
    const text = `name: a${number}\ningest: none\ntransform: "${kind?.sql}"\ntests:\n  - unit: {${kind?.test(number)}}\n`
    files.set(`models/a${number}.svc`, text)
  }
  const catalog = await openCatalog(engine)
  const analysis = await catalog.analyze(projectOf(files), new Map())
  const found = Array.from({ length: count }, (_, number) =>
    analysis.of(`a${number}`)?.unitTests?.map(({ message }) => message),
  )
  expect(found).toEqual(Array.from({ length: count }, (_, number) => [kindOf(number)?.message]))
  catalog.close()
})

it('each takes as long as its own statements, not as those before it', async () => {
  const file = (name: string, sql: string, expected: number) =>
    `name: ${name}\ningest: none\ntransform: ${sql}\ntests:\n  - unit: {expect: [{total: ${expected}}]}\n`
  const slow = 'SELECT sum(x.range % 7) AS total FROM range(20000000) AS x'
  const names = Array.from({ length: 12 }, (_, number) => `quick${number}`)
  const files = new Map([
    ['models/aaa.svc', file('aaa', slow, 59999997)],
    ...names.map(
      (name, number) => [`models/${name}.svc`, file(name, `SELECT ${number} AS total`, number)] as const,
    ),
  ])
  const catalog = await openCatalog(engine)
  const analysis = await catalog.analyze(projectOf(files), new Map())
  const secondsOf = (name: string) => {
    const [result] = analysis.of(name)?.unitTests ?? []
    expect(result, name).toMatchObject({ status: 'pass' })
    return result?.seconds ?? 0
  }
  const longest = secondsOf('aaa')
  for (const name of names) {
    expect(secondsOf(name)).toBeGreaterThan(0)
    expect(secondsOf(name)).toBeLessThan(longest)
  }
  catalog.close()
})
