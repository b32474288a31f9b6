/**
 * Remembers by which marks web services know their answers (`ETag`, `Last-Modified`), so that a later run asks whether they are
 * still the same. They are kept by the load that was made of them, and count for as long as that load is behind production: so
 * they move with promotions and rollbacks. The memory holds addresses and marks, never values and no secret.
 */
import { join } from 'node:path'
import { openEntries } from '../entry-file.ts'

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

export type AnswerMemory = ReturnType<typeof openAnswerMemory>

interface Remembered extends KnownAnswers {
  readonly loadId: string
}

/** Increase this when an entry means something else. */
const version = 1
const fileName = 'answers.json'
/** A rollback goes back by one load, a second one by the one before. */
const loadsEach = 5

/** @param folder the folder `.svc/<environment>/`, which must exist */
export function openAnswerMemory({ folder, pid }: { readonly folder: string; readonly pid: number }) {
  const known = openEntries({ path: join(folder, fileName), pid, version, read: rememberedIn })
  return {
    recall: (asset: string, loadId: string): KnownAnswers | undefined =>
      known.get(asset)?.find(entry => entry.loadId === loadId),
    /** @param answers undefined if they have no marks */
    keep(asset: string, loadId: string, answers: KnownAnswers | undefined): void {
      const others = (known.get(asset) ?? []).filter(entry => entry.loadId !== loadId)
      const entries = answers === undefined ? others : [{ loadId, ...answers }, ...others]
      known.set(asset, entries.length === 0 ? undefined : entries.slice(0, loadsEach))
    },
    save: known.save,
  }
}

function rememberedIn(value: unknown): readonly Remembered[] {
  return Array.isArray(value) ? value.filter(isRemembered) : []
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
