import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { describeEngines, useHosted } from '../support/engines.ts'

const upload = '/api/svc/metadata/projects/1/upload'
const json = { 'Content-Type': 'application/json' }
const column = (name: string, type = 'INTEGER', more = {}) => ({
  name,
  type,
  nullable: true,
  description: null,
  pii: false,
  ...more,
})

/** Three assets in a row: customers, orders, revenue, read by a dashboard. */
function shop(more: Readonly<Record<string, unknown>> = {}) {
  return {
    version: 1,
    generated_at: '2026-01-01T00:00:00.000Z',
    project: { id: 'shop', name: 'shop', warehouse: 'duckdb', default_schema: 'analytics' },
    assets: [
      asset('customers', [column('id'), column('email', 'VARCHAR', { pii: true })], {
        ingest: { type: 'rest_api' },
      }),
      asset('orders', [column('id'), column('contact', 'VARCHAR'), column('amount', 'DECIMAL(10,2)')]),
      asset('revenue', [column('day', 'DATE'), column('total', 'DECIMAL(12,2)')]),
    ],
    lineage: [
      { from: 'customers', to: 'orders', kind: 'ref', columns: [{ from: 'email', to: 'contact' }] },
      { from: 'orders', to: 'revenue', kind: 'ref', columns: [{ from: 'amount', to: 'total' }] },
      { from: 'revenue', to: 'Board', kind: 'exposure', columns: [] },
    ],
    schemas: {},
    tests: [
      { asset: 'orders', name: 'unique_id', kind: 'unique', column: 'id', severity: 'error', definition: {} },
    ],
    ...more,
  }
}

function asset(name: string, columns: readonly object[], blocks: object = { ingest: { type: 'none' } }) {
  return {
    id: name,
    name,
    path: `models/${name}.svc`,
    definition_hash: `hash-of-${name}`,
    text_hash: `text-of-${name}`,
    blocks: { name, ...blocks, transform: `SELECT ${columns.length}` },
    schema: { columns },
  }
}

describeEngines('an upload on $name', engine => {
  const hosted = useHosted(engine)
  const wrapped = (pack: object = shop()) => ({ context_pack: pack, source: 'cli' })

  async function manifest(project = 1) {
    return (await hosted.admin.get(`/api/svc/metadata/projects/${project}/manifest`)).body
  }

  async function idOf(name: string): Promise<number> {
    const { body } = await hosted.admin.get(
      `/api/svc/metadata/projects/1/assets?name=${name}&include=removed`,
    )
    return body[0].id
  }

  it('finds an empty manifest before it', async () => {
    const answer = await hosted.admin.get('/api/svc/metadata/projects/1/manifest')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      project: { id: 1, identifier: null },
      assets: [],
      lineage: [],
      schemas: {},
      tests: [],
    })
  })

  it('tells what it would do, and does nothing', async () => {
    const answer = await hosted.admin.post(`${upload}?dry_run=true`, wrapped())
    expect(answer.body).toMatchObject({
      success: true,
      assets_synced: 3,
      upload: { id: null, dry_run: true, added: 3 },
    })
    expect((await manifest()).assets).toEqual([])
  })

  it('counts what it has stored', async () => {
    const answer = await hosted.admin.post(`${upload}/`, wrapped())
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      success: true,
      assets_synced: 3,
      lineage_edges_synced: 3,
      schemas_synced: 3,
      tests_synced: 1,
      upload: { unchanged: false, added: 3, changed: 0, removed: 0, glossary_synced: 0, warnings: [] },
    })
    const stored = await manifest()
    expect(stored.project).toMatchObject({
      identifier: 'shop',
      warehouse: 'duckdb',
      default_schema: 'analytics',
    })
    expect(stored.assets.map((each: { name: string }) => each.name)).toEqual([
      'customers',
      'orders',
      'revenue',
    ])
    expect(stored.assets[0]).toMatchObject({
      kind: 'source',
      active_hash: null,
      blocks: { name: 'customers' },
    })
    expect(stored.lineage).toMatchObject([
      { from: 'customers', to: 'orders', columns: [{ from: 'email', to: 'contact' }] },
      { from: 'orders', to: 'revenue' },
      { from: 'revenue', to: 'Board', kind: 'exposure' },
    ])
    expect(stored.schemas.orders.columns).toHaveLength(3)
    expect(stored.tests).toMatchObject([
      { asset_name: 'orders', name: 'unique_id', type: 'unique', column: 'id' },
    ])
  })

  it('changes nothing the second time, in either form', async () => {
    const before = await hosted.service.storage.revision(1)
    const again = await hosted.admin.post(upload, wrapped(shop({ generated_at: '2026-02-02T00:00:00.000Z' })))
    expect(again.body.upload).toMatchObject({ unchanged: true, added: 0, changed: 0, removed: 0 })
    const asFile = await hosted.admin.post(`${upload}?source=webhook`, shop())
    expect(asFile.body.upload.unchanged).toBe(true)
    expect(await hosted.service.storage.revision(1)).toBe(before)
    const { body } = await hosted.admin.get('/api/svc/metadata/projects/1/uploads')
    expect(body).toHaveLength(1)
    expect(body[0]).toMatchObject({ source: 'cli', scope: 'full', active: true, assets_synced: 3, added: 3 })
  })

  it('is read compressed, and as the file of a form', async () => {
    const packed = await hosted.admin.send('POST', upload, {
      body: gzipSync(JSON.stringify(wrapped())),
      headers: { ...json, 'Content-Encoding': 'gzip' },
    })
    expect(packed.body.upload.unchanged).toBe(true)
    const form = new FormData()
    form.set('file', new Blob([JSON.stringify(shop())], { type: 'application/json' }), 'manifest.json')
    const posted = await hosted.admin.send('POST', upload, { body: form })
    expect(posted.body.upload.unchanged).toBe(true)
  })

  it('reads columns as an earlier version of the service wrote them', async () => {
    const before = await manifest()
    await hosted.service.storage.write(async tx => {
      for (const { name } of before.assets) {
        const columns = JSON.stringify(before.schemas[name].columns)
        await tx.all('update asset_state set columns = ? where name = ?', [columns, name])
      }
    })
    await hosted.restart()
    expect(await manifest()).toEqual(before)
    const assets = shop().assets.filter(({ id }) => id !== 'revenue')
    const answer = await hosted.admin.post(`${upload}?dry_run=true`, wrapped(shop({ assets, lineage: [] })))
    expect(answer.body.changes.breaking[0]).toMatchObject({ asset: 'revenue' })
  })

  it('tells everything that is wrong with a pack, with its places', async () => {
    const pack = shop({ linage: [], assets: [{ id: 'a', shema: {} }, { path: 'x' }] })
    const answer = await hosted.admin.post(upload, wrapped(pack))
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ success: false, code: 'invalid' })
    expect(answer.body.errors.map((each: { pointer: string }) => each.pointer)).toEqual([
      '/context_pack/linage',
      '/context_pack/assets/0/shema',
    ])
    expect((await hosted.admin.post(upload, ['x'])).status).toBe(422)
    expect((await hosted.admin.send('POST', upload, { body: '{"a', headers: json })).body.code).toBe(
      'malformed_json',
    )
    expect(
      (await hosted.admin.send('POST', upload, { body: 'x', headers: { 'Content-Type': 'text/csv' } }))
        .status,
    ).toBe(415)
    expect((await hosted.admin.post(`${upload}?dryrun=true`, wrapped())).status).toBe(422)
  })

  it('tells whom a change would break, down to exposures', async () => {
    const pack = shop()
    const [customers, orders, revenue] = pack.assets
    const changed = {
      ...pack,
      assets: [
        customers,
        { ...orders, schema: { columns: [column('id'), column('amount', 'INTEGER')] } },
        revenue,
      ],
    }
    const { body } = await hosted.admin.post(`${upload}?dry_run=true`, wrapped(changed))
    expect(body.changes.changed).toMatchObject([{ asset: 'orders' }])
    expect(body.changes.breaking).toMatchObject([
      { asset: 'orders', column: 'contact', change: 'removed', affected: { columns: [], exposures: [] } },
      {
        asset: 'orders',
        column: 'amount',
        change: 'type',
        old: 'DECIMAL(10,2)',
        new: 'INTEGER',
        affected: {
          columns: [{ asset: 'revenue', column: 'total', depth: 1, changed: false }],
          exposures: ['Board'],
        },
      },
    ])
    expect((await manifest()).schemas.orders.columns).toHaveLength(3)
  })

  it('tells which policies it would break, and which of that is new', async () => {
    const policy = {
      project: 1,
      name: 'No people',
      rule: 'R',
      pii_columns: ['email'],
      applies_to: ['revenue', 'orders'],
    }
    const made = await hosted.admin.post('/api/svc/glossary/policies', policy)
    const pack = shop()
    const [, , revenue] = pack.assets
    const leaking = { from: 'orders', to: 'revenue', columns: [{ from: 'contact', to: 'who' }] }
    const changed = { ...revenue, schema: { columns: [column('who', 'VARCHAR')] } }
    const expected = [
      {
        id: made.body.policy.id,
        name: 'No people',
        breaches: [
          { asset: 'orders', column: 'contact', root: { asset: 'customers', column: 'email' }, new: false },
          { asset: 'revenue', column: 'who', root: { asset: 'customers', column: 'email' }, new: true },
        ],
      },
    ]
    const full = {
      ...pack,
      assets: [...pack.assets.slice(0, 2), changed],
      lineage: [pack.lineage[0], leaking],
    }
    const whole = await hosted.admin.post(`${upload}?dry_run=true`, wrapped(full))
    expect(whole.body.changes.policies).toMatchObject(expected)
    const part = { ...pack, scope: 'partial', assets: [changed], lineage: [leaking], tests: [] }
    const partly = await hosted.admin.post(`${upload}?dry_run=true`, wrapped(part))
    expect(partly.body.changes.policies).toMatchObject(expected)
    await hosted.admin.delete(`/api/svc/glossary/policies/${made.body.policy.id}`)
  })

  it('is merged when it is partial', async () => {
    const pack = {
      ...shop(),
      scope: 'partial',
      assets: [asset('refunds', [column('id')])],
      lineage: [['orders', 'refunds']],
      tests: [],
      versions: { refunds: [{ hash: 'hash-of-refunds', deployed_at: '2026-01-02T03:04:05Z' }] },
    }
    const { body } = await hosted.admin.post(upload, wrapped(pack))
    expect(body.upload).toMatchObject({ added: 1, changed: 0, removed: 0, warnings: [] })
    const stored = await manifest()
    expect(stored.assets).toHaveLength(4)
    expect(stored.lineage).toHaveLength(4)
    expect(stored.tests).toHaveLength(1)
  })

  it('keeps what it no longer has for history, and takes it back', async () => {
    const id = await idOf('refunds')
    const { body } = await hosted.admin.post(upload, wrapped())
    expect(body.upload).toMatchObject({ unchanged: false, removed: 1, added: 0, changed: 0 })
    expect((await manifest()).assets).toHaveLength(3)
    const metadata = await hosted.admin.get(`/api/svc/metadata/assets/${id}/metadata`)
    expect(metadata.body.asset).toMatchObject({ name: 'refunds' })
    expect(metadata.body.asset.removed_at).toEqual(expect.any(String))
    const { body: versions } = await hosted.admin.get(`/api/svc/metadata/assets/${id}/versions`)
    expect(versions.versions).toMatchObject([{ hash: 'hash-of-refunds', active: false }])
    const pack = shop()
    const back = await hosted.admin.post(
      upload,
      wrapped({ ...pack, assets: [...pack.assets, asset('refunds', [column('id')])] }),
    )
    expect(back.body.upload).toMatchObject({ added: 1 })
    expect(await idOf('refunds')).toBe(id)
    await hosted.admin.post(upload, wrapped())
  })

  it('makes external nodes of what the lineage alone names', async () => {
    const pack = shop()
    const { body } = await hosted.admin.post(
      upload,
      wrapped({ ...pack, lineage: [...pack.lineage, ['crm', 'customers']] }),
    )
    expect(body.upload.warnings).toMatchObject([{ code: 'external_node' }])
    const { body: lineage } = await hosted.admin.get(
      `/api/svc/metadata/assets/${await idOf('customers')}/lineage`,
    )
    expect(lineage.upstream).toEqual([{ asset_id: expect.any(Number), asset_name: 'crm' }])
    expect((await manifest()).assets).toHaveLength(3)
    await hosted.admin.post(upload, wrapped())
  })

  it('is refused for a project that holds another one, unless it is bound anew', async () => {
    const other = shop({ project: { id: 'library', name: 'library' } })
    const answer = await hosted.admin.post(upload, wrapped(other))
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ code: 'project_mismatch', bound_to: 'shop', given: 'library' })
    expect((await hosted.admin.post(`${upload}?rebind=true`, wrapped(other))).status).toBe(200)
    expect((await manifest()).project.identifier).toBe('library')
    await hosted.admin.post(`${upload}?rebind=true`, wrapped())
  })

  it('overwrites what people edited in the glossary only with the right to write there', async () => {
    const policy = {
      ...{ name: 'No e-mails', rule: 'None.', enforcement: 'strict' },
      ...{ pii_columns: ['email'], applies_to: ['marts.*'] },
    }
    const made = await hosted.admin.post('/api/svc/glossary/policies', { project: 1, ...policy })
    expect(made.status).toBe(201)
    const off = shop({ glossary: { policies: [{ ...policy, enforcement: 'warn' }] } })
    const url = `${upload}?glossary=overwrite`
    for (const [scopes, status, enforcement] of [
      [['metadata:upload'], 403, 'strict'],
      [['metadata:upload', 'glossary:write'], 200, 'warn'],
    ] as const) {
      const { body } = await hosted.admin.post('/api/svc/tokens', {
        name: `u${status}`,
        scopes,
        projects: [1],
        expires_in_days: 30,
      })
      const answer = await hosted.client(body.secret).post(url, wrapped(off))
      expect(answer.status).toBe(status)
      if (status === 403) expect(answer.headers.get('www-authenticate')).toContain('scope="glossary:write"')
      const { body: policies } = await hosted.admin.get('/api/svc/glossary/policies?project=1')
      expect(policies.find(({ name }: { name: string }) => name === policy.name).enforcement).toBe(
        enforcement,
      )
    }
    await hosted.admin.post(upload, wrapped())
  })

  it('is done once under one Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'ci-run-17' }
    const pack = wrapped(shop({ git: { commit: 'abc', branch: 'main', dirty: false } }))
    const first = await hosted.admin.post(upload, pack, key)
    const second = await hosted.admin.post(upload, pack, key)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    expect((await hosted.admin.post(upload, wrapped(), key)).body.code).toBe('idempotency_key_reused')
  })

  it('is one after another when many come at once, and each is whole', async () => {
    const packs = Array.from({ length: 4 }, (_, index) =>
      shop({
        assets: Array.from({ length: index + 1 }, (_, place) => asset(`many${place}`, [column('id')])),
        lineage: [],
        tests: [],
      }),
    )
    const answers = await Promise.all(packs.map(pack => hosted.admin.post(upload, wrapped(pack))))
    expect(answers.map(answer => answer.status)).toEqual(packs.map(() => 200))
    const { body } = await hosted.admin.get('/api/svc/metadata/projects/1/uploads')
    expect((await manifest()).assets).toHaveLength(body[0].assets_synced)
    await hosted.admin.post(upload, wrapped())
  })

  it('leaves nothing behind when it ends in the middle', async () => {
    const { storage } = hosted.service
    const before = await manifest()
    await storage.write(async tx => {
      const row = await tx.first(
        `insert into upload (project_id, state, source, scope, at, "by", pack_hash, about)
          values (1, 'staging', 'cli', 'full', '2026-01-01T00:00:00.000Z', 'token:x', 'x', '{}') returning id`,
      )
      const id = Number(row?.['id'])
      await tx.all(
        `update metadata_head set claim_id = ?, claim_by = 'dead', claim_at = '2026-01-01T00:00:00.000Z' where project_id = 1`,
        [id],
      )
      await tx.all('update asset_state set to_upload = ? where to_upload is null', [id])
      await tx.all('update lineage_edge set to_upload = ? where to_upload is null', [id])
    })
    expect((await manifest()).assets).toEqual(before.assets)
    const pack = shop()
    await hosted.admin.post(
      upload,
      wrapped({ ...pack, assets: pack.assets.slice(0, 2), lineage: pack.lineage.slice(0, 1) }),
    )
    const after = await manifest()
    expect(after.assets).toEqual(before.assets.slice(0, 2))
    const rows = await storage.reads.all("select id from upload where state = 'staging'")
    expect(rows).toEqual([])
    await hosted.admin.post(upload, wrapped())
    expect((await manifest()).lineage).toHaveLength(3)
  })

  it('has nothing to say to a project that is not there', async () => {
    expect((await hosted.admin.post('/api/svc/metadata/projects/99/upload', wrapped())).status).toBe(404)
    expect((await hosted.client().post(upload, wrapped())).status).toBe(401)
  })

  it('brings no errors of ours to the log', () => {
    expect(hosted.errors).toEqual([])
  })
})
