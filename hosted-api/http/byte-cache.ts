import type { AnyRoute } from './route.ts'

/**
 * Answers as ready-made bytes. An answer counts as long as the revision of its project is the one that it was made at,
 * so nothing has to be thrown away when something changes.
 */
export interface CachedAnswer {
  /** Says who may have it. */
  readonly route: AnyRoute
  readonly project: number
  readonly revision: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly bytes: Buffer
}

export interface ByteCache {
  get(key: string): CachedAnswer | undefined
  set(key: string, answer: CachedAnswer): void
}

/** Roughly what one answer takes besides its bytes. */
const overhead = 512

/** Holds `mostBytes` at most; what was not asked for the longest goes first. 0 keeps nothing. */
export function createByteCache(mostBytes: number): ByteCache {
  const answers = new Map<string, CachedAnswer>()
  let size = 0
  const sizeOf = (key: string, answer: CachedAnswer) => answer.bytes.length + key.length * 2 + overhead

  function drop(key: string): void {
    const answer = answers.get(key)
    if (answer === undefined) return
    answers.delete(key)
    size -= sizeOf(key, answer)
  }

  return {
    get(key) {
      const answer = answers.get(key)
      if (answer === undefined) return undefined
      answers.delete(key)
      answers.set(key, answer)
      return answer
    },
    set(key, answer) {
      drop(key)
      // One answer that is larger than a quarter of all would push out too many others.
      if (sizeOf(key, answer) > mostBytes / 4) return
      answers.set(key, answer)
      size += sizeOf(key, answer)
      for (const oldest of answers.keys()) {
        if (size <= mostBytes) break
        drop(oldest)
      }
    },
  }
}
