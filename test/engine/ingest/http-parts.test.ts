import { createUtf8Check } from '@svc/server/catalog'
import { describe, expect, it, vi } from 'vitest'
import { nextLink, parseLinkHeader } from '../../../cli/engine/ingest/rest/link-header.ts'
import { createPace } from '../../../cli/engine/ingest/rest/pace.ts'
import type { PageSeen } from '../../../cli/engine/ingest/rest/paginate.ts'
import { claimsOf } from '../../../cli/engine/ingest/rest/paging/claims.ts'
import { waysFrom } from '../../../cli/engine/ingest/rest/paging/shapes.ts'
import { actionFor, askedToWaitMs, backoffMs, exhaustedForMs } from '../../../cli/engine/ingest/rest/retry.ts'
import {
  saidAt,
  stepsOf,
  truth,
  valueAt,
  wholeNumber,
  withValue,
} from '../../../cli/engine/ingest/rest/value-at.ts'

const now = new Date('2026-01-01T00:00:00Z')

describe('retries', () => {
  it('wait longer each time, up to a limit, with some chance', () => {
    const steady = { baseMs: 100, capMs: 1000, random: () => 0 }
    expect([1, 2, 3, 4, 5, 50].map(tries => backoffMs(tries, steady))).toEqual([50, 100, 200, 400, 500, 500])
    expect(backoffMs(1, { ...steady, random: () => 0.999 })).toBeCloseTo(100, 0)
  })

  it('wait as long as the server asks', () => {
    expect(askedToWaitMs({ 'retry-after': '3' }, now)).toBe(3000)
    expect(askedToWaitMs({ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, now)).toBe(7000)
    expect(askedToWaitMs({ 'retry-after': 'Thu, 01 Jan 2025 00:00:07 GMT' }, now)).toBe(0)
    expect(askedToWaitMs({ 'retry-after': 'soon' }, now)).toBeUndefined()
    expect(askedToWaitMs({ 'x-ratelimit-reset': String(now.getTime() / 1000 + 9) }, now)).toBe(9000)
    expect(exhaustedForMs({ 'ratelimit-remaining': '0', 'ratelimit-reset': '4' }, now)).toBe(4000)
    expect(exhaustedForMs({ 'ratelimit-remaining': '1', 'ratelimit-reset': '4' }, now)).toBeUndefined()
  })

  it('are for what may pass by itself', () => {
    const actions = [200, 204, 304, 400, 401, 404, 408, 425, 429, 500, 501, 503].map(status =>
      actionFor(status, {}),
    )
    expect(actions.join(' ')).toBe('ok ok fail fail fail fail retry retry retry retry fail retry')
    expect([actionFor(404, { '404': 'end' }), actionFor(500, { '500': 'fail' })]).toEqual(['end', 'fail'])
  })
})

describe('pace', () => {
  it('lets so many a second go, and nobody during a pause', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const pace = createPace(200)
      const { signal } = new AbortController()
      let gone = 0
      const go = () => void pace.turn(signal).then(() => gone++)
      for (let turn = 0; turn < 5; turn++) go()
      const seen: number[] = []
      for (let milliseconds = 0; milliseconds < 25; milliseconds += 5) {
        await vi.advanceTimersByTimeAsync(milliseconds === 0 ? 0 : 5)
        seen.push(gone)
      }
      expect(seen).toEqual([1, 2, 3, 4, 5])

      pace.pause(30)
      go()
      await vi.advanceTimersByTimeAsync(29)
      expect(gone).toBe(5)
      await vi.advanceTimersByTimeAsync(1)
      expect(gone).toBe(6)
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends with the run', async () => {
    const controller = new AbortController()
    const pace = createPace(undefined)
    pace.pause(60_000)
    const turn = pace.turn(controller.signal)
    controller.abort(new Error('interrupted'))
    await expect(turn).rejects.toThrow('interrupted')
  })
})

describe('Link headers', () => {
  it('are read as RFC 8288 writes them', () => {
    expect(
      parseLinkHeader('<https://a/?p=2,3>; rel="next last"; title="x, \\"y\\"", </b>; REL=prev;x'),
    ).toEqual([
      { target: 'https://a/?p=2,3', relations: ['next', 'last'], isEmpty: false },
      { target: '/b', relations: ['prev'], isEmpty: false },
    ])
    expect(nextLink('<u>; title="rel=next"; rel="nextish"')).toBeUndefined()
    expect(nextLink('no link at all')).toBeUndefined()
    expect(nextLink('<https://a/?p=2>; rel="next"; results="false"; cursor="0:100:0"')).toBeUndefined()
  })
})

describe('paths', () => {
  it('find values and set them', () => {
    const value = { a: { 'b.c': 1, d: [{ e: '12' }] } }
    expect(valueAt({ 'x.y': 1, x: { y: 2 } }, 'x.y')).toBe(1)
    expect(valueAt(value, 'a.d[0].e')).toBe('12')
    expect(wholeNumber(valueAt(value, 'a.d.0.e'))).toBe(12)
    const links = [
      { rel: 'self', href: '/1' },
      { relation: 'next', url: '/2' },
    ]
    expect(valueAt({ links }, 'links.next.url')).toBe('/2')
    const headers = { 'x-total': '12', 'x-pagination': '{"TotalPages": 3}' }
    expect(saidAt({ envelope: {}, headers }, 'header:X-Total')).toBe('12')
    expect(saidAt({ envelope: {}, headers }, 'header:X-Pagination.TotalPages')).toBe(3)
    expect(stepsOf('$.x[0].y')).toEqual(['x', '0', 'y'])
    expect(withValue({ a: { b: 1 }, c: 2 }, ['a', 'd'], 3)).toEqual({ a: { b: 1, d: 3 }, c: 2 })
  })
})

it('booleans are understood also as texts', () => {
  expect(['true', 'False', '0', 1, null, '', 'maybe', 7].map(truth)).toEqual([
    true,
    false,
    false,
    true,
    false,
    false,
    undefined,
    undefined,
  ])
})

describe('detection of paging', () => {
  const seen = (envelope: unknown, headers: Record<string, string> = {}, records = 10): PageSeen => {
    const url = new URL('http://api.example/things?page=0')
    return { request: { url, body: undefined, number: 1 }, url, headers, envelope, records, before: 0 }
  }

  it.each([
    [seen([], { link: '<?p=2>; rel=next' }), { type: 'link_header' }],
    [seen({ next: 'http://x/?p=9' }, { link: '<?p=1>; rel=first' }), { type: 'next_url', path: 'next' }],
    [seen({ count: 5, next: 'http://x/?p=2' }), { type: 'next_url', path: 'next' }],
    [seen({ _links: { next: { href: '/x?p=2' } } }), { type: 'next_url', path: '_links.next' }],
    [seen({ '@odata.nextLink': 'https://x/y' }), { type: 'next_url', path: '@odata.nextLink' }],
    [
      seen({ response_metadata: { next_cursor: 'abc' } }),
      { type: 'cursor', path: 'response_metadata.next_cursor', param: 'cursor', in: 'query' },
    ],
    [
      seen({ nextPageToken: 'abc' }),
      { type: 'cursor', path: 'nextPageToken', param: 'pageToken', in: 'query' },
    ],
    [
      seen({ paging: { cursors: { after: 'abc' } } }),
      { type: 'cursor', path: 'paging.cursors.after', param: 'after', in: 'query' },
    ],
    [
      seen({ meta: { total_pages: 4, current_page: 1 } }),
      { type: 'page', total: 'meta.total_pages', param: 'page', in: 'query', start: 1 },
    ],
    [
      seen({ page: { totalPages: 4, number: 0 } }),
      { type: 'page', total: 'page.totalPages', param: 'page', in: 'query', start: 0 },
    ],
    [
      seen({ offset: 0, limit: 10, total: 99 }),
      { type: 'offset', total: 'total', param: 'offset', in: 'query', start: 0 },
    ],
    [seen({ next: null, total_pages: 1, cursor: '' }), undefined],
    [seen({ has_more: 'false', next_cursor: '' }), undefined],
    [seen(undefined), undefined],
  ])('%# %j', (page, expected) => {
    expect(waysFrom(page, claimsOf(page))[0]).toEqual(expected)
  })
})

describe('UTF-8 in pieces', () => {
  it('is checked across their borders', () => {
    const text = Buffer.from('aé€😀z')
    for (let size = 1; size <= text.length; size++) {
      const check = createUtf8Check()
      for (let at = 0; at < text.length; at += size)
        expect(check.push(text.subarray(at, at + size))).toBe(true)
      expect(check.end()).toBe(true)
    }
    expect(createUtf8Check().push(Buffer.from([0x61, 0xff, 0x61]))).toBe(false)
    const cut = createUtf8Check()
    expect([cut.push(Buffer.from([0xe2, 0x82])), cut.end()]).toEqual([true, false])
    expect(createUtf8Check().push(Buffer.from([0x80, 0x80, 0x80, 0x80]))).toBe(false)
  })
})
