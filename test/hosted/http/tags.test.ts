/** Which answers have an `ETag`: the service does what the page and the OpenAPI document say. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { AnyRoute } from '../../../hosted-api/http/index.ts'
import { openApiDocument } from '../../../hosted-api/openapi/index.ts'
import { describedRoutes } from '../../../hosted-api/routes.ts'
import { describeEngines, useHosted } from '../support/engines.ts'
import { make, makeTerm } from '../support/records.ts'

const routes = describedRoutes('0').filter(({ method, scope }) => method === 'GET' && scope !== 'public')
const document = openApiDocument(routes, '0')

describeEngines('the tag of an answer on $name', engine => {
  const hosted = useHosted(engine)
  const records = new Map<string, number>()
  let asset = 0
  let hash = ''

  beforeAll(async () => {
    const term = await makeTerm(hosted)
    const { status } = await hosted.admin.post('/api/svc/metadata/projects/1/upload', {
      project: { id: 'shop' },
      assets: [{ id: 'orders', definition_hash: 'abcdef0123', schema: { columns: [{ name: 'id' }] } }],
      versions: { orders: [{ hash: 'abcdef0123', deployed_at: '2026-01-02T03:04:05Z' }] },
    })
    expect(status).toBe(200)
    asset = (await hosted.admin.get('/api/svc/metadata/projects/1/assets')).body[0].id
    const versions = await hosted.admin.get(`/api/svc/metadata/assets/${asset}/versions`)
    hash = versions.body.versions[0].hash
    records.set('terms', term.id)
    const project = 1
    for (const [plural, body] of [
      ['metrics', { project, name: 'M', sql_definition: 'select 1' }],
      ['dimensions', { project, name: 'D' }],
      ['policies', { project, name: 'P', rule: 'r' }],
      ['links', { term: term.id, asset }],
    ] as const)
      records.set(plural, (await make(hosted.admin, plural, body)).id)
  })

  function addressOf({ path, project, query }: AnyRoute): string {
    const filled = path
      .replace(/:project\w*|:version|:id/g, '1')
      .replace(':ref', String(records.get(path.split('/')[4] ?? '')))
      .replace(':asset', String(asset))
      .replace(':hash', hash)
    const parameters = Object.keys(query?.properties ?? {})
    const asked = [
      ...(project.from === 'query' ? ['project=1'] : []),
      ...(parameters.includes('q') ? ['q=term'] : []),
    ]
    return asked.length === 0 ? filled : `${filled}?${asked.join('&')}`
  }

  it.each(routes.map(route => [route.path, route] as const))('%s is as it is described', async (_, route) => {
    const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.['get']
    const address = addressOf(route)
    const answer = await hosted.admin.get(address)
    expect(answer.status).toBe(200)
    const tag = answer.headers.get('etag')
    expect(tag !== null).toBe(Object.keys(operation?.responses ?? {}).includes('304'))
    if (tag === null) return
    const again = await hosted.admin.get(address, { 'If-None-Match': tag })
    expect([again.status, again.text]).toEqual([304, ''])
    await makeTerm(hosted)
    const later = await hosted.admin.get(address, { 'If-None-Match': tag })
    expect([200, 304]).toContain(later.status)
    if (/^"p\d+/.test(tag)) expect(later.status).toBe(200)
  })

  it('is missing where the page says so', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/hosted/glossary.md'), 'utf8')
    expect(page.replace(/\s+/g, ' ')).toContain(
      'Answers about several projects (a list without `project`, the list of projects), tokens and the audit log have none, nor has the `metadata` of an asset',
    )
    const without = routes.filter(({ cached }) => cached !== true).map(({ id }) => id)
    expect(without.sort()).toEqual([
      'getAssetMetadata',
      'getOwnToken',
      'getToken',
      'listAudit',
      'listProjects',
      'listTokens',
    ])
    for (const route of routes.filter(({ project }) => project.from === 'query')) {
      const [path, query = ''] = addressOf(route).split('?')
      const { status, headers } = await hosted.admin.get(`${path}?${query.replace('project=1', '')}`)
      if (status === 200) expect(headers.get('etag'), path).toBe(null)
    }
  })
})
