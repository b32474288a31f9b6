/** Which pieces lie in a range, and at what cost: a select list of ten thousand columns asks once for each. */
import { expect, it } from 'vitest'
import { piecesIn } from '../../../server/language/features/names/pieces-in.ts'
import { type Piece, tokenTree } from '../../../server/language/features/sql/token-tree.ts'
import { tolerantTokens } from '../../../server/language/features/sql/tolerant-tokens.ts'

function pieces(text: string): readonly Piece[] {
  return tokenTree(text, tolerantTokens(text))
}

it('finds those of the innermost bracket around the range, in every range of a text', () => {
  const text = 'SELECT a, (b + (c)), f(d, [e]) FROM (SELECT ( 1'
  const all = pieces(text)
  for (let start = 0; start <= text.length; start++)
    for (let end = start; end <= text.length; end++)
      expect([start, end, piecesIn(all, { start, end })]).toEqual([start, end, looked(all, { start, end })])
})

/** The same by looking at each. */
function looked(all: readonly Piece[], range: { start: number; end: number }): readonly Piece[] {
  for (const piece of all)
    if (piece.kind === 'group' && piece.inner.start <= range.start && range.end <= piece.inner.end)
      return looked(piece.pieces, range)
  return all.filter(({ start, end }) => start >= range.start && end <= range.end)
}

it('looks at few of many', () => {
  const text = `SELECT ${Array.from({ length: 10_000 }, (_, index) => `a + ${index}`).join(', ')}`
  let looks = 0
  const counted = new Proxy(pieces(text), {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1
      return Reflect.get(target, name)
    },
  })
  const start = text.indexOf('a + 5000')
  expect(piecesIn(counted, { start, end: start + 'a + 5000'.length })).toHaveLength(3)
  expect(looks).toBeLessThan(40)
})
