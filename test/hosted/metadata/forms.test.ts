import { expect, it } from 'vitest'
import { catalogSchema, manifestSchema } from '../../../server/contract/files.ts'
import { ContextPack } from '../../../server/contract/pack.ts'
import { describeEngines, useHosted } from '../support/engines.ts'

const upload = '/api/svc/metadata/projects/1/upload'

const manifest = {
  version: 1,
  generated_at: '2026-01-01T00:00:00Z',
  project: { id: 'shop', name: 'shop', warehouse: 'duckdb', default_schema: 'analytics' },
  assets: [
    {
      id: 'orders',
      name: 'orders',
      path: 'models/orders.svc',
      definition_hash: 'first0',
      text_hash: 'text0',
      blocks: {
        name: 'orders',
        description: 'All orders',
        ingest: { type: 'rest_api', endpoint: 'https://shop.example' },
        transform: 'SELECT * FROM {{ source }}',
        freshness: { warn_after: '12h', error_after: '1d', column: 'at' },
        tests: [{ unique: 'id' }],
      },
      schema: { columns: [{ name: 'id', type: 'INTEGER' }] },
    },
  ],
  lineage: [],
  schemas: {},
  tests: [
    { asset: 'orders', name: 'unique_id', kind: 'unique', column: 'id', severity: 'warn', definition: {} },
  ],
}

function catalog(more: object = {}) {
  return {
    version: 1,
    generated_at: '2026-01-02T00:00:00Z',
    environment: 'prod',
    project: manifest.project,
    assets: [
      {
        name: 'orders',
        path: 'models/orders.svc',
        kind: 'source',
        description: 'All orders',
        owner: null,
        tags: [],
        columns: [{ name: 'id', type: 'INTEGER' }],
        raw_sql: 'SELECT * FROM {{ source }}',
        compiled_sql: 'SELECT * FROM x',
        definition_hash: 'first0',
        active_hash: 'first0',
        deployed_at: '2026-01-02T00:00:00Z',
        deployed_by: 'run_1',
        status: 'deployed',
        last_run: '2026-01-02T00:00:00Z',
        seconds: 1,
        loaded_at: '2026-01-02T00:00:00Z',
        rows: 7,
        failure: { message: 'x', hint: null, place: null, text_hash: null },
        repaired: 'dropped',
        warnings: [{ code: 'x' }],
        freshness: { warn_after_seconds: 43_200, error_after_seconds: 86_400, column: 'at' },
        tests: [{ name: 'unique_id', status: 'pass', execution_time: 0.1, at: '2026-01-02T00:00:00Z' }],
        summary: { total: 1, passed: 1, failed: 0 },
        upstream: [],
        downstream: [],
        ...more,
      },
    ],
    exposures: [],
    lineage: [],
    excluded_columns: 0,
    active_assets: 1,
  }
}

describeEngines('the forms of an upload on $name', engine => {
  const hosted = useHosted(engine)
  const post = async (body: object) => {
    const answer = await hosted.admin.post(upload, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.upload
  }
  const of = async (what: string) => {
    const { body } = await hosted.admin.get('/api/svc/metadata/projects/1/assets?name=orders')
    return (await hosted.admin.get(`/api/svc/metadata/assets/${body[0].id}/${what}`)).body
  }

  it('of a manifest bring definitions and no deployment', async () => {
    await post(manifest)
    expect((await of('versions')).versions).toEqual([])
    const { active_version, freshness, definition_hash } = await of('metadata')
    expect({ active_version, freshness, definition_hash }).toEqual({
      active_version: null,
      freshness: { warn_after: '12h', error_after: '1d', status: null, last_run: null },
      definition_hash: 'first0',
    })
  })

  it('of a catalogue leave tests, blocks and the units of limits as they were', async () => {
    const before = await of('metadata')
    expect((await post(catalog())).warnings).toEqual([])
    const after = await of('metadata')
    expect(after.blocks).toEqual({ ...before.blocks, compiled: 'SELECT * FROM x' })
    expect(after.freshness).toMatchObject({ warn_after: '12h', error_after: '1d' })
    expect(after.details).toMatchObject({ rows: 7, text_hash: 'text0' })
    expect(await of('tests')).toMatchObject({
      tests: [{ name: 'unique_id', type: 'unique', column: 'id', severity: 'warn' }],
      results: [{ name: 'unique_id', status: 'pass' }],
    })
    expect((await of('versions')).versions).toMatchObject([{ hash: 'first0', run_id: 'run_1', active: true }])
  })

  it('of a manifest leave the facts of runs as they were', async () => {
    await post(manifest)
    const { details, freshness, active_version, blocks } = await of('metadata')
    expect(details).toMatchObject({ rows: 7, loaded_at: '2026-01-02T00:00:00Z' })
    expect(freshness).toMatchObject({ warn_after: '12h', last_run: '2026-01-02T00:00:00Z' })
    expect(active_version).toMatchObject({ hash: 'first0', run_id: 'run_1' })
    expect(blocks.ingest).toEqual(manifest.assets[0]?.blocks.ingest)
  })

  it('say what they tell anew, and that blocks are of an earlier definition', async () => {
    const { warnings } = await post(
      catalog({
        description: 'Orders of today',
        definition_hash: 'second',
        raw_sql: 'SELECT id FROM {{ source }}',
        freshness: { warn_after_seconds: 5400, error_after_seconds: null },
      }),
    )
    expect(warnings).toMatchObject([{ code: 'older_blocks', detail: expect.stringContaining('"orders"') }])
    const { blocks, freshness, asset } = await of('metadata')
    expect(asset.description).toBe('Orders of today')
    expect(blocks).toMatchObject({
      description: 'Orders of today',
      transform: 'SELECT id FROM {{ source }}',
      freshness: { warn_after: '90m', column: 'at' },
      ingest: { type: 'rest_api' },
    })
    expect(freshness).toMatchObject({ warn_after: '90m', error_after: null })
  })

  it('of a catalogue alone tell its results, and limits in whole units', async () => {
    await hosted.admin.post(`${upload}?rebind=true`, { ...catalog(), project: { id: 'alone' }, assets: [] })
    const [told] = catalog().assets
    await hosted.admin.post(`${upload}?rebind=true`, {
      ...catalog(),
      project: { id: 'alone' },
      assets: [{ ...told, name: 'orders', id: 'asset.alone' }],
    })
    const { freshness, test_summary } = await of('metadata')
    expect(freshness).toMatchObject({ warn_after: '12h', error_after: '1d' })
    expect(test_summary).toMatchObject({ total: 1, passed: 1 })
  })
})

it('every member that svc writes of an asset is one of a pack', () => {
  const known = Object.keys(ContextPack.properties.assets.items.properties)
  for (const schema of [catalogSchema, manifestSchema]) {
    const { assets } = schema.properties as { assets: { items: { properties: object } } }
    expect(known).toEqual(expect.arrayContaining(Object.keys(assets.items.properties)))
    expect(Object.keys(ContextPack.properties)).toEqual(
      expect.arrayContaining(Object.keys(schema.properties)),
    )
  }
})
