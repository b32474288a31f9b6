import { beforeAll, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { describeEngines, useHosted } from '../support/engines.ts'
import { glossary, makeProject, makeTerm } from '../support/records.ts'

describeEngines('the column of a link on $name', engine => {
  const hosted = useHosted(engine)
  const links = `${glossary}/links`
  const assets = new Map<string, number>()
  let project = 0

  const columns = (...names: readonly string[]) => names.map(name => ({ name, type: 'VARCHAR' }))
  const upload = async (orders: readonly string[], more: object = {}) => {
    const answer = await hosted.admin.post(`/api/svc/metadata/projects/${project}/upload`, {
      project: { id: 'shop' },
      assets: [
        { id: 'orders', schema: { columns: columns(...orders) } },
        { id: 'open', schema: { columns: columns('id'), complete: false } },
        { id: 'told', columns: columns('id'), columns_complete: false },
        { id: 'dark' },
      ],
      ...more,
    })
    expect(answer.status).toBe(200)
    return answer
  }
  const newTerm = async () => (await makeTerm(hosted, { project })).id as number
  const link = async (asset: string, column: string, client = hosted.admin) =>
    client.post(links, { term: await newTerm(), asset: assets.get(asset), column })
  const told = ({ status, body }: Answer) => [status, body.errors ?? body.warnings]

  beforeAll(async () => {
    project = await makeProject(hosted)
    await upload(['id', 'email', 'netSales'])
    const list = await hosted.admin.get(`/api/svc/metadata/projects/${project}/assets`)
    for (const { name, id } of list.body as { name: string; id: number }[]) assets.set(name, id)
  })

  it('is one that the asset has, in any case', async () => {
    for (const column of ['email', 'EMAIL', 'netsales'])
      expect(told(await link('orders', column))).toEqual([201, undefined])
  })

  it('is refused where the asset has no such column, with the near one', async () => {
    expect(told(await link('orders', 'emial'))).toEqual([
      422,
      [
        {
          pointer: '/column',
          code: 'unknown_column',
          detail: '"orders" has no column "emial"; did you mean "email"?',
        },
      ],
    ])
    expect((await link('orders', 'zzz')).body.detail).toBe(
      '"orders" has no column "zzz"; it has id, email, netSales.',
    )
  })

  it('is not named to a token that may not read metadata', async () => {
    const order = { name: 'writer', scopes: ['glossary:write'], projects: [project] }
    const { secret } = (await hosted.admin.post('/api/svc/tokens', order)).body
    const { status, body } = await link('orders', 'emial', hosted.client(secret))
    expect([status, body.detail]).toEqual([422, '"orders" has no column "emial".'])
  })

  it.each(['open', 'told', 'dark'])('is taken with a warning where not all are known: %s', async name => {
    const warning = {
      pointer: '/column',
      code: 'unchecked_column',
      detail: `Not all columns of "${name}" are known here, so "emial" was not checked.`,
    }
    expect(told(await link(name, 'emial'))).toEqual([201, [warning]])
    // Those that are known are found.
    expect(told(await link(name, 'ID'))).toMatchObject([201, name === 'dark' ? [{}] : undefined])
  })

  it('is checked when a link is changed to another one', async () => {
    const { link: made } = (await link('orders', 'id')).body
    const path = `${links}/${made.id}`
    expect((await hosted.admin.patch(path, { column: 'emial' })).status).toBe(422)
    const { term, asset } = made
    expect((await hosted.admin.put(path, { term, asset, column: 'emial' })).status).toBe(422)
    const patch = [{ op: 'replace', path: '/column', value: 'emial' }]
    const headers = { 'Content-Type': 'application/json-patch+json' }
    expect((await hosted.admin.patch(path, patch, headers)).status).toBe(422)
    expect((await hosted.admin.patch(path, { column: 'email' })).status).toBe(200)
  })

  it('is checked in bulk calls, imports and packs', async () => {
    const term = await newTerm()
    const items = ['id', 'emial'].map(column => ({ term, asset: assets.get('orders'), column }))
    const all = await hosted.admin.post(`${links}/bulk`, { project, items })
    expect([all.status, all.body.errors[0]]).toMatchObject([422, { pointer: '/items/1/column' }])
    const some = await hosted.admin.post(`${links}/bulk`, { project, items, mode: 'best_effort' })
    expect(some.body.summary).toMatchObject({ created: 1, failed: 1 })

    const entry = {
      identifier: 'term.imported',
      name: 'Imported',
      links: [
        { asset: 'orders', column: 'emial' },
        { asset: 'orders', column: 'email' },
      ],
    }
    const imported = await hosted.admin.post(`${glossary}/projects/${project}/import`, { terms: [entry] })
    expect(imported.body).toMatchObject({
      summary: { created: 2, failed: 0 },
      skipped: [
        { pointer: '/terms/0/links/0', detail: '"orders" has no column "emial"; did you mean "email"?' },
      ],
    })

    // The columns are those of the pack itself.
    const { body } = await upload(['id', 'mail'], {
      glossary: [
        { kind: 'term', id: 'term.sent', name: 'Sent' },
        { kind: 'link', term: 'term.sent', asset: 'orders', column: 'mail' },
        { kind: 'link', term: 'term.sent', asset: 'orders', column: 'email' },
      ],
    })
    expect(body.upload).toMatchObject({
      glossary_synced: 2,
      warnings: [{ code: 'glossary_entry', detail: '"orders" has no column "email"; did you mean "mail"?' }],
    })
  })

  it('that the asset has lost is told when its link changes, and stays', async () => {
    await upload(['id', 'email'])
    const { link: made } = (await link('orders', 'email')).body
    await upload(['id'])
    const changed = await hosted.admin.patch(`${links}/${made.id}`, { role: 'primary_key' })
    expect(told(changed)).toMatchObject([200, [{ code: 'unknown_column' }]])
    expect(hosted.errors).toEqual([])
  })
})
