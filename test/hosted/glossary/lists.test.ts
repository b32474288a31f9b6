import { beforeAll, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { describeEngines, useHosted } from '../support/engines.ts'
import { glossary, make, makeAsset, makeProject, pointers } from '../support/records.ts'

describeEngines('lists on $name', engine => {
  const hosted = useHosted(engine)
  const list = (query: string, headers = {}) => hosted.admin.get(`${glossary}/terms?${query}`, headers)
  const names = (answer: Answer) => (answer.body as { name: string }[]).map(({ name }) => name)
  let project = 0
  let other = 0

  const words = [
    ['Ärger', 'draft', 'a@b.co', 'über alles'],
    ['banana', 'approved', 'a@b.co', '100% fruit'],
    ['Apple', 'approved', null, 'under_score'],
    ['cherry', 'in_review', 'c@d.co', 'fruit, red'],
    ['apple', 'draft', 'c@d.co', 'fruit, green'],
  ] as const

  beforeAll(async () => {
    project = await makeProject(hosted)
    other = await makeProject(hosted)
    for (const [index, [name, status, owner, description]] of words.entries()) {
      await make(hosted.admin, 'terms', { project, name, id: `term.w${index}`, status, owner, description })
    }
    await make(hosted.admin, 'terms', { project: other, name: 'elsewhere' })
  })

  it('are plain arrays in the order of creation', async () => {
    const answer = await list(`project=${project}`)
    expect(names(answer)).toEqual(words.map(([name]) => name))
    expect(answer.headers.get('x-total-count')).toBe('5')
    expect(answer.headers.get('link')).toBeNull()
  })

  it('sort by bytes, the same on every engine', async () => {
    expect(names(await list(`project=${project}&sort=name`))).toEqual([
      'Apple',
      'apple',
      'banana',
      'cherry',
      'Ärger',
    ])
    expect(names(await list(`project=${project}&sort=-name`))).toEqual([
      'Ärger',
      'cherry',
      'banana',
      'apple',
      'Apple',
    ])
  })

  it.each([
    ['q=fruit', ['banana', 'cherry', 'apple']],
    ['q=FRUIT%20green', ['apple']],
    ['q=ÄRGER', ['Ärger']],
    ['q=100%25', ['banana']],
    ['q=r_s', ['Apple']],
    ['q=%25%25', []],
    ['status=approved', ['banana', 'Apple']],
    ['status=approved,in_review', ['banana', 'Apple', 'cherry']],
    ['owner=c@d.co&status=draft', ['apple']],
    ['identifier=term.w3', ['cherry']],
    ['updated_since=2999-01-01T00:00:00Z', []],
  ])('%s', async (filter, expected) => {
    const answer = await list(`project=${project}&${filter}`)
    expect(answer.status).toBe(200)
    expect(names(answer)).toEqual(expected)
  })

  it.each([
    ['projct=1', '?projct'],
    ['sort=owner', '?sort'],
    ['fields=id,colour', '?fields'],
    ['limit=-1', '?limit'],
    ['limit=ten', '?limit'],
    ['status=done', '?status/0'],
    ['project=1&project=2', '?project'],
    ['updated_since=yesterday', '?updated_since'],
    ['q=', '?q'],
  ])('%s is refused', async (query, pointer) => {
    const answer = await list(query)
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual([pointer])
  })

  it('come in pages that stay right while records come', async () => {
    const seen: string[] = []
    let path: string | undefined = `${glossary}/terms?project=${project}&sort=-name&limit=2`
    for (let pages = 0; path !== undefined && pages < 10; pages++) {
      const answer = await hosted.admin.get(path)
      expect(answer.body.length).toBeLessThanOrEqual(2)
      seen.push(...names(answer))
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      if (pages === 0) await make(hosted.admin, 'terms', { project, name: 'zzz', id: 'term.late' })
    }
    expect(seen).toEqual(['Ärger', 'cherry', 'banana', 'apple', 'Apple'])
    await hosted.admin.delete(`${glossary}/terms/term.late?project=${project}&purge=true`)
  })

  it('have 1,000 items a page, and no more on any wish', async () => {
    const whole = await makeProject(hosted)
    const items = Array.from({ length: 1000 }, (_, index) => ({ name: `Of many ${index}` }))
    for (const part of [items, [{ name: 'One more' }]]) {
      const made = await hosted.admin.post(`${glossary}/terms/bulk`, { project: whole, items: part })
      expect(made.status).toBe(200)
    }
    for (const limit of ['', '&limit=1000', '&limit=100000']) {
      const { body, headers } = await hosted.admin.get(`${glossary}/terms?project=${whole}${limit}`)
      expect([body.length, headers.get('x-total-count')]).toEqual([1000, '1001'])
      expect(headers.get('link')).toContain('rel="next"')
    }
  })

  it('come as an envelope for who asks for it', async () => {
    const answer = await list(`project=${project}&limit=4`, { Accept: 'application/vnd.svc.page+json' })
    expect(answer.headers.get('content-type')).toContain('application/vnd.svc.page+json')
    expect(answer.body).toMatchObject({ success: true, total: 5 })
    expect(answer.body.items).toHaveLength(4)
    const next = await list(`project=${project}&limit=4&cursor=${answer.body.next_cursor}`)
    expect(names(next)).toEqual(['apple'])
  })

  it('take no cursor that is not theirs', async () => {
    const page = await list(`project=${project}&limit=1`, { Accept: 'application/vnd.svc.page+json' })
    const cursor = page.body.next_cursor as string
    for (const query of [
      `project=${other}&cursor=${cursor}`,
      `project=${project}&sort=name&cursor=${cursor}`,
      `project=${project}&cursor=${cursor.slice(0, -2)}xx`,
      `project=${project}&cursor=abc`,
    ]) {
      const answer = await list(query)
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor'])
    }
  })

  it('show only the members that were asked for', async () => {
    const answer = await list(`project=${project}&fields=id,name&limit=1`)
    expect(Object.keys(answer.body[0])).toEqual(['id', 'name'])
  })

  it('without a project cover what the token sees', async () => {
    const all = await list('sort=id')
    expect(names(all)).toContain('elsewhere')
    expect(names(all)).toContain('banana')
  })

  it('say by their tag whether something changed in the project', async () => {
    const first = await list(`project=${other}`)
    const tag = { 'If-None-Match': first.headers.get('etag') ?? '' }
    expect((await list(`project=${other}`, tag)).status).toBe(304)
    await make(hosted.admin, 'terms', { project: other, name: 'one more' })
    const changed = await list(`project=${other}`, tag)
    expect(changed.status).toBe(200)
    expect(names(changed)).toEqual(['elsewhere', 'one more'])
  })

  it('of terms by asset, of links by term', async () => {
    const asset = await makeAsset(hosted, 'listed', project)
    const term = (await list(`project=${project}&identifier=term.w1`)).body[0]
    const link = await make(hosted.admin, 'links', { term: term.id, asset, column: 'id' })
    expect(names(await list(`project=${project}&asset=${asset}`))).toEqual(['banana'])
    const links = await hosted.admin.get(`${glossary}/links?project=${project}&term=${term.id}&q=banana`)
    expect(links.body).toEqual([link])
  })

  it('deleted records are shown to who asks for them', async () => {
    const term = await make(hosted.admin, 'terms', { project: other, name: 'gone' })
    await hosted.admin.delete(`${glossary}/terms/${term.id}`)
    expect(names(await list(`project=${other}`))).not.toContain('gone')
    expect(names(await list(`project=${other}&include=deleted`))).toContain('gone')
  })

  it('HEAD is GET without the body; OPTIONS says what there is; slashes at the end do not count', async () => {
    const head = await hosted.admin.send('HEAD', `${glossary}/terms/?project=${project}`)
    expect([head.status, head.text]).toEqual([200, ''])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100)
    const options = await hosted.client().send('OPTIONS', `${glossary}/terms/`)
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST'])
    const wrong = await hosted.admin.send('DELETE', `${glossary}/terms/`)
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST'])
  })
})
