import { expect, it } from 'vitest'
import { anyOf, matches } from '../../../server/language/glossary/patterns.ts'

it('finds names by stars and question marks, whatever their case', () => {
  expect(matches('Fct_*', 'fct_orders')).toBe(true)
  expect(matches('*orders', 'fct_orders_old')).toBe(false)
  expect(matches('a.*', 'abc')).toBe(false)
  expect(anyOf([])('a')).toBe(false)
  expect(['b', 'cd', 'x'].filter(anyOf(['B', 'c*']))).toEqual(['b', 'cd'])
})

/** All texts of these characters up to a length. */
function texts(characters: readonly string[], length: number): readonly string[] {
  if (length === 0) return ['']
  const shorter = texts(characters, length - 1)
  return ['', ...shorter.flatMap(text => characters.map(character => text + character))]
}

it('finds what a regular expression of the same meaning finds, in all short names', () => {
  const names = texts(['a', 'b'], 5)
  for (const pattern of texts(['a', 'b', '*', '?'], 5)) {
    const meant = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`)
    const isFound = anyOf([pattern])
    const wrong = names.filter(name => isFound(name) !== meant.test(name))
    expect(wrong, pattern).toEqual([])
  }
})
