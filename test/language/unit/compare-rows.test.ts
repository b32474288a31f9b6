/** What belongs together and what differs, against the plainest way to find it out. */
import { describe, expect, it } from 'vitest'
import { type Comparison, compareRows, type ExpectedRow } from '../../../server/language/unit/compare-rows.ts'
import { engine } from '../../support/engine.ts'
import { seededRandom } from '../../support/random.ts'

const columns = [
  { name: 'id', type: 'BIGINT' },
  { name: 'name', type: 'VARCHAR' },
  { name: 'share', type: 'DOUBLE' },
]
const { types } = engine
const any: Comparison = { ordered: false, contains: false, tolerance: undefined, shown: [0, 1, 2], types }

function differences(
  expected: readonly ExpectedRow[],
  rows: readonly (string | null)[][],
  how: Partial<Comparison> = {},
) {
  const found = compareRows(expected, { columns, rows }, { ...any, ...how })
  return found?.diff.rows.map(({ kind, row, cells }) => {
    const wrong = cells.flatMap((cell, index) => (cell.same ? [] : [columns[index]?.name ?? '']))
    return [kind, row, ...(kind === 'changed' ? wrong : [])]
  })
}

describe('rows in any order', () => {
  it('are the same whatever the order, and as often', () => {
    const rows = [
      ['1', 'a', '0.5'],
      ['2', null, '1.0'],
    ]
    expect(differences(rows.toReversed(), rows)).toBeUndefined()
    expect(differences([...rows, ['1', 'a', '0.5']], rows)).toEqual([['missing', 2]])
    expect(differences(rows.slice(1), rows)).toEqual([['unexpected', undefined]])
  })

  it('are paired by what they have in common, the first column before others', () => {
    const came = [
      ['1', 'b', '7.0'],
      ['2', 'a', '3.0'],
    ]
    expect(differences([['1', 'a', '3.0']], came)).toEqual([
      ['changed', 0, 'name', 'share'],
      ['unexpected', undefined],
    ])
  })

  it('may look at different columns each', () => {
    const came = [
      ['1', 'x', '1.0'],
      ['2', 'y', '1.0'],
    ]
    expect(
      differences(
        [
          [undefined, undefined, '1.0'],
          ['1', undefined, undefined],
        ],
        came,
      ),
    ).toBeUndefined()
  })

  it('differ in NULL and in texts that look like numbers', () => {
    expect(differences([['1', '01', '1.0']], [['1', '1', '1.0']])).toEqual([['changed', 0, 'name']])
    expect(differences([['1', null, null]], [['1', '', '0.0']])).toEqual([['changed', 0, 'name', 'share']])
  })
})

describe('numbers', () => {
  it('with fractions are compared but for the last digits', () => {
    expect(differences([['1', 'a', '0.3']], [['1', 'a', '0.30000000000000004']])).toBeUndefined()
    expect(differences([['1', 'a', '0.3']], [['1', 'a', '0.3000001']])).toEqual([['changed', 0, 'share']])
    expect(differences([['1', 'a', 'NaN']], [['1', 'a', 'nan']])).toBeUndefined()
    expect(differences([['1', 'a', 'inf']], [['1', 'a', '-inf']])).toEqual([['changed', 0, 'share']])
  })

  it('are taken as near as the tolerance says, whole ones too', () => {
    expect(differences([['10', 'a', '1']], [['12', 'a', '3']], { tolerance: 2 })).toBeUndefined()
    expect(differences([['10', 'a', '1']], [['13', 'a', '3']], { tolerance: 2 })).toEqual([
      ['changed', 0, 'id'],
    ])
  })
})

describe('rows in their order', () => {
  const row = (id: number) => [String(id), 'a', '1.0']

  it('are aligned, so that one more row is one difference', () => {
    expect(differences([1, 2, 3].map(row), [0, 1, 2, 3].map(row), { ordered: true })).toEqual([
      ['unexpected', undefined],
    ])
    expect(differences([1, 2, 3].map(row), [1, 3].map(row), { ordered: true })).toEqual([['missing', 1]])
    expect(differences([1, 2, 3].map(row), [1, 9, 3].map(row), { ordered: true })).toEqual([
      ['changed', 1, 'id'],
    ])
  })

  it('may have others between them where only containing is asked', () => {
    const how = { ordered: true, contains: true }
    expect(differences([1, 3].map(row), [1, 2, 3].map(row), how)).toBeUndefined()
    expect(differences([3, 1].map(row), [1, 2, 3].map(row), how)).toHaveLength(1)
  })
})

describe('against trying every way', () => {
  it('never fails rows that can be put in some order, nor passes others', () => {
    const random = seededRandom(11).next
    let passed = 0
    for (let round = 0; round < 2000; round++) {
      const count = 1 + Math.floor(random() * 5)
      const value = () => (random() < 0.1 ? null : String(Math.floor(random() * 2)))
      const rows = Array.from({ length: count }, () => [value(), value(), value()])
      const expected: ExpectedRow[] = Array.from({ length: count - (random() < 0.2 ? 1 : 0) }, () =>
        columns.map(() => (random() < 0.4 ? undefined : value())),
      )
      const contains = random() < 0.5
      const found = compareRows(expected, { columns, rows }, { ...any, contains })
      const can = canBePlaced(expected, rows) && (contains || expected.length === rows.length)
      expect(found === undefined).toBe(can)
      if (can) passed++
    }
    expect(passed).toBeGreaterThan(200)
  })

  it('takes thousands of rows in no time', () => {
    const rows = Array.from({ length: 5000 }, (_, id) => [String(id), 'a', `${id}.5`])
    const started = performance.now()
    expect(differences(rows.toReversed(), rows)).toBeUndefined()
    expect(differences(rows, rows, { ordered: true })).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

function canBePlaced(expected: readonly ExpectedRow[], rows: readonly (string | null)[][]): boolean {
  const [first, ...rest] = expected
  if (first === undefined) return true
  return rows.some(
    (row, position) =>
      first.every((value, index) => value === undefined || value === row[index]) &&
      canBePlaced(rest, rows.toSpliced(position, 1)),
  )
}
