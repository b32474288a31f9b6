/** The pieces of a token tree that lie in a range: those of the innermost bracket that holds all of it. */
import type { Range } from '../../text/range.ts'
import type { Piece } from '../sql/token-tree.ts'

/** The pieces in a part of the text. Pieces stand in the order of the text: the first is found by halving. */
export function piecesIn(pieces: readonly Piece[], range: Range): readonly Piece[] {
  const first = firstFrom(pieces, range.start)
  for (const piece of [pieces[first - 1], pieces[first]]) {
    const isAround =
      piece?.kind === 'group' && piece.inner.start <= range.start && range.end <= piece.inner.end
    if (isAround) return piecesIn(piece.pieces, range)
  }
  const found: Piece[] = []
  for (let index = first; index < pieces.length; index++) {
    const piece = pieces[index]
    if (piece === undefined || piece.end > range.end) break
    found.push(piece)
  }
  return found
}

/** Index of the first piece that begins at an offset or behind it. */
function firstFrom(pieces: readonly Piece[], offset: number): number {
  let low = 0
  let high = pieces.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pieces[middle]?.start ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}
