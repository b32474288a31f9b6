/** The local files of a source, with the result of their analysis and their hash. */
import type { LocalReader } from '@svc/server/catalog'
import type { FileFormat, FileLayout, FileOptions, JsonShape, SourceField } from '@svc/server/language'
import { hashFile } from './file-guard.ts'
import type { FoundFile, RenamedFile } from './found-files.ts'
import type { RecordSource } from './record-source.ts'
import type { FetchContext, IngestOf } from './source.ts'

export interface LocalFiles {
  readonly context: FetchContext
  readonly ingest: IngestOf<'file'>
  readonly found: readonly FoundFile[]
  /** Files that are not read, as they were loaded under other names. */
  readonly renamed: readonly RenamedFile[]
  readonly paths: readonly string[]
  /** False if only the beginning of a file is there. */
  readonly isWhole: boolean
  readonly format: FileFormat
  readonly options: FileOptions
  /** The columns that folders stand for. */
  readonly partitions: readonly SourceField[]
  readonly local: LocalReader
}

/** The result of analysing the files. */
export interface Looked {
  readonly source: RecordSource
  /** The kinds of JSON values that were seen; undefined for other formats. */
  readonly shape?: JsonShape
  readonly hashes: readonly string[]
  /** How text files are written, with what was agreed to before; absent for other formats. */
  readonly layouts?: readonly FileLayout[]
  readonly rows: number
  readonly bytes: number
}

export async function hashFiles({ paths, context }: LocalFiles) {
  const hashes: string[] = []
  let bytes = 0
  const onBytes = (more: number) => {
    bytes += more
  }
  for (const path of paths) {
    hashes.push(await hashFile(path, { signal: context.signal, onBytes }))
    context.onProgress({ rows: 0, bytes, pages: hashes.length })
  }
  return { hashes, bytes }
}
