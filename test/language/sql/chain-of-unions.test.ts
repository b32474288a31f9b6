/** The columns that flow into a chain of set operations: worked out for all of its steps at once, and right for each of them. */
import { expect, test } from 'vitest'
import { constantValue, either, type Value } from '../../../server/language/sql/binder/values.ts'

const origin = (column: string) => ({ asset: 'a', column })
const of = (column: string, ...hints: readonly string[]): Value => ({
  ...constantValue,
  direct: true,
  origins: [origin(column)],
  hints: hints.map(origin),
})
const names = ({ origins, hints }: Value) => [
  origins.map(({ column }) => column),
  hints.map(({ column }) => column),
]

test('each step has the columns up to it, and a column that flows in is no hint', () => {
  const first = either(of('x', 'h'), of('y', 'x'))
  const second = either(first, of('h', 'k'))
  expect(names(first)).toEqual([['x', 'y'], ['h']])
  expect(names(second)).toEqual([['x', 'y', 'h'], ['k']])
  expect(second.direct).toBe(true)
})

test('two chains that go on from one step do not see each other', () => {
  const first = either(of('x'), of('y'))
  const left = either(first, of('l'))
  const right = either(either(first, of('r')), of('s'))
  expect([first, left, right].map(value => names(value)[0])).toEqual([
    ['x', 'y'],
    ['x', 'y', 'l'],
    ['x', 'y', 'r', 's'],
  ])
})
