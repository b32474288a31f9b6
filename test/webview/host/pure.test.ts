/** What the hosts of the dashboard work out without a browser: guards, links, events, refusals, pages. */
import { describe, expect, it } from 'vitest'
import { withNewAssets } from '../../../cli/dashboard/new-assets.ts'
import { fillPage } from '../../../cli/dashboard/page-template.ts'
import { createEventParser, type ServerEvent } from '../../../webview/host/event-reader.ts'
import { refusal } from '../../../webview/host/http.ts'
import { hashOf, linkedFields } from '../../../webview/host/page-state.ts'
import { type ViewState, viewStateOf } from '../../../webview/host/view-state.ts'
import { asset, dataOf } from '../app/fake-host.ts'

const usual = viewStateOf({ version: 1 }) as ViewState

describe('a state that was saved', () => {
  it('is taken as it was', () => {
    const state: ViewState = {
      ...usual,
      selected: 'orders',
      tab: 'quality',
      view: 'table',
      scope: 'connected',
      focus: 'orders',
      lens: 'tests',
      filter: 'tag:core',
      hidden: ['kind:source'],
      column: { asset: 'orders', column: 'id' },
      wide: true,
      drawer: 500,
      closed: ['marts'],
      camera: { x: 1, y: -2, zoom: 0.5 },
      moved: { orders: [3, 4] },
      expanded: ['group:marts'],
    }
    expect(viewStateOf(JSON.parse(JSON.stringify(state)))).toEqual(state)
  })

  it('of another version, or of none, is not taken', () => {
    for (const value of [undefined, null, 7, 'x', [], {}, { version: 2 }, { version: '1' }]) {
      expect(viewStateOf(value)).toBeUndefined()
    }
  })

  it('loses what makes no sense in it, field by field', () => {
    const wrong = {
      version: 1,
      selected: 7,
      tab: '<script>',
      view: {},
      camera: { x: 'a', y: 0, zoom: 1 },
      moved: { a: [1], b: [1, 2], c: 'no', d: [Number.NaN, 1] },
      expanded: [1, 'x', null],
      column: { asset: 'a' },
      drawer: Number.POSITIVE_INFINITY,
      hidden: 'all',
    }
    expect(viewStateOf(wrong)).toEqual({ ...usual, moved: { b: [1, 2] }, expanded: ['x'] })
    expect(viewStateOf({ version: 1, camera: { x: 0, y: 0, zoom: 0 } })?.camera).toBeNull()
  })
})

describe('a link', () => {
  it('holds what one wants to show, and nothing at the beginning', () => {
    expect(hashOf(usual)).toBe('')
    const state: ViewState = { ...usual, selected: 'a&b=c', tab: 'code', view: 'runs', filter: '+x, tag:y z' }
    expect(linkedFields(hashOf(state))).toEqual({
      selected: 'a&b=c',
      tab: 'code',
      view: 'runs',
      filter: '+x, tag:y z',
    })
  })

  it('of somebody else says nothing', () => {
    expect(linkedFields('#/other/page?x=1')).toEqual({})
    expect(linkedFields('')).toEqual({})
  })
})

describe('an event of the server', () => {
  const eventsOf = (...texts: readonly string[]) => {
    const events: ServerEvent[] = []
    const parser = createEventParser(event => events.push(event))
    for (const text of texts) parser.feed(text)
    return events
  }

  it('is read with its id', () => {
    expect(eventsOf('id: r:7\nevent: log\ndata: {"line":"a: b"}\n\n')).toEqual([
      { id: 'r:7', type: 'log', data: { line: 'a: b' } },
    ])
    expect(eventsOf('event: change\ndata: {}\n\n')).toEqual([{ id: undefined, type: 'change', data: {} }])
  })

  it('may come in pieces', () => {
    expect(eventsOf('event: cha', 'nge\nda', 'ta: {"a', '":1}\n', '\nevent: ')).toEqual([
      { id: undefined, type: 'change', data: { a: 1 } },
    ])
  })

  it('is none where it is a sign of life, half of one, or no JSON', () => {
    for (const block of ['', ': here', 'retry: 1000', 'event: log', 'event: log\ndata: {"line"']) {
      expect(eventsOf(`${block}\n\n`)).toEqual([])
    }
  })
})

describe('a refusal', () => {
  it('says what it means to the page', () => {
    expect(refusal(401, {}).problem).toBe('expired')
    expect(refusal(403, { error: 'this dashboard is read-only' })).toMatchObject({
      problem: 'refused',
      message: 'this dashboard is read-only',
    })
    expect(refusal(404, {}).problem).toBe('unknown-run')
    expect(refusal(409, { error: 'x is running', run: { run: 'r1' } })).toMatchObject({
      problem: 'busy',
      runId: 'r1',
    })
    expect(refusal(409, { error: 'nothing was ever deployed' }).problem).toBe('failed')
    expect(refusal(500, { error: 'svc.yaml: unknown key', hint: 'Did you mean name?' })).toMatchObject({
      problem: 'failed',
      hint: 'Did you mean name?',
    })
  })
})

describe('the page', () => {
  it('takes texts as they are, whatever is in them', () => {
    const template =
      '<html data-mode="{{mode}}" data-project="{{project}}">{{policy}}<script nonce="{{nonce}}">{{data}}'
    const page = fillPage(template, {
      mode: 'static',
      project: '"><b>$& {{data}}',
      data: '{"a":"</script><!--<script>$1"}',
    })
    expect(page).toBe(
      '<html data-mode="static" data-project="&quot;&gt;&lt;b&gt;$&amp; {{data}}"><script nonce="">' +
        '<script type="application/json" id="svc-data">{"a":"\\u003c/script>\\u003c!--\\u003cscript>$1"}</script>',
    )
  })
})

describe('assets that were written since the last run', () => {
  const known = dataOf([asset('orders', { status: 'deployed' }), asset('gone')]).catalog
  const edge = { from: 'orders', to: 'fresh', kind: 'ref' as const, columns: [{ from: 'id', to: 'id' }] }

  it('stand beside what the run found, which stays as it is', () => {
    const outline = {
      ...dataOf([asset('orders', { downstream: ['fresh'] }), asset('fresh', { upstream: ['orders'] })])
        .catalog,
      lineage: [edge],
    }
    const merged = withNewAssets(known, outline)
    expect(
      merged.assets.map(({ name, status, upstream, downstream }) => [name, status, upstream, downstream]),
    ).toEqual([
      ['fresh', null, ['orders'], []],
      ['gone', null, [], []],
      ['orders', 'deployed', [], ['fresh']],
    ])
    expect(merged.lineage).toEqual([edge])
    expect(merged.generated_at).toBe(known.generated_at)
  })

  it('are none: the catalogue is the same one', () => {
    expect(withNewAssets(known, dataOf([asset('orders')]).catalog)).toBe(known)
  })
})
