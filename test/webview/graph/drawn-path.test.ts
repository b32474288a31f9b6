import { describe, expect, test } from 'vitest'
import { drawnPath } from '../../../webview/graph/drawn-path.ts'
import type { ColumnPath } from '../../../webview/protocol.ts'

/** The path of a total of so many columns. */
function totalOf(count: number, personal: readonly number[] = []): ColumnPath {
  const total = { asset: 'total', column: 'sum' }
  const parts = Array.from({ length: count }, (_, index) => ({ asset: 'wide', column: `c${index}` }))
  return {
    columns: [
      { ...total, pii: false },
      ...parts.map((part, index) => ({ ...part, pii: personal.includes(index) })),
    ],
    edges: parts.map(from => ({ from, to: total })),
    ...{ uses: [], targets: [], exposures: [] },
  }
}

const namesIn = (path: ColumnPath, asset: string) =>
  drawnPath(path).columns.flatMap(each => (each.asset === asset ? [each.column] : []))

describe('the path of a column on cards', () => {
  test('names 40 columns of a card, and the others in one line', () => {
    const path = totalOf(2000)
    const drawn = drawnPath(path)
    expect(namesIn(path, 'wide')).toEqual([
      ...Array.from({ length: 40 }, (_, index) => `c${index}`),
      '… and 1,960 more',
    ])
    expect(namesIn(path, 'total')).toEqual(['sum'])
    expect(drawn.columns.filter(({ isRest }) => isRest)).toEqual([
      { asset: 'wide', column: '… and 1,960 more', pii: false, isRest: true },
    ])
    // The line of the others has one edge for all of theirs.
    expect(drawn.lines).toHaveLength(41)
    expect(drawn.lines.at(-1)).toMatchObject({ from: { column: '… and 1,960 more' }, to: { column: 'sum' } })
  })

  test('names all where the line would stand for one', () => {
    expect(drawnPath(totalOf(41)).columns).toHaveLength(42)
    expect(namesIn(totalOf(42), 'wide').slice(-2)).toEqual(['c39', '… and 2 more'])
  })

  test('says that others are personal if one of the card is', () => {
    const restOf = (path: ColumnPath) => drawnPath(path).columns.find(({ isRest }) => isRest)
    expect(restOf(totalOf(100, [99]))).toMatchObject({ pii: true })
    expect(restOf(totalOf(100))).toMatchObject({ pii: false })
    // A personal column that has a line of its own says nothing of the others.
    expect(restOf(totalOf(100, [3]))).toMatchObject({ pii: false })
  })

  test('says how each column comes and what it decides, and ends at fields of targets and at exposures', () => {
    const [status, amount, total] = [
      { asset: 'orders', column: 'status' },
      { asset: 'orders', column: 'amount' },
      { asset: 'daily', column: 'total' },
    ] as const
    const { columns, lines, links, cards } = drawnPath({
      columns: [
        { ...total, pii: false },
        { ...amount, pii: false },
        { ...status, pii: false, beside: true },
      ],
      edges: [{ from: amount, to: total, transform: 'sum()' }],
      uses: [{ from: status, asset: 'daily', clauses: ['WHERE', 'JOIN'] }],
      targets: [{ target: 'crm', asset: 'daily', sends: [{ column: 'total', field: 'value' }] }],
      exposures: [{ exposure: 'Board', asset: 'daily' }],
    })
    expect(columns).toEqual([
      { ...total, pii: false, isChosen: true, how: 'sum()' },
      { ...amount, pii: false },
      { ...status, pii: false, beside: true, how: 'WHERE, JOIN' },
      { asset: 'publish:crm', column: 'value', pii: false, how: 'renamed' },
    ])
    expect(lines).toEqual([
      { from: amount, to: total, style: 'computed' },
      { from: status, to: { asset: 'daily' }, style: 'hidden' },
      { from: total, to: { asset: 'publish:crm', column: 'value' }, style: 'same' },
    ])
    expect(links).toEqual([{ from: 'daily', to: 'exposure:Board' }])
    expect([...cards].sort()).toEqual(['daily', 'exposure:Board', 'orders', 'publish:crm'])
  })

  test('is worked out once', () => {
    const path = totalOf(100)
    expect(drawnPath(path)).toBe(drawnPath(path))
  })
})
