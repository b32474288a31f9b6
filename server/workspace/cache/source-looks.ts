/** Looks at local sources that the last command had, and those that this one had, for the next. */
import type { SourceShapeCache } from '../../catalog/index.ts'
import { settledMs } from './file-stamp.ts'

type Look = NonNullable<ReturnType<SourceShapeCache['get']>>
export type KeptLooks = readonly (readonly [key: string, look: Look])[]

export interface SourceLooks extends SourceShapeCache {
  /** Those that were asked for; undefined where they are the ones that it began with. */
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
      // Of a file that was written this moment, the next change might not show.
      if (newestMs + settledMs >= startedMs) return
      kept.set(key, look)
      isNew = true
    },
    keep: () => (isNew || kept.size !== known.size ? [...kept] : undefined),
  }
}
