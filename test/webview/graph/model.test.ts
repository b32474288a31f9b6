import { describe, expect, test } from 'vitest'
import { closure, cyclesOf, lineageOf } from '../../../webview/graph/closure.ts'
import { filterOf } from '../../../webview/graph/filter.ts'
import { makeGraphModel, type NodeStatus } from '../../../webview/graph/model.ts'
import { makeView, type ViewOptions } from '../../../webview/graph/view.ts'
import { catalogOf, largeCatalog } from './catalogs.ts'

const nowMs = Date.parse('2026-01-02T00:00:00Z')
const shop = {
  ...catalogOf(
    ['raw', 'users', 'orders <- raw users', 'daily <- orders', 'weekly <- daily', 'other <- users'],
    [
      { name: 'orders', tags: ['core'], status: 'Failed', description: 'What was Bought' },
      { name: 'raw', freshness: { warn_after_seconds: 3600, error_after_seconds: 864_000 } },
      { name: 'daily', path: 'models/marts/daily.svc', active_hash: null, status: null, last_run: null },
    ],
  ),
  exposures: [
    { name: 'board', asset: 'daily', type: 'dashboard', url: null, owner: null, description: null },
    { name: 'board', asset: 'weekly', type: 'dashboard', url: null, owner: null, description: null },
  ],
}
const model = makeGraphModel(shop, nowMs)
const topologyOf = (given: typeof model) =>
  makeView(given, { scope: 'all', focus: null, expanded: [], kept: undefined }).topology
const named = (indexes: Iterable<number>) =>
  [...indexes].sort((a, b) => a - b).map(index => model.nodes[index]?.id)
const at = (name: string) => model.indexOf.get(name) ?? -1

describe('the model', () => {
  test('has assets and each exposure once, with what is drawn of them', () => {
    expect(named(model.nodes.keys())).toEqual([
      'raw',
      'users',
      'orders',
      'daily',
      'weekly',
      'other',
      'exposure:board',
    ])
    expect(model.nodes.map(node => node.status)).toEqual([
      'deployed',
      'deployed',
      'failed',
      'never',
      'deployed',
      'deployed',
      'never',
    ])
    expect(model.nodes[0]?.freshness).toBe('warn')
    expect(model.nodes.map(node => node.group)).toEqual([
      'sources',
      'sources',
      'models',
      'marts',
      'models',
      'models',
      'exposures',
    ])
    expect(model.edges).toHaveLength(7)
  })

  test('keeps its topology when only the data changes', () => {
    const assets = shop.assets.map(asset => ({ ...asset, status: 'Failed' as const }))
    expect(topologyOf(makeGraphModel({ ...shop, assets }, nowMs))).toBe(topologyOf(model))
    expect(topologyOf(makeGraphModel({ ...shop, exposures: [] }, nowMs))).not.toBe(topologyOf(model))
  })
})

describe('closures', () => {
  test.each([
    ['up', 'daily', Infinity, ['raw', 'users', 'orders', 'daily']],
    ['up', 'daily', 1, ['orders', 'daily']],
    ['down', 'users', 1, ['users', 'orders', 'other']],
    ['down', 'orders', Infinity, ['orders', 'daily', 'weekly', 'exposure:board']],
    ['down', 'other', 0, ['other']],
  ] as const)('%s from %s by %s', (direction, start, steps, expected) => {
    expect(named(closure(model, [at(start)], direction, steps))).toEqual(expected)
  })

  test('leave out the siblings', () => {
    expect(named(lineageOf(model, at('orders')))).not.toContain('other')
  })

  test('end on a cycle, and find it', () => {
    const looped = makeGraphModel(catalogOf(['a <- c', 'b <- a', 'c <- b', 'd <- c', 'e <- e', 'f']), nowMs)
    expect(closure(looped, [0], 'down').size).toBe(4)
    expect(cyclesOf(looped)).toEqual([[0, 1, 2], [4]])
    expect(cyclesOf(model)).toEqual([])
  })
})

describe('the filter', () => {
  const kept = (text: string) => {
    const found = filterOf(model, shop, { text })
    return 'problem' in found ? found.problem : found.kept === undefined ? 'all' : named(found.kept)
  }
  test.each([
    ['', 'all'],
    ['orders', ['orders']],
    ['+orders', ['raw', 'users', 'orders']],
    ['orders+1', ['orders', 'daily', 'exposure:board']],
    ['tag:core', ['orders']],
    ['path:marts', ['daily', 'exposure:board']],
    ['result:failed', ['orders']],
    ['state:new', ['daily', 'exposure:board']],
    ['!users+,!raw', []],
    ['ord', ['orders']],
    ['bought', ['orders']],
    ['board', ['exposure:board']],
    ['exposure:board', ['daily', 'weekly', 'exposure:board']],
  ])('%s', (text, expected) => {
    expect(kept(text)).toEqual(expected)
  })

  test('takes away what the legend has switched off, also what only a run says', () => {
    const left = (hidden: string[], live?: ReadonlyMap<string, NodeStatus>) => {
      const found = filterOf(model, shop, { text: '', hidden: new Set(hidden), live })
      return 'kept' in found && found.kept !== undefined ? named(found.kept) : []
    }
    expect(left(['kind:source', 'kind:exposure'])).not.toContain('raw')
    expect(left(['kind:source'])).toContain('exposure:board')
    // An exposure has no status and no tests: it stays.
    expect(left(['status:ok', 'status:failed', 'status:never', 'tests:none'])).toEqual(['exposure:board'])
    expect(left(['status:running'])).toContain('daily')
    expect(left(['status:running'], new Map([['daily', 'running']]))).not.toContain('daily')
  })

  test('says what it does not understand, as the command line does', () => {
    expect(kept('tag:cor')).toContain('no asset has the tag "cor"; did you mean "core"?')
    expect(kept('+ord')).toContain('no asset is called "ord"')
    expect(kept('materialize:view')).toContain('does not know "materialize:"')
  })
})

describe('the view', () => {
  const view = (options: Partial<ViewOptions>, of = model) =>
    makeView(of, { scope: 'all', focus: null, expanded: [], kept: undefined, ...options })

  test('shows what is around an asset, with the count of what is not', () => {
    const direct = view({ scope: 'direct', focus: 'daily' })
    expect(direct.nodes.map(node => [node.id, node.hiddenUp, node.hiddenDown])).toEqual([
      ['orders', 2, 0],
      ['daily', 0, 0],
      ['weekly', 0, 0],
      ['exposure:board', 0, 0],
    ])
    expect(view({ scope: 'near', focus: 'weekly' }).nodes.map(node => node.id)).toEqual([
      'orders',
      'daily',
      'weekly',
      'exposure:board',
    ])
  })

  test('grows by one step where it was opened, step after step', () => {
    const ids = (expanded: string[]) =>
      view({ scope: 'direct', focus: 'weekly', expanded }).nodes.map(node => node.id)
    expect(ids(['up:daily'])).toContain('orders')
    expect(ids(['up:daily', 'up:orders'])).toContain('raw')
    // Not in view: opens nothing.
    expect(ids(['up:orders'])).not.toContain('raw')
  })

  test('shows what was opened by hand although a filter leaves it out', () => {
    const orders = model.indexOf.get('orders') ?? -1
    const ids = (expanded: string[]) => view({ kept: new Set([orders]), expanded }).nodes.map(node => node.id)
    expect(ids([])).toEqual(['orders'])
    expect(ids(['down:orders'])).toEqual(['orders', 'daily'])
  })

  test('closes folders of a large rest of a filter too', () => {
    const large = makeGraphModel(largeCatalog(600), nowMs)
    const kept = new Set(large.nodes.keys())
    kept.delete(0)
    expect(view({ kept }, large).nodes.length).toBeLessThan(20)
  })

  test('closes folders of large graphs until they are opened', () => {
    const large = makeGraphModel(largeCatalog(600), nowMs)
    const closed = view({}, large)
    expect(closed.nodes.every(node => node.node === undefined)).toBe(true)
    expect(closed.nodes.reduce((sum, node) => sum + node.members.length, 0)).toBe(large.nodes.length)
    const opened = view({ expanded: ['group:raw'] }, large)
    expect(opened.nodes).toHaveLength(closed.nodes.length - 1 + 150)
    expect(view({ expanded: ['group:*'] }, large).nodes).toHaveLength(large.nodes.length)
    expect(view({ focus: 'model_300', scope: 'near' }, large).nodes.length).toBeLessThanOrEqual(60)
  })
})
