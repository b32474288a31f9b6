import type { AnyRoute } from './route.ts'

/**
 * A cache of complete answers. An answer is valid while the revision of its project is unchanged, so nothing
 * has to be invalidated.
 */
export interface CachedAnswer {
  /** Needed to check whether another token may get the answer. */
  readonly route: AnyRoute
  readonly project: number
  readonly revision: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly bytes: Buffer
}

export type ByteCache = ReturnType<typeof createByteCache>

/** The approximate overhead of one answer besides its bytes. */
const overhead = 512

/** Creates a cache of at most `mostBytes` with least-recently-used eviction. 0 caches nothing. */
export function createByteCache(mostBytes: number) {
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
    get(key: string) {
      const answer = answers.get(key)
      if (answer === undefined) return undefined
      answers.delete(key)
      answers.set(key, answer)
      return answer
    },
    set(key: string, answer: CachedAnswer) {
      drop(key)
      // An answer larger than a quarter of the cache would evict too many others.
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
