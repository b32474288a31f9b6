/** The pieces of a token tree that lie in a range: those of the innermost bracket that holds all of it. */
import type { Range } from '../../text/range.ts'
import type { Piece } from '../sql/token-tree.ts'

export function piecesIn(pieces: readonly Piece[], range: Range): readonly Piece[] {
  for (const piece of pieces) {
    const isAround =
      piece.kind === 'group' && piece.inner.start <= range.start && range.end <= piece.inner.end
    if (isAround) return piecesIn(piece.pieces, range)
  }
  return pieces.filter(piece => piece.start >= range.start && piece.end <= range.end)
}
