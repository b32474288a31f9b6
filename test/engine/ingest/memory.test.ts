import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RestServer, sendJson, startRestServer } from '../../support/rest-server.ts'

const repository = resolve(import.meta.dirname, '../../..')
const filler = 'x'.repeat(300)
const record = (id: number) =>
  `{"id":${id},"who":{"name":"n${id}"},"lines":[{"sku":"a"},{"sku":"b"}],"note":"${filler}"}`
const page = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => record(first + index)).join(',')

let server: RestServer
let folder: string
beforeAll(async () => {
  server = await startRestServer()
  folder = mkdtempSync(join(tmpdir(), 'svc-memory-test-'))
  buildSync({
    entryPoints: [join(repository, 'test/engine/ingest/memory-child.ts')],
    outfile: join(folder, 'child.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['@duckdb/node-bindings'],
    logLevel: 'error',
  })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})

async function fetchInChild(resource: string): Promise<{ rows: number; bytes: number; most: number }> {
  const env = { ...process.env, NODE_PATH: join(repository, 'node_modules') }
  const args = ['--max-old-space-size=64', join(folder, 'child.cjs'), server.origin, resource]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.on('data', chunk => {
    output += String(chunk)
  })
  child.stderr.on('data', chunk => {
    errors += String(chunk)
  })
  const code = await new Promise(done => child.on('close', done))
  expect(code, errors).toBe(0)
  return JSON.parse(output) as { rows: number; bytes: number; most: number }
}

it('200,000 nested records in pages need no more memory than a few pages', async () => {
  server.route('/pages', (request, response) => {
    const number = Number(request.query.get('page') ?? 1)
    sendJson(response, `{"items":[${page((number - 1) * 2000, 2000)}],"total_pages":100}`)
  })
  const { rows, bytes, most } = await fetchInChild('pages')
  expect(rows).toBe(200_000)
  expect(bytes).toBeGreaterThan(70e6)
  expect(most).toBeLessThan(48e6)
})

it('one answer of 100 MB passes through without being held', async () => {
  server.route('/whole', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    let sent = 0
    const more = () => {
      while (sent < 130) {
        sent++
        const start = sent === 1 ? '{"items":[' : ','
        if (!response.write(start + page(sent * 2000, 2000))) {
          response.once('drain', more)
          return
        }
      }
      response.end(']}')
    }
    more()
  })
  const { rows, bytes, most } = await fetchInChild('whole, records: items')
  expect(rows).toBe(260_000)
  expect(bytes).toBeGreaterThan(90e6)
  expect(most).toBeLessThan(80e6)
})
