import { expect, it } from 'vitest'
import { describeEngines, useHosted } from '../support/engines.ts'
import { newName } from '../support/records.ts'

const terms = '/api/svc/glossary/terms'

describeEngines('a repeated request on $name', engine => {
  let now = new Date('2026-11-01T00:00:00.000Z')
  const hosted = useHosted(engine, { clock: () => now })
  const key = (word: string) => ({ 'Idempotency-Key': word })
  const count = async () => (await hosted.admin.get(`${terms}?project=1`)).body.length

  it('gets the first answer, and nothing happens twice', async () => {
    const body = { project: 1, name: newName('Once') }
    const before = await count()
    const first = await hosted.admin.post(terms, body, key('"a b"'))
    const second = await hosted.admin.post(terms, body, key('"a b"'))
    expect(first.headers.get('idempotency-replayed')).toBe(null)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(await count()).toBe(before + 1)
  })

  it('has one effect, however many come at once', async () => {
    const body = { project: 1, name: newName('Crowd') }
    const before = await count()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => hosted.admin.post(terms, body, key('crowd'))),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(answer => answer.body.term.id)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
    expect(await count()).toBe(before + 1)
  })

  it('without a key is another request: one of fifty equal ones gets the identifier', async () => {
    const body = { project: 1, name: 'Race', id: 'term.race' }
    const answers = await Promise.all(Array.from({ length: 50 }, () => hosted.admin.post(terms, body)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 409)])
  })

  it('that is another one is refused', async () => {
    await hosted.admin.post(terms, { project: 1, name: newName('A') }, key('other'))
    const answer = await hosted.admin.post(terms, { project: 1, name: newName('B') }, key('other'))
    expect([answer.status, answer.body.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('may use its key for another operation', async () => {
    const made = await hosted.admin.post(terms, { project: 1, name: newName('A') }, key('shared'))
    const changed = await hosted.admin.patch(
      `${terms}/${made.body.term.id}`,
      { description: 'x' },
      key('shared'),
    )
    expect(changed.body.term.description).toBe('x')
  })

  it('of something that is gone since still gets the first answer', async () => {
    const made = await hosted.admin.post(terms, { project: 1, name: newName('Gone') })
    const path = `${terms}/${made.body.term.id}`
    const [first, second] = [
      await hosted.admin.delete(path, key('gone')),
      await hosted.admin.delete(path, key('gone')),
    ]
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect((await hosted.admin.delete(path)).status).toBe(404)
  })

  it('that failed is tried again', async () => {
    const body = { project: 1, name: 'Later', id: 'term.later' }
    const first = await hosted.admin.post(terms, body)
    expect((await hosted.admin.post(terms, body, key('later'))).status).toBe(409)
    await hosted.admin.delete(`${terms}/${first.body.term.id}`)
    expect((await hosted.admin.post(terms, body, key('later'))).status).toBe(201)
  })

  it('is forgotten after a day', async () => {
    const body = { project: 1, name: newName('Day') }
    const first = await hosted.admin.post(terms, body, key('day'))
    const start = now
    now = new Date(start.getTime() + 24 * 3600 * 1000 - 1)
    expect((await hosted.admin.post(terms, body, key('day'))).body).toEqual(first.body)
    now = new Date(start.getTime() + 24 * 3600 * 1000 + 1)
    const later = await hosted.admin.post(terms, body, key('day'))
    expect(later.body.term.id).not.toBe(first.body.term.id)
    now = start
  })

  it('outlives a restart', async () => {
    const body = { project: 1, name: newName('Restart') }
    const first = await hosted.admin.post(terms, body, key('restart'))
    await hosted.restart()
    expect((await hosted.admin.post(terms, body, key('restart'))).body).toEqual(first.body)
  })

  it('does not get a secret a second time', async () => {
    const order = { name: 'x', scopes: ['glossary:read'], projects: [1] }
    const first = await hosted.admin.post('/api/svc/tokens', order, key('secret'))
    const second = await hosted.admin.post('/api/svc/tokens', order, key('secret'))
    expect(second.status).toBe(422)
    expect(second.text).not.toContain(first.body.secret)
    const kept = await hosted.service.storage.reads.all('select * from idempotency')
    expect(JSON.stringify(kept)).not.toContain(first.body.secret.slice(8, -4))
  })

  it.each(['', '""', '"a', 'a b', 'ä', 'a'.repeat(256)])('needs a key that is one, not %j', async word => {
    const answer = await hosted.admin
      .post(terms, { project: 1, name: newName('K') }, key(Buffer.from(word).toString('latin1')))
      .catch(() => undefined)
    expect(answer?.status ?? 400).toBe(400)
  })

  it('makes no error of ours', () => {
    expect(hosted.errors).toEqual([])
  })
})
