/**
 * Every route of the table, asked by everybody: who has no right token gets one and the same refusal, who lacks the scope
 * is told so before his request is looked at, and what is in another project is exactly as absent as what is nowhere.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createTokenText } from '../../../hosted-api/access/token-text.ts'
import { type AnyRoute, scopes } from '../../../hosted-api/http/index.ts'
import { exampleOf, type JsonObject, openApiDocument } from '../../../hosted-api/openapi/index.ts'
import { describedRoutes } from '../../../hosted-api/routes.ts'
import type { Answer } from '../support/client.ts'
import { describeEngines, useHosted } from '../support/engines.ts'
import { make, makeAsset, makeProject } from '../support/records.ts'

const routes = describedRoutes('0.0.0')
const guarded = routes.filter(({ scope }) => scope !== 'public')
const document = openApiDocument(routes, '0.0.0')
const named = guarded.map(route => [`${route.method} ${route.path}`, route] as const)

/** In no database. */
const nowhere = 2_000_000_000
/** Stands in every text of the project that others must not see. */
const mark = 'Zebra'

describe('the table', () => {
  it('has a scope for each route, and a route for each scope', () => {
    const used = new Set(guarded.map(({ scope }) => scope).filter(scope => scope !== 'any'))
    expect([...used].sort()).toEqual([...scopes].sort())
  })

  it('asks for a token wherever the contract says so, and nowhere else', () => {
    for (const { path, scope } of routes) expect(scope === 'public', path).toBe(!path.startsWith('/api/svc/'))
  })

  it('says whose project a request is about, wherever the path has a number', () => {
    const ownerless = guarded.filter(({ params, project }) => params !== undefined && project.from === 'none')
    const paths = ownerless.map(({ path }) => path).filter(path => !path.startsWith('/api/svc/tokens/'))
    // A project that is deleted is no project that a request could be about.
    expect(paths).toEqual(['/api/svc/projects/:project_id/restore'])
  })
})

describeEngines('everybody on $name', engine => {
  const hosted = useHosted(engine)
  const secrets = new Map<string, string>()
  const ids = { hidden: 0, own: 0 }
  /** Record numbers in the hidden project, by the start of the path. */
  const records = new Map<string, number>()

  async function mint(name: string, body: object): Promise<{ readonly id: number; readonly secret: string }> {
    const answer = await hosted.admin.post('/api/svc/tokens', { name, ...body })
    if (answer.status !== 201) throw new Error(answer.text)
    secrets.set(name, answer.body.secret)
    return { id: answer.body.token.id, secret: answer.body.secret }
  }

  beforeAll(async () => {
    ids.hidden = 1
    ids.own = await makeProject(hosted)
    const { admin } = hosted
    const asset = await makeAsset(hosted, `${mark}_asset`, ids.hidden)
    const about = { project: ids.hidden, description: mark }
    const term = (await make(admin, 'terms', { ...about, name: mark, id: 'term.zebra' })).id
    const metric = (
      await make(admin, 'metrics', { ...about, name: mark, sql_definition: `select 1 as ${mark}` })
    ).id
    const dimension = (await make(admin, 'dimensions', { ...about, name: mark })).id
    const policy = (await make(admin, 'policies', { ...about, name: mark, rule: mark })).id
    const link = (await make(admin, 'links', { term, asset })).id
    const glossary = { terms: term, metrics: metric, dimensions: dimension, policies: policy, links: link }
    for (const [plural, id] of Object.entries(glossary)) records.set(`/api/svc/glossary/${plural}/`, id)
    records.set('/api/svc/metadata/assets/', asset)
    for (const scope of scopes) await mint(scope, { scopes: [scope], projects: 'all' })
    await mint('foreign', { scopes, projects: [ids.own] })
    await mint('old', { scopes, projects: 'all' }).then(({ id }) => admin.delete(`/api/svc/tokens/${id}`))
    records.set('/api/svc/tokens/', (await mint('hidden', { scopes, projects: [ids.hidden] })).id)
  })

  /** The request of a route, about one record or project. */
  async function ask(
    route: AnyRoute,
    project: number,
    record: number,
    token: string | undefined,
  ): Promise<Answer> {
    const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
      /project/.test(route.path.split(`/:${name}`)[0] ?? '')
        ? String(project)
        : name === 'version'
          ? '1'
          : String(record),
    )
    const query =
      route.project.from === 'query' && !route.path.includes(':')
        ? `?${route.project.parameter}=${project}`
        : ''
    const client = hosted.client(token)
    if (route.body === undefined) return client.send(route.method, path + query)
    const body = bodyOf(route, project, record)
    const type = route.bodyRule?.accepts?.[0] ?? 'application/json'
    return client.send(route.method, path + query, {
      body: JSON.stringify(body),
      headers: { 'Content-Type': type },
    })
  }

  function recordOf(route: AnyRoute): number {
    return [...records].find(([start]) => route.path.startsWith(start))?.[1] ?? 1
  }

  describe.each(named)('%s', (_, route) => {
    it('refuses whoever has no right token, in the same words', async () => {
      const tokens = [undefined, 'junk', createTokenText(), secrets.get('old')]
      const answers = await Promise.all(tokens.map(token => ask(route, ids.hidden, recordOf(route), token)))
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
      expect(new Set(answers.map(comparable)).size).toBe(1)
    })

    it('does not know what is in another project', async () => {
      const token = secrets.get('foreign')
      const [hidden, absent] = [
        await ask(route, ids.hidden, recordOf(route), token),
        await ask(route, nowhere, nowhere, token),
      ]
      expect(hidden.text).not.toMatch(new RegExp(mark, 'i'))
      if (route.project.from === 'none' && route.params === undefined) return
      expect(comparable(hidden)).toBe(comparable(absent))
      expect(hidden.status).toBeGreaterThanOrEqual(400)
    })

    const { scope: needed } = route
    if (needed === 'any') return
    it('is for who has its scope', async () => {
      const others = scopes.filter(scope => scope !== needed)
      const answers = await Promise.all(
        others.map(scope => hosted.client(secrets.get(scope)).send(route.method, fill(route, nowhere))),
      )
      expect(answers.map(({ status }) => status)).toEqual(others.map(() => 403))
      expect(new Set(answers.map(comparable)).size).toBe(1)
      const right = await hosted.client(secrets.get(needed)).send(route.method, fill(route, nowhere))
      expect([401, 403]).not.toContain(right.status)
    })
  })

  it('sees nothing of another project in lists, counts, searches and tags', async () => {
    const lists = guarded.filter(({ method, params }) => method === 'GET' && params === undefined)
    const client = hosted.client(secrets.get('foreign'))
    for (const { path, query } of lists) {
      const words = Object.keys(query?.properties ?? {}).includes('q') ? [`?q=${mark}`, ''] : ['']
      for (const word of words) {
        const answer = await client.get(path + word)
        expect(answer.text, path + word).not.toMatch(new RegExp(mark, 'i'))
        const total = answer.headers.get('x-total-count')
        if (total !== null) expect(Number(total), path + word).toBe(answer.body.length)
      }
    }
    const tag = async () => (await client.get('/api/svc/glossary/terms')).headers.get('etag')
    const before = await tag()
    await make(hosted.admin, 'terms', { project: ids.hidden, name: `${mark} 2` })
    expect(await tag()).toBe(before)
  })

  it('cannot reach into another project from a body', async () => {
    const client = hosted.client(secrets.get('foreign'))
    const own = (await make(client, 'terms', { project: ids.own, name: 'Mine' })).id
    const asset = await makeAsset(hosted, 'mine', ids.own)
    const [term, hiddenAsset] = [
      records.get('/api/svc/glossary/terms/') ?? 0,
      records.get('/api/svc/metadata/assets/') ?? 0,
    ]
    const link = async (body: Readonly<Record<string, number>>) => {
      const answer = await client.post('/api/svc/glossary/links', body)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      // A number that one gave oneself may be told.
      return Object.values(body).reduce((told, id) => told.replaceAll(` ${id}.`, ' #.'), comparable(answer))
    }
    expect(await link({ term, asset })).toBe(await link({ term: nowhere, asset }))
    expect(await link({ term: own, asset: hiddenAsset })).toBe(await link({ term: own, asset: nowhere }))
    const both = await hosted.admin.post('/api/svc/glossary/links', { term: own, asset: hiddenAsset })
    expect(both.status).toBe(422)
    const moved = await hosted.admin.patch(`/api/svc/glossary/terms/${own}`, { project: ids.hidden })
    expect(moved.status).toBe(422)
  })

  it('does not get the answer that somebody else was given', async () => {
    const key = { 'Idempotency-Key': '"one"' }
    const body = { project: ids.own, name: 'Once' }
    const first = await hosted.admin.post('/api/svc/glossary/terms', body, key)
    const other = await hosted.client(secrets.get('foreign')).post('/api/svc/glossary/terms', body, key)
    expect(other.headers.get('idempotency-replayed')).toBe(null)
    expect(other.body.term.id).not.toBe(first.body.term.id)
  })

  it('makes no error of ours', () => {
    expect(hosted.errors).toEqual([])
  })

  function bodyOf(route: AnyRoute, project: number, record: number): unknown {
    const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
    const content = operation?.requestBody?.['content'] as JsonObject | undefined
    const [first] = Object.values(content ?? {}) as unknown as readonly { readonly schema: JsonObject }[]
    const example = exampleOf(first?.schema ?? {}, document, { requiredOnly: true })
    if (typeof example !== 'object' || example === null || Array.isArray(example)) return example
    const members = example as Readonly<Record<string, unknown>>
    return {
      ...members,
      ...('project' in members ? { project } : {}),
      ...('projects' in members ? { projects: [project] } : {}),
      ...('term' in members ? { term: record } : {}),
    }
  }
})

function fill(route: AnyRoute, id: number): string {
  return route.path.replace(/:version/g, '1').replace(/:\w+/g, String(id))
}

/** What is the same for a stranger whatever he asks about: all but numbers that he gave himself. */
function comparable({ status, text, headers }: Answer): string {
  const body = text.replace(/"request_id":"[^"]*"/, '').replace(/"instance":"[^"]*"/, '')
  const told = ['www-authenticate', 'allow', 'etag', 'link', 'location', 'x-total-count', 'content-type']
  return JSON.stringify([status, body, told.map(name => headers.get(name))])
}
