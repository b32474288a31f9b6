import { beforeAll, describe, expect, it } from 'vitest'
import { standardLimits } from '../../../hosted-api/limits/index.ts'
import { describeEngines, useHosted } from '../support/engines.ts'
import { glossary, make, makeAsset, makeProject, pointers } from '../support/records.ts'

describeEngines('export and import on $name', engine => {
  const hosted = useHosted(engine)
  const exported = (project: number, query = '') =>
    hosted.admin.get(`${glossary}/projects/${project}/export${query}`)
  const imported = (project: number, body: unknown, query = '') =>
    hosted.admin.post(`${glossary}/projects/${project}/import${query}`, body)
  const importedTable = (project: number, text: string, query = '') =>
    hosted.admin.send('POST', `${glossary}/projects/${project}/import${query}`, {
      body: text,
      headers: { 'Content-Type': 'text/csv' },
    })
  let project = 0

  beforeAll(async () => {
    project = await makeProject(hosted)
    const term = await make(hosted.admin, 'terms', {
      project,
      name: '=HYPERLINK("http://x")',
      id: 'term.customer',
      description: 'Two\nlines, "quoted"; and more',
      synonyms: ['client', 'buyer; seller', '[x]'],
      metadata: { key: [1, { a: 'b' }] },
      related: [{ type: 'see_also', term: 'term.order' }],
    })
    await make(hosted.admin, 'terms', { project, name: 'Order', id: 'term.order', tags: ['a', 'b'] })
    await make(hosted.admin, 'metrics', {
      project,
      name: 'Revenue',
      sql_definition: 'select 1',
      time_grain: 'month',
    })
    await make(hosted.admin, 'dimensions', { project, name: 'Region', values: ['EU', 'US'] })
    await make(hosted.admin, 'policies', {
      project,
      name: 'PII',
      rule: 'hide',
      pii_columns: ['email'],
      applies_to: ['raw.*'],
    })
    const asset = await makeAsset(hosted, 'customers', project)
    await make(hosted.admin, 'links', { term: term.id, asset, column: 'id', role: 'primary_key' })
  })

  // biome-ignore lint/suspicious/noExplicitAny: what a record says, without what the store says of it
  const said = (document: any) =>
    JSON.parse(
      JSON.stringify(document, (name, value) =>
        ['id', 'project', 'term', 'asset', 'origin', 'version'].includes(name) || /_(at|by)$/.test(name)
          ? undefined
          : value,
      ),
    )

  it('has what the contract shows', async () => {
    const { body, headers } = await exported(project)
    expect(Object.keys(body)).toEqual(['project', 'terms', 'metrics', 'dimensions', 'policies'])
    expect(body.project).toEqual({ id: project, name: expect.any(String) })
    expect(body.terms[0]).toMatchObject({
      id: expect.any(Number),
      name: expect.any(String),
      description: expect.any(String),
    })
    expect(body.terms[0].links).toMatchObject([
      { asset_name: 'customers', column: 'id', role: 'primary_key' },
    ])
    expect(headers.get('etag')).toMatch(/^"p\d+"$/)
  })

  it.each(['json', 'csv'])('comes back from %s as it was', async format => {
    const copy = await makeProject(hosted)
    await makeAsset(hosted, 'customers', copy)
    const source = await exported(project, `?format=${format}`)
    const answer =
      format === 'csv' ? await importedTable(copy, source.text) : await imported(copy, source.body)
    expect([answer.status, answer.body.summary]).toEqual([
      200,
      { received: 6, created: 6, updated: 0, unchanged: 0, failed: 0 },
    ])
    const [before, after] = [(await exported(project)).body, (await exported(copy)).body]
    expect(said({ ...after, project: 0 })).toEqual(said({ ...before, project: 0 }))
    const again =
      format === 'csv' ? await importedTable(copy, source.text) : await imported(copy, source.body)
    expect(again.body.summary).toMatchObject({ created: 0, updated: 0, unchanged: 6 })
  })

  it('takes what the command line exports', async () => {
    const copy = await makeProject(hosted)
    await makeAsset(hosted, 'orders', copy)
    const answer = await imported(copy, {
      project: { id: 1, name: 'shop' },
      terms: [
        {
          id: 1,
          identifier: 'term.order',
          name: 'Order',
          description: '',
          synonyms: [],
          owner: null,
          links: [
            { asset: 'orders', column: 'id', role: null },
            { asset: 'nothing', column: null, role: null },
          ],
        },
      ],
      metrics: [
        {
          id: 1,
          identifier: 'metric.n',
          name: 'N',
          description: '',
          sql_definition: 'select 1',
          time_grain: null,
          source_assets: [],
          owner: null,
        },
      ],
      dimensions: [
        { id: 1, identifier: 'dim.d', name: 'D', description: '', values: [], type: 'categorical' },
      ],
      policies: [{ id: 1, name: 'P', rule: 'r', pii_columns: [], applies_to: [], enforcement: 'warn' }],
    })
    expect([answer.status, answer.body.summary.created]).toEqual([200, 5])
    expect(answer.body.skipped).toEqual([
      { pointer: '/terms/0/links/1', detail: 'The project has no asset "nothing".' },
    ])
  })

  it('does nothing when something is wrong, or when it is dry', async () => {
    const copy = await makeProject(hosted)
    const wrong = await imported(copy, { terms: [{ name: 'ok' }, { name: 'x', status: 'done' }] })
    expect(wrong.status).toBe(422)
    expect(pointers(wrong)).toEqual(['/terms/1/status'])
    const dry = await imported(copy, { terms: [{ name: 'ok' }] }, '?dry_run=true')
    expect(dry.body.summary.created).toBe(1)
    expect((await exported(copy)).body.terms).toEqual([])
  })

  it.each([
    ['kind,nmae\nterm,x', '/0/nmae'],
    ['kind,name\nnoun,x', '/1/kind'],
    ['kind,name,metadata\nterm,x,{broken', '/1/metadata'],
    ['kind,name,status\nterm,x,done', '/1/status'],
  ])('a table with %j is refused at its place', async (text, pointer) => {
    const answer = await importedTable(project, text)
    expect(answer.status).toBe(422)
    expect(pointers(answer)).toEqual([pointer])
  })

  const manyRows = Array.from({ length: 3000 }, (_, index) =>
    index % 3 === 0
      ? `term,n${index},"a ""quoted"", text\r\nof two lines ${'x'.repeat(40)}"`
      : `term,n${index},${index % 3 === 1 ? '' : '5" wide'}`,
  )
  it.each([
    ['\n', ','],
    ['\r\n', ';'],
    ['\r', '\t'],
  ])('a table of several parts with rows that end with %j is read whole', async (end, delimiter) => {
    const copy = await makeProject(hosted)
    const lines = ['kind,name,description', ...manyRows, ',,', 'term,last,'].map(line =>
      delimiter === ','
        ? line
        : line.replaceAll('"a ""quoted"", text', '"a ""quoted"" text').replaceAll(',', delimiter),
    )
    const answer = await importedTable(copy, `\uFEFF${lines.join(end)}${end}`)
    expect([answer.status, answer.body.summary?.created]).toEqual([200, 3001])
    const { terms } = (await exported(copy)).body
    expect(terms.find(({ name }: { name: string }) => name === 'n2997').description).toMatch(
      /^a "quoted".*\r\nof/,
    )
    expect(terms.find(({ name }: { name: string }) => name === 'n2999').description).toBe('5" wide')
    const wrong = await importedTable(copy, [...lines, 'noun,x,'].join(end).replaceAll(',', delimiter))
    expect(pointers(wrong)).toEqual(['/3002/kind'])
  })

  it('a table is safe in a spreadsheet', async () => {
    const { text, headers } = await exported(project, '?format=csv')
    expect(headers.get('content-type')).toContain('text/csv')
    expect(text).not.toMatch(/(^|,)"?=HYPERLINK/m)
  })

  describe('within the limits of the service', () => {
    beforeAll(() => hosted.restart({ limits: standardLimits }))

    it.each([
      ['too many entries', { terms: Array.from({ length: 5001 }, () => ({ name: 'a', links: [{}] })) }, 422],
      ['too many items in a list', { terms: Array.from({ length: 10_001 }, () => 1) }, 413],
      [
        'too many lists',
        { terms: Array.from({ length: 1000 }, () => Array.from({ length: 100 }, () => [])) },
        413,
      ],
      ['too many rows', `kind,name\n${'term,a\n'.repeat(10_001)}`, 422],
      ['a row of too many cells', `kind,name\nterm,a${','.repeat(1000)}`, 400],
      ['columns without end', `kind${','.repeat(1000)}`, 400],
      ['a quote without end', 'kind,name\nterm,"a', 400],
      ['a row without end', `kind,name\nterm,${'x'.repeat(1_100_000)}`, 400],
    ])('%s are refused', async (_, body, status) => {
      const answer =
        typeof body === 'string' ? await importedTable(project, body) : await imported(project, body)
      expect(answer.status).toBe(status)
      expect(answer.body.detail).toMatch(/more than|at most|does not end|longer than/)
    })
  })
})
