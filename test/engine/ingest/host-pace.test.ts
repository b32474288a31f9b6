/** What many requests to one host make of its refusals and quotas, in counts: of requests, of refusals, of those on the way. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHostPaces } from '../../../cli/engine/ingest/rest/host-pace.ts'
import { quotaOf } from '../../../cli/engine/ingest/rest/retry.ts'
import { type RestServer, sendJson, startRestServer } from '../../support/rest-server.ts'
import { type Project, temporaryProject } from './fetching.ts'
import { fetchFast } from './rest-fetching.ts'

let project: Project
let server: RestServer
/** Requests that are being answered. */
let busy: number
let mostBusy: number
let refusals: number
let answers: number

beforeAll(async () => {
  project = temporaryProject()
  server = await startRestServer()
})
afterAll(async () => {
  await server.close()
  project.remove()
})
beforeEach(() => {
  busy = mostBusy = refusals = answers = 0
})

const pages = 120

function page(response: ServerResponse, number: number, headers: Record<string, string> = {}): void {
  answers++
  sendJson(response, { items: [{ id: number }], pages }, 200, headers)
}

/** A host that bears so many requests at a time, and refuses all others. */
function serveAtMost(most: () => number): void {
  server.route('/busy', async (request, response) => {
    busy++
    mostBusy = Math.max(mostBusy, busy)
    try {
      if (busy > most()) {
        refusals++
        return sendJson(response, { error: 'slow down' }, 429, { 'retry-after': '0' })
      }
      await new Promise(resolve => setTimeout(resolve, 5))
      page(response, Number(request.query.get('page')))
    } finally {
      busy--
    }
  })
}

const ingest = (resource: string) => `ingest:
  type: rest_api
  endpoint: ${server.origin}
  resource: ${resource}
  records: items
  paginate: {type: page, total: pages}
  limits: {concurrency: 8, retries: 12}`

const hosts = () => createHostPaces({ maxPauseMs: 5000 })

describe('a host that refuses', () => {
  it('is asked less by all sources, and hardly refuses any more', async () => {
    serveAtMost(() => 2)
    const shared = hosts()
    const [one, two] = await Promise.all([
      fetchFast(ingest('busy'), { hosts: shared }, project),
      fetchFast(ingest('busy'), { hosts: shared }, project),
    ])
    expect([one.fetched.rows, two.fetched.rows]).toEqual([pages, pages])
    expect(answers).toBe(2 * pages)
    // Sources that know nothing of each other run into a refusal with every second request.
    expect(refusals).toBeLessThan(60)
    const learnt = refusals
    refusals = 0
    await Promise.all([
      fetchFast(ingest('busy'), { hosts: hosts() }, project),
      fetchFast(ingest('busy'), { hosts: hosts() }, project),
    ])
    expect(refusals).toBeGreaterThan(learnt)
  })

  it('is asked more again when it bears more', async () => {
    serveAtMost(() => (answers < 30 ? 1 : 100))
    const shared = hosts()
    await fetchFast(ingest('busy'), { hosts: shared }, project)
    mostBusy = 0
    await fetchFast(ingest('busy'), { hosts: shared }, project)
    expect(mostBusy).toBeGreaterThan(4)
  })
})

describe('a quota', () => {
  it('is not overdrawn by several sources at a time', async () => {
    let end = 0
    let used = 0
    server.route('/quota', (request, response) => {
      const now = Date.now()
      if (now >= end) {
        end = now + 1000
        used = 0
      }
      used++
      const headers = { 'ratelimit-remaining': String(Math.max(0, 100 - used)), 'ratelimit-reset': '1' }
      if (used <= 100) return page(response, Number(request.query.get('page')), headers)
      refusals++
      sendJson(response, { error: 'over quota' }, 429, headers)
    })
    const shared = hosts()
    const found = await Promise.all([1, 2].map(() => fetchFast(ingest('quota'), { hosts: shared }, project)))
    expect(found.map(({ fetched }) => fetched.rows)).toEqual([pages, pages])
    expect(refusals).toBe(0)
  })

  it('is read as servers write it', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    const quota = { remaining: 5, resetMs: 30_000 }
    expect(quotaOf({ 'ratelimit-remaining': '5', 'ratelimit-reset': '30' }, now)).toEqual(quota)
    expect(quotaOf({ 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '1767225630' }, now)).toEqual(quota)
    expect(quotaOf({ ratelimit: 'limit=10, remaining=5, reset=30' }, now)).toEqual(quota)
    expect(quotaOf({ ratelimit: '"default";r=5;t=30' }, now)).toEqual(quota)
    expect(quotaOf({ 'ratelimit-remaining': '5' }, now)).toBeUndefined()
    expect(quotaOf({ 'ratelimit-remaining': 'many', 'ratelimit-reset': '30' }, now)).toBeUndefined()
  })

  it('that ends long after is left to the host', async () => {
    const host = createHostPaces({ maxPauseMs: 1000 }).of('http://x')
    const { signal } = new AbortController()
    const visit = await host.enter(signal)
    visit.heard(200, { 'ratelimit-remaining': '0', 'ratelimit-reset': '3600' }, new Date())
    visit.leave()
    await expect(host.enter(signal)).resolves.toBeDefined()
  })
})

it('who waits for a host ends with the run', async () => {
  const host = hosts().of('http://x')
  const controller = new AbortController()
  const visit = await host.enter(controller.signal)
  visit.heard(429, {}, new Date())
  const second = host.enter(controller.signal)
  controller.abort(new Error('interrupted'))
  await expect(second).rejects.toThrow('interrupted')
})
