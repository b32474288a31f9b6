/** The files of a source on the local disk: its own, or those that were fetched into the spool. */
import type { Glob } from '@svc/server/catalog'

export type FileGlob = Pick<Glob, 'prefix' | 'isFlat' | 'matches' | 'reaches'>

export interface FoundFile {
  /** Where it can be read. */
  readonly path: string
  /** Its name below the endpoint, with `/` between its folders. */
  readonly name: string
  readonly size: number | undefined
  /** What changes whenever the content does: the ETag of a server, the time of a change on a disk. */
  readonly stamp: string | undefined
}

export interface FoundFiles {
  readonly files: readonly FoundFile[]
  /** False if some of the files, or parts of them, are not there. */
  readonly isWhole: boolean
  /** The names of all files that match, where some of them are not needed; absent where `files` has them all. */
  readonly present?: readonly string[]
  /** Files that were loaded under other names. */
  readonly renamed?: readonly RenamedFile[]
}

export interface RenamedFile extends FoundFile {
  readonly hash: string
  /** The name by which it was loaded. */
  readonly before: string
}
