/** A long question has the same answer in a process of its own as in the service. */
import { beforeAll, expect, it } from 'vitest'
import { pageMedia } from '../../../hosted-api/http/index.ts'
import { serviceBundle } from '../support/child.ts'
import type { Answer } from '../support/client.ts'
import { describeEngines, useHosted } from '../support/engines.ts'

const questions = { bundle: serviceBundle, processes: 1 }
const column = (name: string, more = {}) => ({ name, type: 'VARCHAR', ...more })
const pack = {
  project: { id: 'shop' },
  assets: [
    {
      id: 'customers',
      blocks: { ingest: { type: 'file' }, freshness: { warn_after: '12h', error_after: '24h' } },
      columns: [column('id'), column('email', { pii: true })],
    },
    { id: 'orders', blocks: { transform: 'SELECT 1' }, columns: [column('contact'), column('ä€😀')] },
    { id: 'board' },
  ],
  lineage: [
    { from: 'customers', to: 'orders', columns: [{ from: 'email', to: 'contact' }] },
    ['orders', 'board'],
  ],
}

const metadata = '/api/svc/metadata'
const glossary = '/api/svc/glossary'
const paths = [
  `${metadata}/projects/1/manifest`,
  `${metadata}/projects/1/assets`,
  `${metadata}/projects/1/assets?limit=21&fields=name&sort=-name`,
  `${metadata}/assets/1/metadata`,
  `${metadata}/assets/1/lineage?depth=all`,
  `${metadata}/assets/1/lineage?depth=all&format=graph`,
  `${metadata}/assets/1/lineage?level=column&depth=all`,
  `${metadata}/assets/1/impact`,
  '/api/svc/policies/check?project=1',
  `${glossary}/terms`,
  `${glossary}/terms?project=1&sort=-name`,
  `${glossary}/terms/1/versions`,
  `${glossary}/projects/1/export`,
  `${glossary}/projects/1/export?format=csv`,
  '/api/svc/search?q=customer&limit=200',
  '/api/svc/projects',
  '/api/svc/audit?limit=1000',
  '/api/svc/audit?target=term:1',
  // Mistakes that only the handler finds.
  `${metadata}/projects/1/assets?sort=nothing`,
  `${metadata}/projects/1/assets?cursor=forged`,
  `${metadata}/assets/1/lineage?level=column&column=nothing`,
]

const shown = ({ status, headers, text }: Answer) => {
  const told = [
    'content-type',
    'content-length',
    'etag',
    'link',
    'vary',
    'x-total-count',
    'content-disposition',
  ]
  return {
    status,
    text: text.replace(/"request_id":"[^"]+"/, ''),
    ...Object.fromEntries(told.map(name => [name, headers.get(name)])),
  }
}

const answered = (text: string) => Number(/^svc_questions_answered (\d+)$/m.exec(text)?.[1])

describeEngines('long questions on $name', engine => {
  const hosted = useHosted(engine, { questions, cacheBytes: 0 })

  beforeAll(async () => {
    const { admin } = hosted
    expect((await admin.post(`${metadata}/projects/1/upload?source=cli`, pack)).status).toBe(200)
    for (let count = 0; count < 30; count++)
      await admin.post(`${glossary}/terms`, { project: 1, name: `Customer ${count}`, description: 'ä€😀' })
    await admin.patch(`${glossary}/terms/1`, { description: 'Changed' })
    await admin.post(`${glossary}/policies`, { project: 1, name: 'No', rule: 'no', applies_to: ['*'] })
  })

  it('are answered as the service answers them', async () => {
    const ask = async () => {
      const answers = new Map<string, unknown>()
      for (const path of paths) {
        answers.set(path, shown(await hosted.admin.get(path)))
        answers.set(`${path} as a page`, shown(await hosted.admin.get(path, { Accept: pageMedia })))
      }
      return answers
    }
    const before = answered((await hosted.admin.get('/metrics')).text)
    const apart = await ask()
    expect(answered((await hosted.admin.get('/metrics')).text) - before).toBe(paths.length * 2)
    await hosted.restart({ questions: undefined })
    const here = await ask()
    await hosted.restart()
    expect(apart).toEqual(here)
    expect([...apart.values()].filter(answer => (answer as Answer).status === 200).length).toBeGreaterThan(30)
    expect(hosted.errors).toEqual([])
  })

  it('see what their client has written just before', async () => {
    for (let count = 0; count < 40; count++) {
      const made = await hosted.admin.post(`${glossary}/terms`, { project: 1, name: `Written ${count}` })
      const { id } = made.body.term
      const { body, headers } = await hosted.admin.get(`${glossary}/terms?project=1&sort=-id&limit=25`)
      expect(body[0].id).toBe(id)
      await hosted.admin.patch(`${glossary}/terms/${id}`, { description: 'New' })
      const again = await hosted.admin.get(`${glossary}/terms?project=1&sort=-id&limit=25`, {
        'If-None-Match': headers.get('etag') ?? '',
      })
      expect([again.status, again.body[0].description]).toEqual([200, 'New'])
    }
  })

  it('show each token its own projects', async () => {
    const other = await hosted.admin.post('/api/svc/projects', { name: 'Other' })
    const { id } = other.body.project
    const made = await hosted.admin.post('/api/svc/tokens', {
      name: 'other',
      scopes: ['glossary:read', 'metadata:read'],
      projects: [id],
    })
    const stranger = hosted.client(made.body.secret)
    expect((await stranger.get('/api/svc/projects')).body.map((each: { id: number }) => each.id)).toEqual([
      id,
    ])
    expect((await stranger.get('/api/svc/search?q=customer&limit=200')).body).toEqual([])
    expect((await stranger.get(`${metadata}/projects/1/manifest`)).status).toBe(404)
  })
})
