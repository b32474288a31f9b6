/** The interface of a place with files elsewhere: one file a kind, listed in `open-store.ts`. */
import type { FileGlob } from '../found-files.ts'
import type { SaveTarget } from '../rest/download.ts'

export interface StoredFile {
  /** The name below the endpoint, with `/` between its folders. */
  readonly name: string
  /** Undefined where the place does not say it before the file is fetched. */
  readonly size: number | undefined
  /** What changes whenever the content does; undefined where the place has no such thing. */
  readonly stamp: string | undefined
}

export interface FileStore {
  /** The endpoint, as a person may see it. */
  readonly shown: string
  /** Yields the files that match, in portions. `look` counts every name that is looked at, and throws where they are too many. */
  list(glob: FileGlob, look: (names: number) => void): AsyncIterable<readonly StoredFile[]>
  /** Writes a file to the disk, and returns whether it is the whole. */
  save(file: StoredFile, target: SaveTarget): Promise<boolean>
  close(): Promise<void>
}
