import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { scopes } from '../../../hosted-api/http/index.ts'
import { docsPage, type JsonObject, openApiDocument } from '../../../hosted-api/openapi/index.ts'
import { describedRoutes } from '../../../hosted-api/routes.ts'
import { type EngineCase, engines, useHosted } from '../support/engines.ts'

const routes = describedRoutes('1.2.3')
const document = openApiDocument(routes, '1.2.3')

type Links = Readonly<
  Record<string, { readonly operationId: string; readonly parameters: Readonly<Record<string, string>> }>
>

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1', async () => {
    const validator = new Validator()
    const result = await validator.validate(JSON.parse(JSON.stringify(document)))
    expect(result).toMatchObject({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('has every route once, and nothing else', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    const there = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect([...described].sort()).toEqual([...there].sort())
    const names = routes.map(({ id }) => id)
    expect(new Set(names).size).toBe(names.length)
  })

  it('has operations with names that a program can use', () => {
    expect(routes.map(({ id }) => id).filter(id => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([])
  })

  it('knows no reference that leads nowhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    expect(references.length).toBeGreaterThan(0)
    for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty([name])
  })

  it('leads to every operation on a record, with all parameters of its path', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map(operation => ({ path, operation })),
    )
    const links = operations.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(({ links = {} }) => Object.values(links as Links)),
    )
    for (const { operationId, parameters } of links) {
      const names = operations.find(({ operation }) => operation.operationId === operationId)?.operation
      const inPath = names?.parameters.filter(each => each['in'] === 'path').map(each => each['name']) ?? []
      const given = Object.keys(parameters).filter(name => name.startsWith('path.'))
      expect(given, operationId).toEqual(inPath.map(name => `path.${name}`))
    }
    const reached = new Set(links.map(({ operationId }) => operationId))
    const onRecords = operations.filter(({ path }) => path.includes('{')).map(each => each.operation)
    expect(onRecords.map(({ operationId }) => operationId).filter(id => !reached.has(id))).toEqual([])
  })

  it.each([
    ['/api/svc/glossary/terms', 'post', '201', 'getTermVersion', '#/term/id', '#/term/version'],
    ['/api/svc/glossary/terms', 'get', '200', 'getTermVersion', '#/0/id', '#/0/version'],
    ['/api/svc/glossary/terms/{ref}/versions', 'get', '200', 'getTermVersion', 'ref', '#/0/version'],
    [
      '/api/svc/metadata/assets/{asset}/versions',
      'get',
      '200',
      'getAssetVersion',
      'asset',
      '#/versions/0/hash',
    ],
    ['/api/svc/projects', 'post', '201', 'getManifest', '#/project/id'],
    ['/api/svc/metadata/projects/{project}/uploads', 'get', '200', 'getProject'],
  ])('%s %s %s leads to %s', (path, method, status, target, ...places) => {
    const { links = {} } = document.paths[path]?.[method]?.responses[status] ?? {}
    const found = Object.values((links as Links)[target]?.parameters ?? {})
    expect(found).toEqual(
      places.map(place => (place.startsWith('#') ? `$response.body${place}` : `$request.path.${place}`)),
    )
  })

  it('says what lists take and refuse, and what a repeated or conditional request needs', () => {
    const terms = document.paths['/api/svc/glossary/terms'] ?? {}
    const named = (operation: { readonly parameters: readonly JsonObject[] } | undefined) =>
      new Map(operation?.parameters.map(each => [String(each['name']), each['schema'] as JsonObject]))
    const list = named(terms['get'])
    expect('-updated_at, name').toMatch(new RegExp(String(list.get('sort')?.['pattern'])))
    expect('nmae').not.toMatch(new RegExp(String(list.get('sort')?.['pattern'])))
    expect(list.get('cursor')).toHaveProperty('pattern')
    expect([...list.keys()]).toContain('If-None-Match')
    expect(Object.keys(terms['get']?.responses ?? {})).toEqual(expect.arrayContaining(['304', '414']))
    expect([...named(terms['post']).keys()]).toContain('Idempotency-Key')
    const change = named(document.paths['/api/svc/glossary/terms/{ref}']?.['patch'])
    expect([...change.keys()]).toEqual(expect.arrayContaining(['If-Match', 'Idempotency-Key']))
  })

  it('knows the items of every list', () => {
    const bare: string[] = []
    JSON.stringify(document, (name, value) => {
      if (value?.type === 'array' && value.items === undefined) bare.push(name)
      return value
    })
    expect(bare).toEqual([])
  })

  it('says of every guarded operation which scope it needs', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { description, security, responses } of Object.values(methods)) {
        const isGuarded = path.startsWith('/api/svc/')
        expect(security.length, path).toBe(isGuarded ? 1 : 0)
        if (!isGuarded) continue
        const named = [...description.matchAll(/`(.+?)`/g)].map(match => match[1])
        if (named.length === 0) expect(description, path).toBe('Any valid token.')
        else expect(scopes, path).toEqual(expect.arrayContaining(named))
        expect(Object.keys(responses), path).toEqual(expect.arrayContaining(['401', '429', '500']))
      }
    }
  })
})

describe('the documentation page', () => {
  const page = docsPage(document)

  it('needs nothing from another place', () => {
    expect(page).not.toMatch(/(src|href)="(?!#|\/openapi\.json)/)
    expect(page).not.toMatch(/url\(|@import|https?:\/\//)
  })

  it('has every operation', () => {
    for (const { id } of routes) expect(page).toContain(`id="${id}"`)
  })

  it('shows text as text', () => {
    const evil = { ...document, info: { ...document.info, title: '<img src=x onerror=alert(1)>' } }
    expect(docsPage(evil)).not.toContain('<img')
  })
})

describe('a running service', () => {
  const hosted = useHosted(engines[0] as EngineCase)

  it('describes itself', async () => {
    const answer = await hosted.client().get('/openapi.json')
    const { info: _, ...described } = answer.body
    const { info: __, ...expected } = JSON.parse(JSON.stringify(document))
    expect(described).toEqual(expected)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('shows its page, and lets nothing else run in it', async () => {
    const answer = await hosted.client().get('/docs/')
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';/)
    expect(policy).not.toContain('unsafe')
  })
})
