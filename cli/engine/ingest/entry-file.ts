/** A file of what is remembered of assets: one that is missing, damaged or of another version counts as empty. */
import { readJson } from '../artifacts/read-file.ts'
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

function sourcesIn(path: string, expected: number): object {
  const { version, sources } = readJson<{ version?: unknown; sources?: unknown }>(path) ?? {}
  return version === expected && typeof sources === 'object' ? (sources ?? {}) : {}
}
