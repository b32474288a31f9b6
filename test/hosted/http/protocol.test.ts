import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { bootstrapToken, describeEngines, useHosted } from '../support/engines.ts'
import { glossary, makeTerm } from '../support/records.ts'

describeEngines('the protocol on $name', engine => {
  const hosted = useHosted(engine)

  /** What a program sends that is no HTTP library: the first line of the answer and its body. */
  function raw(head: string, headers: readonly string[] = []): Promise<{ status: number; text: string }> {
    const { hostname, port } = new URL(hosted.service.url)
    const lines = [
      head,
      'Host: x',
      'Connection: close',
      `Authorization: Bearer ${bootstrapToken}`,
      ...headers,
      '',
      '',
    ]
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      let text = ''
      socket.on('data', chunk => {
        text += chunk
      })
      socket.on('error', reject)
      socket.on('close', () => resolve({ status: Number(text.split(' ')[1]), text }))
      socket.write(lines.join('\r\n'))
    })
  }

  it.each([
    ['GET /api/svc/glossary/terms HTTP/1.1', 200],
    ['GET /api/svc/glossary/terms/ HTTP/1.1', 200],
    ['GET http://elsewhere.example/api/svc/glossary/terms HTTP/1.1', 200],
    ['GET /API/SVC/Glossary/Terms HTTP/1.1', 404],
    ['GET //api/svc/glossary/terms HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms// HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms;v1/ HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms/%zz HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms/%ff HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms/..%2f..%2fprojects HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms/%00 HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms/0 HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms/12abc HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms/2147483648 HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms/99999999999999999999 HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms/-1 HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms/1e1 HTTP/1.1', 404],
    ['GET /api/svc/glossary/projects/1.0/export HTTP/1.1', 404],
    ['GET /api/svc HTTP/1.1', 404],
    ['GET / HTTP/1.1', 404],
    ['PUT /api/svc/glossary/terms HTTP/1.1', 405],
    ['TRACE /api/svc/glossary/terms HTTP/1.1', 405],
    ['PROPFIND /api/svc/glossary/terms HTTP/1.1', 405],
    ['GET http://[/ HTTP/1.1', 400],
    ['GET http:// HTTP/1.1', 400],
    ['GET ftp://x/api/svc/glossary/terms HTTP/1.1', 400],
    ['GET http://x HTTP/1.1', 404],
    ['GET http://x?project=1 HTTP/1.1', 404],
    ['GET /api/svc/glossary/terms#x HTTP/1.1', 200],
    ['OPTIONS * HTTP/1.1', 404],
    ['PUT /api/svc/glossary/links/bulk HTTP/1.1', 405],
    ['GET /api/svc/glossary/terms/bulk HTTP/1.1', 405],
    ['DELETE /api/svc/tokens/self HTTP/1.1', 405],
    ['GET /api/svc/glossary/terms?project=1%00 HTTP/1.1', 422],
    ['GET /api/svc/glossary/terms?q=%ff%fe HTTP/1.1', 200],
    ['GET /api/svc/glossary/terms?__proto__=1 HTTP/1.1', 422],
    ['GET /api/svc/glossary/terms?project=2147483648 HTTP/1.1', 422],
  ])('%s: %i', async (head, status) => {
    const answer = await raw(head)
    expect([head, answer.status]).toEqual([head, status])
    expect(answer.text).not.toMatch(/ at .*\.(ts|js|cjs):\d+|node_modules|SQLITE|select /)
  })

  it('names the methods of a path, also of one without parameters', async () => {
    const allow = async (path: string) => (await hosted.admin.send('PUT', path)).headers.get('allow')
    expect(await allow(`${glossary}/links/bulk`)).toBe('OPTIONS, POST')
    expect(await allow(`${glossary}/terms/bulk/`)).toBe('OPTIONS, POST')
    expect(await allow(`${glossary}/terms`)).toBe('GET, HEAD, OPTIONS, POST')
    expect((await hosted.admin.send('OPTIONS', `${glossary}/terms/bulk`)).headers.get('allow')).toBe(
      'OPTIONS, POST',
    )
  })

  it.each([
    ['an address that cannot be read', 'GET http://[/ HTTP/1.1', [], 400, 'malformed_target'],
    ['something else', 'hello', [], 400, 'invalid_header'],
    ['an expectation', 'GET /healthz HTTP/1.1', ['Expect: miracles'], 417, 'expectation_failed'],
    [
      'headers that are too long',
      'GET /healthz HTTP/1.1',
      [`X: ${'x'.repeat(20_000)}`],
      431,
      'headers_too_large',
    ],
  ])('%s gets a problem with a request id, and a line in the log', async (_, head, headers, status, code) => {
    const seen: { readonly requestId: string; readonly status: number }[] = []
    await hosted.restart({ onAnswer: each => seen.push(each) })
    const answer = await raw(head, headers)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(`"code":"${code}"`)
    const id = /^x-request-id: (\S+)$/im.exec(answer.text)?.[1]
    expect(answer.text).toContain(`"request_id":"${id}"`)
    expect(answer.text).toContain('nosniff')
    expect(seen).toMatchObject([{ requestId: id, status }])
  })

  it("every answer has a request id: the caller's, or one of its own", async () => {
    const own = await hosted.admin.get(`${glossary}/terms`)
    expect(own.headers.get('x-request-id')).toMatch(/^[\w-]+$/)
    const given = await hosted.admin.get(`${glossary}/terms`, { 'X-Request-Id': 'build-17.3' })
    expect(given.headers.get('x-request-id')).toBe('build-17.3')
    const bad = await hosted.admin.get(`${glossary}/nothing`, { 'X-Request-Id': 'a b<script>' })
    expect(bad.headers.get('x-request-id')).not.toContain('<')
    expect(bad.body.request_id).toBe(bad.headers.get('x-request-id'))
  })

  it("answers are for nobody's page and nobody's shared cache", async () => {
    const { headers } = await hosted.admin.get(`${glossary}/terms`)
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
  })

  it.each([
    ['', 'malformed_json'],
    ['{', 'malformed_json'],
    ['nonsense', 'malformed_json'],
    ['{"project":1,"name":"a","name":"b"}', 'malformed_json'],
    [`${'['.repeat(5000)}${']'.repeat(5000)}`, 'malformed_json'],
    ['[]', 'invalid'],
    ['null', 'invalid'],
    ['"text"', 'invalid'],
    ['12', 'invalid'],
  ])('the body %j is %s', async (body, code) => {
    const answer = await hosted.admin.send('POST', `${glossary}/terms`, {
      body,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(answer.body.code).toBe(code)
  })

  it('a body where none belongs is refused', async () => {
    const answer = await hosted.admin.send('DELETE', `${glossary}/terms/1`, {
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(answer.status).toBe(415)
  })

  it('a cached answer is only for who may see it', async () => {
    const term = await makeTerm(hosted)
    const path = `${glossary}/terms/${term.id}`
    expect((await hosted.admin.get(path)).status).toBe(200)
    expect((await hosted.admin.get(path)).status).toBe(200)
    expect((await hosted.client().get(path)).status).toBe(401)
    expect((await hosted.client('svc_someone_else_0123456789abcdefghij').get(path)).status).toBe(401)
  })

  it('an answer from memory is the answer of the database', async () => {
    const term = await makeTerm(hosted)
    const list = `${glossary}/terms?project=1&identifier=${encodeURIComponent(term.identifier)}`
    for (let round = 1; round <= 3; round++) {
      await hosted.admin.patch(`${glossary}/terms/${term.id}`, { description: `round ${round}` })
      for (let again = 0; again < 2; again++) {
        expect((await hosted.admin.get(list)).body[0].description).toBe(`round ${round}`)
        expect((await hosted.admin.get(`${glossary}/terms/${term.id}`)).body.description).toBe(
          `round ${round}`,
        )
      }
    }
  })

  it('nothing of this was a bug of ours', () => {
    expect(hosted.errors).toEqual([])
  })
})
