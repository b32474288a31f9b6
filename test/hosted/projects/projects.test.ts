import { expect, it } from 'vitest'
import { describeEngines, useHosted } from '../support/engines.ts'
import { glossary, make, pointers } from '../support/records.ts'

describeEngines('projects on $name', engine => {
  const hosted = useHosted(engine)
  const projects = '/api/svc/projects'

  it('a fresh database has project 1', async () => {
    const { body } = await hosted.admin.get(`${projects}/1`)
    expect(body).toMatchObject({ id: 1, name: 'default', identifier: null, revision: 0, version: 1 })
  })

  it('are created, renamed and listed', async () => {
    const made = await hosted.admin.post(projects, { name: 'Shop' })
    expect(made.status).toBe(201)
    const { id } = made.body.project
    expect(made.headers.get('location')).toBe(`${projects}/${id}`)
    expect((await hosted.admin.get(`${projects}/${id}`)).body).toEqual(made.body.project)
    const renamed = await hosted.admin.patch(`${projects}/${id}`, { name: 'Store', description: 'All of it' })
    expect(renamed.body.project).toMatchObject({ id, name: 'Store', description: 'All of it', version: 2 })
    const list = await hosted.admin.get(`${projects}?name=Store`)
    expect(list.body).toEqual([(await hosted.admin.get(`${projects}/${id}`)).body])
    const stale = await hosted.admin.patch(`${projects}/${id}`, { name: 'X' }, { 'If-Match': '"v1"' })
    expect(stale.status).toBe(412)
  })

  it('are changed with the tag that reading them gave', async () => {
    const { id } = (await hosted.admin.post(projects, { name: 'Tagged' })).body.project
    const tag = (await hosted.admin.get(`${projects}/${id}`)).headers.get('etag') ?? ''
    await make(hosted.admin, 'terms', { project: id, name: 'One more' })
    const read = await hosted.admin.get(`${projects}/${id}`, { 'If-None-Match': tag })
    expect(read.status).toBe(200)
    expect((await hosted.admin.patch(`${projects}/${id}`, { name: 'A' }, { 'If-Match': tag })).status).toBe(
      200,
    )
    expect((await hosted.admin.patch(`${projects}/${id}`, { name: 'B' }, { 'If-Match': tag })).status).toBe(
      412,
    )
  })

  it('take all that they hold out of sight, and bring it back', async () => {
    const { id } = (await hosted.admin.post(projects, { name: 'Short' })).body.project
    const term = await make(hosted.admin, 'terms', { project: id, name: 'Hidden soon' })
    expect((await hosted.admin.get(`${glossary}/terms/${term.id}`)).status).toBe(200)
    expect((await hosted.admin.delete(`${projects}/${id}`)).body).toEqual({ success: true })
    for (const path of [
      `${projects}/${id}`,
      `${glossary}/terms/${term.id}`,
      `${glossary}/terms?project=${id}`,
      `${glossary}/projects/${id}/export`,
    ]) {
      expect([path, (await hosted.admin.get(path)).status]).toEqual([path, 404])
    }
    expect((await hosted.admin.get(`/api/svc/search?q=hidden`)).body).toEqual([])
    expect((await hosted.admin.get(`${glossary}/terms?q=hidden`)).body).toEqual([])
    expect((await hosted.admin.post(`${glossary}/terms`, { project: id, name: 'x' })).status).toBe(404)

    expect((await hosted.admin.send('POST', `${projects}/${id}/restore`)).status).toBe(200)
    expect((await hosted.admin.get(`${glossary}/terms/${term.id}`)).body.name).toBe('Hidden soon')
    expect((await hosted.admin.send('POST', `${projects}/${id}/restore`)).status).toBe(409)
  })

  it.each([
    [{}, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: 'x', id: 7 }, '/id'],
    [{ name: 'x', identifier: 'y' }, '/identifier'],
  ])('%j makes none', async (body, pointer) => {
    const answer = await hosted.admin.post(projects, body)
    expect([answer.status, pointers(answer)]).toEqual([422, [pointer]])
  })
})
