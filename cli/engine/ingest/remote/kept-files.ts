/**
 * The files that a fetch has in the spool already: one that broke off goes on with those that it lacks. A file counts as long as
 * the place lists it with the same size and the same stamp, so that none is from another time than the others.
 */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { clearSpool, findProgress, saveProgress } from '../progress-file.ts'
import { type FetchContext, type IngestOf, keptInVain } from '../source.ts'
import type { StoredFile } from './file-store.ts'

interface KeptFile {
  readonly name: string
  readonly size: number | undefined
  readonly stamp: string
  /** As it is in the spool, where it may be unpacked. */
  readonly bytes: number
}

export type KeptFiles = Awaited<ReturnType<typeof keptFiles>>

/** Writing the list costs more the longer it is: what a process that dies forgets is fetched again. */
const savedEveryMs = 1000

export async function keptFiles(
  context: FetchContext,
  { endpoint, resource, s3 }: Pick<IngestOf<'file'>, 'endpoint' | 'resource' | 's3'>,
) {
  const { spoolFolder, now } = context
  const definition = createHash('sha256')
    .update(JSON.stringify([endpoint, resource, s3?.endpoint]))
    .digest('hex')
  const found = findProgress(spoolFolder, definition, now())
  const list = found.kind === 'progress' ? (found.checkpoint as readonly KeptFile[]) : []
  const kept = new Map(list.map(file => [file.name, file]))
  if (found.kind === 'unusable') keptInVain(context, found.note)
  await clearSpool(spoolFolder, list.length === 0 ? [] : ['progress.json', filesFolder])
  let savedAt = performance.now()
  const save = (isDone: boolean) => {
    if (kept.size === 0) return
    savedAt = performance.now()
    const checkpoint = [...kept.values()]
    saveProgress(spoolFolder, { definition, isDone, savedAt: now().toISOString(), checkpoint })
  }
  return {
    /** Returns how many bytes of a file are there; undefined if it has to be fetched. */
    bytesOf({ name, size, stamp }: StoredFile, path: string): number | undefined {
      const file = kept.get(name)
      if (file === undefined || file.stamp !== stamp || file.size !== size) return undefined
      return sizeOf(path) === file.bytes ? file.bytes : undefined
    },
    add({ name, size, stamp }: StoredFile, path: string): void {
      if (stamp === undefined) return
      kept.set(name, { name, size, stamp, bytes: sizeOf(path) ?? 0 })
      if (performance.now() - savedAt > savedEveryMs) save(false)
    },
    /** Saves what is there. */
    save,
  }
}

/** The folder of the spool that has the files. */
export const filesFolder = 'files'

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}
