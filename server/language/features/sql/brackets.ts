/** What stands in a bracket of SQL: a query, tuples of VALUES, or something else. */
import { queryWords, setOperators } from './sql-words.ts'
import { type Group, isParenthesis, type Piece, splitAtCommas, wordOf } from './token-tree.ts'

/** `(SELECT …`, `((SELECT …) UNION …`. */
export function holdsQuery(group: Group): boolean {
  if (group.bracket !== '(') return false
  const [first, second] = group.pieces
  if (first?.kind === 'leaf') return queryWords.has(first.word)
  return (
    first !== undefined && holdsQuery(first) && (second === undefined || setOperators.has(wordOf(second)))
  )
}

/** Number of columns that a tuple of VALUES makes. */
export function valuesWidth(text: string, tuple: Piece | undefined): number | undefined {
  return isParenthesis(tuple) ? splitAtCommas(text, tuple.pieces).length : undefined
}
