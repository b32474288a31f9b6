import { expect, it } from 'vitest'
import { nextIdentifier } from '../../../hosted-api/glossary/identifier.ts'
import { kinds } from '../../../hosted-api/glossary/kinds.ts'
import type { Queries } from '../../../hosted-api/storage/index.ts'
import { describeEngines, useHosted } from '../support/engines.ts'

describeEngines('terms on $name', engine => {
  const hosted = useHosted(engine)
  const terms = '/api/svc/glossary/terms'

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

  it.each([
    ['Café Größe', 'cafe_große'],
    ['Ünïcode (2nd)', 'unicode_2nd'],
    ['日本語だけ', '日本語だけ'],
    ['日本語だけ'.normalize('NFD'), '日本語だけ'],
    ['ガラス', 'ガラス'],
    ['한국 고객', '한국_고객'],
    ['Мой счёт', 'мой_счёт'],
    ['ग्राहक की संख्या', 'ग्राहक_की_संख्या'],
    ['ลูกค้า', 'ลูกค้า'],
    ['❤️ rate', 'rate'],
    ['\u0301\u0301', 'unnamed'],
  ])('called %s keep the words of their name', async (name, slug) => {
    const { status, body } = await hosted.admin.post(terms, { project: 1, name })
    expect([status, body.term?.identifier, body.warnings]).toEqual([201, `term.${slug}`, undefined])
    // One that was derived may be given.
    const path = `${terms}/${encodeURIComponent(body.term.identifier)}?project=1`
    expect((await hosted.admin.put(path, { name, id: body.term.identifier })).status).toBe(200)
    await hosted.admin.delete(path)
  })

  it('get an identifier of their name, another one each', async () => {
    const body = { project: 1, name: 'Net Sales' }
    const made = [
      await hosted.admin.post('/api/svc/glossary/terms', body),
      await hosted.admin.post('/api/svc/glossary/terms', body),
    ]
    expect(made.map(answer => answer.body.term.identifier)).toEqual(['term.net_sales', 'term.net_sales-2'])
  })

  it('get the number behind those that are taken, with one question however many they are', async () => {
    const { storage } = hosted.service
    const numbers: number[] = []
    while (numbers.length < 12) {
      const made = await hosted.admin.post('/api/svc/glossary/terms', { project: 1, name: 'Often' })
      numbers.push(Number(String(made.body.term.identifier).split('-')[1] ?? 1))
    }
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    let asked = 0
    const counted: Queries = {
      ...storage.reads,
      first: (query, values) => {
        asked++
        return storage.reads.first(query, values)
      },
    }
    expect(await nextIdentifier(counted, kinds.term, 1, 'term.often')).toBe('term.often-13')
    expect(await nextIdentifier(counted, kinds.term, 1, 'term.never')).toBe('term.never-2')
    // Another project and another kind have numbers of their own.
    expect(await nextIdentifier(counted, kinds.term, 2, 'term.often')).toBe('term.often-2')
    expect(await nextIdentifier(counted, kinds.metric, 1, 'term.often')).toBe('term.often-2')
    expect(asked).toBe(4)
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
