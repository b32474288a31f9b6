import { expect, it } from 'vitest'
import { describeEngines, useHosted } from '../support/engines.ts'

describeEngines('terms on $name', engine => {
  const hosted = useHosted(engine)

  it('are created, read and listed', async () => {
    const made = await hosted.admin.post('/api/svc/glossary/terms/', {
      project: 1,
      name: 'Customer',
      id: 'term.customer',
      description: 'Somebody who bought something',
      synonyms: ['client'],
      owner: 'a@b.co',
    })
    expect(made.status).toBe(201)
    expect(made.body.term).toMatchObject({
      name: 'Customer',
      identifier: 'term.customer',
      project: 1,
      version: 1,
    })
    expect(made.headers.get('location')).toBe(`/api/svc/glossary/terms/${made.body.term.id}`)

    const read = await hosted.admin.get(`/api/svc/glossary/terms/${made.body.term.id}`)
    expect(read.body).toEqual(made.body.term)
    const list = await hosted.admin.get('/api/svc/glossary/terms?project=1')
    expect(list.body).toEqual([made.body.term])
  })

  it('get an identifier of their name, another one each', async () => {
    const body = { project: 1, name: 'Net Sales' }
    const made = [
      await hosted.admin.post('/api/svc/glossary/terms', body),
      await hosted.admin.post('/api/svc/glossary/terms', body),
    ]
    expect(made.map(answer => answer.body.term.identifier)).toEqual(['term.net_sales', 'term.net_sales-2'])
  })

  it('keep their identifier for themselves', async () => {
    const first = await hosted.admin.post('/api/svc/glossary/terms', { project: 1, name: 'A', id: 'term.a' })
    const second = await hosted.admin.post('/api/svc/glossary/terms', { project: 1, name: 'B', id: 'term.a' })
    expect(second.status).toBe(409)
    expect(second.body).toMatchObject({
      success: false,
      code: 'already_exists',
      existing: { id: first.body.term.id },
    })
  })

  it('are not read by who has no token', async () => {
    const answer = await hosted.client().get('/api/svc/glossary/terms/1')
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
  })

  it('of another project are not there', async () => {
    const answer = await hosted.admin.post('/api/svc/glossary/terms', { project: 77, name: 'A' })
    expect(answer.status).toBe(404)
  })
})
