/** Files that are loaded once: which of those that are there no load has. */

import { SvcError } from '../errors.ts'
import type { LoadedFile } from '../state/state.ts'
import { hashFile } from './file-guard.ts'
import type { FoundFile, RenamedFile } from './found-files.ts'
import { filesLoadedOnce } from './incremental/base.ts'
import { firstOf } from './skipped-files.ts'
import type { FetchContext, IngestOf } from './source.ts'

type Seen = Pick<FoundFile, 'name' | 'size' | 'stamp'>

/** Returns the files that may hold something new: unknown ones, and those that do not look as they did. */
export function notAsLoaded<File extends Seen>(
  files: readonly File[],
  loaded: readonly LoadedFile[] | undefined,
): readonly File[] {
  if (loaded === undefined) return files
  const known = new Map(loaded.map(file => [file.name, file]))
  return files.filter(({ name, size, stamp }) => {
    const before = known.get(name)
    // A place that says nothing of the state of a file has it read again.
    return before === undefined || stamp === undefined || before.stamp !== stamp || before.size !== size
  })
}

export interface Candidates {
  readonly candidates: readonly FoundFile[]
  /** The names of all files that are there. */
  readonly present: ReadonlySet<string>
}

/**
 * Returns the files with content that no load has, and those that have another name now. Tells of them and of files that have
 * changed since they were loaded; throws SvcError `file-changed` where their records would be added a second time.
 */
export async function newFiles(
  { candidates, present }: Candidates,
  { write, primaryKey }: IngestOf<'file'>,
  context: FetchContext,
): Promise<{ readonly files: readonly FoundFile[]; readonly renamed: readonly RenamedFile[] }> {
  const loaded = filesLoadedOnce(context.base) ?? []
  const known = new Map(loaded.map(file => [file.name, file.hash]))
  // With a key the records of a file replace or leave what is there, so that nothing is added twice.
  const gone = write === 'append' && primaryKey.length === 0 ? loaded.filter(isNotIn(present)) : []
  const files: FoundFile[] = []
  const changed: FoundFile[] = []
  const renamed: RenamedFile[] = []
  for (const file of candidates) {
    const before = known.get(file.name)
    const alike = before === undefined ? gone.filter(isAsLargeAs(file)) : []
    if (before === undefined && alike.length === 0) {
      files.push(file)
      continue
    }
    const hash = await hashFile(file.path, { signal: context.signal, onBytes: () => undefined })
    const former = alike.find(each => each.hash === hash)
    if (former !== undefined) renamed.push({ ...file, hash, before: former.name })
    if (former !== undefined || hash === before) continue
    if (before !== undefined) changed.push(file)
    files.push(file)
  }
  if (changed.length > 0) tellChanged(changed, write, context)
  if (renamed.length > 0) tellRenamed(renamed, context)
  return { files, renamed }
}

function isNotIn(present: ReadonlySet<string>) {
  return ({ name }: LoadedFile) => !present.has(name)
}

function isAsLargeAs({ size }: FoundFile) {
  return (file: LoadedFile) => file.size === null || size === undefined || file.size === size
}

function tellRenamed(renamed: readonly RenamedFile[], { onWarning }: FetchContext): void {
  const isOne = renamed.length === 1
  const what = isOne
    ? '1 file was loaded under another name, which is gone'
    : `${renamed.length} files were loaded under other names, which are gone`
  const shown = firstOf(renamed.map(({ name, before }) => `${name} (${before})`))
  onWarning?.({
    code: 'renamed-files',
    count: renamed.length,
    message: `${what}, and ${isOne ? 'is' : 'are'} not loaded again: ${shown}`,
    hint: 'If it is a delivery of its own with the very same bytes, add it once more under another name: beside this file, that is loaded.',
  })
}

function tellChanged(changed: readonly FoundFile[], write: string, { asset, onWarning }: FetchContext): void {
  const shown = firstOf(changed.map(({ name }) => name))
  const isOne = changed.length === 1
  const have = isOne ? '1 file has' : `${changed.length} files have`
  if (write === 'append') {
    throw new SvcError(
      'file-changed',
      `${have} changed since ${isOne ? 'it was' : 'they were'} loaded: ${shown}`,
      {
        hint: svc =>
          `The records would be added a second time. Deliver what changes in a new file, or use write: merge; ${svc(`run ${asset.name} --full-refresh`)} reads all files again.`,
      },
    )
  }
  onWarning?.({
    code: 'changed-files',
    count: changed.length,
    message: `${have} changed since the last load: ${shown}`,
    hint:
      write === 'scd2'
        ? 'Records that have changed begin new versions; records that are no longer there stay valid.'
        : 'The records replace those with the same key; records that are no longer there stay.',
  })
}

/** Returns what a load holds that has these files too. One that has another name now is known by that alone. */
export function withLoaded(
  before: readonly LoadedFile[] = [],
  files: readonly (FoundFile & Pick<LoadedFile, 'hash'> & Partial<Pick<RenamedFile, 'before'>>)[],
): readonly LoadedFile[] {
  const now = new Map(before.map(file => [file.name, file]))
  for (const file of files) if (file.before !== undefined) now.delete(file.before)
  for (const { name, size = null, stamp = null, hash } of files) now.set(name, { name, size, stamp, hash })
  return [...now.values()]
}
