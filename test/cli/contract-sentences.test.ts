/** Sentences of the contract (interface.md) that no story of the other tests holds by itself. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGround, type Ground } from './bad-input/command-line.ts'
import { shop } from './shop-project.ts'

let ground: Ground
beforeEach(() => {
  ground = createGround(shop)
})
afterEach(() => ground.dispose())

const file = (path: string): unknown => JSON.parse(readFileSync(join(ground.root, path), 'utf8'))

async function rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const instance = await DuckDBInstance.create(join(ground.root, 'warehouse.duckdb'))
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function done(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await ground.line(words)
  expect(code, stdout + stderr).toBe(0)
  return stdout
}

const greens = async () =>
  (
    await rows("SELECT schema_name AS name FROM information_schema.schemata WHERE schema_name LIKE 'svc_g_%'")
  ).map(({ name }) => String(name))

const orders = (shop['models/orders.svc'] ?? '').replace('SELECT id,', 'SELECT id + 1 AS id,')

describe('a deployment (3.1)', () => {
  it('makes a green schema of its own name for each run, and a preview keeps it to be looked at', async () => {
    await done('run')
    const first = await greens()
    expect(first.length).toBeGreaterThan(0)
    ground.write('models/orders.svc', orders)
    const { run_id } = JSON.parse(await done('preview', '--json')) as { run_id: string }
    const added = (await greens()).filter(name => !first.includes(name))
    expect(added).toHaveLength(1)
    expect(await rows(`SELECT min(id) AS id FROM ${added[0]}.orders`)).toEqual([{ id: '2' }])
    expect(await rows('SELECT min(id) AS id FROM analytics_dev.orders')).toEqual([{ id: '1' }])
    expect(await done('sample', 'orders', '--run', run_id)).toContain('3 rows')
  })

  it('is in the state table under the id of its run, and in the table of the catalogue', async () => {
    const { run_id } = JSON.parse(await done('run', '--json')) as { run_id: string }
    expect(await rows(`SELECT count(*) AS n FROM svc.svc_state_history WHERE run_id = '${run_id}'`)).toEqual([
      { n: '1' },
    ])
    const [{ n } = { n: '0' }] = await rows('SELECT count(*) AS n FROM svc.svc_catalog')
    expect(Number(n)).toBeGreaterThan(0)
  })

  it('by a dry run or a plan changes nothing', async () => {
    await done('init')
    const all = 'SELECT table_schema, table_name FROM information_schema.tables ORDER BY ALL'
    const before = await rows(all)
    const planned = await done('plan')
    expect(await done('run', '--dry-run')).toBe(planned)
    expect(await rows(all)).toEqual(before)
    expect(await rows('SELECT * FROM svc.svc_state_history')).toEqual([])
  })
})

describe('the way', () => {
  it('back with --all takes all assets, as the one without names does', async () => {
    const told = async (): Promise<unknown> => (await ground.json(['sample', 'orders', '--json'])).value
    await done('run')
    const before = await told()
    ground.write('models/orders.svc', orders)
    await done('run')
    const after = await told()
    expect(after).not.toEqual(before)
    await done('rollback', '--all')
    expect(await told()).toEqual(before)
    await done('rollback')
    expect(await told()).toEqual(after)
  })
})

describe('an asset file (2.12, 4.4, 7)', () => {
  it('without ingest is FAIL, with the reason', async () => {
    ground.write('models/bare.svc', 'name: bare\ntransform: SELECT 1 AS id\n')
    const { code, stdout } = await ground.line(['validate'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAIL {2}models\/bare\.svc$/m)
    expect(stdout).toContain('"ingest" is missing')
    expect(stdout).toMatch(/^PASS {2}models\/orders\.svc$/m)
  })

  it('of Python with a mistake stops a plan, at its place', async () => {
    ground.write(
      'models/snake.svc',
      'name: snake\ningest: none\ntransform:\n  python: |\n    def transform(svc):\n        return (1\n',
    )
    const { code, stdout, stderr } = await ground.line(['plan', '--offline'])
    expect(code).toBe(1)
    expect(stdout + stderr).toMatch(/models\/snake\.svc:6:\d+/)
  })
})

describe('a publish (4.4)', () => {
  it('that names no target is wrong usage', async () => {
    const { code, stderr } = await ground.line(['publish', 'orders'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--to')])
  })
})

describe('a context pack (4.4)', () => {
  it('has project, assets, lineage, schemas and the glossary with metrics and policies', async () => {
    ground.write(
      'glossary.yaml',
      [
        'terms: [{name: Order}]',
        'metrics: [{name: Turnover, sql_definition: "SELECT 1"}]',
        'policies: [{name: Names, rule: Names stay inside., pii_columns: [name], enforcement: warn}]',
        '',
      ].join('\n'),
    )
    const { value } = await ground.json(['ai', 'context', '--json'])
    const { project, assets, lineage, glossary } = value as {
      project: object
      assets: { name: string; schema: { columns: { name: string }[] } }[]
      lineage: { from: string; to: string }[]
      glossary: { kind: string }[]
    }
    expect(project).toMatchObject({ id: 'shop' })
    expect(assets).toHaveLength(4)
    expect(assets.find(({ name }) => name === 'customers')?.schema.columns.map(({ name }) => name)).toEqual([
      'id',
      'name',
    ])
    expect(lineage).toContainEqual(expect.objectContaining({ from: 'orders', to: 'daily_sales' }))
    expect(glossary.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['term', 'metric', 'policy']))
  })
})

describe('the providers of language models (4.4)', () => {
  it('are five, and the runner on this machine needs no key', async () => {
    const env = { HOME: ground.root }
    const choose = (provider: string, ...more: readonly string[]) =>
      ground.line(['config', 'ai', '--project', '--provider', provider, '--model', 'm', ...more], { env })
    for (const provider of ['openai', 'anthropic', 'gemini', 'transformers', 'ollama'])
      expect((await choose(provider)).code, provider).toBe(0)
    const sixth = await choose('another')
    expect([sixth.code, sixth.stderr]).toEqual([2, expect.stringContaining('"another"')])
    await choose('ollama', '--endpoint', 'http://127.0.0.1:9')
    const local = await ground.line(['ai', 'explain', 'orders'], { env })
    expect([local.code, local.stderr]).toEqual([3, expect.not.stringMatching(/\bkey\b/)])
    await choose('openai')
    const hosted = await ground.line(['ai', 'explain', 'orders'], { env })
    expect([hosted.code, hosted.stderr]).toEqual([3, expect.stringMatching(/\bkey\b/)])
  })
})

describe('an environment (4.4)', () => {
  it('follows the branch as dev, and has fixed schemas as prod', async () => {
    const relation = async (env: string) => {
      await done('run', 'customers', '--env', env)
      const said = await ground.json(['sample', 'customers', '--env', env, '--json'])
      return (said.value as { relation: string }).relation
    }
    const told: string[][] = []
    for (const branch of ['one', 'two']) {
      ground.write('.git/HEAD', `ref: refs/heads/${branch}\n`)
      told.push([await relation('dev'), await relation('prod')])
    }
    const [[dev1, prod1] = [], [dev2, prod2] = []] = told
    expect(dev1).not.toBe(dev2)
    expect([prod1, prod2]).toEqual(['analytics.customers', 'analytics.customers'])
  })
})

describe('a sample (4.4, 8)', () => {
  it('has ten rows, or as many as --limit says', async () => {
    ground.write(
      'models/many.svc',
      'name: many\ningest: none\ntransform: SELECT range AS n FROM range(25)\ndeploy: {materialize: table}\n',
    )
    await done('run', 'many')
    const count = async (...words: string[]) => {
      const { value } = await ground.json(['sample', 'many', ...words, '--json'])
      return (value as { rows: unknown[] }).rows.length
    }
    expect(await count()).toBe(10)
    expect(await count('--limit', '3')).toBe(3)
    expect(await count('--limit', '100')).toBe(25)
  })
})

describe('a file (2.13, 2.14)', () => {
  it('of the manifest comes with those of lineage, schemas and tests', async () => {
    await done('manifest')
    const manifest = file('.svc/manifest.json') as Readonly<Record<string, unknown>>
    for (const name of ['lineage', 'schemas', 'tests'])
      expect(file(`.svc/${name}.json`), name).toEqual(manifest[name])
  })

  it('of test results has each asset with time, tests and counts', async () => {
    await done('run')
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
    expect(file('.svc/test_results.json')).toMatchObject({
      customers: {
        asset_name: 'customers',
        timestamp: time,
        tests: [
          { name: 'not_null_id', status: 'pass', execution_time: expect.any(Number) },
          { name: 'not_null_name', status: 'pass', execution_time: expect.any(Number) },
          { name: 'unique_id', status: 'pass', execution_time: expect.any(Number) },
        ],
        summary: { total: 3, passed: 3, failed: 0 },
      },
    })
  })

  it('of the catalogue has the results of the tests after each run', async () => {
    const results = () => {
      const { assets } = file('svc_catalog.json') as {
        assets: { name: string; tests: { name: string; status: string }[] }[]
      }
      const own = assets.find(({ name }) => name === 'orders')?.tests ?? []
      return Object.fromEntries(own.map(({ name, status }) => [name, status]))
    }
    await done('run')
    expect(results()).toMatchObject({ unique_id: 'pass' })
    ground.write('data/orders.csv', 'id,customer_id,amount,day\n1,1,1,2026-01-01\n1,1,1,2026-01-01\n')
    expect((await ground.line(['run'])).code).toBe(1)
    expect(results()).toMatchObject({ unique_id: 'fail' })
  })
})
