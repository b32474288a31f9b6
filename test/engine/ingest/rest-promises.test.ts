import { beforeAll, describe, expect, it } from 'vitest'
import { guarded, sendJson, startRestServer } from '../../support/rest-server.ts'
import { load } from './fetching.ts'
import { fetchFast, project, records, rest, server, useRestServer } from './rest-fetching.ts'

useRestServer()

describe('credentials', () => {
  beforeAll(() => {
    const well = (_request: unknown, response: Parameters<typeof sendJson>[0]) =>
      sendJson(response, [{ id: 1 }])
    server.route(
      '/bearer',
      guarded(({ headers }) => headers['authorization'] === 'Bearer s3cret-token', well),
    )
    server.route(
      '/basic',
      guarded(({ headers }) => headers['authorization'] === `Basic ${btoa('ann:s3cret-token')}`, well),
    )
    server.route(
      '/header',
      guarded(({ headers }) => headers['x-key'] === 's3cret-token', well),
    )
    server.route(
      '/query',
      guarded(({ query }) => query.get('api_key') === 's3cret-token' && query.get('q') === 'x y', well),
    )
    server.route(
      '/cookie',
      guarded(({ headers }) => headers['cookie'] === 'session=s3cret-token', well),
    )
  })
  const env = { TOKEN: 's3cret-token', ME: 'ann' }

  it.each([
    ['/bearer', 'auth: {type: bearer, token: env:TOKEN}'],
    ['/basic', 'auth: {type: basic, username: env:ME, password: env:TOKEN}'],
    ['/header', 'auth: {type: api_key, name: X-Key, value: env:TOKEN}'],
    ['/header', 'headers: {X-Key: env:TOKEN}'],
    ['/query', 'auth: {type: api_key, name: api_key, value: env:TOKEN, in: query}'],
    ['/cookie', 'auth: {type: api_key, name: session, value: env:TOKEN, in: cookie}'],
    ['/bearer', 'credentials: env:TOKEN'],
  ])('%s with %s', async (path, line) => {
    const { fetched } = await fetchFast(rest(path, line, 'params: {q: "x y"}'), { env })
    expect(fetched.rows).toBe(1)
  })

  it('come from the default variable, and are named when they are missing', async () => {
    const body = rest('/bearer', 'auth: {type: bearer}')
    expect(
      (await fetchFast(body, { env: { SOURCE__ORDERS__CREDENTIALS: 's3cret-token' } })).fetched.rows,
    ).toBe(1)
    await expect(fetchFast(body)).rejects.toMatchObject({
      code: 'missing-credentials',
      message: expect.stringContaining('SOURCE__ORDERS__CREDENTIALS'),
    })
    await expect(fetchFast(rest('/bearer', 'headers: {X-Key: env:NOPE}'))).rejects.toMatchObject({
      code: 'missing-credentials',
      message: expect.stringContaining('NOPE'),
    })
    await expect(fetchFast(rest('/bearer', 'auth: none'))).rejects.toMatchObject({ code: 'http-status' })
  })

  it('may leave the endpoint and parameters to the environment', async () => {
    const body =
      'ingest: {type: rest_api, endpoint: env:API, resource: query, params: {api_key: env:TOKEN, q: x y}}'
    expect((await fetchFast(body, { env: { ...env, API: server.origin } })).fetched.rows).toBe(1)
  })

  it('are in no message', async () => {
    server.route('/echo', (request, response) =>
      sendJson(response, { echo: [request.headers['authorization'], ...request.query.values()] }, 400),
    )
    const lines = [
      'auth: {type: api_key, name: k, value: env:TOKEN, in: query}',
      'headers: {Authorization: env:TOKEN}',
    ]
    const error = await fetchFast(rest('/echo', ...lines), { env }).catch((caught: Error) => caught)
    expect(error).toMatchObject({ code: 'http-status', message: expect.stringContaining('status 400') })
    expect(JSON.stringify([String(error), error])).not.toContain('s3cret')
  })

  it('never leave the origin, and nothing does unless the asset allows it', async () => {
    const other = await startRestServer({ records, pageSize: 100 })
    try {
      server.route('/away', (_request, response) => {
        response.writeHead(302, { location: `${other.origin}/single` }).end()
      })
      const host = new URL(other.origin).host
      const auth = [
        'auth: {type: api_key, name: k, value: env:TOKEN, in: query}',
        'headers: {X-Key: env:TOKEN}',
      ]
      await expect(fetchFast(rest('/away', ...auth), { env })).rejects.toMatchObject({
        code: 'host-not-allowed',
        message: expect.stringContaining(host),
      })
      expect(other.requests).toEqual([])
      server.route('/to-a-file', (_request, response) => {
        response.writeHead(302, { location: 'file:///etc/passwd' })
        response.end()
      })
      await expect(fetchFast(rest('/to-a-file'))).rejects.toMatchObject({
        code: 'host-not-allowed',
        message: `a redirect leads from ${new URL(server.origin).host} to an address that starts with file:`,
        hint: 'Only addresses with http: and https: are followed: tell the owner of the service.',
      })
      await expect(fetchFast(rest('/next-away'))).rejects.toMatchObject({ code: 'host-not-allowed' })
      const { fetched } = await fetchFast(rest('/away', ...auth, `allow_hosts: ["${host}"]`), { env })
      expect(fetched.rows).toBe(47)
      expect(JSON.stringify(other.requests.map(({ headers, query }) => [headers, [...query]]))).not.toContain(
        's3cret',
      )
      expect(server.requests.at(-1)?.query.get('k')).toBe('s3cret-token')
    } finally {
      await other.close()
    }
  })
})

describe('contracts', () => {
  const withContract = (path: string, contract: string) => `${rest(path)}\ncontract: ${contract}`

  it('are held before anything is loaded', async () => {
    server.route('/typed', (_request, response) =>
      sendJson(response, [
        { id: 1, amount: '10.50', at: '2024-01-01T10:00:00+02:00' },
        { id: 2, amount: 'n/a', at: null },
      ]),
    )
    const wrong = withContract(
      '/typed',
      '{enforce_types: true, columns: {amount: "decimal(12,2)", at: timestamp}}',
    )
    await expect(fetchFast(wrong)).rejects.toMatchObject({
      code: 'contract-violated',
      message: 'column "amount" is promised as DECIMAL(12,2), which cannot hold "n/a" in record 2',
    })
    const hidden = withContract(
      '/typed',
      '{enforce_types: true, columns: {amount: {type: "decimal(12,2)", pii: true}}}',
    )
    await expect(fetchFast(hidden)).rejects.toMatchObject({ message: expect.not.stringContaining('n/a') })
    const right = await load(
      project,
      withContract('/typed', '{enforce_types: true, columns: {at: timestamp, id: varchar}}'),
    )
    expect(right.columns['']).toEqual(['id VARCHAR', 'amount VARCHAR', 'at TIMESTAMP'])
    expect(right.rows['']?.[0]?.['at']).toBe('2024-01-01 08:00:00')
    const loose = await load(project, withContract('/typed', '{columns: {amount: "decimal(12,2)"}}'))
    expect(loose.columns['']?.[1]).toBe('amount DECIMAL(12,2)')
    expect(loose.rows['']?.map(({ amount }) => amount)).toEqual(['10.50', null])
    expect(loose.rejects.map(({ kind, raw }) => [kind, raw])).toEqual([['value', '"n/a"']])
  })

  it('need required columns, with values', async () => {
    server.route('/holes', (_request, response) =>
      sendJson(response, [{ id: 1, a: 'x' }, { id: 2, a: null }, { id: 3 }]),
    )
    await expect(fetchFast(withContract('/holes', '{required_columns: [id, b]}'))).rejects.toMatchObject({
      code: 'contract-violated',
      message: 'the source has no column "b"',
      hint: 'It has: id, a.',
    })
    const renamed = '{required_columns: [b], columns: {id: bigint, b: varchar}}'
    await expect(fetchFast(withContract('/holes', renamed))).rejects.toMatchObject({
      message: 'the source has no column "b"',
      hint: 'It has: id, a. Not in the contract: a. If a is the new name, write it in the contract, and "a AS b" in the SQL.',
    })
    await expect(fetchFast(withContract('/holes', '{required_columns: [id, a]}'))).rejects.toMatchObject({
      message: 'column "a" must not be empty, and is in 2 records, first in record 2',
    })
    await expect(
      fetchFast(withContract('/holes', '{columns: {a: {type: text, nullable: false}}}')),
    ).rejects.toMatchObject({
      code: 'contract-violated',
    })
    expect((await fetchFast(withContract('/holes', '{required_columns: [id]}'))).fetched.rows).toBe(3)
  })

  it.each([
    ['a column', [], '{enforce_types: true, columns: {n: "decimal(30,3)"}}', ''],
    ['a column of text', [], '{columns: {n: varchar}}', ''],
    ['a child table', [], '{tables: {l: {columns: {n: "decimal(30,3)"}}}}', 'l'],
    ['a struct', ['nested: struct'], '{columns: {o: "struct(n decimal(30,3))"}}', ''],
    ['a list of structs', ['nested: struct'], '{columns: {l: "struct(n decimal(30,3))[]"}}', ''],
    ['a list', [], '{columns: {v: "decimal(30,3)[]"}}', ''],
  ])('keep all digits of a decimal in %s', async (_where, more, contract, child) => {
    const number = '12345678901234567.891'
    server.route('/digits', (_request, response) =>
      sendJson(
        response,
        `[{"id":1,"n":${number},"o":{"n":${number}},"l":[{"n":${number}}],"v":[${number}],"w":[1.5]}]`,
      ),
    )
    const promised = `${rest('/digits', 'primary_key: id', ...more)}\ncontract: ${contract}`
    const name = /columns: \{(\w)/.exec(contract)?.[1] ?? ''
    const { rows } = await load(project, promised)
    expect(JSON.stringify(rows[child]?.[0]?.[name])).toContain(number)
  })

  it('do not let an integer be rounded', async () => {
    server.route('/fractions', (_request, response) => sendJson(response, [{ n: 1 }, { n: 2.5 }]))
    await expect(
      fetchFast(withContract('/fractions', '{enforce_types: true, columns: {n: int}}')),
    ).rejects.toMatchObject({
      message: 'column "n" is promised as INTEGER, which cannot hold "2.5" in record 2',
    })
  })
})
