/**
 * Long questions of one token take turns, so that it cannot fill the memory with their answers, and so do its large bodies:
 * each of them takes a little of every round of the event loop, and the round is what everybody else waits for.
 */
import type { TakeTurn } from '../http/index.ts'

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/** @param most at the same moment, per token; 0: any number */
export function createTurns(most: number): TakeTurn {
  const lines = new Map<number, Line>()
  return async ({ tokenId }) => {
    const line = lines.get(tokenId) ?? { running: 0, waiting: [] }
    lines.set(tokenId, line)
    if (most > 0 && line.running >= most) await new Promise<void>(resolve => line.waiting.push(resolve))
    else line.running++
    return () => {
      const next = line.waiting.shift()
      if (next !== undefined) return next()
      line.running--
      if (line.running === 0) lines.delete(tokenId)
    }
  }
}
