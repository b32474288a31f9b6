/** Caches the looks at local sources of the last command and of this one. */
import type { SourceShapeCache } from '../../catalog/index.ts'
import { settledMs } from './file-stamp.ts'

type Look = NonNullable<ReturnType<SourceShapeCache['get']>>
export type KeptLooks = readonly (readonly [key: string, look: Look])[]

export interface SourceLooks extends SourceShapeCache {
  /** Returns the looks that were used; undefined if they are the same as at the start. */
  keep(): KeptLooks | undefined
}

export function sourceLooks(before: KeptLooks, now: () => Date): SourceLooks {
  const known = new Map(before)
  const startedMs = now().getTime()
  const kept = new Map<string, Look>()
  let isNew = false
  return {
    get(key) {
      const look = kept.get(key) ?? known.get(key)
      if (look !== undefined) kept.set(key, look)
      return look
    },
    set(key, look, newestMs) {
      // A further change of a file that was written just now might not show in its stamp.
      if (newestMs + settledMs >= startedMs) return
      kept.set(key, look)
      isNew = true
    },
    keep: () => (isNew || kept.size !== known.size ? [...kept] : undefined),
  }
}
