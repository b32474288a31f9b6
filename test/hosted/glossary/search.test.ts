import { beforeAll, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { describeEngines, useHosted } from '../support/engines.ts'
import { make, makeAsset, makeProject, pointers } from '../support/records.ts'

describeEngines('search on $name', engine => {
  const hosted = useHosted(engine)
  const search = (query: string) => hosted.admin.get(`/api/svc/search?${query}`)
  const hits = (answer: Answer) =>
    (answer.body as { kind: string; name: string }[]).map(({ kind, name }) => `${kind} ${name}`)
  let project = 0

  beforeAll(async () => {
    project = await makeProject(hosted)
    await make(hosted.admin, 'terms', { project, name: 'Customer', description: 'buys an order' })
    await make(hosted.admin, 'terms', { project, name: 'Order', synonyms: ['Purchase'] })
    await make(hosted.admin, 'metrics', { project, name: 'Orders a day', sql_definition: 'select 1' })
    await make(hosted.admin, 'dimensions', { project, name: 'Region' })
    await make(hosted.admin, 'policies', { project, name: 'Größe', rule: 'no order leaves' })
    await makeAsset(hosted, 'orders', project)
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
    ['q=%25', []],
    ['q=nothing', []],
  ])('%s', async (query, expected) => {
    expect(hits(await search(`${query}&project=${project}`))).toEqual(expected)
  })

  it('covers all projects that the token sees, and shows where to read on', async () => {
    const answer = await search('q=order')
    expect(hits(answer)).toContain('term Order elsewhere')
    expect((await hosted.admin.get(answer.body[0].href)).body.name).toBe('Order')
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
