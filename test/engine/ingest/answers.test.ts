/** A sample of the shapes of `test/long/answers.test.ts`, and what is said where several lists of pages end too early. */
import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { casesOf, judgeCase, type PagingServer, problemIn, servePaging } from '../../support/paging/cases.ts'
import { pagingServices } from '../../support/paging/index.ts'
import { sendJson } from '../../support/rest-server.ts'
import { type Project, temporaryProject } from './fetching.ts'
import { fetchFast, project, records, rest, server, useRestServer } from './rest-fetching.ts'

useRestServer()

let paging: PagingServer
let folder: Project

beforeAll(async () => {
  paging = await servePaging(pagingServices)
  folder = temporaryProject()
})
afterAll(async () => {
  await paging.close()
  folder.remove()
})

const sample = [
  'Django REST framework',
  'OData 2 (SAP)',
  'Stripe',
  'Zoom',
  'Salesforce',
  'Strapi',
  'MediaWiki',
  'FHIR',
  'World Bank: a list of two',
  'GraphQL connection',
  'Elasticsearch, a scroll',
  'Crossref: a cursor that never ends',
  'Yelp: only a total',
  'Sentry: Link with results',
  'GitLab without Link',
  'WordPress',
  'Heroku: Next-Range',
  'a status of 206 and nothing else',
  'pages in words',
  'pages in words, in meta',
  'a sentence that counts records',
]

it.each(sample)('%s is loaded whole or told', async name => {
  const service = pagingServices.find(each => each.name === name)
  if (service === undefined) throw new Error(`no service is called ${name}`)
  const problems: string[] = []
  for (const one of casesOf(service)) {
    const problem = problemIn(one, await judgeCase(one, { server: paging, project: folder }))
    if (problem !== undefined) problems.push(problem)
  }
  expect(problems).toEqual([])
})

describe('what paginate names', () => {
  const page = { items: records.slice(0, 10), meta: { next_cursor: 'abc', total: 47 } }
  const refused = (line: string) => fetchFast(rest('/named', `paginate: ${line}`))

  it('is an error where no answer has it, with what the answer has', async () => {
    server.route('/named', (_request, response) => sendJson(response, page))
    await expect(refused('{type: cursor, path: meta.next_cursr, param: cursor}')).rejects.toMatchObject({
      code: 'paginate-missing',
      message: 'paginate.path names "meta.next_cursr", which is in no answer',
      hint: expect.stringContaining('The answer has "meta.next_cursor".'),
    })
    await expect(refused('{type: cursor, header: X-Next, param: cursor}')).rejects.toMatchObject({
      code: 'paginate-missing',
    })
    await expect(refused('{type: offset, total: totl}')).rejects.toMatchObject({
      code: 'paginate-missing',
      hint: expect.stringContaining('"meta.total"'),
    })
    await expect(refused('{type: page, more: has_mor}')).rejects.toBeDefined()
  })

  it('may be missing on a last page that says nothing of more', async () => {
    server.route('/short', (_request, response) => sendJson(response, { items: records }))
    const lines = [
      'paginate: {type: cursor, path: nextPageToken, param: pageToken}',
      'paginate: {type: next_url, path: links.next}',
      'paginate: {type: cursor, path: somewhere, param: at, size_param: limit, size: 100}',
    ]
    for (const line of lines) expect((await fetchFast(rest('/short', line))).warnings).toEqual([])
    await expect(
      fetchFast(rest('/short', 'paginate: {type: cursor, path: somewhere, param: at}')),
    ).rejects.toMatchObject({ code: 'paginate-missing' })
  })
})

describe('warnings', () => {
  it('tell responses that on_status passes over, with their number and the first of them', async () => {
    server.route('/gone', (request, response) => {
      const number = Number(request.query.get('page') ?? 1)
      if (number % 2 === 0) sendJson(response, { message: 'gone' }, 410)
      else sendJson(response, { items: [{ id: number }], page: number, total_pages: 5 })
    })
    const { warnings } = await fetchFast(rest('/gone', 'on_status: {"410": skip}'))
    expect(warnings).toMatchObject([
      {
        code: 'skipped-responses',
        count: 2,
        example: `${server.origin}/gone?page=2`,
        message: `2 responses were skipped, as on_status says: status 410, ${server.origin}/gone?page=2`,
      },
    ])
  })

  it('are silenced where totals mean something else', async () => {
    server.route('/sum', (_request, response) => sendJson(response, { items: [{ id: 1 }], total: 250 }))
    expect((await fetchFast(rest('/sum', 'paginate: none'))).warnings).toMatchObject([
      { code: 'more-pages', count: 249, example: '"total" is 250' },
    ])
    expect((await fetchFast(rest('/sum', 'paginate: {type: none, claims: ignore}'))).warnings).toEqual([])
  })

  it('count what a text says in words, also with its thousands apart', async () => {
    const texts = [
      ['Showing 1 to 1 of 1250 entries', 1249],
      ['Showing 1 to 1 of 1,250 entries', 1249],
      ['1-1 of 1.250', 1249],
      ['1\u20131 / 1\u202f250', 1249],
      ['1 to 1 of 1,250,000', 1_249_999],
      ['1,001 to 1,002 of 1,002', 1001],
      ['1 to 1 of 1', undefined],
    ] as const
    for (const [showing, count] of texts) {
      server.route('/words', (_request, response) => sendJson(response, { items: [{ id: 1 }], showing }))
      const { warnings } = await fetchFast(rest('/words', 'paginate: none'))
      expect(warnings, showing).toMatchObject(count === undefined ? [] : [{ code: 'more-pages', count }])
    }
    server.route('/pages', (_request, response) =>
      sendJson(response, { items: [{ id: 1 }], page: 'Page 1 of 1,250' }),
    )
    expect((await fetchFast(rest('/pages', 'paginate: none'))).warnings).toMatchObject([
      { code: 'more-pages' },
    ])
  })

  it('do not take a record for a page', async () => {
    server.route('/one', (_request, response) =>
      sendJson(response, { id: 1, total: 250, pages: 12, next: 'https://example.com/2', name: 'a book' }),
    )
    expect((await fetchFast(rest('/one'))).warnings).toEqual([])
    const order = { id: 7, total: 99, lines: [{ sku: 'a' }, { sku: 'b' }] }
    server.route('/order', (_request, response) => sendJson(response, order))
    const { fetched, warnings } = await fetchFast(rest('/order', 'records: .'))
    expect([fetched.rows, warnings]).toEqual([1, []])
    expect(fetched.tables.map(({ shape }) => shape.child)).toEqual([undefined, 'lines'])
  })
})

it('as many records as a request asks for may not be all', async () => {
  server.route('/full', (request, response) => {
    const limit = Number(request.query.get('limit') ?? 10)
    sendJson(response, records.slice(0, limit))
  })
  expect((await fetchFast(rest('/full', 'params: {limit: 20}'))).warnings).toMatchObject([
    {
      code: 'more-pages',
      message: expect.stringContaining('as many came as the request asks for (limit=20)'),
    },
  ])
  expect((await fetchFast(rest('/full', 'params: {limit: 100}'))).warnings).toEqual([])
  expect((await fetchFast(rest('/full', 'params: {limit: 20}', 'paginate: none'))).warnings).toEqual([])
})

it('a filter of the request is never taken for the place of the next page', async () => {
  server.route('/filtered', (request, response) => {
    if (request.query.get('start') !== '2024-01-01') sendJson(response, { message: 'what start?' }, 400)
    else sendJson(response, { items: records.slice(0, 10), total: 47, limit: 10 })
  })
  const { warnings } = await fetchFast(rest('/filtered', 'params: {start: "2024-01-01", limit: 10}'))
  expect(warnings).toMatchObject([{ code: 'more-pages', count: 37 }])
  expect(project.root).not.toBe('')
})

it('an answer whose body says "status 404" does not throw kept pages away', async () => {
  let fails = true
  server.route('/outage', (request, response) => {
    const number = Number(request.query.get('page') ?? 1)
    if (fails && number === 3) sendJson(response, 'upstream said: status 404', 500)
    else
      sendJson(response, {
        items: records.slice((number - 1) * 10, number * 10),
        page: number,
        total_pages: 5,
      })
  })
  const spoolFolder = project.path('.spool/outage')
  mkdirSync(spoolFolder, { recursive: true })
  const body = rest('/outage', 'limits: {retries: 0, concurrency: 1}')
  await expect(fetchFast(body, { spoolFolder })).rejects.toMatchObject({
    code: 'http-status',
    hint: expect.stringContaining('2 pages are kept'),
  })
  await expect(fetchFast(body, { spoolFolder })).rejects.toMatchObject({
    hint: expect.stringContaining('2 pages are kept'),
  })
  fails = false
  const { notes, fetched } = await fetchFast(body, { spoolFolder })
  expect(notes[0]).toBe('going on from page 3: 2 pages are kept')
  expect(fetched.rows).toBe(records.length)
})
