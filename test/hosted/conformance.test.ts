/**
 * The contract's hosted part, one test a sentence, in its order and as near to its words as a test can be. What the
 * contract leaves open is tested elsewhere.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeEngines, type EngineCase, engines, useHosted } from './support/engines.ts'
import { makeAsset } from './support/records.ts'

describeEngines('the contract on $name', contract, engines)

function contract(engine: EngineCase): void {
  const hosted = useHosted(engine)
  const base = '/api/svc/glossary'
  let asset = 0

  const term = {
    project: 1,
    name: 'Customer',
    id: 'term.customer',
    description: 'Somebody who bought something',
    synonyms: ['client', 'buyer'],
    owner: 'owner@example.com',
  }
  const metric = {
    project: 1,
    name: 'Revenue',
    id: 'metric.revenue',
    description: 'What was paid',
    sql_definition: "select sum(amount) from {{ ref('orders') }}",
    time_grain: 'month',
    source_assets: ['orders'],
    owner: 'owner@example.com',
  }
  const dimension = {
    project: 1,
    name: 'Region',
    id: 'dim.region',
    description: 'Where',
    values: ['EU', 'US'],
    type: 'categorical',
  }
  const policy = {
    project: 1,
    name: 'Personal data',
    rule: 'Personal data stays in the raw schema',
    pii_columns: ['email', 'phone'],
    applies_to: ['raw.*'],
    enforcement: 'strict',
  }

  beforeAll(async () => {
    asset = await makeAsset(hosted, 'orders')
  })

  describe('2.1, 2.2: terms', () => {
    it('POST /api/svc/glossary/terms/ makes a term of the fields of 2.2 and answers {success, term}', async () => {
      const { status, body } = await hosted.admin.post(`${base}/terms/`, term)
      expect(status).toBe(201)
      expect(body.success).toBe(true)
      const { id, ...said } = term
      expect(body.term).toMatchObject({ ...said, identifier: id })
    })

    it('the term holds an integer record id, name, the string id (as identifier), description, project', async () => {
      const [found] = (await hosted.admin.get(`${base}/terms?project=1&identifier=term.customer`)).body
      expect(found).toMatchObject({
        id: expect.any(Number),
        name: 'Customer',
        identifier: 'term.customer',
        description: term.description,
        project: 1,
      })
      expect(Number.isInteger(found.id)).toBe(true)
    })

    it('project in creation bodies is an integer', async () => {
      const { status, body } = await hosted.admin.post(`${base}/terms`, {
        ...term,
        id: 'term.x',
        project: '1',
      })
      expect([status, body.errors[0].pointer]).toEqual([422, '/project'])
    })

    it('id in creation bodies is a string of the caller', async () => {
      const { status, body } = await hosted.admin.post(`${base}/terms`, { ...term, id: 12 })
      expect([status, body.errors[0].pointer]).toEqual([422, '/id'])
    })

    it.each([
      ['term', 'terms', 'term.active_customer', term],
      ['metric', 'metrics', 'metric.active_customer', metric],
      ['dimension', 'dimensions', 'dim.active_customer', dimension],
    ])(
      'the convention kind prefix, dot, slug is what an id is made of when none is given: %s',
      async (kind, plural, identifier, { id: _id, ...body }) => {
        const made = await hosted.admin.post(`${base}/${plural}`, { ...body, name: 'Active Customer' })
        expect(made.body[kind].identifier).toBe(identifier)
        await hosted.admin.delete(`${base}/${plural}/${made.body[kind].id}`)
      },
    )

    it('a new term needs its project and its name, and nothing else', async () => {
      const { status, body } = await hosted.admin.post(`${base}/terms`, {})
      expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()]).toEqual([
        422,
        ['/name', '/project'],
      ])
      const made = await hosted.admin.post(`${base}/terms`, { project: 1, name: 'Bare' })
      expect(made.status).toBe(201)
      await hosted.admin.delete(`${base}/terms/${made.body.term.id}`)
    })
  })

  describe('2.3: metrics', () => {
    it('POST /api/svc/glossary/metrics/ takes the fields of 2.3 and answers {success, metric}', async () => {
      const { status, body } = await hosted.admin.post(`${base}/metrics/`, metric)
      expect(status).toBe(201)
      expect(body.success).toBe(true)
      const { id, ...said } = metric
      expect(body.metric).toMatchObject({ ...said, id: expect.any(Number), identifier: id })
    })
  })

  describe('2.4: dimensions', () => {
    it('POST /api/svc/glossary/dimensions/ takes the fields of 2.4', async () => {
      const { status, body } = await hosted.admin.post(`${base}/dimensions/`, dimension)
      expect([status, body.success]).toEqual([201, true])
      const { id, ...said } = dimension
      expect(body.dimension).toMatchObject({ ...said, id: expect.any(Number), identifier: id })
    })
  })

  describe('2.5: policies', () => {
    it('POST /api/svc/glossary/policies/ takes the fields of 2.5', async () => {
      const { status, body } = await hosted.admin.post(`${base}/policies/`, policy)
      expect([status, body.success]).toEqual([201, true])
      expect(body.policy).toMatchObject({ ...policy, id: expect.any(Number) })
    })

    it('a policy request has no id', async () => {
      expect((await hosted.admin.post(`${base}/policies/`, { ...policy, id: 'policy.x' })).status).toBe(422)
    })
  })

  describe('2.6: links', () => {
    const termId = async () =>
      (await hosted.admin.get(`${base}/terms?project=1&identifier=term.customer`)).body[0].id as number

    it.each(['primary_key', 'foreign_key', 'attribute'])(
      'POST /api/svc/glossary/links/ with role %s',
      async role => {
        const link = { term: await termId(), asset, column: `of_${role}`, role }
        const { status, body } = await hosted.admin.post(`${base}/links/`, link)
        expect([status, body.success]).toEqual([201, true])
        expect(body.link).toMatchObject({ ...link, id: expect.any(Number) })
      },
    )

    it('there is no other role', async () => {
      const answer = await hosted.admin.post(`${base}/links/`, {
        term: await termId(),
        asset,
        column: 'x',
        role: 'key',
      })
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '/role'])
    })

    it('term and asset are integer record ids', async () => {
      const answer = await hosted.admin.post(`${base}/links/`, { term: 'term.customer', asset: 'orders' })
      expect(answer.status).toBe(422)
    })
  })

  describe('2.2 to 2.6: the types of the fields', () => {
    const bodies = Object.entries({
      terms: term,
      metrics: metric,
      dimensions: dimension,
      policies: policy,
      links: { term: 1, asset: 1, column: 'x', role: 'attribute' },
    })
    it.each(bodies)('a field of another type is refused at its place: %s', async (plural, body) => {
      for (const name of Object.keys(body)) {
        const { status, body: told } = await hosted.admin.post(`${base}/${plural}`, {
          ...body,
          [name]: { wrong: true },
        })
        expect([name, status, told.errors[0].pointer]).toEqual([name, 422, `/${name}`])
      }
    })
  })

  describe('2.7, 4.1: lists and export', () => {
    it.each(['terms', 'metrics', 'dimensions', 'policies', 'links'])(
      'GET /api/svc/glossary/%s is the list',
      async plural => {
        for (const path of [`${base}/${plural}`, `${base}/${plural}/`]) {
          const { status, body } = await hosted.admin.get(path)
          expect([status, Array.isArray(body)]).toEqual([200, true])
          expect(body.length).toBeGreaterThan(0)
        }
      },
    )

    it('the export has project {id, name}, terms with links, metrics, dimensions and policies', async () => {
      const { status, body } = await hosted.admin.get(`${base}/projects/1/export`)
      expect(status).toBe(200)
      expect(body.project).toEqual({ id: 1, name: expect.any(String) })
      const exported = body.terms.find((each: { identifier: string }) => each.identifier === 'term.customer')
      expect(exported).toMatchObject({
        id: expect.any(Number),
        name: 'Customer',
        description: term.description,
      })
      expect(exported.links).toHaveLength(3)
      const { id: _metric, ...metricFields } = metric
      const { id: _dimension, ...dimensionFields } = dimension
      expect(body.metrics).toMatchObject([metricFields])
      expect(body.dimensions).toMatchObject([dimensionFields])
      expect(body.policies).toMatchObject([policy])
    })

    it('the project in the export path is an integer', async () => {
      expect((await hosted.admin.get(`${base}/projects/default/export`)).status).toBe(404)
    })
  })

  describe('2.8 to 2.11, 4.2: metadata', () => {
    const metadata = '/api/svc/metadata'
    const pack = {
      project: { id: 'shop', name: 'Shop', warehouse: 'duckdb', default_schema: 'analytics' },
      assets: [
        {
          id: 'raw',
          path: 'models/raw.svc',
          blocks: { ingest: { type: 'rest_api' } },
          schema: { columns: [{ name: 'id' }] },
        },
        {
          id: 'sales',
          path: 'models/sales.svc',
          blocks: { tests: [{ unique: 'id' }] },
          schema: { columns: [{ name: 'id' }] },
        },
      ],
      lineage: [{ from: 'raw', to: 'sales' }],
      versions: { sales: [{ hash: 'a1b2c3', deployed_at: '2026-01-02T03:04:05Z' }] },
      glossary: [{ id: 'term.sale', name: 'Sale' }],
    }
    const ids: Record<string, number> = {}

    it('POST …/upload takes {context_pack, source} and counts what was stored', async () => {
      const body = { context_pack: pack, source: 'cli' }
      const answer = await hosted.admin.post(`${metadata}/projects/1/upload`, body)
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({
        success: true,
        assets_synced: 2,
        lineage_edges_synced: 1,
        schemas_synced: 2,
        tests_synced: 1,
      })
    })

    it('a file posted as it is is taken too', async () => {
      const answer = await hosted.admin.post(`${metadata}/projects/1/upload`, pack)
      expect([answer.status, answer.body.assets_synced]).toEqual([200, 2])
    })

    it('source may be webhook', async () => {
      const body = { context_pack: { ...pack, glossary: [] }, source: 'webhook' }
      expect((await hosted.admin.post(`${metadata}/projects/1/upload`, body)).status).toBe(200)
    })

    it('the manifest has project, assets, lineage, schemas and tests', async () => {
      const { body } = await hosted.admin.get(`${metadata}/projects/1/manifest`)
      expect(body).toMatchObject({
        project: expect.any(Object),
        assets: expect.any(Array),
        lineage: expect.any(Array),
        schemas: { sales: expect.any(Object) },
        tests: [{ asset_name: 'sales' }],
      })
      for (const each of body.assets) ids[each.name] = each.id
      expect(ids['sales']).toEqual(expect.any(Number))
    })

    it('the lineage of an asset has upstream and downstream with asset_id and asset_name', async () => {
      const { body } = await hosted.admin.get(`${metadata}/assets/${ids['sales']}/lineage`)
      expect(body).toEqual({ upstream: [{ asset_id: ids['raw'], asset_name: 'raw' }], downstream: [] })
    })

    it('metadata, versions and tests of an asset are there', async () => {
      const get = async (what: string) =>
        (await hosted.admin.get(`${metadata}/assets/${ids['sales']}/${what}`)).body
      expect((await get('metadata')).asset).toMatchObject({ id: ids['sales'], name: 'sales' })
      // 9.3: each version has a hash, a deployed-at time and a status.
      expect((await get('versions')).versions).toMatchObject([
        { hash: expect.any(String), deployed_at: expect.stringMatching(/Z$/), status: 'deployed' },
      ])
      expect(await get('tests')).toMatchObject({ tests: [{ name: 'unique_id' }], results: [] })
    })

    it('project_id and asset_id are integers', async () => {
      expect((await hosted.admin.get(`${metadata}/projects/shop/manifest`)).status).toBe(404)
      expect((await hosted.admin.get(`${metadata}/assets/sales/lineage`)).status).toBe(404)
    })
  })

  describe('5: authentication', () => {
    it('every call carries Authorization: Bearer <token>', async () => {
      for (const plural of ['terms', 'metrics', 'dimensions', 'policies', 'links']) {
        expect((await hosted.client().get(`${base}/${plural}`)).status).toBe(401)
        expect((await hosted.client().post(`${base}/${plural}`, {})).status).toBe(401)
      }
      expect((await hosted.client().get(`${base}/projects/1/export`)).status).toBe(401)
      expect((await hosted.client('wrong').get(`${base}/terms`)).status).toBe(401)
    })

    it('POST calls carry Content-Type: application/json', async () => {
      const answer = await hosted.admin.send('POST', `${base}/terms`, {
        body: JSON.stringify(term),
        headers: { 'Content-Type': 'text/plain' },
      })
      expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type'])
    })
  })

  describe('7: errors', () => {
    it('a failed call has a body that says so', async () => {
      const answer = await hosted.admin.post(`${base}/terms`, { project: 1 })
      expect(answer.headers.get('content-type')).toContain('application/problem+json')
      expect(answer.body).toMatchObject({
        success: false,
        status: answer.status,
        code: 'invalid',
        title: expect.any(String),
        detail: expect.any(String),
        request_id: expect.any(String),
      })
    })
  })

  describe('9: versioning', () => {
    it('paths carry no version segment', async () => {
      const { body } = await hosted.client().get('/openapi.json')
      expect(Object.keys(body.paths).filter(path => /\/v\d/.test(path))).toEqual([])
    })
  })
}
