// Serves the earthquakes of the example page by page, as a web service would: `GET /earthquakes?page=2`.
// Loopback only. The records are those of the data set; the only change is that the products of a report, which the
// data set keeps as ",origin,phase-data,", are a list of objects, so that the example has a child table.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { dataFile } from './example.mjs'

const pageSize = 250

/**
 * Starts the service on a free port (or `port`).
 * @param {{ port?: number, busyOnce?: boolean }} [options] busyOnce: page 3 answers 503 the first time, as real
 *   services do now and then
 * @returns {Promise<{ url: string, requests: string[], close: () => Promise<void> }>} requests: what was asked, in order
 */
export async function startExampleServer({ port = 0, busyOnce = false } = {}) {
  const events = readEvents()
  const requests = []
  let busy = busyOnce
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://localhost')
    requests.push(`${address.pathname}${address.search}`)
    if (address.pathname !== '/earthquakes')
      return reply(response, 404, { error: `nothing at ${address.pathname}` })
    const page = Number(address.searchParams.get('page') ?? 1)
    if (!Number.isInteger(page) || page < 1)
      return reply(response, 400, { error: 'page is a number from 1 on' })
    if (busy && page === 3) {
      busy = false
      return reply(response, 503, { error: 'busy, ask again' }, { 'Retry-After': '0' })
    }
    reply(response, 200, pageOf(events, page))
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function pageOf(events, page) {
  const features = events.slice((page - 1) * pageSize, page * pageSize)
  const next = page * pageSize < events.length ? `/earthquakes?page=${page + 1}` : null
  return { type: 'FeatureCollection', count: events.length, features, links: { next } }
}

function readEvents() {
  const collection = JSON.parse(readFileSync(dataFile('earthquakes.json'), 'utf8'))
  return collection.features.map(({ id, properties: { types, ...properties }, geometry }) => ({
    id,
    properties,
    geometry,
    products: types
      .split(',')
      .filter(Boolean)
      .map(kind => ({ kind })),
  }))
}

function reply(response, status, body, headers = {}) {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await startExampleServer({ port: Number(process.argv[2] ?? 4400) })
  console.log(`Serving ${url}/earthquakes (Ctrl+C stops). In another terminal: export QUAKES_URL=${url}`)
}
