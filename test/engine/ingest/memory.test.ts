import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { externalPackages, optionalNatives } from '../../../scripts/external-packages.mjs'
import { times } from '../../support/long.ts'
import { type RestServer, sendJson, startRestServer } from '../../support/rest-server.ts'

const repository = resolve(import.meta.dirname, '../../..')
const filler = 'x'.repeat(300)
const record = (id: number) =>
  `{"id":${id},"who":{"name":"n${id}"},"lines":[{"sku":"a"},{"sku":"b"}],"note":"${filler}"}`
const page = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => record(first + index)).join(',')

/** The program itself is 10 MB of it; the rest are pages, or pieces of a file, on their way. */
const mostHeld = 32e6

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
    external: [...externalPackages, ...optionalNatives],
    logLevel: 'error',
  })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})

async function fetchInChild(
  resource: string,
  source: readonly [type: string, endpoint: string] = ['rest_api', server.origin],
): Promise<{ rows: number; bytes: number; most: number }> {
  const env = { ...process.env, NODE_PATH: join(repository, 'node_modules') }
  // Buffers that are swept by another thread later are counted as held though nobody holds them.
  const flags = ['--max-old-space-size=64', '--expose-gc', '--no-concurrent-array-buffer-sweeping']
  const args = [...flags, join(folder, 'child.cjs'), ...source, resource]
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

it('nested records in pages need no more memory than a few pages', async () => {
  const pages = times(60, 100)
  server.route('/pages', (request, response) => {
    const number = Number(request.query.get('page') ?? 1)
    sendJson(response, `{"items":[${page((number - 1) * 2000, 2000)}],"total_pages":${pages}}`)
  })
  const { rows, bytes, most } = await fetchInChild('pages')
  expect(rows).toBe(pages * 2000)
  expect(bytes).toBeGreaterThan(pages * 0.7e6)
  expect(most).toBeLessThan(mostHeld)
})

it('one large answer passes through without being held', async () => {
  const parts = times(60, 130)
  server.route('/whole', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    let sent = 0
    const more = () => {
      while (sent < parts) {
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
  expect(rows).toBe(parts * 2000)
  expect(bytes).toBeGreaterThan(parts * 0.7e6)
  expect(most).toBeLessThan(mostHeld)
})

const pieces = times(60, 200)

/** A file of more than may be held, written in pieces of 2,000 records. */
function writeLarge(
  name: string,
  start: string,
  between: string,
  end: string,
  piece: (first: number) => string,
) {
  const file = openSync(join(folder, name), 'w')
  for (let number = 0; number < pieces; number++) {
    writeSync(file, `${number === 0 ? start : between}${piece(number * 2000)}`)
  }
  writeSync(file, end)
  closeSync(file)
}

const list = (first: number) => page(first, 2000)
const lines = (first: number) => page(first, 2000).replaceAll('},{"id"', '}\n{"id"')
const csvLine = (id: number) => `${id},2024-01-01 00:00:00,${filler}`
const csv = (first: number) => Array.from({ length: 2000 }, (_, index) => csvLine(first + index)).join('\n')

it.each([
  ['list.json', '[', ',\n', ']', list],
  // Its records have to be cut out into a spool.
  ['envelope.json', '{"items":[', ',', '],"next":null}', list],
  ['lines.ndjson', '', '\n', '\n', lines],
  ['values.csv', 'id,at,note\n', '\n', '\n', csv],
] as const)('a large %s is read and typed without being held', async (name, start, between, end, piece) => {
  writeLarge(name, start, between, end, piece)
  const options = name === 'envelope.json' ? `${name}, options: {records: items}` : name
  const { rows, bytes, most } = await fetchInChild(options, ['file', folder])
  rmSync(join(folder, name))
  expect(rows).toBe(pieces * 2000)
  expect(bytes).toBeGreaterThan(pieces * 0.62e6)
  expect(most).toBeLessThan(mostHeld)
})
