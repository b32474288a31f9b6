import { expect, it } from 'vitest'
import { describeEngines, useHosted } from '../support/engines.ts'
import { glossary, makeAsset, makeTerm, newName, pointers } from '../support/records.ts'

describeEngines('bulk calls on $name', engine => {
  const hosted = useHosted(engine)
  const bulk = (body: object, plural = 'terms') =>
    hosted.admin.post(`${glossary}/${plural}/bulk`, { project: 1, ...body })
  const total = async () =>
    Number((await hosted.admin.get(`${glossary}/terms?project=1&limit=1`)).headers.get('x-total-count'))

  it('create, replace and leave alone', async () => {
    const old = await makeTerm(hosted, { description: 'old' })
    const same = await makeTerm(hosted, { description: 'same' })
    const answer = await bulk({
      items: [
        { name: newName('Bulk') },
        { name: old.name, id: old.identifier, description: 'new' },
        { name: same.name, id: same.identifier, description: 'same' },
      ],
    })
    expect(answer.status).toBe(200)
    expect(answer.body.summary).toEqual({ received: 3, created: 1, updated: 1, unchanged: 1, failed: 0 })
    expect(answer.body.results.map((each: { status: string }) => each.status)).toEqual([
      'created',
      'updated',
      'unchanged',
    ])
    expect((await hosted.admin.get(`${glossary}/terms/${old.id}`)).body).toMatchObject({
      description: 'new',
      version: 2,
    })
  })

  it('take one record after the other when an identifier is there twice, or derived from a name that is taken', async () => {
    const [name, id] = [newName('Twice'), `term.twice_${Date.now()}`]
    const answer = await bulk({
      items: [{ name, id, description: 'first' }, { name }, { name }, { name, id, description: 'second' }],
    })
    expect(answer.body.summary).toEqual({ received: 4, created: 3, updated: 1, unchanged: 0, failed: 0 })
    const [first, second, third, last] = answer.body.results
    expect(last).toMatchObject({ status: 'updated', id: first.id, identifier: id })
    expect(third.identifier).toBe(`${second.identifier}-2`)
    const versions = await hosted.admin.get(`${glossary}/terms/${first.id}/versions`)
    expect(versions.body.map((each: { version: number }) => each.version)).toContain(2)
    expect((await hosted.admin.get(`${glossary}/terms/${first.id}`)).body).toMatchObject({
      description: 'second',
      version: 2,
    })
  })

  it('find a free identifier for a name that is there many times', async () => {
    const name = newName('Many')
    const items = Array.from({ length: 40 }, () => ({ name }))
    const made = await bulk({ items })
    const identifiers = made.body.results.map((each: { identifier: string }) => each.identifier)
    expect(new Set(identifiers).size).toBe(40)
    expect(identifiers).toContain(`${identifiers[0]}-40`)
  })

  it('do nothing when something is wrong, and say all of it', async () => {
    const before = await total()
    const answer = await bulk({
      items: [{ name: newName('Good') }, { name: '' }, { name: 'x', statsu: 'draft' }],
    })
    expect(answer.status).toBe(422)
    expect(new Set(pointers(answer))).toEqual(new Set(['/items/1/name', '/items/2/statsu']))
    expect(await total()).toBe(before)
  })

  it('do what can be done, when that is asked for', async () => {
    const before = await total()
    const answer = await bulk({
      mode: 'best_effort',
      items: [{ name: newName('Good') }, { name: '' }, { name: newName('Good') }],
    })
    expect(answer.status).toBe(200)
    expect(answer.body.summary).toMatchObject({ created: 2, failed: 1 })
    expect(answer.body.results[1]).toMatchObject({ index: 1, status: 'failed', error: { code: 'invalid' } })
    expect(await total()).toBe(before + 2)
  })

  it('only tell what would be done, in a dry run', async () => {
    const before = [await total(), await hosted.service.storage.revision(1)]
    const answer = await bulk({ dry_run: true, items: [{ name: newName('Dry') }] })
    expect(answer.body).toMatchObject({ dry_run: true, summary: { created: 1 } })
    expect(answer.body.results[0].id).toBeUndefined()
    expect([await total(), await hosted.service.storage.revision(1)]).toEqual(before)
  })

  it('link many columns at once', async () => {
    const term = await makeTerm(hosted)
    const asset = await makeAsset(hosted, newName('bulk').replace(' ', '_'))
    const items = ['a', 'b'].map(column => ({ term: term.id, asset, column }))
    expect((await bulk({ items }, 'links')).body.summary.created).toBe(2)
    const again = await bulk({ items: items.map(item => ({ ...item, role: 'foreign_key' })) }, 'links')
    expect(again.body.summary.updated).toBe(2)
    const wrong = await bulk({ items: [{ term: term.id, asset: 999_999 }] }, 'links')
    expect(pointers(wrong)).toEqual(['/items/0/asset'])
  })

  it.each([
    [{ items: [] }, '/items'],
    [{ items: Array.from({ length: 1001 }, () => ({ name: 'x' })) }, '/items'],
    [{}, '/items'],
    [{ items: [{ name: 'x' }], mode: 'some' }, '/mode'],
    [{ items: [{ name: 'x', project: 2 }] }, '/items/0/project'],
  ])('refuse %#', async (body, pointer) => {
    const answer = await bulk(body)
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual([pointer])
  })
})
