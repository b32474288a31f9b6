/** A fetch that ended too soon goes on from its next page, and brings what a fetch without a break brings. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { restSource } from '../../../cli/engine/ingest/rest/rest-source.ts'
import type { FetchContext, IngestOf } from '../../../cli/engine/ingest/source.ts'
import { driftText } from '../../../cli/engine/ingest/source-drift.ts'
import { sendJson } from '../../support/rest-server.ts'
import { type ContextChanges, contextFor } from './fetching.ts'
import { project, rest, server, useRestServer } from './rest-fetching.ts'

useRestServer()
beforeEach(() => server.refuse(() => undefined))

const once = 'limits: {retries: 0, concurrency: 1}'
const ahead = 'limits: {retries: 0, concurrency: 3}'

/** Everything is refused from the n-th request on, until `server.forget`. */
function refuseFrom(n: number, status = 503): void {
  server.forget()
  server.refuse(() => (server.requests.length >= n ? status : undefined))
}

function heal(): void {
  server.refuse(() => undefined)
  server.forget()
}

async function fetchIn(context: FetchContext) {
  const notes: string[] = []
  const ingest = context.asset.definition.ingest as IngestOf<'rest_api'>
  const source = restSource(ingest, { backoff: { baseMs: 1, capMs: 2, random: () => 0 }, maxPauseMs: 5000 })
  const onProgress = ({ note }: { note?: string }) => void (note === undefined ? 0 : notes.push(note))
  const onWarning = ({ message }: { message: string }) => void notes.push(message)
  try {
    return { fetched: await source.fetch({ ...context, onProgress, onWarning }), notes, error: undefined }
  } catch (error) {
    return { fetched: undefined, notes, error: error as Error & { hint?: string } }
  }
}

function emptied(folder: string): string {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  return folder
}

/** A context that uses the spool of another one. */
function again(context: FetchContext, body: string, changes: ContextChanges = {}): FetchContext {
  return { ...contextFor(project, body, changes), spoolFolder: context.spoolFolder }
}

const ways = [
  ['/link', 'paginate: auto', once],
  ['/next', 'paginate: auto', once],
  ['/next-relative', 'paginate: {type: next_url, path: next}', once],
  ['/cursor', 'paginate: auto', once],
  ['/cursor-header', 'paginate: {type: cursor, header: X-Next, param: after}', once],
  ['/pages', 'paginate: auto', once],
  ['/pages', 'paginate: {type: page, total: total_pages}', ahead],
  ['/pages-until-empty', 'paginate: page', once],
  ['/offset', 'paginate: {type: offset, total: total}', once],
  ['/offset', 'paginate: {type: offset, total: total}', ahead],
  ['/offset', 'paginate: auto', once],
] as const

describe('a fetch that broke off', () => {
  it.each(ways)(
    '%s with %s (%s) goes on from its next page and gives the same load',
    async (path, ...lines) => {
      const body = rest(path, ...lines)
      const whole = await fetchIn(contextFor(project, body))
      const context = contextFor(project, body)
      for (const breakAt of [2, 4]) {
        refuseFrom(breakAt)
        const broken = await fetchIn(context)
        expect(broken.error?.message).toContain('status 503')
        heal()
      }
      const { fetched, notes } = await fetchIn(context)
      expect(notes[0]).toMatch(/^going on from page [3-5]: \d pages are kept$/)
      expect(fetched).toMatchObject({ loadId: whole.fetched?.loadId, rows: 47 })
      expect(fetched?.tables.map(({ shape }) => shape)).toEqual(
        whole.fetched?.tables.map(({ shape }) => shape),
      )
      expect(server.requests.length).toBeLessThan(6)
    },
  )

  it('says what is kept', async () => {
    refuseFrom(3)
    const { error } = await fetchIn(contextFor(project, rest('/cursor', once)))
    expect(error?.hint).toContain('2 pages are kept: svc run goes on from page 3 if the source is as it was.')
  })

  it('asks for nothing again when all pages are there', async () => {
    const context = contextFor(project, rest('/cursor', once))
    const whole = await fetchIn(context)
    heal()
    const { fetched, notes } = await fetchIn(context)
    expect(server.requests).toEqual([])
    expect(notes).toEqual(['all pages are kept'])
    expect(fetched?.loadId).toBe(whole.fetched?.loadId)
  })

  it.each([
    [
      'another request',
      { body: () => rest('/cursor', once, 'params: {since: 1}') },
      'the request is another one',
    ],
    ['a day later', { now: () => new Date('2026-01-03T03:04:05Z') }, 'it stopped more than 6 hours ago'],
  ])(
    'starts over for %s and says so',
    async (_what, change: { body?: () => string; now?: () => Date }, said) => {
      const body = rest('/cursor', once)
      const context = contextFor(project, body)
      refuseFrom(3)
      await fetchIn(context)
      heal()
      const changes = change.now === undefined ? {} : { now: change.now }
      const { fetched, notes } = await fetchIn(again(context, change.body?.() ?? body, changes))
      expect(notes[0]).toContain(said)
      expect(fetched?.rows).toBe(47)
      expect(server.requests.length).toBe(5)
    },
  )

  it.each([
    ['a spool that was cut', (folder: string) => truncateSync(join(folder, 'records-00001.ndjson'), 10)],
    [
      'a spool with another byte',
      (folder: string) => {
        const path = join(folder, 'records-00001.ndjson')
        writeFileSync(path, readFileSync(path, 'utf8').replace('n3', 'm3'))
      },
    ],
    [
      'a record of progress that was cut',
      (folder: string) => truncateSync(join(folder, 'progress.json'), 30),
    ],
  ])('starts over after %s', async (_what, damage) => {
    const context = contextFor(project, rest('/cursor', once))
    refuseFrom(3)
    await fetchIn(context)
    damage(context.spoolFolder)
    heal()
    const { fetched } = await fetchIn(context)
    expect(fetched?.rows).toBe(47)
    expect(server.requests.length).toBe(5)
  })

  it('starts over when the server knows its page no more', async () => {
    const context = contextFor(project, rest('/cursor', once))
    refuseFrom(3)
    await fetchIn(context)
    heal()
    // The token of the last kept page is known no more, or it is and the next one is not.
    for (const refused of [1, 2]) {
      server.refuse(() => (server.requests.length === refused ? 410 : undefined))
      const { fetched, notes } = await fetchIn(context)
      expect(notes.at(-1)).toContain('starting over from the first page')
      expect(fetched?.rows).toBe(47)
      refuseFrom(3)
      await fetchIn({ ...context, spoolFolder: emptied(context.spoolFolder) })
      heal()
    }
  })

  it('keeps no secret on the disk, and goes on with it all the same', async () => {
    const secret = 'p4ss/w+rd&x'
    const env = { API_KEY: secret }
    const body = rest('/next', once, 'params: {key: env:API_KEY}')
    const context = contextFor(project, body, { env })
    server.route('/next', (request, response) => {
      const page = Number(request.query.get('p') ?? 1)
      const key = encodeURIComponent(request.query.get('key') ?? '')
      const next = page < 4 ? `http://${request.headers['host']}/next?p=${page + 1}&key=${key}` : null
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ results: [{ id: page }], next, session: secret }))
    })
    refuseFrom(3)
    await fetchIn(context)
    for (const name of readdirSync(context.spoolFolder)) {
      const text = readFileSync(join(context.spoolFolder, name), 'utf8')
      expect(text).not.toContain(secret)
      expect(text).not.toContain(encodeURIComponent(secret))
    }
    heal()
    const { fetched } = await fetchIn(context)
    expect(fetched?.rows).toBe(4)
    expect(server.requests.map(({ query }) => query.get('key'))).toEqual([secret, secret, secret, secret])
  })

  it('that was interrupted in the middle of a page goes on from the page before', async () => {
    const context = contextFor(project, rest('/pages', 'paginate: {type: page, total: total_pages}', once))
    const controller = new AbortController()
    server.route('/slow', () => undefined)
    refuseFrom(99)
    const interrupted = { ...context, signal: controller.signal }
    const running = fetchIn(interrupted)
    server.refuse(() => {
      if (server.requests.length === 3) controller.abort()
      return undefined
    })
    expect((await running).fetched).toBeUndefined()
    heal()
    const { fetched, notes } = await fetchIn(context)
    expect(fetched?.rows).toBe(47)
    expect(notes[0]).toMatch(/^going on from page [23]: /)
  })
})

it('requests on the way when a fetch fails end without a word', async () => {
  server.route('/failing', (request, response) => {
    const page = Number(request.query.get('page') ?? 1)
    if (page === 1) sendJson(response, { items: [{ id: 1 }], total_pages: 8 })
    else if (page === 2) setTimeout(() => sendJson(response, { wrong: true }, 404), 30)
  })
  const limits = 'limits: {retries: 3, concurrency: 4}'
  const { error, notes } = await fetchIn(contextFor(project, rest('/failing', 'paginate: auto', limits)))
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(error?.message).toContain('status 404')
  expect(notes).toEqual([])
})

describe('a source that changed while a fetch was stopped', () => {
  const eighty = Array.from({ length: 80 }, (_, id) => ({ id }))
  let now: readonly { id: number }[] = eighty

  function pagesOf(size: number) {
    const page = (number: number) => now.slice((number - 1) * size, number * size)
    const last = () => Math.ceil(now.length / size)
    server.route('/by-number', (request, response) => {
      const number = Number(request.query.get('page') ?? 1)
      sendJson(response, { items: page(number), page: number, total_pages: last() })
    })
    server.route('/by-offset', (request, response) => {
      const offset = Number(request.query.get('offset') ?? 0)
      sendJson(response, { rows: now.slice(offset, offset + size), offset, total: now.length })
    })
    server.route('/by-link', (request, response) => {
      const number = Number(request.query.get('p') ?? 1)
      const link = number < last() ? { link: `<?p=${number + 1}>; rel="next"` } : {}
      sendJson(response, page(number), 200, link)
    })
    server.route('/by-hidden-offset', (request, response) => {
      const at = Number(
        Buffer.from(request.query.get('cursor') ?? '', 'base64')
          .toString()
          .slice(7) || 0,
      )
      const next = at + size < now.length ? Buffer.from(`offset:${at + size}`).toString('base64') : null
      sendJson(response, { data: now.slice(at, at + size), meta: { next_cursor: next } })
    })
    server.route('/by-key', (request, response) => {
      const below = request.query.get('cursor')
      const rest = now.filter(({ id }) => below === null || id < Number(below.slice(1)))
      const records = rest.slice(0, size)
      const next = rest.length > size ? `k${records.at(-1)?.id}` : null
      sendJson(response, { data: records, meta: { next_cursor: next } })
    })
  }

  const newestFirst = [...eighty].reverse()
  const inserted = [...Array.from({ length: 10 }, (_, n) => ({ id: 89 - n })), ...newestFirst]
  const deleted = newestFirst.filter(({ id }) => id < 60 || id >= 70)
  const appended = [...eighty, ...Array.from({ length: 10 }, (_, n) => ({ id: 80 + n }))]

  it.each(
    ['/by-number', '/by-offset', '/by-link', '/by-hidden-offset'].flatMap(path => [
      { path, what: '10 newer records', before: newestFirst, after: inserted },
      { path, what: '10 records gone', before: newestFirst, after: deleted },
      { path, what: '10 records at the end', before: eighty, after: appended },
    ]),
  )('$path with $what is loaded as it is now', async ({ path, before, after }) => {
    pagesOf(10)
    now = before
    const context = contextFor(project, rest(path, once, 'primary_key: id'))
    refuseFrom(4)
    expect((await fetchIn(context)).error?.message).toContain('status 503')
    heal()
    now = after
    const { fetched, notes } = await fetchIn(context)
    const whole = await fetchIn(contextFor(project, rest(path, once, 'primary_key: id')))
    expect(fetched?.rows).toBe(after.length)
    expect(fetched?.loadId).toBe(whole.fetched?.loadId)
    expect(notes[0]).toBe(
      after === appended
        ? 'going on from page 4: 3 pages are kept'
        : 'the source has changed since its pages were kept: starting over from the first page',
    )
  })

  it('goes on behind a key of which newer records change nothing', async () => {
    pagesOf(10)
    now = newestFirst
    const context = contextFor(project, rest('/by-key', once))
    refuseFrom(4)
    await fetchIn(context)
    heal()
    now = inserted
    const { fetched, notes } = await fetchIn(context)
    expect(notes).toEqual(['going on from page 4: 3 pages are kept'])
    expect(fetched?.rows).toBe(80)
    expect(server.requests).toHaveLength(6)
  })
})

it('what changed between pages is known also where another process goes on', async () => {
  const pages = [[{ id: 1, a: 1 }], [{ id: 2, a: 'x' }], [{ id: 3, b: 1 }], [{ id: 4, b: 2 }]]
  server.route('/drifting', (request, response) => {
    const number = Number(request.query.get('page') ?? 1)
    sendJson(response, { items: pages[number - 1], page: number, total_pages: pages.length })
  })
  const body = rest('/drifting', 'paginate: auto', once)
  const whole = await fetchIn(contextFor(project, body))
  expect(whole.fetched?.pageDrift.map(driftText)).toEqual([
    'column a is VARCHAR from page 2 on, BIGINT before',
    'column a is gone from page 3 on',
    'column b BIGINT is new on page 3',
  ])
  const context = contextFor(project, body)
  for (const breakAt of [2, 3, 4]) {
    server.refuse(({ query }) => (query.get('page') === String(breakAt) ? 503 : undefined))
    expect((await fetchIn(context)).error?.message).toContain('status 503')
    heal()
  }
  const { fetched, notes } = await fetchIn(context)
  expect(notes[0]).toBe('going on from page 4: 3 pages are kept')
  expect(fetched?.pageDrift).toEqual(whole.fetched?.pageDrift)
})
