import { Ajv } from 'ajv'
import { beforeAll, expect, it } from 'vitest'
import { describedRoutes } from '../../../hosted-api/routes.ts'
import { describeEngines, useHosted } from '../support/engines.ts'

const column = (name: string, type: string | null = 'INTEGER', more = {}) => ({ name, type, ...more })
const model = { ingest: { type: 'none' } }

/** crm → customers → orders → revenue → Board, and a circle of a and b. */
const pack = {
  project: { id: 'shop', name: 'shop', warehouse: 'duckdb', default_schema: 'analytics' },
  assets: [
    {
      id: 'customers',
      path: 'models/customers.svc',
      blocks: {
        ingest: { type: 'file' },
        columns: { email: { pii: true } },
        freshness: { warn_after: '12h', error_after: '24h' },
      },
      schema: { columns: [column('id'), column('email', 'VARCHAR')] },
    },
    {
      id: 'orders',
      path: 'models/marts/orders.svc',
      blocks: { ...model, transform: 'SELECT 1', owner: 'ops@x.co', tags: ['core'] },
      schema: { columns: [column('id'), column('contact', 'VARCHAR'), column('contact_hash', 'VARCHAR')] },
      tests: [{ name: 'unique_id', kind: 'unique', column: 'id', definition: { unique: 'id' } }],
    },
    {
      id: 'revenue',
      path: 'models/marts/revenue.svc',
      blocks: model,
      schema: { columns: [column('who', 'VARCHAR')] },
    },
    { id: 'a', blocks: model },
    { id: 'b', blocks: model },
  ],
  lineage: [
    ['crm', 'customers'],
    {
      from: 'customers',
      to: 'orders',
      columns: [
        { from: 'email', to: 'contact' },
        { from: 'email', to: 'contact_hash', transform: 'md5', masking: true },
        { from: 'id', to: 'id' },
      ],
    },
    { from: 'orders', to: 'revenue', columns: [{ from: 'contact', to: 'who' }] },
    { from: 'revenue', to: 'Board', kind: 'exposure' },
    ['a', 'b'],
    ['b', 'a'],
  ],
  versions: {
    orders: [
      { hash: 'aaaaaa111111', deployed_at: '2026-01-01T00:00:00Z', status: 'deployed', run_id: 'r1' },
      { hash: 'bbbbbb222222', deployed_at: '2026-01-02T00:00:00Z', status: 'Failed' },
    ],
  },
  test_results: {
    orders: {
      asset_name: 'orders',
      timestamp: '2026-01-02T00:00:00Z',
      tests: [{ name: 'unique_id', status: 'fail', execution_time: 0.25 }],
      summary: { total: 1, passed: 0, failed: 1 },
    },
  },
  glossary: {
    terms: [
      {
        name: 'Contact',
        id: 'term.contact',
        links: [{ asset: 'orders', column: 'contact', role: 'attribute' }],
      },
    ],
    policies: [
      {
        name: 'No people in marts',
        rule: 'Marts never show who somebody is.',
        applies_to: ['marts.*'],
        enforcement: 'strict',
      },
      {
        name: 'Mails',
        rule: 'No mail.',
        pii_columns: ['email'],
        applies_to: ['customers'],
        enforcement: 'warn',
      },
    ],
  },
}

describeEngines('what an upload brought, on $name', engine => {
  const hosted = useHosted(engine, { clock: () => new Date('2026-01-10T00:00:00.000Z') })
  const base = '/api/svc/metadata'
  const ids = new Map<string, number>()
  const get = async (path: string) => (await hosted.admin.get(path)).body
  const of = (name: string, rest: string) => get(`${base}/assets/${ids.get(name)}/${rest}`)

  beforeAll(async () => {
    const answer = await hosted.admin.post(`${base}/projects/1/upload`, { context_pack: pack, source: 'cli' })
    expect(answer.body.upload).toMatchObject({ glossary_synced: 4 })
    for (const kind of ['source', 'model', 'external', 'exposure']) {
      for (const { name, id } of await get(`${base}/projects/1/assets?kind=${kind}`)) ids.set(name, id)
    }
  })

  it('is found by name, in pages, and with what is no asset only when asked for', async () => {
    expect(await get(`${base}/projects/1/assets?name=orders`)).toMatchObject([
      { id: ids.get('orders'), identifier: 'orders', kind: 'model', owner: 'ops@x.co', removed_at: null },
    ])
    const all = await hosted.admin.get(`${base}/projects/1/assets?sort=-name&limit=2&fields=name`)
    expect(all.body).toEqual([{ name: 'revenue' }, { name: 'orders' }])
    expect(all.headers.get('x-total-count')).toBe('5')
    const next = /<(.+)>/.exec(all.headers.get('link') ?? '')?.[1] ?? ''
    expect((await get(next)).map((each: { name: string }) => each.name)).toEqual(['customers', 'b'])
    expect(await get(`${base}/projects/1/assets?kind=external`)).toMatchObject([{ name: 'crm' }])
  })

  it('tells all of an asset', async () => {
    expect(await of('orders', 'metadata')).toMatchObject({
      asset: {
        id: ids.get('orders'),
        name: 'orders',
        path: 'models/marts/orders.svc',
        kind: 'model',
        project: 1,
        removed_at: null,
      },
      schema: { columns: [{ name: 'id' }, { name: 'contact' }, { name: 'contact_hash' }] },
      owner: 'ops@x.co',
      tags: ['core'],
      freshness: null,
      terms: [{ term_identifier: 'term.contact', column: 'contact', role: 'attribute' }],
      policies: [{ name: 'No people in marts', enforcement: 'strict', breached_by: ['contact'] }],
      pii_columns: ['contact'],
      active_version: { hash: 'aaaaaa111111', version: 1 },
      test_summary: { total: 1, passed: 0, failed: 1, pass_rate: 0 },
    })
    expect((await of('customers', 'metadata')).freshness).toEqual({
      warn_after: '12h',
      error_after: '24h',
      status: null,
      last_run: null,
    })
  })

  it('has neighbours, and with depth everybody that can be reached', async () => {
    const ref = (name: string) => ({ asset_id: ids.get(name), asset_name: name })
    expect(await of('orders', 'lineage')).toEqual({
      upstream: [ref('customers')],
      downstream: [ref('revenue')],
    })
    expect(await of('orders', 'lineage?depth=all')).toEqual({
      upstream: [
        { ...ref('customers'), depth: 1 },
        { ...ref('crm'), depth: 2 },
      ],
      downstream: [
        { ...ref('revenue'), depth: 1 },
        { ...ref('Board'), depth: 2 },
      ],
    })
    expect(await of('crm', 'lineage?depth=2&direction=downstream')).toEqual({
      upstream: [],
      downstream: [
        { ...ref('customers'), depth: 1 },
        { ...ref('orders'), depth: 2 },
      ],
    })
    expect(await of('a', 'lineage?depth=50')).toEqual({
      upstream: [{ ...ref('b'), depth: 1 }],
      downstream: [{ ...ref('b'), depth: 1 }],
    })
  })

  it('is a graph for who draws it', async () => {
    const graph = await of('orders', 'lineage?depth=all&format=graph')
    expect(
      graph.nodes.map((node: { asset_name: string; depth: number }) => [node.asset_name, node.depth]),
    ).toEqual([
      ['crm', -2],
      ['customers', -1],
      ['orders', 0],
      ['revenue', 1],
      ['Board', 2],
    ])
    expect(graph.edges).toHaveLength(4)
  })

  it('has columns with where they come from and where they go', async () => {
    const { columns } = await of('customers', 'lineage?level=column&column=EMAIL&depth=all')
    expect(columns[0].upstream).toEqual([])
    expect(columns[0].downstream).toMatchObject([
      { asset_name: 'orders', column: 'contact', depth: 1, masked: false },
      { asset_name: 'orders', column: 'contact_hash', depth: 1, masked: true },
      { asset_name: 'revenue', column: 'who', depth: 2, masked: false },
    ])
    expect(
      (await of('revenue', 'lineage?level=column&direction=upstream&depth=9')).columns[0].upstream,
    ).toHaveLength(2)
  })

  it.each([
    'depth=0',
    'depth=51',
    'depth=x',
    'direction=up',
    'column=id',
    'level=column&column=none',
    'level=column&format=graph',
    'dept=2',
  ])('refuses lineage?%s', async query => {
    const answer = await hosted.admin.get(`${base}/assets/${ids.get('orders')}/lineage?${query}`)
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid'])
  })

  it('has versions, newest first, with the statuses of the contract', async () => {
    const { asset_id, asset_name, versions } = await of('orders', 'versions')
    expect([asset_id, asset_name]).toEqual([ids.get('orders'), 'orders'])
    expect(versions).toMatchObject([
      {
        version: 2,
        hash: 'bbbbbb222222',
        deployed_at: '2026-01-02T00:00:00.000Z',
        status: 'Failed',
        active: false,
      },
      {
        version: 1,
        hash: 'aaaaaa111111',
        deployed_at: '2026-01-01T00:00:00.000Z',
        status: 'deployed',
        active: true,
        run_id: 'r1',
        source: 'cli',
      },
    ])
    expect(await of('orders', 'versions/aaaaaa')).toMatchObject({ hash: 'aaaaaa111111', content: null })
    expect((await hosted.admin.get(`${base}/assets/${ids.get('orders')}/versions/cccccc`)).status).toBe(404)
  })

  it('has tests with the latest results, and takes newer ones by themselves', async () => {
    expect(await of('orders', 'tests')).toMatchObject({
      asset_name: 'orders',
      tests: [
        { name: 'unique_id', type: 'unique', column: 'id', severity: 'error', definition: { unique: 'id' } },
      ],
      results: [
        { name: 'unique_id', status: 'fail', execution_time: 0.25, timestamp: '2026-01-02T00:00:00.000Z' },
      ],
      summary: { total: 1, passed: 0, failed: 1, pass_rate: 0 },
      last_run: '2026-01-02T00:00:00.000Z',
    })
    const entry = (name: string) => ({
      asset_name: name,
      timestamp: '2026-01-03T00:00:00Z',
      tests: [{ name: 'unique_id', status: 'pass', execution_time: 0.1 }],
      summary: { total: 1, passed: 1, failed: 0 },
    })
    const sent = await hosted.admin.post(`${base}/projects/1/test-results`, {
      orders: entry('orders'),
      gone: entry('gone'),
    })
    expect(sent.body).toMatchObject({
      success: true,
      assets_synced: 1,
      tests_synced: 1,
      warnings: [{ code: 'unknown_asset' }],
    })
    const tests = await of('orders', 'tests?history=30')
    expect(tests).toMatchObject({
      summary: { passed: 1, pass_rate: 1 },
      last_run: '2026-01-03T00:00:00.000Z',
    })
    expect(tests.history).toHaveLength(2)
    const wrong = await hosted.admin.post(`${base}/projects/1/test-results`, {
      orders: { ...entry('orders'), tests: [{ name: 'x', status: 'ok' }] },
    })
    expect(wrong.body.errors[0].pointer).toBe('/orders/tests/0/execution_time')
  })

  it('shows where personal data goes and which policies that breaks', async () => {
    const check = await get('/api/svc/policies/check?project=1')
    expect(check.summary).toEqual({ policies: 2, breached: 2, breaches: 3 })
    const [marts, mails] = check.policies
    expect(marts).toMatchObject({ name: 'No people in marts', assets_covered: 2, breach_count: 2 })
    expect(marts.breaches[1]).toMatchObject({
      asset_name: 'revenue',
      column: 'who',
      root: { asset_name: 'customers', column: 'email' },
      path: [{ asset_name: 'customers' }, { asset_name: 'orders' }, { asset_name: 'revenue' }],
    })
    expect(mails.breaches).toMatchObject([{ asset_name: 'customers', column: 'email' }])
    const one = await get(`/api/svc/policies/check?project=1&asset=${ids.get('revenue')}`)
    expect(one).toMatchObject({ asset: { asset_name: 'revenue' }, summary: { policies: 1, breaches: 1 } })
    expect((await hosted.admin.get('/api/svc/policies/check?project=1&asset=9999')).status).toBe(422)
    expect((await hosted.admin.get('/api/svc/policies/check')).status).toBe(422)
  })

  it('says what a column stands under and whom it hits', async () => {
    const { columns } = await of('orders', 'impact?column=contact')
    expect(columns).toMatchObject([
      {
        column: 'contact',
        terms: [{ term_identifier: 'term.contact' }],
        policies: [
          { name: 'No people in marts', breached: true },
          { name: 'Mails', breached: false },
        ],
        personal: true,
        affected: {
          columns: [{ asset_name: 'revenue', column: 'who', depth: 1 }],
          assets: [],
          exposures: [{ asset_name: 'Board' }],
        },
      },
    ])
    expect((await of('orders', 'impact')).columns).toHaveLength(3)
  })

  it('leaves records alone that were edited here, unless it is told not to', async () => {
    const [term] = await get('/api/svc/glossary/terms?project=1&identifier=term.contact')
    const patched = await hosted.admin.patch(`/api/svc/glossary/terms/${term.id}`, { description: 'Edited' })
    expect(patched.status).toBe(200)
    const again = { ...pack, excluded_columns: 1 }
    const kept = await hosted.admin.post(`${base}/projects/1/upload`, { context_pack: again, source: 'cli' })
    expect(kept.body.upload.warnings.map((each: { code: string }) => each.code)).toContain('glossary_kept')
    expect((await get(`/api/svc/glossary/terms/${term.id}`)).description).toBe('Edited')
    await hosted.admin.post(`${base}/projects/1/upload?glossary=overwrite`, {
      context_pack: again,
      source: 'cli',
    })
    expect((await get(`/api/svc/glossary/terms/${term.id}`)).description).toBe('')
  })

  it('tells what changed between two versions whose content came with uploads', async () => {
    const version = (hash: string, sql: string, columns: readonly object[], day: number) => ({
      ...pack,
      scope: 'partial',
      assets: [
        { id: 'orders', definition_hash: hash, blocks: { ...model, transform: sql }, schema: { columns } },
      ],
      lineage: [],
      glossary: [],
      test_results: undefined,
      versions: { orders: [{ hash, deployed_at: `2026-02-0${day}T00:00:00Z` }] },
    })
    const send = (body: object) =>
      hosted.admin.post(`${base}/projects/1/upload`, { context_pack: body, source: 'cli' })
    await send(version('dddddd111111', 'SELECT 1', [column('id')], 1))
    await send(version('eeeeee222222', 'SELECT 2', [column('id', 'BIGINT'), column('more')], 2))
    const { diff } = await of('orders', 'versions/eeeeee?diff=dddddd')
    expect(diff).toMatchObject({
      from: 'dddddd111111',
      to: 'eeeeee222222',
      columns: [
        { column: 'id', change: 'type', breaking: false },
        { column: 'more', change: 'added' },
      ],
      sql: { old: 'SELECT 1', new: 'SELECT 2' },
      blocks: ['transform'],
    })
    expect(
      (await hosted.admin.get(`${base}/assets/${ids.get('orders')}/versions/eeeeee?diff=aaaaaa`)).status,
    ).toBe(422)
  })

  it('is not to be seen for another project, and gives nothing for what is not there', async () => {
    expect((await hosted.admin.get(`${base}/assets/9999/lineage`)).status).toBe(404)
    expect((await hosted.admin.get(`${base}/assets/2147483648/tests`)).status).toBe(404)
    expect((await hosted.client().get(`${base}/assets/${ids.get('orders')}/tests`)).status).toBe(401)
  })

  it('is not sent again to whoever has it', async () => {
    for (const path of [`${base}/projects/1/manifest`, `${base}/assets/${ids.get('orders')}/lineage`]) {
      const tag = (await hosted.admin.get(path)).headers.get('etag') ?? ''
      expect((await hosted.admin.get(path, { 'If-None-Match': tag })).status).toBe(304)
    }
  })

  it('is answered in the shapes that the document of the service has', async () => {
    const wrong: unknown[] = []
    const routes = describedRoutes('0').filter(route => /svc\/(metadata|policies)\//.test(route.path))
    const checked = new Set<string>()
    const shape = (id: string, body: unknown) => {
      checked.add(id)
      const validate = new Ajv({ strict: false, formats: { 'date-time': true } }).compile(
        routes.find(route => route.id === id)?.responses[200] ?? false,
      )
      if (!validate(body)) wrong.push([id, validate.errors])
    }
    const [orders, customers] = [ids.get('orders'), ids.get('customers')]
    for (const [id, path] of [
      ['getManifest', `${base}/projects/1/manifest`],
      ['listAssets', `${base}/projects/1/assets`],
      ['listUploads', `${base}/projects/1/uploads`],
      ['getAssetMetadata', `${base}/assets/${orders}/metadata`],
      ['getAssetMetadata', `${base}/assets/${customers}/metadata`],
      ['getAssetLineage', `${base}/assets/${orders}/lineage?depth=all`],
      ['getAssetLineage', `${base}/assets/${orders}/lineage?format=graph`],
      ['getAssetLineage', `${base}/assets/${orders}/lineage?level=column`],
      ['getAssetVersions', `${base}/assets/${orders}/versions`],
      ['getAssetVersion', `${base}/assets/${orders}/versions/eeeeee?diff=dddddd`],
      ['getAssetTests', `${base}/assets/${orders}/tests?history=3`],
      ['getAssetImpact', `${base}/assets/${customers}/impact`],
      ['checkPolicies', '/api/svc/policies/check?project=1'],
    ] as const) {
      shape(id, await get(path))
    }
    const dry = await hosted.admin.post(`${base}/projects/1/upload?dry_run=true`, {
      ...pack,
      assets: pack.assets.slice(1),
    })
    shape('uploadContextPack', dry.body)
    expect(dry.body.changes.breaking.length).toBeGreaterThan(0)
    expect(wrong).toEqual([])
    const all = routes.map(route => route.id).filter(id => id !== 'uploadTestResults')
    expect([...checked].sort()).toEqual(all.sort())
  })

  it('brings no errors of ours to the log', () => {
    expect(hosted.errors).toEqual([])
  })
})
