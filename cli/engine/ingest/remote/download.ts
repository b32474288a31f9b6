/** Fetches the files of a source that are elsewhere into the spool, where they are read like any others. */
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { globOf, SearchTooLarge } from '@svc/server/catalog'
import { formatOf, packingOf, type RemoteScheme } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import type { FoundFile, FoundFiles } from '../found-files.ts'
import { filesLoadedOnce } from '../incremental/base.ts'
import { notAsLoaded } from '../only-new.ts'
import { shownSize } from '../rest/body.ts'
import type { FetchContext, IngestOf } from '../source.ts'
import type { FileStore, StoredFile } from './file-store.ts'
import { filesFolder, type KeptFiles, keptFiles } from './kept-files.ts'
import { openStore } from './open-store.ts'

type FileIngest = IngestOf<'file'>

export interface RemoteFiles {
  readonly ingest: FileIngest
  readonly endpoint: string
  readonly scheme: RemoteScheme
  readonly context: FetchContext
}

/** Returns all files of the source, or those that the load before may not have. */
export function downloadFiles(remote: RemoteFiles): Promise<FoundFiles> {
  return withStore(remote, async (store, progress) => {
    const stored = await listed(store, remote)
    const wanted = notAsLoaded(stored, filesLoadedOnce(remote.context.base))
    const kept = await keptFiles(remote.context, { ...remote.ingest, endpoint: remote.endpoint })
    const files = await saveAll(store, wanted, remote, { ...progress, kept })
    return { files, isWhole: true, present: stored.map(({ name }) => name) }
  })
}

/** Enough for the columns of a file whose lines are records; others are read whole. */
const peekedBytes = 4 << 20

/** Returns what shows the columns: the first file, or its beginning. */
export function downloadBeginning(remote: RemoteFiles): Promise<FoundFiles> {
  return withStore(remote, async (store, progress) => {
    const stored = await listed(store, remote)
    const [first] = stored
    if (first === undefined) return { files: [], isWhole: true }
    const format = remote.ingest.format ?? formatOf(first.name)
    const hasLines = (format === 'csv' || format === 'ndjson') && packingOf(first.name) === undefined
    const path = spoolPath(remote.context.spoolFolder, first.name, new Set())
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const atMost = hasLines ? peekedBytes : undefined
    const isWhole = await store.save(first, { path, atMost, onBytes: progress.onBytes })
    if (!isWhole) await dropLastLine(path)
    return { files: [{ ...first, path }], isWhole: isWhole && stored.length === 1 }
  })
}

interface Progress {
  readonly onBytes: (bytes: number) => void
  file(): void
}

async function withStore<T>(
  { ingest, endpoint, scheme, context }: RemoteFiles,
  work: (store: FileStore, progress: Progress) => Promise<T>,
): Promise<T> {
  let bytes = 0
  let pages = 1
  const tell = (note?: string) =>
    context.onProgress({ rows: 0, bytes, pages, ...(note === undefined ? {} : { note }) })
  const store = await openStore(scheme, { ingest, endpoint, context, note: tell })
  try {
    return await work(store, {
      onBytes(more) {
        bytes += more
        if (bytes > ingest.limits.totalBytes) throw tooMuch(ingest)
        tell()
      },
      file() {
        pages++
      },
    })
  } finally {
    await store.close()
  }
}

function tooMuch({ limits }: FileIngest): SvcError {
  return new SvcError(
    'source-unreadable',
    `the files are larger than ${shownSize(limits.totalBytes)} together (limits.total)`,
    { hint: 'Write a narrower pattern, or raise ingest.limits.total.' },
  )
}

/** Returns the files that match, by name in code units. */
async function listed(store: FileStore, { ingest }: RemoteFiles): Promise<readonly StoredFile[]> {
  const { limits, resource } = ingest
  let names = 0
  const look = (more: number) => {
    names += more
    if (names > limits.names)
      throw new SearchTooLarge(`its pattern looks at more than ${limits.names} names (limits.names)`)
  }
  const found: StoredFile[] = []
  for await (const files of store.list(globOf(resource), look)) {
    found.push(...files.filter(({ name }) => !leadsOut(name)))
    if (found.length > limits.files)
      throw new SearchTooLarge(`its pattern matches more than ${limits.files} files (limits.files)`)
  }
  if (found.length > 0) return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  throw new SvcError('source-empty-glob', `no file matches "${resource}" in ${store.shown}`, {
    hint: 'Check ingest.resource; * stands for part of a name, ** for any folders.',
  })
}

/** A name with a step to the folder above would lead out of the spool; no pattern matches one. */
function leadsOut(name: string): boolean {
  return name.split('/').some(step => step === '.' || step === '..')
}

async function saveAll(
  store: FileStore,
  stored: readonly StoredFile[],
  { ingest, context }: RemoteFiles,
  progress: Progress & { readonly kept: KeptFiles },
): Promise<readonly FoundFile[]> {
  const { kept } = progress
  const taken = new Set<string>()
  const files = stored.map(file => ({ ...file, path: spoolPath(context.spoolFolder, file.name, taken) }))
  const lacking = withoutKept(files, progress, context)
  let next = 0
  const worker = async () => {
    for (let file = lacking[next++]; file !== undefined; file = lacking[next++]) {
      context.signal.throwIfAborted()
      await mkdir(dirname(file.path), { recursive: true, mode: 0o700 })
      await store.save(file, { path: file.path, atMost: undefined, onBytes: progress.onBytes })
      kept.add(file, file.path)
      progress.file()
    }
  }
  const workers = Array.from({ length: Math.min(ingest.limits.concurrency, lacking.length) }, worker)
  const ended = await Promise.allSettled(workers)
  const failed = ended.find(({ status }) => status === 'rejected')
  kept.save(failed === undefined)
  if (failed?.status === 'rejected') throw failed.reason
  return files
}

/** Returns the files that an earlier fetch has not brought, and tells how many it has. */
function withoutKept(
  files: readonly FoundFile[],
  { kept, onBytes }: Progress & { readonly kept: KeptFiles },
  { onProgress }: FetchContext,
): readonly FoundFile[] {
  let bytes = 0
  const lacking = files.filter(file => {
    const there = kept.bytesOf(file, file.path)
    bytes += there ?? 0
    return there === undefined
  })
  const count = files.length - lacking.length
  if (count === 0) return lacking
  onBytes(bytes)
  const note =
    lacking.length === 0
      ? 'all files are kept'
      : `going on: ${count} of ${files.length} files ${count === 1 ? 'is' : 'are'} kept`
  onProgress({ rows: 0, bytes, pages: count, note })
  return lacking
}

/** Folders stay, because their names may hold values of the records; what a disk may refuse is replaced. */
function spoolPath(spoolFolder: string, name: string, taken: Set<string>): string {
  const steps = name
    .split('/')
    .filter(step => step !== '')
    .map(step => (step.includes('=') ? escapedStep(step) : step.replace(/[^\w.=%+@, -]+/g, '_').slice(-200)))
  const path = steps.join('/') || 'file'
  // Names that differ only in what is replaced, or in their case, would be one file.
  const unique = taken.has(path.toLowerCase()) ? `${taken.size}/${path}` : path
  taken.add(unique.toLowerCase())
  return join(spoolFolder, filesFolder, unique)
}

/** The values of partitions are read from the names of folders, so that nothing of them may be lost. */
function escapedStep(step: string): string {
  const escaped = step.replace(/[^\w.=%+@, -]+/g, part => encodeURIComponent(part).replaceAll('*', '%2A'))
  if (escaped.length <= 255) return escaped
  throw new SvcError('source-unreadable', `the name of a folder is too long to be kept: "${step}"`, {
    hint: 'Write ingest.partitions: none, and choose the files with a narrower pattern.',
  })
}

/** A line of which only a part has come would look like a broken one. */
async function dropLastLine(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const tail = Buffer.alloc(Math.min(size, 1 << 20))
    await file.read(tail, 0, tail.length, size - tail.length)
    const end = tail.lastIndexOf('\n')
    if (end >= 0) await file.truncate(size - tail.length + end + 1)
  } finally {
    await file.close()
  }
}
