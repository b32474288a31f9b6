import { expect, it } from 'vitest'
import { createTokenText } from '../../../hosted-api/access/token-text.ts'
import { scopes } from '../../../hosted-api/http/index.ts'
import { describeEngines, useHosted } from '../support/engines.ts'

const tokens = '/api/svc/tokens'

describeEngines('tokens on $name', engine => {
  let now = new Date('2026-11-01T00:00:00.000Z')
  const hosted = useHosted(engine, { clock: () => now })
  const make = (body: object, client = hosted.admin) =>
    client.post(tokens, { name: 'ci', scopes: ['glossary:read'], projects: [1], ...body })

  it('are shown once, in full', async () => {
    const { status, body, headers } = await make({})
    expect(status).toBe(201)
    expect(body.secret).toMatch(/^svc_[0-9A-Za-z]{36}$/)
    expect(body.token).toMatchObject({
      name: 'ci',
      hint: `${body.secret.slice(0, 8)}…${body.secret.slice(-4)}`,
      scopes: ['glossary:read'],
      projects: [1],
      status: 'active',
      created_by: 'token:bootstrap',
      expires_at: '2027-01-30T00:00:00.000Z',
      last_used_at: null,
    })
    expect(headers.get('location')).toBe(`${tokens}/${body.token.id}`)
    const list = await hosted.admin.get(tokens)
    expect(list.body).toContainEqual(body.token)
    expect(list.text).not.toContain(body.secret)
    expect((await hosted.admin.get(`${tokens}/${body.token.id}`)).body.token).toEqual(body.token)
  })

  it('are kept as a hash: the database does not hold one', async () => {
    const { body } = await make({})
    const rows = await hosted.service.storage.reads.all('select * from token')
    expect(JSON.stringify(rows)).not.toContain(body.secret.slice(8, -4))
  })

  it('may what they are for', async () => {
    const { body } = await make({})
    const client = hosted.client(body.secret)
    expect((await client.get('/api/svc/glossary/terms?project=1')).status).toBe(200)
    const refused = await client.post('/api/svc/glossary/terms', { project: 1, name: 'X' })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ code: 'forbidden', success: false })
    expect(refused.headers.get('www-authenticate')).toContain('scope="glossary:write"')
    expect((await client.get(`${tokens}/self`)).body.token.id).toBe(body.token.id)
  })

  it('tell when they were used last, once a minute', async () => {
    const { body } = await make({})
    const lastUse = async () => (await hosted.admin.get(`${tokens}/${body.token.id}`)).body.token.last_used_at
    const start = now
    const use = async (seconds: number) => {
      now = new Date(start.getTime() + seconds * 1000)
      await hosted.client(body.secret).get(`${tokens}/self`)
      // Whatever is written after it has the note before it.
      await make({})
    }
    await use(1)
    expect(await lastUse()).toBe('2026-11-01T00:00:01.000Z')
    await use(59)
    expect(await lastUse()).toBe('2026-11-01T00:00:01.000Z')
    await use(62)
    expect(await lastUse()).toBe('2026-11-01T00:01:02.000Z')
    now = start
  })

  it('end in the very moment that they are revoked', async () => {
    const { body } = await make({})
    const client = hosted.client(body.secret)
    expect((await client.get(`${tokens}/self`)).status).toBe(200)
    const revoked = await hosted.admin.delete(`${tokens}/${body.token.id}`)
    expect(revoked.body.token).toMatchObject({ status: 'revoked', revoked_at: now.toISOString() })
    expect((await client.get(`${tokens}/self`)).status).toBe(401)
    expect((await hosted.admin.delete(`${tokens}/${body.token.id}`)).status).toBe(200)
  })

  it('end with their time', async () => {
    const { body } = await make({ expires_in_days: 1 })
    const client = hosted.client(body.secret)
    const start = now
    now = new Date(start.getTime() + 24 * 3600 * 1000 - 1)
    expect((await client.get(`${tokens}/self`)).status).toBe(200)
    now = new Date(start.getTime() + 24 * 3600 * 1000)
    expect((await client.get(`${tokens}/self`)).status).toBe(401)
    expect((await hosted.admin.get(`${tokens}/${body.token.id}`)).body.token.status).toBe('expired')
    expect((await hosted.admin.post(`${tokens}/${body.token.id}/rotate`, {})).body).toMatchObject({
      code: 'ended',
    })
    now = start
  })

  it('are rotated at once, or with time to spare', async () => {
    const first = (await make({ expires_in_days: 10 })).body
    const second = (await hosted.admin.post(`${tokens}/${first.token.id}/rotate`, { grace_seconds: 60 })).body
    expect(second.token).toMatchObject({
      name: 'ci',
      scopes: ['glossary:read'],
      projects: [1],
      rotated_from: first.token.id,
      expires_at: '2026-11-11T00:00:00.000Z',
    })
    const [old, fresh] = [hosted.client(first.secret), hosted.client(second.secret)]
    const start = now
    now = new Date(start.getTime() + 59_000)
    expect((await old.get(`${tokens}/self`)).status).toBe(200)
    now = new Date(start.getTime() + 60_000)
    expect((await old.get(`${tokens}/self`)).status).toBe(401)
    expect((await fresh.get(`${tokens}/self`)).status).toBe(200)
    now = start
    const third = (await hosted.admin.send('POST', `${tokens}/${second.token.id}/rotate`)).body
    expect((await fresh.get(`${tokens}/self`)).status).toBe(401)
    expect((await hosted.client(third.secret).get(`${tokens}/self`)).status).toBe(200)
  })

  it('give away only what they have', async () => {
    const { body } = await make({ scopes: ['tokens:admin', 'glossary:read'], projects: [1] })
    const lesser = hosted.client(body.secret)
    expect((await make({}, lesser)).status).toBe(201)
    const more = await make({ scopes: ['glossary:read', 'glossary:write', 'audit:read'] }, lesser)
    expect(more.status).toBe(403)
    expect(more.body.detail).toContain('scope glossary:write, scope audit:read')
    expect((await make({ projects: 'all' }, lesser)).status).toBe(403)
    expect((await make({ projects: [1, 2] }, lesser)).status).toBe(404)
    expect((await make({ expires_in_days: undefined, never_expires: true }, lesser)).status).toBe(403)
    const forever = await make({ never_expires: true })
    expect(forever.body.token.expires_at).toBe(null)
    expect((await lesser.post(`${tokens}/${forever.body.token.id}/rotate`, {})).status).toBe(403)
  })

  it('give no more life than they have', async () => {
    const everything = { scopes: [...scopes], projects: 'all' }
    const { token, secret } = (await make({ ...everything, expires_in_days: 1 })).body
    const short = hosted.client(secret)
    const longer = (await make({ expires_in_days: 2 })).body.token
    const start = now
    now = new Date(start.getTime() + 3600 * 1000)
    const refused = [
      await make({ expires_in_days: 366 }, short),
      await make({ expires_in_days: 1 }, short),
      await make({ never_expires: true }, short),
      await short.post(`${tokens}/${longer.id}/rotate`, {}),
      await short.post(`${tokens}/${token.id}/rotate`, { grace_seconds: 60 }),
    ]
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([403, 'forbidden'])
      expect(body.detail).toContain(
        `Your token ends at ${token.expires_at} and gives no more life than it has`,
      )
    }
    const { expires_at } = (await make({}, short)).body.token
    expect(expires_at).toBe(token.expires_at)
    // Neither the one that was to be replaced nor the one that asked for it has lost anything.
    expect((await short.get(`${tokens}/${longer.id}`)).body.token).toMatchObject(longer)
    expect((await short.get(`${tokens}/self`)).body.token.expires_at).toBe(token.expires_at)
    now = start
    const same = await make({ expires_in_days: 1 }, short)
    expect([same.status, same.body.token.expires_at]).toEqual([201, token.expires_at])
    expect((await short.post(`${tokens}/${same.body.token.id}/rotate`, {})).status).toBe(201)
  })

  it('of more rights, or of other projects, are out of reach', async () => {
    const { body } = await make({ scopes: ['tokens:admin'], projects: [1] })
    const lesser = hosted.client(body.secret)
    const writer = (await make({ scopes: ['glossary:write'], projects: [1] })).body.token
    const everywhere = (await make({ scopes: ['tokens:admin'], projects: 'all' })).body.token
    expect((await lesser.delete(`${tokens}/${writer.id}`)).status).toBe(403)
    expect((await lesser.post(`${tokens}/${writer.id}/rotate`, {})).status).toBe(403)
    expect((await lesser.delete(`${tokens}/${everywhere.id}`)).status).toBe(404)
    expect((await lesser.get(`${tokens}/${everywhere.id}`)).status).toBe(404)
    const seen = (await lesser.get(tokens)).body as { id: number; projects: unknown }[]
    expect(seen.map(({ id }) => id)).toContain(writer.id)
    expect(seen.filter(({ projects }) => JSON.stringify(projects) !== '[1]')).toEqual([])
  })

  it('are told what is wrong with an order, all of it', async () => {
    const { status, body } = await hosted.admin.post(tokens, {
      name: '',
      scopes: ['glossary:reed'],
      projects: [0],
      expires_in_days: 367,
      expires: 'never',
    })
    expect(status).toBe(422)
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers).toEqual(
      expect.arrayContaining(['/name', '/scopes/0', '/projects', '/expires_in_days', '/expires']),
    )
    expect(body.errors.find((error: { pointer: string }) => error.pointer === '/scopes/0').detail).toContain(
      'did you mean "glossary:read"?',
    )
  })

  const wrong: readonly (readonly [string, string | undefined])[] = [
    ['nothing', undefined],
    ['another scheme', 'Basic c3ZjOnN2Yw=='],
    ['no token', 'Bearer '],
    ['a word', 'Bearer abc'],
    ['a token that was never made', `Bearer ${createTokenText()}`],
    ['a token with a wrong checksum', `Bearer ${createTokenText().slice(0, -6)}000000`],
    ['a token of 10 kB', `Bearer svc_${'a'.repeat(10_000)}`],
    ['two words', 'Bearer abc def'],
    ['a quoted token', 'Bearer "abc"'],
  ]
  it.each(wrong)('are missed in the same words with %s', async (_, header) => {
    const headers: Record<string, string> = header === undefined ? {} : { Authorization: header }
    const answer = await hosted.client().get(`${tokens}/self`, headers)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="svc", error="invalid_token"')
    const { request_id: _id, ...body } = answer.body
    expect(body).toEqual({
      success: false,
      type: 'urn:svc:problem:unauthorized',
      title: 'Unauthorized',
      status: 401,
      code: 'unauthorized',
      detail: 'The request needs a valid token: Authorization: Bearer <token>.',
      instance: `${tokens}/self`,
    })
  })

  it('are taken with a scheme in any case, and not from the query', async () => {
    const { secret } = (await make({})).body
    const path = `${tokens}/self`
    expect((await hosted.client().get(path, { Authorization: `bearer ${secret}` })).status).toBe(200)
    expect((await hosted.client().get(`${path}?token=${secret}`)).status).toBe(401)
  })

  it('leave their traces in the audit log, never themselves', async () => {
    const { body } = await make({ name: 'traced' })
    await hosted.admin.delete(`${tokens}/${body.token.id}`)
    const audit = await hosted.admin.get(`/api/svc/audit?target=token:${body.token.id}`)
    expect(audit.body.map(({ action }: { action: string }) => action)).toEqual([
      'token.revoke',
      'token.create',
    ])
    expect(audit.body[0]).toMatchObject({ project: null, actor: 'token:bootstrap' })
    expect(audit.text).not.toContain(body.secret.slice(8, -4))
  })

  it('have every scope that there is when they bring up a service', async () => {
    const { body } = await hosted.admin.get(`${tokens}/self`)
    expect(body.token).toMatchObject({ scopes: [...scopes], projects: 'all', expires_at: null })
  })

  it('cost nobody an error in the log', () => {
    expect(hosted.errors).toEqual([])
  })
})
