/** A plan as a reviewer reads it: on a terminal, in a pull request, as JSON. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lineDiff } from '../../cli/render/line-diff.ts'
import { sqlLines } from '../../cli/render/sql-lines.ts'
import { outputSchemas } from '../../server/contract/index.ts'
import { canonicalDefinition, parseAsset } from '../../server/language/index.ts'
import { engine, reading } from '../support/engine.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'
import { shop } from './shop-project.ts'

let ground: Ground

beforeEach(async () => {
  ground = createGround(shop)
  expect((await ground.line(['run'])).code).toBe(0)
})

afterEach(() => ground.dispose())

function change(path: string, ...edits: readonly (readonly [string, string])[]): void {
  let text = shop[path] ?? ''
  for (const [from, to] of edits) {
    expect(text).toContain(from)
    text = text.replace(from, to)
  }
  ground.write(path, text)
}

const plan = async (...words: string[]) => {
  const said = await ground.line(['plan', '--offline', ...words])
  expect(said.stderr).toBe('')
  return { code: said.code, text: said.stdout.replace(/ in [0-9.]+ m?s last time/g, ' in 1 ms last time') }
}

describe('a changed asset', () => {
  beforeEach(() => {
    change(
      'models/marts/daily_sales.svc',
      ['sum(amount) AS total,', 'sum(amount)   AS total, avg(amount) AS mean, -- new\n  '],
      ['count(*) AS orders', 'max(day) AS last_day'],
    )
    change('models/marts/best_customers.svc', ['view}', 'table}'])
  })

  it('shows its columns and the lines of its SQL', async () => {
    const { code, text } = await plan()
    expect(code).toBe(0)
    expect(text).toBe(`Plan for dev (analytics_dev in warehouse.duckdb), 4 assets

  ~ best_customers           modified     deploy.materialize: "view" -> "table"
  ~ daily_sales              modified     transform
                                          2 rows in 1 ms last time
                                          + column mean DOUBLE
                                          + column last_day DATE
                                          - column orders
          sum(amount) as total,
      -   count(*) as orders
      +   avg(amount) as mean,
      +   max(day) as last_day
        from {{ ref('orders') }}
  = 2 assets                 reused       same definition, same inputs

  Exposures that will see the change: Board (daily_sales).

  Fetch 2 sources, build 2 assets, run 2 tests, promote 2 views at once.
`)
  })

  it('as a comment on a pull request', async () => {
    const { text } = await plan('--format', 'markdown')
    expect(text).toBe(`### Plan for \`dev\`: 2 modified

| asset | | what changes |
|---|---|---|
| \`best_customers\` | ✏️ modified | deploy.materialize: "view" -> "table" |
| \`daily_sales\` | ✏️ modified | transform; + \`mean\` DOUBLE; + \`last_day\` DATE; - \`orders\` |

<details><summary>SQL of daily_sales</summary>

\`\`\`diff
    sum(amount) as total,
-   count(*) as orders
+   avg(amount) as mean,
+   max(day) as last_day
  from {{ ref('orders') }}
\`\`\`

</details>

Exposures that will see the change: **Board** (\`daily_sales\`).

2 assets reused: same definition, same inputs.

Fetch 2 sources, build 2 assets, run 2 tests, promote 2 views at once.
`)
  })

  it('as JSON in the published schema', async () => {
    const value: unknown = JSON.parse((await plan('--format', 'json')).text)
    const ajv = new Ajv2020({ allowUnionTypes: true })
    expect(ajv.validate(outputSchemas['plan'] ?? {}, value), ajv.errorsText()).toBe(true)
    const assets = (value as { assets: { name: string }[] }).assets
    expect(assets.find(({ name }) => name === 'best_customers')).toMatchObject({
      definition_changes: [{ key: 'deploy.materialize', before: 'view', after: 'table' }],
      sql_diff: [],
    })
    expect(assets.find(({ name }) => name === 'daily_sales')).toMatchObject({
      live_rows: 2,
      sql_diff: expect.arrayContaining(['-   count(*) as orders']),
    })
  })
})

it('a long diff is announced, and shown with --diff', async () => {
  const columns = Array.from({ length: 30 }, (_, index) => `${index} AS c${index}`).join(', ')
  change('models/marts/daily_sales.svc', ['count(*) AS orders', `count(*) AS orders, ${columns}`])
  expect((await plan()).text).toContain('\n      32 lines of SQL changed: --diff shows them\n')
  expect((await plan()).text).toMatch(/^ +\+ column c9 INTEGER\n +and 20 more columns: --diff shows them$/m)
  expect((await plan()).text).not.toContain('29 as c29')
  expect((await plan('--diff')).text).toContain('+ column c29 INTEGER')
  expect((await plan('--diff')).text).toContain('\n      +   29 as c29\n')
})

it('a column that goes shows each reader once and every place', async () => {
  change(
    'models/orders.svc',
    ['customer_id, amount, day', 'customer_id, amount AS cost, day'],
    ['{amount: {min', '{cost: {min'],
  )
  const { code, text } = await plan()
  expect(code).toBe(1)
  expect(text).toContain(`
  ! best_customers           breaks       reads orders.amount
  ! daily_sales              breaks       reads orders.amount in 2 places
`)
  expect(text).toContain(`
  1 breaking change: svc run refuses until the readers are changed too.
    models/marts/best_customers.svc:4:24 reads a column that is going away
    models/marts/daily_sales.svc:3:19 reads a column that is going away
    models/marts/daily_sales.svc:5:9 reads a column that is going away
`)
  const markdown = (await plan('--format', 'markdown')).text
  expect(markdown).toContain('**1 breaking change**')
  expect(markdown).toContain(
    '> - `models/marts/best_customers.svc:4:24` reads `orders.amount`, which goes away\n',
  )
})

it('nothing to do is one sentence, also in Markdown', async () => {
  expect((await plan()).text).toMatch(
    /^Nothing to do for dev \(analytics_dev in warehouse\.duckdb\): 4 assets are as\s+deployed \(run \w+, just now\)/,
  )
  expect((await plan('--format=markdown')).text).toMatch(/^### Plan for `dev`: nothing changes\n/)
})

describe('SQL in lines', () => {
  const canonical = (sql: string) => {
    const asset = parseAsset(
      'models/x.svc',
      `name: x\ningest: none\ntransform: |\n  ${sql}\n`,
      reading,
      text => text,
    )
    return (JSON.parse(canonicalDefinition(asset, engine, {})) as { transform: string }).transform
  }

  it.each([
    ['SELECT a,b FROM t', ['select a,', '  b', 'from t']],
    [
      "WITH x AS (SELECT left(a, 3) FROM t LEFT JOIN u USING (id)) SELECT count(*) FILTER (WHERE a > 1) FROM x WHERE a IN ('p', 'q')",
      [
        'with x as (',
        '  select left(a, 3)',
        '  from t',
        '  left join u using (id)',
        ')',
        'select count(*) filter (where a > 1)',
        'from x',
        "where a in ('p', 'q')",
      ],
    ],
    [
      'SELECT sum(x) OVER (PARTITION BY a ORDER BY b), extract(year FROM d), t.a::INT, l[1] FROM t GROUP BY ALL ORDER BY 1',
      [
        'select sum(x) over (partition by a order by b),',
        '  extract(year from d),',
        '  t.a::int,',
        '  l[1]',
        'from t',
        'group by all',
        'order by 1',
      ],
    ],
    ['SELECT 1 AS a UNION ALL SELECT 2', ['select 1 as a', 'union all', 'select 2']],
  ])('%s', (sql, lines) => {
    expect(sqlLines(canonical(sql), engine)).toEqual(lines)
  })

  it('never loses a token', () => {
    for (const sql of ['', ')', '((', 'select', ')) from (', "'x", 'a , , b', 'select (select 1), [1, 2]']) {
      expect(sqlLines(sql, engine).join(' ').replace(/\s/g, '')).toBe(sql.replace(/\s/g, ''))
    }
  })
})

describe('a diff of lines', () => {
  const text = (before: string, after: string) =>
    lineDiff(before.split(''), after.split(''), 1).map(line => `${line.kind} ${line.text}`.trim())

  it('shows what went and came with a line around it', () => {
    expect(text('abcdefgh', 'abXdefgh')).toEqual(['same b', 'removed c', 'added X', 'same d'])
    expect(text('abcdefgh', 'Xbcdefghi')).toEqual([
      'removed a',
      'added X',
      'same b',
      'gap',
      'same h',
      'added i',
    ])
    expect(text('abc', 'abc')).toEqual([])
    expect(text('', 'a')).toEqual(['added a'])
  })

  it('is whole: taking it back gives the old lines', () => {
    for (const [before, after] of [
      ['abcabba', 'cbabac'],
      ['aaaa', 'aa'],
      ['xaxbxc', 'axbxcx'],
    ] as const) {
      const lines = lineDiff(before.split(''), after.split(''), 99)
      expect(lines.flatMap(({ kind, text }) => (kind === 'added' ? [] : [text])).join('')).toBe(before)
      expect(lines.flatMap(({ kind, text }) => (kind === 'removed' ? [] : [text])).join('')).toBe(after)
    }
  })

  it('of thousands of lines takes no time', () => {
    const many = (mark: string) => Array.from({ length: 5000 }, (_, index) => `${index} ${mark}`)
    expect(lineDiff(many('a'), many('b'), 1)).toHaveLength(10_000)
  })
})

it('--debug shows what it asked the warehouse', async () => {
  const said = await ground.line(['plan', '--offline', '--debug'])
  expect(said.code).toBe(0)
  expect(said.stderr).toMatch(/^-- \d+ ms, \d+ rows?\nSELECT /m)
  const dry = await ground.line(['run', '--dry-run', '--debug', '--log-format', 'json'])
  const types = dry.stdout
    .trimEnd()
    .split('\n')
    .map(line => (JSON.parse(line) as { type: string }).type)
  expect(new Set(types)).toEqual(new Set(['statement', 'plan']))
})
