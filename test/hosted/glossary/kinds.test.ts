import { expect, it } from 'vitest'
import { describeEngines, useHosted } from '../support/engines.ts'
import { glossary, make, makeAsset, makeProject, makeTerm, newName, pointers } from '../support/records.ts'

describeEngines('metrics, dimensions, policies and links on $name', engine => {
  const hosted = useHosted(engine)
  const post = (plural: string, body: unknown) => hosted.admin.post(`${glossary}/${plural}/`, body)

  it('a metric completes its source assets from its SQL', async () => {
    const answer = await post('metrics', {
      project: 1,
      name: 'Revenue',
      id: 'metric.revenue',
      sql_definition: 'select sum(amount) from {{ ref(\'orders\') }} join {{ ref("refunds") }} using (id)',
      time_grain: 'month',
      source_assets: ['orders', 'rates'],
      owner: 'a@b.co',
    })
    expect(answer.status).toBe(201)
    expect(answer.body.metric).toMatchObject({
      identifier: 'metric.revenue',
      time_grain: 'month',
      source_assets: ['orders', 'rates', 'refunds'],
    })
    expect(answer.body.warnings.map((each: { code: string }) => each.code)).toEqual([
      'unknown_asset',
      'unknown_asset',
      'unknown_asset',
    ])
  })

  it('a metric needs its SQL, and a time grain that there is', async () => {
    const answer = await post('metrics', { project: 1, name: 'Empty', time_grain: 'fortnight' })
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual(['/sql_definition', '/time_grain'])
  })

  it('a dimension is categorical when it does not say otherwise', async () => {
    const dimension = await make(hosted.admin, 'dimensions', {
      project: 1,
      name: 'Region',
      values: ['EU', 'US'],
    })
    expect(dimension).toMatchObject({ identifier: 'dim.region', type: 'categorical', values: ['EU', 'US'] })
  })

  it('a numerical dimension has no list of values', async () => {
    const answer = await post('dimensions', { project: 1, name: 'Price', type: 'numerical', values: ['1'] })
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual(['/values'])
  })

  it('a policy has no id of the caller', async () => {
    const body = {
      project: 1,
      name: 'No e-mail',
      rule: 'E-mail addresses stay in the raw layer',
      pii_columns: ['email'],
      applies_to: ['raw.*'],
      enforcement: 'strict',
    }
    const refused = await post('policies', { ...body, id: 'policy.no_email' })
    expect(refused.status).toBe(422)
    expect(pointers(refused)).toEqual(['/id'])
    const made = await post('policies', body)
    expect(made.status).toBe(201)
    expect(made.body.policy).toMatchObject({ ...body, project: 1, identifier: 'policy.no_e_mail' })
  })

  it('a link says what it links', async () => {
    const term = await makeTerm(hosted)
    const asset = await makeAsset(hosted, newName('customers').replace(' ', '_'))
    const answer = await post('links', { term: term.id, asset, column: 'id', role: 'primary_key' })
    expect(answer.status).toBe(201)
    expect(answer.body.success).toBe(true)
    expect(answer.body.link).toMatchObject({
      term: term.id,
      asset,
      column: 'id',
      role: 'primary_key',
      project: 1,
      term_identifier: term.identifier,
      term_name: term.name,
    })
  })

  it('a link is there once', async () => {
    const term = await makeTerm(hosted)
    const asset = await makeAsset(hosted, newName('orders').replace(' ', '_'))
    const first = await make(hosted.admin, 'links', { term: term.id, asset })
    const second = await post('links', { term: term.id, asset, role: 'attribute' })
    expect(second.status).toBe(409)
    expect(second.body).toMatchObject({ code: 'already_exists', existing: { id: first.id } })
    expect((await post('links', { term: term.id, asset, column: 'x' })).status).toBe(201)
  })

  it('a key needs a column', async () => {
    const term = await makeTerm(hosted)
    const asset = await makeAsset(hosted, newName('keys').replace(' ', '_'))
    const answer = await post('links', { term: term.id, asset, role: 'foreign_key' })
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual(['/column'])
  })

  it('a link does not reach into another project', async () => {
    const other = await makeProject(hosted)
    const term = await makeTerm(hosted)
    const asset = await makeAsset(hosted, 'foreign', other)
    const answer = await post('links', { term: term.id, asset })
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual(['/asset'])
    expect((await post('links', { term: 999_999, asset })).status).toBe(404)
  })

  it('what is said wrong is told at once, with the nearest right name', async () => {
    const answer = await post('terms', {
      project: 1,
      name: '',
      synonims: [],
      status: 'aproved',
      id: 'term.x y',
      owner: 7,
      description: 'a\u0000b',
    })
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual(
      expect.arrayContaining(['/description', '/id', '/name', '/owner', '/status', '/synonims']),
    )
    const details = (answer.body.errors as { detail: string }[]).map(({ detail }) => detail).join('\n')
    expect(details).toContain('did you mean "synonyms"?')
    expect(details).toContain('did you mean "approved"?')
  })

  it.each([
    ['id', 12],
    ['version', 3],
    ['created_at', '2020-01-01T00:00:00.000Z'],
    ['created_by', 'me'],
    ['deleted_at', null],
    ['project_id', 2],
    ['search_key', 'x'],
    ['origin', 'pack'],
    ['__proto__', { admin: true }],
    ['constructor', {}],
  ])("%s is not the caller's to say", async (name, value) => {
    const body = JSON.stringify({ project: 1, name: 'Mass' }).replace(
      '}',
      `,${JSON.stringify(name)}:${JSON.stringify(value)}}`,
    )
    const answer = await hosted.admin.send('POST', `${glossary}/terms`, {
      body,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual([`/${name}`])
  })

  it('two identifiers that differ are one too many', async () => {
    const answer = await post('terms', { project: 1, name: 'Two', id: 'term.a1', identifier: 'term.b1' })
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual(['/identifier'])
  })

  it('half a character is refused by both engines alike', async () => {
    const answer = await post('terms', { project: 1, name: 'broken \ud800' })
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual(['/name'])
  })

  it('warns of a name that is taken, of an identifier beside the convention and of an owner that is no address', async () => {
    const name = newName('Twin')
    await makeTerm(hosted, { name })
    const answer = await post('terms', { project: 1, name, id: 'twin.again', owner: 'Anna' })
    expect(answer.status).toBe(201)
    expect(answer.body.warnings.map((each: { code: string }) => each.code)).toEqual([
      'identifier_convention',
      'owner_shape',
      'duplicate_name',
    ])
  })

  it('names of every script have an identifier', async () => {
    const term = await makeTerm(hosted, { name: 'Größe 東京' })
    expect(term.identifier).toBe('term.grosse_東京'.replace('grosse', 'große'))
    const read = await hosted.admin.get(`${glossary}/terms/${encodeURIComponent(term.identifier)}?project=1`)
    expect(read.body.id).toBe(term.id)
  })
})
