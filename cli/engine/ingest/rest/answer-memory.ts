/**
 * Remembers by which marks web services know their answers (`ETag`, `Last-Modified`), so that a later run asks whether they are
 * still the same. They are kept by the load that was made of them, and count for as long as that load is behind production: so
 * they move with promotions and rollbacks. The memory holds addresses and marks, never values and no secret.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../artifacts/write-file.ts'
import { SvcError } from '../../errors.ts'

/** A request with what its answer is known by. */
export interface MarkedRequest {
  /** Without the parameters of the authentication, and with places in place of other secrets. */
  readonly url: string
  readonly etag?: string
  readonly lastModified?: string
}

export interface KnownAnswers {
  /** The hash of what decides the requests. */
  readonly definition: string
  readonly requests: readonly MarkedRequest[]
  /** The hash of the records of the last page, where its answer does not say by itself whether there are more. */
  readonly lastPage?: string
}

export interface AnswerMemory {
  recall(asset: string, loadId: string): KnownAnswers | undefined
  /** @param answers undefined if they have no marks */
  keep(asset: string, loadId: string, answers: KnownAnswers | undefined): void
  /** Writes new entries to disk. If that fails, the service is asked for everything the next time. */
  save(): void
}

export interface AnswerMemoryOptions {
  /** The folder `.svc/<environment>/`, which must exist. */
  readonly folder: string
  readonly pid: number
}

interface Remembered extends KnownAnswers {
  readonly loadId: string
}

/** Increase this when an entry means something else. */
const version = 1
const fileName = 'answers.json'
/** A rollback goes back by one load, a second one by the one before. */
const loadsEach = 5

export function openAnswerMemory({ folder, pid }: AnswerMemoryOptions): AnswerMemory {
  const path = join(folder, fileName)
  const known = readMemory(path)
  let changed = false
  return {
    recall: (asset, loadId) => known.get(asset)?.find(entry => entry.loadId === loadId),
    keep(asset, loadId, answers) {
      const others = (known.get(asset) ?? []).filter(entry => entry.loadId !== loadId)
      const entries = answers === undefined ? others : [{ loadId, ...answers }, ...others]
      if (entries.length === 0) changed = known.delete(asset) || changed
      else {
        known.set(asset, entries.slice(0, loadsEach))
        changed = true
      }
    },
    save() {
      if (!changed) return
      const sources = Object.fromEntries([...known].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      try {
        writeWhole(path, `${JSON.stringify({ version, sources })}\n`, pid)
        changed = false
      } catch (error) {
        if (!(error instanceof SvcError)) throw error
      }
    },
  }
}

/** Reads the stored entries; a missing or damaged file counts as empty. */
function readMemory(path: string): Map<string, readonly Remembered[]> {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown; sources?: unknown }
    if (value.version !== version || typeof value.sources !== 'object') return new Map()
    const sources = Object.entries(value.sources ?? {}) as [string, unknown][]
    return new Map(
      sources.map(([asset, entries]) => [asset, Array.isArray(entries) ? entries.filter(isRemembered) : []]),
    )
  } catch {
    return new Map()
  }
}

function isRemembered(entry: Partial<Remembered> | null): entry is Remembered {
  return (
    typeof entry?.loadId === 'string' &&
    typeof entry.definition === 'string' &&
    Array.isArray(entry.requests) &&
    entry.requests.length > 0 &&
    entry.requests.every(request => typeof (request as Partial<MarkedRequest> | null)?.url === 'string')
  )
}
