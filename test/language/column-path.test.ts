import { describe, expect, it } from 'vitest'
import type { CatalogFile } from '../../server/contract/index.ts'
import { columnPath } from '../../server/language/lineage/column-path.ts'

/** `a.x -> b.x`: one edge of columns each; all columns are known but those of `raw`. */
function catalogOf(...pairs: readonly string[]): CatalogFile {
  const edges = pairs.map(pair => pair.split(/ -> |\./) as [string, string, string, string])
  const names = [...new Set(edges.flatMap(([from, , to]) => [from, to]))].filter(name => name !== 'raw')
  const assets = names.map(name => ({
    name,
    columns: [
      ...new Set(edges.flatMap(([a, x, b, y]) => [...(a === name ? [x] : []), ...(b === name ? [y] : [])])),
    ].map(column => ({ name: column, pii: column === 'email' })),
  }))
  const lineage = edges.map(([from, x, to, y]) => ({ from, to, kind: 'ref', columns: [{ from: x, to: y }] }))
  return { assets, lineage } as unknown as CatalogFile
}

const told = (catalog: CatalogFile, asset: string, column: string) => {
  const path = columnPath(catalog, asset, column)
  return {
    columns: path?.columns.map(each => `${each.asset}.${each.column}${each.pii ? '!' : ''}`),
    edges: path?.edges.map(({ from, to }) => `${from.asset}.${from.column} -> ${to.asset}.${to.column}`),
  }
}

describe('the way of a column', () => {
  const diamond = catalogOf(
    'a.x -> b.y',
    'a.x -> c.z',
    'b.y -> d.w',
    'c.z -> d.w',
    'a.other -> d.other',
    'd.w -> e.w',
  )

  it('is all that it comes from and flows into, each column and each edge once', () => {
    expect(told(diamond, 'a', 'x')).toEqual({
      columns: ['a.x', 'b.y', 'c.z', 'd.w', 'e.w'],
      edges: ['a.x -> b.y', 'a.x -> c.z', 'b.y -> d.w', 'c.z -> d.w', 'd.w -> e.w'],
    })
    expect(told(diamond, 'd', 'w').columns).toEqual(['d.w', 'b.y', 'c.z', 'a.x', 'e.w'])
    expect(told(diamond, 'd', 'w').edges).toHaveLength(5)
  })

  it('leaves out what only shares an ancestor', () => {
    expect(told(diamond, 'b', 'y').columns).toEqual(['b.y', 'a.x', 'd.w', 'e.w'])
    expect(told(diamond, 'b', 'y').edges).toEqual(['a.x -> b.y', 'b.y -> d.w', 'd.w -> e.w'])
  })

  it('marks personal columns, takes any case, and goes on through columns that no list has', () => {
    const catalog = catalogOf('people.email -> raw.mail', 'raw.mail -> sent.hash')
    expect(told(catalog, 'sent', 'HASH').columns).toEqual(['sent.hash', 'raw.mail', 'people.email!'])
  })

  it('of a column alone is itself; of none it is nothing; a cycle has an end', () => {
    expect(told(diamond, 'a', 'other').columns).toEqual(['a.other', 'd.other'])
    expect(columnPath(diamond, 'a', 'nothing')).toBeUndefined()
    expect(told(catalogOf('a.x -> b.x', 'b.x -> a.x'), 'a', 'x').edges).toHaveLength(2)
  })

  it('is found at once in a long chain', () => {
    const links = Array.from({ length: 20_000 }, (_, place) => `a${place}.x -> a${place + 1}.x`)
    const catalog = catalogOf(...links.slice(0, 2_000))
    expect(columnPath(catalog, 'a1000', 'x')?.edges).toHaveLength(2_000)
  })
})
