/** Files of a web server: what is asked for, how they are packed, and what goes wrong. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { showsSource } from '../../support/features/shows.ts'
import { fetchOnly, load, type Project, peek, temporaryProject } from './fetching.ts'
import { inWordsOfDuckdb } from './loaded-tables.ts'

let project: Project
let server: Server
let endpoint: string
let asked: IncomingMessage[]
let answer: (request: IncomingMessage, response: ServerResponse) => void

beforeAll(async () => {
  project = temporaryProject()
  server = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/data`
})
afterAll(() => {
  server.close()
  project.remove()
})
beforeEach(() => {
  asked = []
})

const ingest = (resource: string, more = '') =>
  `ingest: {type: file, endpoint: "${endpoint}", resource: "${resource}"${more}}`
const csv = 'id,name\n1,Ann\n2,Bob\n'

it('are read like those of a folder, whatever they are', async () => {
  showsSource(['https'], ['replace', 'mask', 'max_rows'])
  answer = (_request, response) => response.end(csv)
  const { rows } = await load(project, ingest('people.csv'))
  expect(rows['']).toEqual([
    { id: '1', name: 'Ann' },
    { id: '2', name: 'Bob' },
  ])
  expect(asked.map(({ url, headers }) => [url, headers['accept-encoding']])).toEqual([
    ['/data/people.csv', 'identity'],
  ])
  const few = await load(project, ingest('people.csv', ', mask: {name: redact}, limits: {max_rows: 1}'))
  expect(few.rows['']).toEqual([{ id: '1', name: '***' }])
  answer = (_request, response) => response.end('{"id":7,"lines":[{"sku":"a"}]}\n')
  expect((await load(project, ingest('orders.ndjson'))).rows['lines']).toMatchObject([{ sku: 'a' }])
})

it('may be packed, by themselves and for the way', async () => {
  answer = (_request, response) => response.end(gzipSync(csv))
  expect((await load(project, ingest('people.csv.gz'))).rows['']).toHaveLength(2)
  answer = (_request, response) => response.setHeader('Content-Encoding', 'gzip').end(gzipSync(csv))
  expect((await load(project, ingest('people.csv'))).rows['']).toHaveLength(2)
  expect((await load(project, ingest('people.csv.gz'))).rows['']).toHaveLength(2)
})

it('have the same content as long as their bytes are the same', async () => {
  answer = (_request, response) => response.end(csv)
  const [first, second] = [
    await fetchOnly(project, ingest('people.csv')),
    await fetchOnly(project, ingest('people.csv')),
  ]
  expect(second.loadId).toBe(first.loadId)
})

it('are asked for with the credentials of the asset, which no redirect takes elsewhere', async () => {
  answer = (_request, response) => response.end(csv)
  await load(project, ingest('people.csv', ', credentials: env:TOKEN'), { env: { TOKEN: 'secret-1' } })
  expect(asked[0]?.headers.authorization).toBe('Bearer secret-1')
  answer = (_request, response) => response.writeHead(302, { Location: 'http://127.0.0.2:1/x.csv' }).end()
  await expect(load(project, ingest('people.csv'))).rejects.toMatchObject({
    code: 'host-not-allowed',
    hint: expect.stringContaining('ingest.allow_hosts: [127.0.0.2:1]'),
  })
})

it('are tried again when the connection breaks, and when the server is busy', async () => {
  showsSource(['https'], ['retries'])
  answer = (_request, response) => {
    if (asked.length === 1) response.writeHead(503, { 'Retry-After': '0' }).end()
    else if (asked.length === 2) {
      response.writeHead(200, { 'Content-Length': '100' }).write('id,name\n1,')
      setTimeout(() => response.destroy(), 20)
    } else response.end(csv)
  }
  expect((await load(project, ingest('people.csv'))).rows['']).toHaveLength(2)
  expect(asked).toHaveLength(3)
})

it('that are not there, too large, or not one are told', async () => {
  answer = (_request, response) => response.writeHead(404).end('no such file')
  await expect(load(project, ingest('people.csv'))).rejects.toMatchObject({
    code: 'http-status',
    message: `the file (${endpoint}/people.csv): status 404, it says "no such file"`,
  })
  answer = (_request, response) => response.end('x'.repeat(5000))
  await expect(load(project, ingest('people.csv', ', limits: {body: 1KB}'))).rejects.toMatchObject({
    message: expect.stringContaining('is larger than 1 KB (limits.body)'),
  })
  await expect(load(project, ingest('*.csv'))).rejects.toMatchObject({
    message: 'a web server does not list its files: "*.csv" has to name one',
  })
})

it('of which a part has come are not taken for whole', async () => {
  for (const status of [206, 204]) {
    answer = (_request, response) => response.writeHead(status).end(status === 206 ? csv : undefined)
    await expect(load(project, ingest('people.csv'))).rejects.toMatchObject({
      code: 'http-status',
      message: expect.stringContaining(`status ${status} and not 200, so that the whole file has not come`),
    })
  }
})

it('are not read whole to know their columns', async () => {
  let sent = 0
  answer = (_request, response) => {
    response.write('id,text\n')
    const line = `1,${'x'.repeat(1000)}\n`.repeat(100)
    const more = () => {
      while (!response.destroyed && sent < 200e6) {
        sent += line.length
        if (!response.write(line)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  }
  const tables = await peek(project, ingest('large.csv'))
  expect(tables[0]?.columns.map(({ name, type }) => `${name} ${inWordsOfDuckdb(type)}`)).toEqual([
    'id BIGINT',
    'text VARCHAR',
  ])
  expect(tables[0]?.complete).toBe(false)
  expect(sent).toBeLessThan(60e6)
})
