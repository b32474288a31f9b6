/** Maps positions of a generated text to its original, piece by piece, without the texts themselves. */
import { lastAtOrBefore } from './lines.ts'
import type { PositionMap, Range } from './range.ts'

/**
 * Collects, in ascending order, which piece of the original made which piece of the generated text. A piece
 * with two equal lengths maps character by character unless it is `whole`; any other (such as an escape) maps
 * as a whole.
 */
export interface PieceList {
  add(generated: Range, original: Range, whole?: boolean): void
  build(): PositionMap
}

export function pieceList(): PieceList {
  const starts: number[] = []
  const ends: number[] = []
  const originals: Range[] = []
  const wholes: boolean[] = []

  /** Returns undefined before the first piece and in a text without pieces. */
  const pieceAt = (offset: number): number | undefined =>
    starts.length === 0 || offset < (starts[0] ?? 0) ? undefined : lastAtOrBefore(starts, offset)

  const place = (offset: number, edge: 'start' | 'end'): number => {
    const index = pieceAt(offset)
    const start = starts[index ?? 0] ?? 0
    const original = originals[index ?? 0]
    if (original === undefined) return 0
    if (index === undefined) return original.start
    if (offset >= (ends[index] ?? 0)) return original.end
    if (wholes[index]) return edge === 'start' ? original.start : original.end
    return original.start + (offset - start) + (edge === 'start' ? 0 : 1)
  }

  const map: PositionMap = {
    toOriginal: offset => place(offset, 'start'),
    rangeToOriginal(range) {
      const start = place(range.start, 'start')
      if (range.end <= range.start) return { start, end: start }
      return { start, end: Math.max(start, place(range.end - 1, 'end')) }
    },
  }

  return {
    add(generated, original, whole = false) {
      if (generated.end <= generated.start) return
      starts.push(generated.start)
      ends.push(generated.end)
      originals.push(original)
      wholes.push(whole || original.end - original.start !== generated.end - generated.start)
    },
    build: () => map,
  }
}

/** Returns a map that is computed on demand: most texts never need theirs. */
export function lazyPositionMap(make: () => PositionMap): PositionMap {
  let made: PositionMap | undefined
  const map = (): PositionMap => {
    made ??= make()
    return made
  }
  return {
    toOriginal: offset => map().toOriginal(offset),
    rangeToOriginal: range => map().rangeToOriginal(range),
  }
}
