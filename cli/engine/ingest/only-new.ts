/** Files that are loaded once: which of those that are there no load has. */

import { SvcError } from '../errors.ts'
import type { LoadedFile } from '../state/state.ts'
import { hashFile } from './file-guard.ts'
import type { FoundFile } from './found-files.ts'
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

/**
 * Returns the files with content that no load has. Tells of files that have changed since they were loaded; throws SvcError
 * `file-changed` where their records would be added a second time.
 */
export async function newFiles(
  files: readonly FoundFile[],
  { write }: IngestOf<'file'>,
  context: FetchContext,
): Promise<readonly FoundFile[]> {
  const known = new Map(filesLoadedOnce(context.base)?.map(file => [file.name, file.hash]))
  const wanted: FoundFile[] = []
  const changed: FoundFile[] = []
  for (const file of files) {
    const before = known.get(file.name)
    if (before !== undefined) {
      const hash = await hashFile(file.path, { signal: context.signal, onBytes: () => undefined })
      if (hash === before) continue
      changed.push(file)
    }
    wanted.push(file)
  }
  if (changed.length > 0) tellChanged(changed, write, context)
  return wanted
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

/** Returns what a load holds that has these files too. */
export function withLoaded(
  before: readonly LoadedFile[] = [],
  files: readonly FoundFile[],
  hashes: readonly string[],
): readonly LoadedFile[] {
  const now = new Map(before.map(file => [file.name, file]))
  files.forEach(({ name, size = null, stamp = null }, index) => {
    now.set(name, { name, size, stamp, hash: hashes[index] ?? '' })
  })
  return [...now.values()]
}
