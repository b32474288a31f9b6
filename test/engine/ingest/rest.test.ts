import { describe, expect, it } from 'vitest'
import { showsSource } from '../../support/features/shows.ts'
import { failing, sendJson, startRestServer } from '../../support/rest-server.ts'
import { load, peek } from './fetching.ts'
import { ifNul, inWordsOfDuckdb, stored } from './loaded-tables.ts'
import { all, fetchFast, ids, project, records, rest, server, useRestServer } from './rest-fetching.ts'

useRestServer()

describe('paging', () => {
  it.each([
    ['/single', 'none', []],
    ['/link', 'link_header', []],
    ['/next', 'next_url', ['paginate: {type: next_url, path: next}']],
    ['/next-relative', 'next_url', ['paginate: {type: next_url, path: $.next}']],
    ['/cursor', 'cursor', ['paginate: {type: cursor, path: meta.next_cursor, param: cursor}']],
    ['/cursor-header', 'cursor', ['paginate: {type: cursor, header: X-Next, param: after}']],
    [
      '/cursor-body',
      'cursor',
      [
        'method: POST',
        'body: {page: {size: 10}}',
        'paginate: {type: cursor, path: page.next, param: page.cursor, in: body}',
      ],
    ],
    ['/pages', 'page', ['paginate: {type: page, total: total_pages}']],
    ['/pages-more', 'page', ['paginate: {type: page, more: has_more}']],
    ['/pages-until-empty', 'page', ['paginate: page']],
    ['/offset', 'offset', ['paginate: {type: offset, total: total}']],
    ['/offset', 'offset', ['paginate: {type: offset, total: total, size: 100}', 'limits: {concurrency: 1}']],
    ['/offset', 'offset', ['paginate: offset']],
  ])('%s as %s brings every record once, in order', async (path, type, lines) => {
    showsSource(['rest_api'], ['replace'])
    const { rows, fetched } = await load(
      project,
      rest(path, ...(lines.length > 0 ? lines : [`paginate: ${type}`])),
    )
    expect(ids(rows[''])).toEqual(all)
    expect(fetched.rows).toBe(47)
  })

  it.each([
    '/single',
    '/link',
    '/next',
    '/next-relative',
    '/cursor',
    '/pages',
    '/pages-from-zero',
    '/offset',
    '/lines',
  ])('%s is found out by itself', async path => {
    expect(ids((await load(project, rest(path))).rows[''])).toEqual(all)
  })

  it('gives one load id whatever the pages, and another for other content', async () => {
    const loads = await Promise.all(
      ['/single', '/link', '/cursor', '/pages', '/lines'].map(
        async path => (await load(project, rest(path))).fetched.loadId,
      ),
    )
    expect(new Set(loads).size).toBe(1)
    server.route('/other', (_request, response) => sendJson(response, records.slice(1)))
    expect((await load(project, rest('/other'))).fetched.loadId).not.toBe(loads[0])
  })

  it('fetches pages of known number at once, as many as allowed, and keeps their order', async () => {
    const slow = (index: number) => new Promise(resolve => setTimeout(resolve, (index * 7) % 5))
    server.route('/slow', async (request, response) => {
      const page = Number(request.query.get('page') ?? 1)
      await slow(page)
      sendJson(response, { items: [{ id: page }], total_pages: 30 })
    })
    const { rows } = await load(project, rest('/slow', 'limits: {concurrency: 5}'))
    expect(ids(rows[''])).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
    expect(server.mostAtOnce).toBeGreaterThan(2)
    expect(server.mostAtOnce).toBeLessThanOrEqual(5)
  })

  it('ends at max_pages and max_rows and says so', async () => {
    showsSource(['rest_api'], ['max_rows', 'mask'])
    const pages = await load(project, rest('/next', 'paginate: {type: next_url, path: next, max_pages: 2}'))
    expect(ids(pages.rows[''])).toEqual(all.slice(0, 20))
    expect(pages.notes).toEqual([])
    expect(pages.warnings).toMatchObject([
      {
        code: 'limited-pages',
        count: 2,
        message: 'the load ended after 2 pages, as paginate.max_pages says, and there are more',
      },
    ])
    const warnings: string[] = []
    const rows = await load(project, rest('/next', 'limits: {max_rows: 15}'), {
      onWarning: ({ message }) => void warnings.push(message),
    })
    expect(warnings).toEqual([
      'the load ended after 15 records, as limits.max_rows says; the source may have more',
    ])
    expect(ids(rows.rows[''])).toEqual(all.slice(0, 15))
    expect(rows.fetched.rows).toBe(15)
    const masked = await load(project, rest('/next', 'limits: {max_rows: 3}', 'mask: {id: redact}'))
    expect(masked.rows['']?.map(({ id }) => id)).toEqual(['***', '***', '***'])
  })

  it('notices a loop and a server that does not page', async () => {
    await expect(fetchFast(rest('/next-same'))).rejects.toMatchObject({
      code: 'http-body',
      message: expect.stringMatching(/^page 3 is a page that was already fetched/),
    })
    await expect(fetchFast(rest('/single', 'paginate: page'))).rejects.toMatchObject({
      message: expect.stringMatching(/^page 2 holds the same records as the page before it/),
    })
    server.route('/claims', (_request, response) => sendJson(response, { items: [{ id: 1 }], total: 5 }))
    expect((await fetchFast(rest('/claims'))).warnings).toMatchObject([
      {
        code: 'more-pages',
        count: 4,
        message: 'the answers say that there is more: "total" is 5, and 1 record was loaded',
      },
    ])
  })

  it('refuses offsets that were counted from a page shorter than the others', async () => {
    server.route('/uneven', (request, response) => {
      const offset = Number(request.query.get('offset') ?? 0)
      const size = offset === 10 ? 5 : 10
      sendJson(response, { rows: records.slice(offset, offset + size), total: 47 })
    })
    const body = rest('/uneven', 'paginate: {type: offset, total: total}')
    await expect(fetchFast(body)).rejects.toMatchObject({
      message: expect.stringContaining('page 2 holds 5 records where 10 were due'),
    })
    const one = await load(
      project,
      rest('/uneven', 'paginate: {type: offset, total: total}', 'limits: {concurrency: 1}'),
    )
    expect(ids(one.rows[''])).toEqual(all)
  })
})

describe('servers that fail', () => {
  const well = (_request: unknown, response: Parameters<typeof sendJson>[0]) => sendJson(response, records)

  it('are asked again after 500, 429 and broken connections, and the user is told', async () => {
    showsSource(['rest_api'], ['retries'])
    server.route(
      '/flaky',
      failing(2, (_request, response) => sendJson(response, 'oops', 500), well),
    )
    const flaky = await fetchFast(rest('/flaky'))
    expect(flaky.fetched.rows).toBe(47)
    expect(flaky.notes).toHaveLength(2)
    expect(flaky.notes[0]).toMatch(
      /^page 1 \(http:.*\/flaky\): status 500, it says "oops": waiting .* s, then try 2 of 6$/,
    )
    server.route(
      '/limited',
      failing(1, (_request, response) => sendJson(response, {}, 429, { 'retry-after': '0' }), well),
    )
    expect((await fetchFast(rest('/limited'))).fetched.rows).toBe(47)
    server.route(
      '/broken',
      failing(1, (_request, response) => void response.destroy(), well),
    )
    expect((await fetchFast(rest('/broken'))).fetched.rows).toBe(47)
    server.route(
      '/cut',
      failing(
        1,
        (_request, response) => {
          response.writeHead(200, { 'content-length': '1000' })
          response.write('[{"id":1},')
          setImmediate(() => response.destroy())
        },
        well,
      ),
    )
    expect((await fetchFast(rest('/cut'))).fetched.rows).toBe(47)
  })

  it('that never come back are given up after limits.retries', async () => {
    server.route('/down', (_request, response) => sendJson(response, 'maintenance', 503))
    await expect(fetchFast(rest('/down', 'limits: {retries: 2}'))).rejects.toMatchObject({
      code: 'http-status',
      message: expect.stringContaining('status 503, it says "maintenance"'),
    })
    expect(server.requests.length).toBe(3)
    await expect(fetchFast(rest('/hang', 'limits: {retries: 1, timeout: 50ms}'))).rejects.toMatchObject({
      code: 'http-failed',
      message: expect.stringContaining('no complete answer within 0.1 s'),
    })
    const gone = await startRestServer()
    await gone.close()
    await expect(
      fetchFast(`ingest: {type: rest_api, endpoint: "${gone.origin}", resource: x, limits: {retries: 1}}`),
    ).rejects.toMatchObject({ code: 'http-failed' })
  })

  it('that ask for a longer pause than anyone waits are an error at once', async () => {
    server.route('/later', (_request, response) => sendJson(response, {}, 429, { 'retry-after': '3600' }))
    await expect(fetchFast(rest('/later'))).rejects.toMatchObject({ code: 'http-status' })
    expect(server.requests.length).toBe(1)
  })

  it('are treated as on_status says', async () => {
    server.route('/some', (request, response) => {
      const page = Number(request.query.get('page') ?? 1)
      if (page === 2) sendJson(response, {}, 410)
      else sendJson(response, { items: [{ id: page }], total_pages: 3 })
    })
    const skip = await load(project, rest('/some', 'on_status: {"410": skip}'))
    expect(ids(skip.rows[''])).toEqual([1, 3])
    const end = await load(project, rest('/some', 'on_status: {"410": end}'))
    expect(ids(end.rows[''])).toEqual([1])
    await expect(fetchFast(rest('/some'))).rejects.toMatchObject({
      code: 'http-status',
      message: expect.stringContaining('page 2'),
    })
    server.route(
      '/teapot',
      failing(1, (_request, response) => sendJson(response, {}, 418), well),
    )
    expect((await fetchFast(rest('/teapot', 'on_status: {"418": retry}'))).fetched.rows).toBe(47)
  })

  it('that answer with something else are named', async () => {
    const cases: readonly (readonly [string, string, RegExp])[] = [
      ['/html', '', /^page 1 \(.*\/html\) is HTML, not JSON: it says "<!doctype html>/],
      ['/bad', '[{"id":1},{"id":}]', /is not valid JSON: unexpected "}" at byte 17 of 18/],
      ['/short', '[{"id":1},{"id":', /is not valid JSON: the text ends in the middle of a value/],
      ['/nothing', '', /is empty/],
      ['/error', '{"error":"no such table","code":7}', /has no records but says "error"/],
      ['/text', '"hello"', /is neither a list nor an object/],
      ['/twice', '[{"a":1,"a":2}]', /the key "a" is given twice in one object/],
    ]
    for (const [path, body, message] of cases) {
      if (body !== '' || path === '/nothing')
        server.route(path, (_request, response) => sendJson(response, body))
      await expect(fetchFast(rest(path)), path).rejects.toMatchObject({
        code: 'http-body',
        message: expect.stringMatching(message),
      })
    }
    server.route('/latin', (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(Buffer.from('[{"a":"caf\xe9"}]', 'latin1'))
    })
    await expect(fetchFast(rest('/latin'))).rejects.toMatchObject({
      code: 'http-body',
      message: expect.stringContaining('is not UTF-8'),
    })
    server.route('/drift', (request, response) => {
      sendJson(response, request.query.has('p') ? { wrong: [] } : { items: [{ id: 1 }], next: '?p=2' })
    })
    await expect(fetchFast(rest('/drift'))).rejects.toMatchObject({
      message: expect.stringMatching(/^page 2 .* has no records at "items"/),
    })
  })

  it('say nothing of other pages that were on their way when one failed for good', async () => {
    let second: Parameters<typeof sendJson>[0] | undefined
    server.route('/one-bad', ({ query }, response) => {
      const page = query.get('page') ?? '1'
      if (page === '1') sendJson(response, { items: records.slice(0, 10), pages: 5 })
      if (page === '2') second = response
      // The second page fails once another is on its way, which is never answered.
      if (page === '3' && second !== undefined) sendJson(second, 'gone', 410)
    })
    const notes: string[] = []
    const lines = ['paginate: {type: page, total: pages}', 'records: items', 'limits: {concurrency: 4}']
    const onProgress = ({ note }: { readonly note?: string }) => void (note && notes.push(note))
    const failed = fetchFast(rest('/one-bad', ...lines), { onProgress })
    await expect(failed).rejects.toMatchObject({ message: expect.stringContaining('page 2') })
    await new Promise(resolve => setImmediate(resolve))
    expect(notes).toEqual([])
  })

  it('stop when the run is interrupted', async () => {
    const controller = new AbortController()
    server.route('/stop', () => controller.abort(new Error('interrupted')))
    await expect(fetchFast(rest('/stop'), { signal: controller.signal })).rejects.toThrow('interrupted')
  })
})

describe('answers', () => {
  it('may be packed and written in another character set', async () => {
    expect(ids((await load(project, rest('/gzip'))).rows[''])).toEqual(all)
    expect(ids((await load(project, rest('/br'))).rows[''])).toEqual(all)
    server.route('/latin1', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=ISO-8859-1' })
      response.end(Buffer.from('[{"a":"caf\xe9"}]', 'latin1'))
    })
    expect((await load(project, rest('/latin1'))).rows['']).toEqual([{ a: 'café' }])
  })

  it('keep every value or say what became of it', async () => {
    server.route('/odd', (_request, response) =>
      sendJson(
        response,
        '{"items":[\n {"a":NaN,"b":"x\\ud800","c":9223372036854775808,\n "d":"\\u0000"},\n {"a":1,"c":5} ],"x":NaN}',
      ),
    )
    const { rows, columns, warnings } = await load(project, rest('/odd'))
    expect(columns['']).toEqual(stored(['a DOUBLE', 'b VARCHAR', 'c HUGEINT', 'd VARCHAR']))
    expect(rows['']?.[0]).toEqual({ a: 'NaN', b: 'x\ufffd', c: '9223372036854775808', d: ifNul('\0') })
    expect(warnings).toMatchObject([
      {
        code: 'replaced-characters',
        count: 1,
        message: 'half characters in 1 record were replaced by U+FFFD',
      },
    ])
  })

  it('may be empty, one object, or null for nothing', async () => {
    for (const [path, body, expected] of [
      ['/empty', '[]', []],
      ['/null', '{"data":null,"total":0}', []],
      ['/object', '{"id":7}', [7]],
    ] as const) {
      server.route(path, (_request, response) => sendJson(response, body))
      const { fetched, rows } = await load(project, `${rest(path)}\ncontract: {columns: {id: bigint}}`)
      expect([fetched.rows, ids(rows[''])], path).toEqual([expected.length, expected])
    }
    server.route('/nothing-here', (_request, response) => void response.writeHead(204).end())
    const contract = '\ncontract: {columns: {id: bigint}}'
    expect((await load(project, rest('/nothing-here') + contract)).fetched.rows).toBe(0)
    await expect(fetchFast(rest('/nothing-here'))).rejects.toMatchObject({
      code: 'source-shape',
      message: 'the source brought no records, and nothing says which columns it has',
    })
  })

  it('take a column from all pages, whatever its first values', async () => {
    server.route('/widening', (request, response) => {
      const page = Number(request.query.get('page') ?? 1)
      const item = [
        { v: 1, w: null },
        { v: 2.5, w: { x: 1 } },
        { v: 'three', extra: true },
      ][page - 1]
      sendJson(response, { items: [item], total_pages: 3 })
    })
    const { columns, rows } = await load(project, rest('/widening'))
    expect(columns['']).toEqual(['v VARCHAR', 'w__x BIGINT', 'extra BOOLEAN'])
    expect(rows['']?.map(row => row['v'])).toEqual(['1', '2.5', 'three'])
  })

  it('can be looked at with one request', async () => {
    const tables = await peek(project, rest('/next'))
    expect(tables[0]?.columns.map(column => `${column.name} ${inWordsOfDuckdb(column.type)}`)).toEqual([
      'id BIGINT',
      'name VARCHAR',
      'tags VARCHAR[]',
    ])
    expect(tables[0]?.complete).toBe(false)
    expect(server.requests.length).toBe(1)
  })
})
