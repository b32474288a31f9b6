/** Snapshots of a project: names, graph, order, cycles, sharing; places of values; selectors. */
import {
  createProject,
  locate,
  type NodePath,
  type Project,
  parseAsset,
  parseSettings,
  selectAssets,
} from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { reading } from '../../support/engine.ts'
import { seededRandom } from '../../support/random.ts'
import { hash } from '../../support/spec-project.ts'

const settings = parseSettings(undefined)

/** `a: b c` is a file of an asset `a` that reads `b` and `c`. */
function textOf(name: string, reads: readonly string[], more = ''): string {
  const from = reads.map(each => `{{ ref('${each}') }}`).join(', ')
  return `name: ${name}\ningest: none\ntransform: |\n  SELECT 1 AS id${from === '' ? '' : ` FROM ${from}`}\n${more}`
}

function graph(edges: Readonly<Record<string, string>>): Project {
  const files = Object.entries(edges).map(([name, reads]) => ({
    path: `models/${name}.svc`,
    text: textOf(name, reads.split(' ').filter(Boolean)),
  }))
  return createProject({ settings, files, hash })
}

const shop = graph({
  customers: '',
  orders: 'customers',
  lines: 'orders',
  revenue: 'lines orders',
  board: 'revenue',
  notes: '',
})

describe('graph', () => {
  it('knows parents, children and an order', () => {
    expect(shop.parents('revenue')).toEqual(['lines', 'orders'])
    expect(shop.children('orders')).toEqual(['lines', 'revenue'])
    expect(shop.parents('nobody')).toEqual([])
    expect(shop.order).toEqual(['customers', 'notes', 'orders', 'lines', 'revenue', 'board'])
    expect(shop.cycles).toEqual([])
  })

  it('leaves out what does not exist, what only a test reads, and what is disabled', () => {
    const files = [
      {
        path: 'a.svc',
        text: textOf('a', ['gone', 'c', 'off'], "tests:\n  - sql: SELECT * FROM {{ ref('b') }}\n"),
      },
      { path: 'b.svc', text: textOf('b', []) },
      { path: 'c.svc', text: textOf('c', []) },
      { path: 'off.svc', text: textOf('off', [], 'deploy: {enabled: false}\n') },
    ]
    const project = createProject({ settings, files, hash })
    expect(project.parents('a')).toEqual(['c'])
    expect([...project.byName.keys()]).toEqual(['a', 'b', 'c'])
    expect([...project.assets.keys()]).toEqual(['a.svc', 'b.svc', 'c.svc', 'off.svc'])
  })

  it('gives the first file of a name the name', () => {
    const files = ['z', 'b', 'a'].map(stem => ({ path: `${stem}.svc`, text: textOf('same', []) }))
    const project = createProject({ settings, files, hash })
    expect(project.byName.get('same')?.path).toBe('a.svc')
    expect([...project.assets.keys()]).toEqual(['a.svc', 'b.svc', 'z.svc'])
  })

  it('finds every cycle with its path; what is behind it comes after it', () => {
    const project = graph({ a: 'c', b: 'a', c: 'b', d: 'c', e: 'd', f: 'f', g: 'h', h: 'g', i: '', j: 'g i' })
    expect(project.cycles).toEqual([
      ['a', 'c', 'b', 'a'],
      ['f', 'f'],
      ['g', 'h', 'g'],
    ])
    expect(project.order).toEqual(['i', 'a', 'b', 'c', 'f', 'g', 'h', 'd', 'j', 'e'])
  })

  it('names each member of tangled cycles at least once', () => {
    const project = graph({ a: 'b c', b: 'a', c: 'a d', d: 'c' })
    expect(new Set(project.cycles.flat())).toEqual(new Set(['a', 'b', 'c', 'd']))
    for (const cycle of project.cycles) {
      for (const [index, name] of cycle.slice(0, -1).entries())
        expect(project.parents(name)).toContain(cycle[index + 1])
    }
  })

  it('stands a chain and a ring of twenty thousand', () => {
    const count = 20_000
    const chain = graph(
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, n === 0 ? '' : `m${n - 1}`])),
    )
    expect(chain.order[0]).toBe('m0')
    expect(chain.order.at(-1)).toBe(`m${count - 1}`)
    const ring = chain.with('models/m0.svc', textOf('m0', [`m${count - 1}`]))
    expect(ring.cycles).toHaveLength(1)
    expect(ring.cycles[0]).toHaveLength(count + 1)
  })
})

describe('with', () => {
  it('shares every other asset and gives itself for the same text', () => {
    const changed = shop.with('models/orders.svc', textOf('orders', ['customers'], 'owner: me\n'))
    expect(changed.assets.get('models/lines.svc')).toBe(shop.assets.get('models/lines.svc'))
    expect(changed.byName.get('orders')?.definition.owner).toBe('me')
    expect(shop.byName.get('orders')?.definition.owner).toBeUndefined()
    expect(changed.with('models/orders.svc', changed.byName.get('orders')?.text)).toBe(changed)
    expect(shop.with('models/none.svc', undefined).order).toEqual(shop.order)
  })

  it('is the same as a new project, whatever is edited', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    for (let seed = 1; seed <= 60; seed++) {
      const random = seededRandom(seed)
      const files = new Map<string, string>()
      let project = createProject({ settings, files: [], hash })
      for (let step = 0; step < 25; step++) {
        const path = `models/${random.pick(names)}.svc`
        const reads = names.filter(() => random.below(5) === 0)
        const isGone = random.below(6) === 0
        const more = random.below(6) === 0 ? 'deploy: {enabled: false}\n' : ''
        const text = isGone ? undefined : textOf(random.pick(names), reads, more)
        if (text === undefined) files.delete(path)
        else files.set(path, text)
        // Some snapshots are asked in between, so that there is something to carry over.
        if (random.below(2) === 0) expect(project.order.length).toBe(project.byName.size)
        project = project.with(path, text)
      }
      const fresh = createProject({
        settings,
        files: Array.from(files, ([path, text]) => ({ path, text })),
        hash,
      })
      const note = `seed ${seed}`
      expect([...project.assets.keys()], note).toEqual([...fresh.assets.keys()])
      expect(new Map([...project.byName].map(([name, asset]) => [name, asset.path])), note).toEqual(
        new Map([...fresh.byName].map(([name, asset]) => [name, asset.path])),
      )
      expect(project.order, note).toEqual(fresh.order)
      expect(project.cycles, note).toEqual(fresh.cycles)
      for (const name of names) expect(project.children(name), note).toEqual(fresh.children(name))
    }
  })

  it('keeps the assets when the settings change', () => {
    const changed = shop.withSettings(parseSettings('name: other\n'))
    expect(changed.settings.name).toBe('other')
    expect(changed.assets).toBe(shop.assets)
  })
})

describe('locate', () => {
  const text = `name: a
ingest: none
transform: SELECT 1 AS id
tests:
  - not_null: [id, b]
  - unique: id
    severity: warn
  - range: {id: {min: 0}}
deploy:
`
  const asset = parseAsset('a.svc', text, reading, hash)
  const cases: [NodePath, 'key' | 'value', string][] = [
    [['name'], 'value', 'a'],
    [['name'], 'key', 'name'],
    [['tests', 0, 'not_null', 1], 'value', 'b'],
    [['tests', 0, 'not_null'], 'key', 'not_null'],
    [['tests', 1, 'unique', 0], 'value', 'id'],
    [['tests', 1, 'severity'], 'value', 'warn'],
    [['tests', 2, 'range', 'id', 'min'], 'value', '0'],
    [['tests', 2, 'range', 'id'], 'key', 'id'],
    [['tests', 2, 'range', 'id', 'max'], 'value', '{min: 0}'],
    [['ingest', 'type'], 'value', 'none'],
    [
      ['tests', 7],
      'value',
      '- not_null: [id, b]\n  - unique: id\n    severity: warn\n  - range: {id: {min: 0}}',
    ],
    [['deploy', 'keep'], 'value', 'deploy'],
    [['freshness', 'column'], 'value', 'name: a'],
  ]
  it.each(cases)('%j %s', (path, part, expected) => {
    const range = locate(asset, path, part)
    expect(text.slice(range.start, range.end)).toBe(expected)
  })

  it('gives the first line of an empty file', () => {
    expect(locate({ text: '# x\n', tree: undefined }, ['name'])).toEqual({ start: 0, end: 3 })
  })
})

describe('refs', () => {
  it('stand on the names, in transform, tests and relationships', () => {
    const text = textOf(
      'a',
      ['x'],
      'tests:\n  - relationships: {id: "other.id"}\n  - sql: SELECT * FROM {{ ref("t") }}\n',
    )
    const refs = parseAsset('a.svc', text, reading, hash).refs
    expect(refs.map(ref => [ref.name, ref.from, text.slice(ref.range.start, ref.range.end)])).toEqual([
      ['x', 'transform', 'x'],
      ['t', 'test', 't'],
      ['other', 'test', 'other'],
    ])
  })
})

describe('selectAssets', () => {
  const files = [
    ['sources/customers', textOf('customers', [], 'tags: [daily, pii]\n')],
    ['sources/orders', textOf('orders', ['customers'], 'tags: daily\n')],
    ['marts/lines', textOf('lines', ['orders'])],
    ['marts/deep/revenue', textOf('revenue', ['lines', 'orders'])],
    ['marts/deep/board', textOf('board', ['revenue'])],
    ['notes', textOf('notes', [])],
    ['off', textOf('off', [], 'deploy: {enabled: false}\n')],
  ].map(([path, text]) => ({ path: `models/${path}.svc`, text: text ?? '' }))
  const project = createProject({ settings, files, hash })
  const facts = { modified: new Set(['lines']), failed: new Set<string>() }

  const cases: [string, string][] = [
    ['orders', 'orders'],
    ['+orders', 'customers orders'],
    ['orders+', 'orders lines revenue board'],
    ['+lines+', 'customers orders lines revenue board'],
    ['notes, customers', 'customers notes'],
    ['orders,orders', 'orders'],
    ['tag:daily', 'customers orders'],
    ['+tag:pii+', 'customers orders lines revenue board'],
    ['path:models/marts', 'lines revenue board'],
    ['path:marts/deep/*.svc', 'revenue board'],
    ['path:**/o*', 'orders'],
    ['path:./models/*.svc', 'notes'],
    ['state:modified', 'lines'],
    ['state:modified+', 'lines revenue board'],
    ['result:failed', ''],
  ]
  it.each(cases)('%s', (selector, names) => {
    expect(selectAssets(project, selector, facts)).toEqual({ names: names.split(' ').filter(Boolean) })
  })

  const refusals: [string, string, RegExp][] = [
    ['ordes', 'no asset is called "ordes"; did you mean "orders"?', /^svc ls lists/],
    ['off', 'the asset "off" is disabled', /deploy\.enabled/],
    ['', '"" selects nothing', /Name an asset/],
    ['orders,', '"" selects nothing', /Name an asset/],
    ['+', '"+" selects nothing', /Name an asset/],
    ['tag:dayly', 'no asset has the tag "dayly"; did you mean "daily"?', /^Tags here: .*daily/],
    ['path:nowhere/*', 'no asset\'s file matches "nowhere/*"', /models\//],
    ['tags:daily', 'there is no selector "tags:"; did you mean "tag:"?', /^Selectors are/],
    ['state:nwe', 'there is no selector "state:nwe"; did you mean "state:new"?', /state:modified/],
    ['state:new', 'state:new cannot be used here', /state of the warehouse/],
  ]
  it.each(refusals)('refuses "%s"', (selector, problem, hint) => {
    expect(selectAssets(project, selector, facts)).toMatchObject({
      problem,
      hint: expect.stringMatching(hint),
    })
  })

  it('says so where the state is not known', () => {
    expect(selectAssets(project, 'state:modified')).toEqual({
      problem: 'state:modified cannot be used here',
      hint: 'It needs the state of the warehouse.',
    })
  })

  it('takes every character of a glob for what it is', () => {
    for (const glob of ['(', '[', '\\', '*(', 'a{b', '$^', '.']) {
      expect('problem' in selectAssets(project, `path:${glob}`), glob).toBe(true)
    }
  })
})
