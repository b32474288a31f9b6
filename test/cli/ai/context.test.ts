/** `svc ai context` as a user and a program run it, and its way through the hosted store. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import type { ContextPack } from '../../../server/contract/index.ts'
import { outputSchemas } from '../../../server/contract/index.ts'
import { engines, useHosted } from '../../hosted/support/engines.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'
import { shop } from '../shop-project.ts'

let project: ProjectHere | undefined
afterEach(() => project?.dispose())

const beside = "name: beside\ningest: none\ntransform: SELECT id FROM {{ ref('customers') }}\n"
const glossary = `terms:
  - {name: Customer, description: Who buys}
  - {name: Day, description: Of the calendar}
links:
  - {term: Customer, asset: customers, column: id}
metrics:
  - {name: Turnover, sql_definition: "SELECT sum(amount) FROM {{ ref('orders') }}"}
  - {name: Customers, sql_definition: count(*), source_assets: [customers]}
policies:
  - {name: names, rule: Names stay inside, pii_columns: [customers.name], enforcement: warn}
`

function open(more: Readonly<Record<string, string>> = {}): ProjectHere {
  project = createProjectHere({ ...shop, 'models/beside.svc': beside, 'glossary.yaml': glossary, ...more })
  return project
}

async function contextOf(of: ProjectHere, words: readonly string[] = []): Promise<ContextPack> {
  const { code, stdout, stderr } = await of.svc(['ai', 'context', '--json', ...words])
  expect(stderr + code).toMatch(/0$/)
  const pack = JSON.parse(stdout) as ContextPack
  const ajv = new Ajv2020({ strict: false })
  expect(ajv.validate(outputSchemas['ai-context'] ?? false, pack), ajv.errorsText()).toBe(true)
  return pack
}

const entriesOf = ({ glossary: entries }: ContextPack) =>
  (entries as { readonly kind: string; readonly name: string }[]).map(({ kind, name }) => `${kind} ${name}`)
const names = (pack: ContextPack) => pack.assets.map(({ name }) => name)

describe('svc ai context', () => {
  it('is the same for the same files, whenever it is asked for', async () => {
    const of = open()
    const first = await of.svc(['ai', 'context', '--json', '--include-tests', '--include-history'])
    const second = await of.svc(['ai', 'context', '--json', '--include-tests', '--include-history'])
    expect(first.stdout).toBe(second.stdout)
    expect(first.stdout).not.toContain('generated_at')
  })

  it('has one asset in the middle, and what is upstream and downstream of it by distance', async () => {
    const of = open()
    const pack = await contextOf(of, ['--asset', 'models/orders.svc'])
    expect(names(pack)).toEqual(['orders', 'best_customers', 'daily_sales'])
    expect(pack.scope).toBe('partial')
    expect(entriesOf(pack)).toEqual(['metric Turnover', 'policy names'])
    const other = await contextOf(of, ['--asset', 'customers'])
    expect(names(other)).toEqual(['customers', 'beside', 'best_customers'])
    expect(entriesOf(other)).toEqual(['term Customer', 'metric Customers', 'policy names'])
  })

  it('has tests and history when they are asked for, and says what failed', async () => {
    const of = open()
    expect((await of.svc(['run'])).code).toBe(0)
    of.write('models/beside.svc', `${beside}tests: [{row_count: {min: 99}}]\n`)
    expect((await of.svc(['run'])).code).toBe(1)
    const plain = await contextOf(of)
    expect(plain).not.toHaveProperty('test_results')
    expect(plain).not.toHaveProperty('history')
    const pack = await contextOf(of, ['--asset', 'beside', '--include-tests', '--include-history'])
    expect(pack.tests).toContainEqual(expect.objectContaining({ asset: 'beside', kind: 'row_count' }))
    expect(pack.test_results?.['beside']?.summary).toMatchObject({ failed: 1 })
    expect(pack.history?.[0]).toMatchObject({ status: 'Failed' })
    const { stdout } = await of.svc([
      'ai',
      'context',
      '--asset',
      'beside',
      '--include-tests',
      '--include-history',
    ])
    expect(stdout).toMatch(/- row_count.*: fail/)
    expect(stdout).toMatch(/run [0-9a-z]{10}: Failed/)
  })

  it('keeps to its size: far assets lose their SQL, or are left out, the middle stays', async () => {
    const of = open()
    const whole = await of.svc(['ai', 'context', '--asset', 'orders', '--json'])
    const size = JSON.stringify(JSON.parse(whole.stdout)).length
    const limited = ['ai', 'context', '--asset', 'orders', '--max-bytes', String(size - 10)]
    const { stdout, stderr } = await of.svc([...limited, '--json'])
    expect(names(JSON.parse(stdout) as ContextPack)).toEqual(['orders', 'best_customers'])
    expect(stderr).toContain('1 asset left out to fit')
    const text = await of.svc(limited)
    expect(text.stdout).toContain('## Asset daily_sales')
    expect(text.stdout).not.toContain('sum(amount) AS total')
    expect(text.stderr).toContain('1 far asset without SQL to fit')
    const least = JSON.parse(
      (await of.svc(['ai', 'context', '--asset', 'orders', '--json', '--max-bytes', '1'])).stdout,
    ) as ContextPack
    expect(names(least)).toEqual(['orders'])
    expect((await of.svc(['ai', 'context', '--max-bytes', '-1'])).code).toBe(2)
  })

  it('is there for a project with errors, and says so', async () => {
    const of = open({
      'models/broken.svc': 'name: broken\ningest: none\ntransform: SELECT nothing FROM nowhere\n',
    })
    const { code, stdout, stderr } = await of.svc(['ai', 'context', '--asset', 'broken'])
    expect(code).toBe(0)
    expect(stdout).toContain('SELECT nothing FROM nowhere')
    expect(stderr).toMatch(/1 error in the project/)
    const unknown = await of.svc(['ai', 'context', '--asset', 'brokn'])
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean "broken"')])
  })

  it('has no secret, no value of a row, and no personal value of a unit test', async () => {
    const unit = `tests:
  - name: joined
    unit:
      given: {customers: [{id: 1, name: Hildegard}], orders: [{id: 1, customer_id: 1, amount: 7, day: 2026-01-01}]}
      expect: [{name: Hildegard, spent: 7}]
`
    const best = shop['models/marts/best_customers.svc'] ?? ''
    const of = open({
      'models/marts/best_customers.svc': `${best}${unit}`,
      'models/api.svc':
        'name: api\ningest: {type: rest_api, endpoint: "https://x.example.com/?token=hunter22hunter22", resource: a}\ncontract: {columns: {id: bigint}}\ntransform: SELECT id FROM {{ source }}\n',
    })
    for (const words of [['--json'], []]) {
      const { stdout } = await of.svc(['ai', 'context', '--include-tests', '--include-history', ...words])
      expect(stdout).not.toMatch(/hunter22|Hildegard|Ana\b|日本/)
    }
    const pack = await contextOf(of, ['--include-tests'])
    const tests = pack.assets.find(({ name }) => name === 'best_customers')?.blocks?.['tests']
    expect(tests).toContainEqual(
      expect.objectContaining({ unit: expect.objectContaining({ expect: [{ name: '***', spent: 7 }] }) }),
    )
  })
})

describe.each(engines)('a context pack and the hosted store on %s', engine => {
  const hosted = useHosted(engine)
  const metadata = '/api/svc/metadata/projects/1'

  it('is taken as it is; a part of it deletes nothing', async () => {
    const of = open()
    const whole = await contextOf(of, ['--include-tests'])
    expect(whole.scope).toBe('full')
    const post = (pack: ContextPack) =>
      hosted.admin.post(`${metadata}/upload`, { context_pack: pack, source: 'cli' })
    const stored = await post(whole)
    expect([stored.status, stored.body]).toEqual([
      200,
      expect.objectContaining({ success: true, assets_synced: 5 }),
    ])
    const before = (await hosted.admin.get(`${metadata}/manifest`)).body
    const glossaryBefore = (await hosted.admin.get('/api/svc/glossary/projects/1/export')).body
    const part = await contextOf(of, ['--asset', 'orders', '--max-bytes', '1'])
    expect(names(part)).toEqual(['orders'])
    expect((await post(part)).status).toBe(200)
    const after = (await hosted.admin.get(`${metadata}/manifest`)).body
    const told = (body: unknown) => {
      const { assets, lineage, tests } = body as {
        assets: { name: string }[]
        lineage: unknown
        tests: unknown
      }
      return { assets: assets.map(({ name }) => name), lineage, tests }
    }
    expect(told(after)).toEqual(told(before))
    expect((await hosted.admin.get('/api/svc/glossary/projects/1/export')).body).toEqual(glossaryBefore)
  })
})

describe('a password that a check has found in a file', () => {
  it('is not in the context', async () => {
    const hidden = ['hunter', '2x'].join('')
    const text = `name: odd\ningest: none\ntransform: |\n  -- password = "${hidden}"\n  SELECT 1 AS id\n`
    const of = open({ 'models/odd.svc': text })
    const { stdout } = await of.svc(['ai', 'context', '--json'])
    expect(stdout).toContain('"odd"')
    expect(stdout).not.toContain(hidden)
  })
})
