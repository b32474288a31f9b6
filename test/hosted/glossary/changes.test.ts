import { expect, it } from 'vitest'
import { describeEngines, useHosted } from '../support/engines.ts'
import { glossary, make, makeAsset, makeTerm, newName, pointers } from '../support/records.ts'

describeEngines('changes of records on $name', engine => {
  const hosted = useHosted(engine)
  const terms = `${glossary}/terms`

  it('PATCH changes what it names', async () => {
    const term = await makeTerm(hosted, { description: 'old', synonyms: ['a'], owner: 'a@b.co' })
    const answer = await hosted.admin.patch(`${terms}/${term.id}`, { description: 'new', owner: null })
    expect(answer.status).toBe(200)
    expect(answer.body.term).toMatchObject({ description: 'new', owner: null, synonyms: ['a'], version: 2 })
    expect(answer.headers.get('etag')).toBe('"v2"')
    expect((await hosted.admin.get(`${terms}/${term.id}`)).body).toEqual(answer.body.term)
  })

  it('PATCH with a JSON patch, too', async () => {
    const term = await makeTerm(hosted, { synonyms: ['a', 'b'] })
    const type = { 'Content-Type': 'application/json-patch+json' }
    const answer = await hosted.admin.patch(
      `${terms}/${term.id}`,
      [
        { op: 'test', path: '/name', value: term.name },
        { op: 'add', path: '/synonyms/-', value: 'c' },
        { op: 'remove', path: '/synonyms/0' },
      ],
      type,
    )
    expect(answer.body.term.synonyms).toEqual(['b', 'c'])
    const failed = await hosted.admin.patch(
      `${terms}/${term.id}`,
      [{ op: 'test', path: '/name', value: 'x' }],
      type,
    )
    expect(failed.status).toBe(412)
    const wrong = await hosted.admin.patch(`${terms}/${term.id}`, [{ op: 'remove', path: '/nothing' }], type)
    expect(wrong.status).toBe(422)
    expect(pointers(wrong)).toEqual(['/0'])
  })

  it.each([
    [{ nmae: 'x' }, '/nmae'],
    [{ name: null }, '/name'],
    [{ status: 'done' }, '/status'],
    [{ project: 2 }, '/project'],
    [{ version: 9 }, '/version'],
  ])('PATCH refuses %j', async (patch, pointer) => {
    const term = await makeTerm(hosted)
    const answer = await hosted.admin.patch(`${terms}/${term.id}`, patch)
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual([pointer])
  })

  it('a change that changes nothing is no version', async () => {
    const term = await makeTerm(hosted, { description: 'same' })
    const answer = await hosted.admin.patch(`${terms}/${term.id}`, { description: 'same' })
    expect(answer.status).toBe(200)
    expect(answer.body.term.version).toBe(1)
  })

  it('PUT replaces the whole record', async () => {
    const term = await makeTerm(hosted, { description: 'old', synonyms: ['a'] })
    const answer = await hosted.admin.put(`${terms}/${term.id}`, { name: 'Newer' })
    expect(answer.status).toBe(200)
    expect(answer.body.term).toMatchObject({
      name: 'Newer',
      description: '',
      synonyms: [],
      identifier: term.identifier,
      version: 2,
    })
  })

  it('PUT under an identifier creates, then replaces', async () => {
    const path = `${terms}/term.put_${engine.name.replace('-', '_')}?project=1`
    const first = await hosted.admin.put(path, { name: 'Put' })
    expect(first.status).toBe(201)
    expect(first.headers.get('location')).toBe(`${terms}/${first.body.term.id}`)
    const second = await hosted.admin.put(path, { name: 'Put again' })
    expect(second.status).toBe(200)
    expect(second.body.term).toMatchObject({ id: first.body.term.id, version: 2 })
    const matched = await hosted.admin.put(
      `${terms}/term.not_there?project=1`,
      { name: 'X' },
      { 'If-Match': '*' },
    )
    expect(matched.status).toBe(412)
  })

  it('of many PUTs under one new identifier one creates and the others replace', async () => {
    const path = `${terms}/term.race?project=1`
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => hosted.admin.put(path, { name: `Put ${index}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 19 }, () => 200),
      201,
    ])
    expect(new Set(answers.map(({ body }) => body.term.id)).size).toBe(1)
  })

  it('of many creations under one identifier one is made; without one all are', async () => {
    const twins = await Promise.all(
      Array.from({ length: 20 }, () =>
        hosted.admin.post(terms, { project: 1, name: 'X', id: 'term.only_one' }),
      ),
    )
    expect(twins.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    const name = newName('Same name')
    const named = await Promise.all(
      Array.from({ length: 20 }, () => hosted.admin.post(terms, { project: 1, name })),
    )
    expect(new Set(named.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(named.map(({ body }) => body.term.identifier)).size).toBe(20)
  })

  it('an identifier without its project is asked for it', async () => {
    const answer = await hosted.admin.get(`${terms}/term.whose`)
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual(['?project'])
  })

  it('an identifier of another record cannot be taken', async () => {
    const [first, second] = [await makeTerm(hosted), await makeTerm(hosted)]
    const answer = await hosted.admin.patch(`${terms}/${second.id}`, { identifier: first.identifier })
    expect(answer.status).toBe(409)
    expect(answer.body.existing.id).toBe(first.id)
  })

  it('If-Match lets the version through that was read, and no other', async () => {
    const term = await makeTerm(hosted)
    const path = `${terms}/${term.id}`
    const good = await hosted.admin.patch(path, { description: '1' }, { 'If-Match': '"v1"' })
    expect(good.status).toBe(200)
    const stale = await hosted.admin.patch(path, { description: '2' }, { 'If-Match': '"v1"' })
    expect(stale.status).toBe(412)
    expect(stale.body).toMatchObject({ code: 'version_mismatch', current_version: 2 })
    expect((await hosted.admin.delete(path, { 'If-Match': '"v1"' })).status).toBe(412)
    expect((await hosted.admin.put(path, { name: 'x' }, { 'If-Match': '"v1"' })).status).toBe(412)
    const read = await hosted.admin.get(path)
    expect(read.body.description).toBe('1')
    // The tag of a part of the record is as good as that of the whole.
    expect(
      (await hosted.admin.patch(path, { description: '3' }, { 'If-Match': read.headers.get('etag') ?? '' }))
        .status,
    ).toBe(200)
  })

  it('of a hundred changes of one version one is made', async () => {
    const term = await makeTerm(hosted)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        hosted.admin.patch(`${terms}/${term.id}`, { description: `change ${index}` }, { 'If-Match': '"v1"' }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 99 }, () => 412)])
  })

  it('changes without If-Match all count', async () => {
    const term = await makeTerm(hosted)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        hosted.admin.patch(`${terms}/${term.id}`, { metadata: { [`key${index}`]: index } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    const read = await hosted.admin.get(`${terms}/${term.id}`)
    expect(read.body.version).toBe(21)
    expect(Object.keys(read.body.metadata)).toHaveLength(20)
  })

  it('a term with links is deleted with them or not at all, and comes back with them', async () => {
    const term = await makeTerm(hosted)
    const asset = await makeAsset(hosted, newName('linked').replace(' ', '_'))
    const link = await make(hosted.admin, 'links', { term: term.id, asset })
    const refused = await hosted.admin.delete(`${terms}/${term.id}`)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'in_use', links: [link.id] })

    const deleted = await hosted.admin.delete(`${terms}/${term.id}?cascade=true`)
    expect(deleted.status).toBe(200)
    expect(deleted.body).toEqual({ success: true })
    expect((await hosted.admin.get(`${terms}/${term.id}`)).status).toBe(404)
    expect((await hosted.admin.get(`${glossary}/links/${link.id}`)).status).toBe(404)
    expect((await hosted.admin.delete(`${terms}/${term.id}`)).status).toBe(404)
    expect((await hosted.admin.get(`${terms}/${term.id}?include=deleted`)).body.deleted_at).toBeDefined()

    const restored = await hosted.admin.send('POST', `${terms}/${term.id}/restore`)
    expect(restored.status).toBe(200)
    expect(restored.body.term).toMatchObject({ id: term.id, name: term.name, version: 3 })
    expect((await hosted.admin.get(`${glossary}/links/${link.id}`)).status).toBe(200)
  })

  it('a deleted record gives its identifier free, and cannot come back while it is taken', async () => {
    const term = await makeTerm(hosted)
    await hosted.admin.delete(`${terms}/${term.id}`)
    const heir = await makeTerm(hosted, { id: term.identifier })
    const answer = await hosted.admin.send('POST', `${terms}/${term.id}/restore`)
    expect(answer.status).toBe(409)
    expect(answer.body.existing.id).toBe(heir.id)
  })

  it('purge leaves nothing', async () => {
    const term = await makeTerm(hosted)
    const asset = await makeAsset(hosted, newName('purged').replace(' ', '_'))
    await make(hosted.admin, 'links', { term: term.id, asset })
    expect((await hosted.admin.delete(`${terms}/${term.id}?purge=true`)).status).toBe(409)
    expect((await hosted.admin.delete(`${terms}/${term.id}?purge=true&cascade=true`)).status).toBe(200)
    expect((await hosted.admin.get(`${terms}/${term.id}?include=deleted`)).status).toBe(404)
    expect((await hosted.admin.get(`${terms}/${term.id}/versions`)).status).toBe(404)
  })

  it('versions say what changed, and what was before', async () => {
    const term = await makeTerm(hosted, { description: 'one', synonyms: [] })
    const path = `${terms}/${term.id}`
    await hosted.admin.patch(path, { description: 'two', synonyms: ['x'] })
    await hosted.admin.patch(path, { description: 'three' })
    await hosted.admin.delete(path)
    const { body: versions } = await hosted.admin.get(`${path}/versions`)
    expect(versions).toMatchObject([
      { version: 4, action: 'delete', changes: [] },
      { version: 3, action: 'update', changes: [{ field: 'description', old: 'two', new: 'three' }] },
      {
        version: 2,
        action: 'update',
        updated_by: 'token:bootstrap',
        changes: [
          { field: 'description', old: 'one', new: 'two' },
          { field: 'synonyms', old: [], new: ['x'] },
        ],
      },
      { version: 1, action: 'create', updated_at: term.created_at, changes: [] },
    ])
    expect((await hosted.admin.get(`${path}/versions/1`)).body).toEqual(term)
    expect((await hosted.admin.get(`${path}/versions/2`)).body).toMatchObject({
      description: 'two',
      synonyms: ['x'],
      version: 2,
    })
    expect((await hosted.admin.get(`${path}/versions/9`)).status).toBe(404)
  })

  it('a link stays with its term and its asset', async () => {
    const term = await makeTerm(hosted)
    const other = await makeTerm(hosted)
    const asset = await makeAsset(hosted, newName('fixed').replace(' ', '_'))
    const link = await make(hosted.admin, 'links', { term: term.id, asset, column: 'a' })
    const path = `${glossary}/links/${link.id}`
    expect((await hosted.admin.patch(path, { role: 'primary_key' })).body.link.role).toBe('primary_key')
    const moved = await hosted.admin.patch(path, { term: other.id })
    expect(moved.status).toBe(422)
    expect(pointers(moved)).toEqual(['/term'])
  })

  it('each write is in the audit log, chained, and is one revision', async () => {
    const { storage } = hosted.service
    const before = await storage.revision(1)
    const term = await makeTerm(hosted)
    await hosted.admin.patch(`${terms}/${term.id}`, { description: 'audited' })
    expect(await storage.revision(1)).toBe(Number(before) + 2)
    const rows = await storage.reads.all(
      'select action, actor, hash from audit where target = ? order by id',
      [`term:${term.id}`],
    )
    expect(rows.map(({ action, actor }) => [action, actor])).toEqual([
      ['term.create', 'token:bootstrap'],
      ['term.update', 'token:bootstrap'],
    ])
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(2)
  })

  it('a link shows the names of others as they are now, and its tag says so', async () => {
    const term = await makeTerm(hosted)
    const asset = await makeAsset(hosted, newName('named').replace(' ', '_'))
    const link = await make(hosted.admin, 'links', { term: term.id, asset })
    const path = `${glossary}/links/${link.id}`
    const tag = (await hosted.admin.get(path)).headers.get('etag') ?? ''
    await hosted.admin.patch(`${terms}/${term.id}`, { name: 'Renamed' })
    const read = await hosted.admin.get(path, { 'If-None-Match': tag })
    expect([read.status, read.body.term_name]).toEqual([200, 'Renamed'])
    // The link itself is the one that was read.
    expect((await hosted.admin.patch(path, { column: 'x' }, { 'If-Match': tag })).status).toBe(200)
    expect((await hosted.admin.patch(path, { column: 'y' }, { 'If-Match': tag })).status).toBe(412)
  })

  it('the same GET is answered with 304, until something changes', async () => {
    const term = await makeTerm(hosted)
    const path = `${terms}/${term.id}`
    const read = await hosted.admin.get(path)
    const tag = { 'If-None-Match': read.headers.get('etag') ?? '' }
    const again = await hosted.admin.get(path, tag)
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
    await hosted.admin.patch(path, { description: 'newer' })
    expect((await hosted.admin.get(path, tag)).status).toBe(200)
  })
})
