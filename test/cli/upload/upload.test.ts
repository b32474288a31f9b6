/** `svc upload` as a user runs it, against a real store on this machine, and against servers that are none. */

import { existsSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../../server/contract/index.ts'
import { bootstrapToken, engines, useHosted } from '../../hosted/support/engines.ts'
import type { Result } from '../../support/cli.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'

let project: ProjectHere | undefined
let server: Server | undefined
afterEach(() => {
  project?.dispose()
  server?.close()
  server = undefined
})

const files = {
  'svc.yaml': 'name: shop\n',
  'models/customers.svc': [
    'name: customers',
    'ingest: {type: rows, rows: [{id: 1, email: a@b.co}]}',
    'transform: SELECT id, email FROM {{ source }}',
    'columns: {email: {pii: true}}',
    'tests: [{unique: id}]',
    '',
  ].join('\n'),
  'models/orders.svc': [
    'name: orders',
    'ingest: none',
    "transform: SELECT id, md5(email) AS who, email AS contact FROM {{ ref('customers') }}",
    'exposures: [{name: Board, type: dashboard}]',
    '',
  ].join('\n'),
  'glossary.yaml':
    'terms:\n  - name: Customer\nlinks:\n  - {term: Customer, asset: customers, column: id, role: primary_key}\n',
}

function shop(more: Readonly<Record<string, string>> = {}): ProjectHere {
  project = createProjectHere({ ...files, ...more })
  return project
}

async function listen(answer: RequestListener): Promise<string> {
  const listening = createServer(answer)
  server = listening
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
}

const upload = (
  of: ProjectHere,
  url: string,
  words: readonly string[] = [],
  token = bootstrapToken,
): Promise<Result> => of.svc(['upload', ...words], { env: { SVC_HOSTED_URL: url, SVC_HOSTED_TOKEN: token } })

/** Errors are wrapped at the width of the screen. */
const unwrapped = (text: string) => text.replace(/\s+/g, ' ')

const [engine] = engines
if (engine === undefined) throw new Error('there is no engine to test on')

describe('svc upload to a store', () => {
  const hosted = useHosted(engine)
  const url = () => hosted.service.url
  const manifest = async () => (await hosted.admin.get('/api/svc/metadata/projects/1/manifest')).body

  it('tells what it would do, does it, and finds nothing to do the second time', async () => {
    const of = shop()
    const dry = await upload(of, url(), ['--dry-run'])
    expect([dry.code, dry.stdout]).toEqual([
      0,
      `Would upload to project 1 at ${url().slice(7)}\n2 assets, 2 lineage edges, 2 schemas, 1 test\n2 added, 0 changed, 0 removed\nadded: customers, orders\n`,
    ])
    expect((await manifest()).assets).toEqual([])
    const first = await upload(of, url())
    expect([first.code, first.stdout]).toEqual([
      0,
      `Uploaded to project 1 at ${url().slice(7)}\n2 assets, 2 lineage edges, 2 schemas, 1 test\n2 added, 0 changed, 0 removed, 2 glossary entries\n`,
    ])
    const again = await upload(of, url())
    expect(again.stdout).toContain('Nothing has changed since the last upload.')
    const stored = await manifest()
    expect(stored.project).toMatchObject({ identifier: 'shop', warehouse: expect.stringContaining('duckdb') })
    expect(stored.lineage).toMatchObject([
      { from: 'customers', to: 'orders' },
      { from: 'orders', to: 'Board', kind: 'exposure' },
    ])
    const { body: uploads } = await hosted.admin.get('/api/svc/metadata/projects/1/uploads')
    expect(uploads).toMatchObject([{ source: 'cli', uploaded_by: expect.stringContaining('token:') }])
  })

  it('says of which assets not all columns are known, so that their links are taken', async () => {
    const open =
      'name: open\ningest: {type: rest_api, endpoint: http://127.0.0.1:9, resource: x}\ntransform: SELECT *, 1 AS n FROM {{ source }}\n'
    const links = `${files['glossary.yaml']}  - {term: Customer, asset: open, column: code}\n`
    const of = shop({ 'models/open.svc': open, 'glossary.yaml': links })
    const said = await of.json(['upload', '--json'], {
      env: { SVC_HOSTED_URL: url(), SVC_HOSTED_TOKEN: bootstrapToken },
    })
    expect(said.value).toMatchObject({ upload: { glossary_synced: 3, warnings: [] } })
    const stored = (await manifest()).schemas
    expect(stored.open.columns).toMatchObject([{ name: 'n' }])
    const { value: made } = await of.json(['manifest', '--json'])
    expect(made).toMatchObject({ schemas: { open: { complete: false } } })
    expect(made).not.toMatchObject({ schemas: { customers: { complete: false } } })
  })

  it('sends versions and test results of the runs that there were', async () => {
    const of = shop()
    expect((await of.svc(['run'])).code).toBe(0)
    const sent = await of.json(['upload', '--json', '--source', 'ci'], {
      env: { SVC_HOSTED_URL: url(), SVC_HOSTED_TOKEN: bootstrapToken },
    })
    expect(new Ajv2020({ strict: false }).validate(outputSchemas['upload'] ?? false, sent.value)).toBe(true)
    const { body: assets } = await hosted.admin.get('/api/svc/metadata/projects/1/assets?name=customers')
    const { body: versions } = await hosted.admin.get(`/api/svc/metadata/assets/${assets[0].id}/versions`)
    const told = await of.json(['versions', 'customers', '--json'])
    const [local] = (told.value as { versions: { hash: string; deployed_at: string }[] }).versions
    expect(versions.versions).toMatchObject([
      { status: 'deployed', active: true, source: 'ci', deployed_at: local?.deployed_at },
    ])
    expect(versions.versions[0].hash.slice(0, 12)).toBe(local?.hash.slice(0, 12))
    const { body: tests } = await hosted.admin.get(`/api/svc/metadata/assets/${assets[0].id}/tests`)
    // What a pipeline without svc would post: the files themselves.
    for (const file of ['svc_catalog.json', '.svc/manifest.json']) {
      const posted = await hosted.admin.send('POST', '/api/svc/metadata/projects/1/upload?source=webhook', {
        body: readFileSync(join(of.root, file)),
        headers: { 'Content-Type': 'application/json' },
      })
      expect([file, posted.status, posted.body.assets_synced]).toEqual([file, 200, 2])
    }
    expect(tests).toMatchObject({
      results: [{ name: 'unique_id', status: 'pass' }],
      summary: { total: 1, passed: 1 },
    })
  })

  it('sends what the last runs wrote where the warehouse cannot be read, and says so', async () => {
    const of = shop()
    expect((await of.svc(['run'])).code).toBe(0)
    of.write('warehouse.duckdb', 'no database')
    const sent = await upload(of, url())
    expect([sent.code, unwrapped(sent.stderr)]).toEqual([
      0,
      expect.stringContaining('Versions, times and test results are those of the last run here: '),
    ])
    const { body: assets } = await hosted.admin.get('/api/svc/metadata/projects/1/assets?name=customers')
    const { body: stored } = await hosted.admin.get(`/api/svc/metadata/assets/${assets[0].id}/versions`)
    const { assets: written } = JSON.parse(readFileSync(join(of.root, 'svc_catalog.json'), 'utf8'))
    const run_id = written.find(({ name }: { name: string }) => name === 'customers').deployed_by
    expect(stored.versions[0]).toMatchObject({ active: true, source: 'cli', run_id })
  })

  it('of a test that was removed the store tells no result any more', async () => {
    const of = shop({
      'models/orders.svc': `${files['models/orders.svc']}tests: [{not_null: id}, {unique: id}]\n`,
    })
    const send = async () => {
      expect((await of.svc(['run'])).code).toBe(0)
      expect((await upload(of, url())).code).toBe(0)
      const { body: assets } = await hosted.admin.get('/api/svc/metadata/projects/1/assets?name=orders')
      const { body } = await hosted.admin.get(`/api/svc/metadata/assets/${assets[0].id}/tests`)
      const { body: asset } = await hosted.admin.get(`/api/svc/metadata/assets/${assets[0].id}/metadata`)
      expect(asset.test_summary).toEqual(body.summary)
      return body
    }
    const names = ({ results }: { results: readonly { name: string }[] }) => results.map(({ name }) => name)
    expect(names(await send())).toEqual(['not_null_id', 'unique_id'])
    of.write('models/orders.svc', `${files['models/orders.svc']}tests: [{unique: id}]\n`)
    const less = await send()
    expect([names(less), less.summary.total]).toEqual([['unique_id'], 1])
    of.write('models/orders.svc', files['models/orders.svc'])
    const none = await send()
    expect([names(none), none.summary.total]).toEqual([[], 0])
  })

  it('makes no warehouse, and takes the number of the project from its variable', async () => {
    const of = shop()
    const said = await of.svc(['upload'], {
      env: { SVC_HOSTED_URL: url(), SVC_HOSTED_TOKEN: bootstrapToken, SVC_HOSTED_PROJECT: '77' },
    })
    expect([said.code, said.stderr]).toEqual([3, expect.stringContaining('has no project 77')])
    expect((await upload(of, url())).code).toBe(0)
    expect(existsSync(join(of.root, 'warehouse.duckdb'))).toBe(false)
  })

  it('tells which columns a change breaks', async () => {
    const of = shop({
      'models/orders.svc':
        "name: orders\ningest: none\ntransform: SELECT id FROM {{ ref('customers') }}\nexposures: [{name: Board, type: dashboard}]\n",
    })
    const { stdout, code } = await upload(of, url(), ['--dry-run'])
    expect(code).toBe(1)
    expect(stdout).toContain('breaks orders.contact goes away; hits Board (exposure)')
  })

  it('carries to the store what of personal data can be read, and what not', async () => {
    await upload(shop(), url())
    await hosted.admin.post('/api/svc/glossary/policies', {
      project: 1,
      name: 'P',
      rule: 'R',
      pii_columns: ['email'],
      applies_to: ['orders'],
    })
    const { body } = await hosted.admin.get('/api/svc/policies/check?project=1')
    // A hash of personal data is personal data.
    expect(body.policies[0].breaches).toMatchObject([
      { asset_name: 'orders', column: 'contact' },
      { asset_name: 'orders', column: 'who' },
    ])
  })

  it('is refused for another project, a wrong token and a project that is not there', async () => {
    const other = createProjectHere({ ...files, 'svc.yaml': 'name: library\n' })
    const mismatch = await upload(other, url())
    expect(mismatch.code).toBe(3)
    expect(unwrapped(mismatch.stderr)).toContain('Project 1 holds "shop", and the pack is of "library"')
    expect(unwrapped(mismatch.stderr)).toContain('--rebind')
    const wrong = await upload(other, url(), [], 'svc_wrong_0123456789')
    expect([wrong.code, wrong.stderr]).toEqual([
      3,
      expect.stringContaining('The token is unknown, expired or revoked'),
    ])
    expect(wrong.stderr + wrong.stdout).not.toContain('svc_wrong_0123456789')
    const nowhere = await upload(other, url(), ['--project', '77'])
    expect([nowhere.code, nowhere.stderr]).toEqual([3, expect.stringContaining('has no project 77')])
    other.dispose()
  })

  it('sends nothing of a project with errors', async () => {
    const of = shop({
      'models/bad.svc': "name: bad\ningest: none\ntransform: SELECT x FROM {{ ref('none') }}\n",
    })
    expect((await upload(of, url())).code).toBe(1)
  })
})

describe('svc upload to what is no store', () => {
  it('says what is missing', async () => {
    const of = shop()
    const run = (words: readonly string[], env: Record<string, string> = {}) =>
      of.svc(['upload', ...words], { env })
    expect((await run([])).stderr).toContain('SVC_HOSTED_URL')
    expect((await run(['--url', 'https://x.example'])).stderr).toContain('SVC_HOSTED_TOKEN')
    const literal = await run(['--url', 'https://x.example', '--token', 'svc_secret_1'])
    expect([literal.code, literal.stderr]).toEqual([2, expect.not.stringContaining('svc_secret_1')])
    expect((await run(['--url', 'ftp://x'], { SVC_HOSTED_TOKEN: 'x' })).code).toBe(2)
    expect(
      (await run(['--url', 'http://127.0.0.1:1', '--project', 'shop'], { SVC_HOSTED_TOKEN: 'x' })).code,
    ).toBe(2)
  })

  it('notices a web page and a redirect, and never follows it', async () => {
    const asked: (string | undefined)[] = []
    const page = await listen((request, response) => {
      asked.push(request.url)
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>')
    })
    const html = await upload(shop(), page)
    expect([html.code, html.stderr]).toEqual([3, expect.stringContaining('web page')])
    expect(asked).toEqual(['/api/svc/metadata/projects/1/upload'])
    server?.close()
    const redirect = await listen((_, response) =>
      response.writeHead(302, { Location: 'https://login.example/' }).end(),
    )
    expect(unwrapped((await upload(shop(), redirect)).stderr)).toContain('redirect to https://login.example')
  })

  it('goes through the proxy of the environment, but for places that need none', async () => {
    const asked: (string | undefined)[] = []
    const proxy = await listen(() => undefined)
    server?.on('connect', (request, socket) => {
      asked.push(request.url)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    const of = shop()
    const send = (env: Readonly<Record<string, string>>) =>
      of.svc(['upload', '--url', 'https://metadata.invalid'], {
        env: { SVC_HOSTED_TOKEN: bootstrapToken, HTTPS_PROXY: proxy, ...env },
      })
    expect((await send({ NO_PROXY: 'metadata.invalid' })).code).toBe(3)
    expect(asked).toEqual([])
    expect((await send({})).code).toBe(3)
    expect(asked[0]).toBe('metadata.invalid:443')
  }, 120_000)

  it('sends the same request again after a failure, under one key, compressed', async () => {
    const seen: { key: string | string[] | undefined; encoding: string | undefined }[] = []
    const flaky = await listen((request, response) => {
      seen.push({ key: request.headers['idempotency-key'], encoding: request.headers['content-encoding'] })
      request.resume().on('end', () => {
        if (seen.length === 1) {
          response.writeHead(503, { 'Retry-After': '0' }).end()
          return
        }
        const body = {
          success: false,
          code: 'too_large',
          status: 413,
          title: 'Too large',
          detail: 'A body may have 5 bytes here.',
          request_id: 'r1',
        }
        response.writeHead(413, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify(body))
      })
    })
    const { code, stderr } = await upload(shop(), flaky)
    expect([code, stderr]).toEqual([3, expect.stringContaining('--max-upload')])
    expect(seen).toHaveLength(2)
    expect(seen[0]?.key).toEqual(expect.stringMatching(/^".+"$/))
    expect(seen[1]).toEqual(seen[0])
    expect(seen[0]?.encoding).toBe('gzip')
  })
})

describe('svc upload to a store that has the bare contract (interface.md 2.9)', () => {
  const counts = { assets_synced: 2, lineage_edges_synced: 2, schemas_synced: 2, tests_synced: 1 }
  const answering = (body: unknown) =>
    listen((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      })
    })

  it('tells the counts of an answer that has nothing else', async () => {
    const of = shop()
    const url = await answering({ success: true, ...counts })
    const said = await upload(of, url)
    expect([said.code, said.stdout, said.stderr]).toEqual([
      0,
      `Uploaded to project 1 at ${url.slice(7)}\n2 assets, 2 lineage edges, 2 schemas, 1 test\n`,
      '',
    ])
    const json = await upload(of, url, ['--json'])
    expect([json.code, JSON.parse(json.stdout)]).toEqual([0, { success: true, ...counts }])
  })

  it.each([
    ['a refusal', { success: false, ...counts }, [], 'says that it did not take the upload'],
    ['other members', { ok: true }, [], 'it has no assets_synced'],
    ['no object', 'taken', [], 'it has no assets_synced'],
    ['nothing of a dry run', { success: true, ...counts }, ['--dry-run'], 'that it was a dry run'],
  ])('takes no answer of %s for an upload', async (_, body, words, says) => {
    const said = await upload(shop(), await answering(body), words)
    expect(said.code).toBe(3)
    expect(unwrapped(said.stderr)).toContain(says)
  })

  it('sends the glossary as one list of entries (2.8)', async () => {
    let sent: { readonly context_pack: { readonly glossary: readonly object[] } } | undefined
    const url = await listen(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const bytes = Buffer.concat(chunks)
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
      sent = JSON.parse(text.toString('utf8'))
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ success: true, ...counts }))
    })
    expect((await upload(shop(), url)).code).toBe(0)
    expect(sent?.context_pack.glossary).toMatchObject([{ kind: 'term', name: 'Customer' }])
  })
})
