import { beforeAll, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { describeEngines, useHosted } from '../support/engines.ts'
import { make, makeProject, pointers } from '../support/records.ts'

describeEngines('search on $name', engine => {
  const hosted = useHosted(engine)
  const search = (query: string) => hosted.admin.get(`/api/svc/search?${query}`)
  const hits = (answer: Answer) =>
    (answer.body as { kind: string; name: string }[]).map(({ kind, name }) => `${kind} ${name}`)
  let project = 0
  const upload = async (assets: readonly object[]) => {
    const pack = { project: { id: 'shop' }, assets }
    const answer = await hosted.admin.post(`/api/svc/metadata/projects/${project}/upload?source=cli`, pack)
    expect(answer.status).toBe(200)
  }

  beforeAll(async () => {
    project = await makeProject(hosted)
    await make(hosted.admin, 'terms', { project, name: 'Customer', description: 'buys an order' })
    await make(hosted.admin, 'terms', { project, name: 'Order', synonyms: ['Purchase'] })
    await make(hosted.admin, 'metrics', { project, name: 'Orders a day', sql_definition: 'select 1' })
    await make(hosted.admin, 'dimensions', { project, name: 'Region' })
    await make(hosted.admin, 'policies', { project, name: 'Größe', rule: 'no order leaves' })
    await upload([
      {
        id: 'asset.orders',
        name: 'orders',
        path: 'models/marts/sales.svc',
        description: 'What customers bought',
        owner: 'finance@example.com',
        tags: ['gold'],
        columns: [{ name: 'netSales', type: 'DOUBLE', description: 'without taxes' }, { name: 'region_id' }],
      },
      { id: 'asset.gone', name: 'order_archive' },
    ])
    await upload([
      {
        id: 'asset.orders',
        name: 'orders',
        path: 'models/marts/sales.svc',
        description: 'What clients bought',
        owner: 'finance@example.com',
        tags: ['gold'],
        columns: [{ name: 'netSales', type: 'DOUBLE', description: 'without taxes' }, { name: 'region_id' }],
      },
    ])
    const gone = await make(hosted.admin, 'terms', { project, name: 'Order of old' })
    await hosted.admin.delete(`/api/svc/glossary/terms/${gone.id}`)
    await make(hosted.admin, 'terms', { project: 1, name: 'Order elsewhere' })
  })

  it('finds what is called so first, then what begins so, then the rest', async () => {
    expect(hits(await search(`q=order&project=${project}`))).toEqual([
      'term Order',
      'metric Orders a day',
      'asset orders',
      'term Customer',
      'policy Größe',
    ])
  })

  it.each([
    ['q=PURCHASE', ['term Order']],
    ['q=gr%C3%B6%C3%9Fe', ['policy Größe']],
    ['q=order%20buys', ['term Customer']],
    ['q=order&kind=metric,asset', ['metric Orders a day', 'asset orders']],
    ['q=order&limit=1', ['term Order']],
    ['q=clients', ['asset orders']],
    ['q=finance', ['asset orders']],
    ['q=FINANCE%40example.com', ['asset orders']],
    ['q=taxes', ['asset orders']],
    ['q=netsales', ['asset orders']],
    ['q=sales', ['asset orders']],
    ['q=net+sal', ['asset orders']],
    ['q=region', ['dimension Region', 'asset orders']],
    ['q=gold', ['asset orders']],
    ['q=archive', []],
    ['q=rder', []],
    ['q=%22NEAR%22+*+%28', []],
    ['q=term', []],
    [
      "q=order'%3A*+%7C+%26+%21",
      ['term Order', 'metric Orders a day', 'asset orders', 'term Customer', 'policy Größe'],
    ],
    ['q=%25', []],
    ['q=nothing', []],
  ])('%s', async (query, expected) => {
    expect(hits(await search(`${query}&project=${project}`))).toEqual(expected)
  })

  it('follows changes, deletions and restored records', async () => {
    const words = async (q: string) => hits(await search(`q=${q}&project=${project}`))
    const path = '/api/svc/glossary/terms'
    const term = await make(hosted.admin, 'terms', {
      project,
      id: 'term.animal',
      name: 'Zebra',
      owner: 'stripes@example.com',
    })
    expect(await words('stripes')).toEqual(['term Zebra'])
    await hosted.admin.patch(`${path}/${term.id}`, { name: 'Giraffe', owner: null })
    expect([await words('zebra'), await words('stripes'), await words('giraffe')]).toEqual([
      [],
      [],
      ['term Giraffe'],
    ])
    await hosted.admin.delete(`${path}/${term.id}`)
    expect(await words('giraffe')).toEqual([])
    await hosted.admin.send('POST', `${path}/${term.id}/restore`)
    expect(await words('giraffe')).toEqual(['term Giraffe'])
    await hosted.admin.delete(`${path}/${term.id}?purge=true`)
    expect(await words('giraffe')).toEqual([])
  })

  it('finds what an earlier version of the service has written', async () => {
    for (const table of ['term', 'asset_state']) {
      await hosted.service.storage.write(tx =>
        tx.all(`update ${table} set search_title = null, search_body = null`),
      )
    }
    expect(hits(await search(`q=bought&project=${project}`))).toEqual([])
    await hosted.restart()
    expect(hits(await search(`q=bought&project=${project}`))).toEqual(['asset orders'])
    expect(hits(await search(`q=purchase&project=${project}`))).toEqual(['term Order'])
  })

  it('covers all projects that the token sees, and shows where to read on', async () => {
    const answer = await search('q=order')
    expect(hits(answer)).toContain('term Order elsewhere')
    expect((await hosted.admin.get(answer.body[0].href)).body.name).toBe('Order')
  })

  it('shows assets to tokens that may read them, and no answer of theirs to others', async () => {
    const reader = async (scopes: readonly string[]) => {
      const { body } = await hosted.admin.post('/api/svc/tokens', { name: 'reader', scopes, projects: 'all' })
      return hosted.client(body.secret)
    }
    const lesser = await reader(['glossary:read'])
    const both = await reader(['glossary:read', 'metadata:read'])
    const address = `/api/svc/search?q=netsales&project=${project}`
    expect(hits(await hosted.admin.get(address))).toEqual(['asset orders'])
    expect(hits(await lesser.get(address))).toEqual([])
    expect(hits(await both.get(address))).toEqual(['asset orders'])
    expect(hits(await lesser.get(`/api/svc/search?q=order&project=${project}`))).toEqual([
      'term Order',
      'metric Orders a day',
      'term Customer',
      'policy Größe',
    ])
    expect(hits(await lesser.get('/api/svc/search?q=gold'))).toEqual([])
    const asked = await lesser.get(`${address}&kind=term,asset`)
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('scope="metadata:read"'),
    ])
  })

  it.each([
    ['', '?q'],
    ['q=%20', '?q'],
    ['q=x&kind=noun', '?kind/0'],
  ])('"%s" is refused', async (query, pointer) => {
    const answer = await search(query)
    expect([answer.status, pointers(answer)]).toEqual([422, [pointer]])
  })
})
