import { expect, it } from 'vitest'
import { bootstrapToken, describeEngines, useHosted } from '../support/engines.ts'

const own = '/api/svc/tokens/self'

describeEngines('the bootstrap token on $name', engine => {
  const hosted = useHosted(engine)
  const other = 'svc_other_0123456789abcdefghijklmnopqrstuv'
  const status = async (token: string) => (await hosted.client(token).get(own)).status

  async function restart(token: string): Promise<readonly string[]> {
    const warnings: string[] = []
    await hosted.restart({ bootstrapToken: token, onWarning: line => warnings.push(line) })
    return warnings
  }

  it('is the same after a restart, without a warning', async () => {
    expect(await restart(bootstrapToken)).toEqual([])
    expect(await status(bootstrapToken)).toBe(200)
  })

  it('that another value has replaced stays revoked, and the next start says so', async () => {
    expect(await restart(other)).toEqual([])
    expect([await status(bootstrapToken), await status(other)]).toEqual([401, 200])
    const [warning = ''] = await restart(bootstrapToken)
    expect(warning).toMatch(
      /^SVC_HOSTED_BOOTSTRAP_TOKEN is token 1, which was revoked on .*: it is not accepted;/,
    )
    expect([await status(bootstrapToken), await status(other)]).toEqual([401, 200])
  })

  it('that was revoked does not come back', async () => {
    const { token } = (await hosted.client(other).get(own)).body
    expect((await hosted.client(other).delete(`/api/svc/tokens/${token.id}`)).status).toBe(200)
    expect(await restart(other)).toEqual([expect.stringContaining(`token ${token.id}, which was revoked`)])
    expect(await status(other)).toBe(401)
  })

  it('that was rotated is reported when it has expired', async () => {
    const third = `${other}_third`
    await restart(third)
    const { token } = (await hosted.client(third).get(own)).body
    const rotated = await hosted
      .client(third)
      .post(`/api/svc/tokens/${token.id}/rotate`, { grace_seconds: 1 })
    expect(rotated.status).toBe(201)
    expect(await status(third)).toBe(200)
    await new Promise(resolve => setTimeout(resolve, 1100))
    expect(await restart(third)).toEqual([expect.stringContaining(`token ${token.id}, which expired`)])
    expect(await status(rotated.body.secret)).toBe(200)
  })
})

describeEngines('a clock that is set back on $name', engine => {
  let now = new Date('2026-11-01T00:00:00.000Z')
  const hosted = useHosted(engine, { clock: () => now })

  it('does not make an expired token valid again', async () => {
    const made = await hosted.admin.post('/api/svc/tokens', {
      name: 'ci',
      scopes: ['glossary:read'],
      projects: [1],
    })
    const { id } = made.body.token
    await hosted.admin.post(`/api/svc/tokens/${id}/rotate`, { grace_seconds: 1 })
    const old = hosted.client(made.body.secret)
    expect((await old.get(own)).status).toBe(200)
    now = new Date(now.getTime() - 3_600_000)
    await expect.poll(async () => (await old.get(own)).status, { timeout: 20_000 }).toBe(401)
  })
})

describeEngines('the name of a token on $name', engine => {
  const hosted = useHosted(engine)
  const order = { scopes: ['glossary:read', 'glossary:write', 'audit:read'], projects: [1] }
  const make = (name: string) => hosted.admin.post('/api/svc/tokens', { ...order, name })

  it.each(['two\nlines', 'a\rb', 'turned \u202ename', 'tab\there', '   ', 'Bootstrap', ' bootstrap '])(
    '%j is refused',
    async name => {
      const { status, body } = await make(name)
      expect([status, body.errors]).toEqual([
        422,
        [{ pointer: '/name', code: expect.any(String), detail: expect.not.stringContaining('^') }],
      ])
    },
  )

  it('need not be the only one: the audit log has the number of the token', async () => {
    const first = (await make('ci')).body
    const second = (await make('ci')).body
    for (const { secret } of [first, second])
      await hosted.client(secret).post('/api/svc/glossary/terms', { project: 1, name: 'Audited' })
    for (const { token } of [first, second]) {
      const { body } = await hosted.admin.get(`/api/svc/audit?token=${token.id}`)
      expect(body).toMatchObject([{ actor: 'token:ci', token_id: token.id, action: 'term.create' }])
    }
  })
})
