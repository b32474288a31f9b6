/** A file of what is remembered of assets: one that is missing, damaged or of another version counts as empty. */
import { readFileSync } from 'node:fs'
import { writeWhole } from '../artifacts/write-file.ts'
import { SvcError } from '../errors.ts'

interface EntryFileOptions<T> {
  readonly path: string
  readonly pid: number
  readonly version: number
  /** Returns undefined for what is no entry. */
  readonly read: (entry: unknown) => T | undefined
}

export function openEntries<T>({ path, pid, version, read }: EntryFileOptions<T>) {
  const entries = new Map<string, T>()
  for (const [asset, value] of Object.entries(sourcesIn(path, version))) {
    const entry = read(value)
    if (entry !== undefined) entries.set(asset, entry)
  }
  let changed = false
  return {
    get: (asset: string) => entries.get(asset),
    /** @param entry undefined to forget what there is */
    set(asset: string, entry: T | undefined): void {
      if (entry !== undefined) entries.set(asset, entry)
      changed = entry !== undefined || entries.delete(asset) || changed
    },
    /** Writes new entries to disk. If that fails, they are found out again the next time. */
    save(): void {
      if (!changed) return
      const sources = Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      try {
        writeWhole(path, `${JSON.stringify({ version, sources })}\n`, pid)
        changed = false
      } catch (error) {
        if (!(error instanceof SvcError)) throw error
      }
    },
  }
}

function sourcesIn(path: string, version: number): object {
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown; sources?: unknown } | null
    const isOurs = file?.version === version && typeof file.sources === 'object'
    return isOurs ? (file.sources ?? {}) : {}
  } catch {
    return {}
  }
}
