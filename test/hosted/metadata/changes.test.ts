import { describe, expect, it } from 'vitest'
import { columnChanges } from '../../../hosted-api/metadata/pack/column-changes.ts'
import { comparePack, type KnownNode, type PackChange } from '../../../hosted-api/metadata/pack/compare.ts'
import { canonicalJson, contentHash } from '../../../hosted-api/metadata/pack/content-hash.ts'
import { readPack } from '../../../hosted-api/metadata/pack/read-pack.ts'
import { slicesOf } from '../../../hosted-api/metadata/pack/rows.ts'

describe('the hash of a content', () => {
  it('does not depend on the order of members, and does on that of items', () => {
    expect(contentHash({ a: 1, b: { c: [1, 2], d: undefined } })).toBe(
      contentHash({ b: { c: [1, 2] }, a: 1 }),
    )
    expect(contentHash([1, 2])).not.toBe(contentHash([2, 1]))
    expect(canonicalJson({ b: null, a: '"' })).toBe('{"a":"\\"","b":null}')
  })
})

describe('changes of columns', () => {
  const column = (type: string | null, more = {}) => [{ name: 'x', type, ...more }]
  const told = (before: Parameters<typeof columnChanges>[0], after: Parameters<typeof columnChanges>[1]) =>
    columnChanges(before, after).map(
      ({ column: name, change, breaking }) => `${name} ${change}${breaking ? '!' : ''}`,
    )

  it.each([
    ['INTEGER', 'INTEGER', []],
    ['int4', 'INTEGER', []],
    ['VARCHAR', 'text', []],
    ['decimal(10, 2)', 'NUMERIC(10,2)', []],
    ['INTEGER', 'BIGINT', ['x type']],
    ['BIGINT', 'INTEGER', ['x type!']],
    ['INTEGER', 'DOUBLE', ['x type']],
    ['BIGINT', 'DOUBLE', ['x type!']],
    ['VARCHAR(20)', 'VARCHAR(50)', ['x type']],
    ['VARCHAR(50)', 'VARCHAR(20)', ['x type!']],
    ['VARCHAR', 'VARCHAR(20)', ['x type!']],
    ['DECIMAL(10,2)', 'DECIMAL(12,2)', ['x type']],
    ['DECIMAL(10,2)', 'DECIMAL(10,4)', ['x type!']],
    ['DATE', 'VARCHAR', ['x type!']],
    [null, 'DATE', []],
  ])('%s to %s', (old, now, expected) => {
    expect(told(column(old), column(now))).toEqual(expected)
  })

  it('are columns that go and come, whatever their case', () => {
    expect(
      told(
        [
          { name: 'A', type: 'DATE' },
          { name: 'b', type: 'DATE' },
        ],
        [
          { name: 'a', type: 'DATE' },
          { name: 'c', type: 'DATE' },
        ],
      ),
    ).toEqual(['b removed!', 'c added'])
  })

  it('break where NULL may come and did not before', () => {
    expect(told(column('DATE', { nullable: false }), column('DATE', { nullable: true }))).toEqual([
      'x nullable!',
    ])
    expect(told(column('DATE', { nullable: true }), column('DATE', { nullable: false }))).toEqual([
      'x nullable',
    ])
    expect(told(column('DATE'), column('DATE', { nullable: true }))).toEqual([])
  })

  it('are personal data and descriptions too', () => {
    expect(told(column('DATE'), column('DATE', { pii: true, description: 'Born' }))).toEqual([
      'x pii',
      'x description',
    ])
  })

  it('are none where nothing was known', () => {
    expect(told(null, column('DATE'))).toEqual([])
    expect(told(column('DATE'), null)).toEqual([])
  })
})

describe('a pack against what is stored', () => {
  const asset = (id: string, more = {}) => ({ id, path: `models/${id}.svc`, ...more })

  function change(body: object, known: readonly KnownNode[] = []): PackChange {
    const outcome = readPack({ project: { id: 'shop' }, assets: [], ...body }, undefined)
    if (outcome.kind !== 'pack') throw new Error(JSON.stringify(outcome.problems))
    return comparePack(outcome.pack, known)
  }

  /** What is known after the body was uploaded. */
  function stored(body: object): KnownNode[] {
    return change(body).states.map(({ node, hash, detailsHash, edgesHash }, index) => ({
      asset: index + 1,
      identifier: node.identifier,
      name: node.name,
      kind: node.kind,
      hash,
      detailsHash,
      edgesHash,
    }))
  }

  const body = {
    assets: [asset('a'), asset('b')],
    lineage: [
      ['a', 'b'],
      ['crm', 'a'],
    ],
  }

  it('is all new at first', () => {
    const first = change(body)
    expect(first.added).toEqual(['a', 'b'])
    expect(first.states.map(state => state.node.identifier)).toEqual(['a', 'b', 'crm'])
    expect(first.edges).toHaveLength(2)
  })

  it('changes nothing the second time', () => {
    const again = change(body, stored(body))
    expect([again.states, again.edges, again.closedStates, again.closedEdges]).toEqual([[], [], [], []])
  })

  it('writes only what is another', () => {
    const next = change({ ...body, assets: [asset('a'), asset('b', { description: 'New' })] }, stored(body))
    expect(next.changed.map(each => each.node.identifier)).toEqual(['b'])
    expect(next.closedStates).toEqual([2])
    expect(next.closedEdges).toEqual([])
  })

  it('is no change of an asset that it ran again', () => {
    const ran = { ...body, assets: [asset('a', { rows: 7 }), asset('b')] }
    const next = change(ran, stored(body))
    expect(next.changed).toEqual([])
    expect(next.states.map(state => state.node.identifier)).toEqual(['a'])
  })

  it('removes what is gone, with its edges and what only they named', () => {
    const next = change({ assets: [asset('b')] }, stored(body))
    expect(next.removed.map(each => each.name)).toEqual(['a'])
    expect([...next.closedStates].sort()).toEqual([1, 2, 3])
    expect(next.changed.map(each => each.node.identifier)).toEqual(['b'])
  })

  it('is merged when it is partial', () => {
    const known = stored(body)
    const next = change(
      {
        scope: 'partial',
        assets: [asset('c')],
        lineage: [
          ['a', 'c'],
          ['c', 'b'],
        ],
      },
      known,
    )
    expect(next.removed).toEqual([])
    expect(next.added).toEqual(['c'])
    expect(next.edges).toMatchObject([{ from: 'a', to: 'c' }])
    expect(next.loose).toMatchObject([{ from: 'c', to: 'b' }])
    expect(next.states.map(state => state.node.identifier)).toEqual(['c'])
  })

  it('is written in slices of valid JSON', () => {
    const assets = Array.from({ length: 3000 }, (_, index) => asset(`a${index}`))
    const outcome = readPack({ project: { id: 'shop' }, assets }, undefined)
    if (outcome.kind !== 'pack') throw new Error('no pack')
    const slices = [...slicesOf(outcome.pack, comparePack(outcome.pack, []))]
    const rows = (kind: string) =>
      slices.filter(slice => slice.kind === kind).flatMap(slice => JSON.parse(slice.text) as object[])
    expect(rows('assets')).toHaveLength(3000)
    expect(rows('states')).toHaveLength(3000)
    expect(rows('versions')).toHaveLength(0)
    expect(Math.max(...slices.map(slice => slice.text.length))).toBeLessThan(400_000)
  })
})
