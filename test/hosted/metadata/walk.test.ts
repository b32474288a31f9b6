import { describe, expect, it } from 'vitest'
import { impactOf } from '../../../hosted-api/metadata/lineage/impact.ts'
import {
  type Edge,
  type FetchEdges,
  walkAssets,
  walkColumns,
} from '../../../hosted-api/metadata/lineage/walk.ts'

/** `1.a>2.b`: column a of asset 1 becomes b of 2; `1>2`: no columns known; `1.a#2.b`: hidden in a hash. */
function graph(...texts: readonly string[]): FetchEdges {
  const edges = texts.map((text): Edge => {
    const [, from = '', a, sign, to = '', b] = /^(\d+)(?:\.(\w+))?([>#])(\d+)(?:\.(\w+))?$/.exec(text) ?? []
    const columns =
      a === undefined || b === undefined ? [] : [{ from: a, to: b, ...(sign === '#' && { masking: true }) }]
    return { from: Number(from), to: Number(to), kind: 'ref', columns }
  })
  return async (assets, direction) =>
    edges.filter(edge => assets.includes(direction === 'downstream' ? edge.from : edge.to))
}

const told = (visits: readonly { asset: number; column: string; depth: number; masked: boolean }[]) =>
  visits.map(({ asset, column, depth, masked }) => `${asset}.${column}@${depth}${masked ? '#' : ''}`)

describe('a walk over assets', () => {
  const diamond = graph('1>2', '1>3', '2>4', '3>4', '4>5')

  it('gives neighbours at depth 1, up and down', async () => {
    expect((await walkAssets(4, 'upstream', 1, diamond)).visits).toEqual([
      { asset: 2, depth: 1 },
      { asset: 3, depth: 1 },
    ])
    expect((await walkAssets(4, 'downstream', 1, diamond)).visits).toEqual([{ asset: 5, depth: 1 }])
  })

  it('gives each asset once, at its smallest depth', async () => {
    const { visits, edges } = await walkAssets(1, 'downstream', Number.POSITIVE_INFINITY, diamond)
    expect(visits).toEqual([
      { asset: 2, depth: 1 },
      { asset: 3, depth: 1 },
      { asset: 4, depth: 2 },
      { asset: 5, depth: 3 },
    ])
    expect(edges).toHaveLength(5)
  })

  it('stops at the depth that is asked for', async () => {
    expect((await walkAssets(1, 'downstream', 2, diamond)).visits.map(visit => visit.asset)).toEqual([
      2, 3, 4,
    ])
  })

  it('ends in a circle, and does not come back to where it began', async () => {
    const circle = graph('1>2', '2>3', '3>1', '2>2')
    expect((await walkAssets(1, 'downstream', 50, circle)).visits.map(visit => visit.asset)).toEqual([2, 3])
    expect((await walkAssets(1, 'upstream', 50, circle)).visits.map(visit => visit.asset)).toEqual([3, 2])
  })

  it('goes down a chain of 10,000', async () => {
    const fetch: FetchEdges = async assets =>
      assets
        .filter(asset => asset < 10_000)
        .map(asset => ({ from: asset, to: asset + 1, kind: 'ref', columns: [] }))
    const { visits } = await walkAssets(0, 'downstream', Number.POSITIVE_INFINITY, fetch)
    expect(visits.at(-1)).toEqual({ asset: 10_000, depth: 10_000 })
  })
})

describe('a walk over columns', () => {
  it('follows renames, whatever the case of a name', async () => {
    const fetch = graph('1.email>2.Contact', '2.contact>3.c', '1.id>2.id')
    expect(told(await walkColumns([{ asset: 1, column: 'EMAIL' }], 'downstream', 9, fetch))).toEqual([
      '2.Contact@1',
      '3.c@2',
    ])
    expect(told(await walkColumns([{ asset: 3, column: 'c' }], 'upstream', 9, fetch))).toEqual([
      '2.contact@1',
      '1.email@2',
    ])
  })

  it('tells what is masked, also behind it', async () => {
    const fetch = graph('1.email#2.hash', '2.hash>3.hash')
    expect(told(await walkColumns([{ asset: 1, column: 'email' }], 'downstream', 9, fetch))).toEqual([
      '2.hash@1#',
      '3.hash@2#',
    ])
  })

  it('is readable when one way is, even the longer one', async () => {
    const fetch = graph('1.email#3.x', '1.email>2.y', '2.y>3.x', '3.x>4.z')
    expect(told(await walkColumns([{ asset: 1, column: 'email' }], 'downstream', 9, fetch))).toEqual([
      '2.y@1',
      '3.x@1',
      '4.z@2',
    ])
  })

  it('ends where it is told to, and in circles', async () => {
    const fetch = graph('1.a>2.a', '2.a>3.a', '3.a>1.a')
    const starts = [{ asset: 1, column: 'a' }]
    expect(told(await walkColumns(starts, 'downstream', 99, fetch))).toEqual(['2.a@1', '3.a@2'])
    expect(told(await walkColumns(starts, 'downstream', 99, fetch, place => place.asset !== 2))).toEqual([
      '2.a@1',
    ])
  })
})

describe('wide assets', () => {
  const width = 1500
  const depth = 6
  const columns = Array.from({ length: width }, (_, index) => ({ from: `C${index}`, to: `c${index}` }))
  const edges = Array.from({ length: depth - 1 }, (_, index) => ({
    from: index + 1,
    to: index + 2,
    kind: 'ref',
    columns,
  }))
  let asked = 0
  const fetchWide: FetchEdges = async (assets, direction) => {
    asked++
    return edges.filter(edge => assets.includes(direction === 'downstream' ? edge.from : edge.to))
  }

  it('are asked for once, however many columns lead through them', async () => {
    const impacts = await impactOf(
      1,
      columns.map(({ to }) => to),
      fetchWide,
    )
    expect(impacts).toHaveLength(width)
    expect(new Set(impacts.map(impact => impact.columns.length))).toEqual(new Set([depth - 1]))
    expect(asked).toBeLessThanOrEqual(depth + 1)
  })

  it('of which an answer would name too many columns are refused', async () => {
    const many = Array.from({ length: 50 }, () => columns.map(({ to }) => to)).flat()
    await expect(impactOf(1, many, fetchWide)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('more than 50000 columns'),
    })
  })

  it('let other requests in', async () => {
    let turns = 0
    const pace = { pause: () => (++turns % 100 === 0 ? Promise.resolve() : undefined) }
    const starts = columns.map(({ to }) => ({ asset: 1, column: to }))
    const visits = await walkColumns(
      starts,
      'downstream',
      Number.POSITIVE_INFINITY,
      fetchWide,
      undefined,
      pace,
    )
    expect(visits).toHaveLength(width * (depth - 1))
    expect(turns).toBeGreaterThanOrEqual(width * (depth - 1))
  })
})
