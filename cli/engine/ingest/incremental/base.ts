/** The load that an incremental load continues: the one behind the live build, so that cursors move with promotions. */
import type { StoredSource } from '@svc/server/language'
import type { BuildRecord, LoadedFile } from '../../state/state.ts'

export interface LoadBase {
  readonly load: BuildRecord
  /** The number of records that are valid now, where every load brings all of them; absent where it brings new ones. */
  readonly current?: number
  /** The source is read from its start, and what comes joins the rows of the load: that is wanted, or other records may come. */
  readonly restarts?: 'refresh' | 'definition'
  /** What the source was when its rows were gathered; absent where it is defined as it was. */
  readonly earlier?: StoredSource
  /** The name of the cursor's column in the table of the load; absent where files tell what is new. */
  readonly cursor?: string
  /**
   * Where the next load begins, as text: the greatest value of the cursor that is not far in the future, less the lag; absent
   * where all are, and every record counts.
   */
  readonly since?: string
  /** The files that the load holds, where each is loaded once. */
  readonly files?: readonly LoadedFile[]
  /** That value, as text; absent where `since` is. */
  readonly end?: string
  /**
   * The hashes (`rowHash`) of the rows from there on, which the source brings again; empty where there are too many to
   * be compared.
   */
  readonly known: readonly string[]
  /** The last moment at which a version of the load begins or ends, in milliseconds; absent where it has no versions. */
  readonly lastMomentMs?: number
}

/** Returns the files that need not be read again. */
export function filesLoadedOnce(base: LoadBase | undefined): readonly LoadedFile[] | undefined {
  return base?.restarts === undefined ? base?.files : undefined
}

/** Beyond this number of rows they count as changed: comparing them would take more memory than merging them. */
export const mostKnown = 200_000

/**
 * Returns SQL of the hash of a row, from SQL of its values as text. Both engines have these functions; where they write a
 * value differently, its row counts as changed.
 */
export function rowHash(texts: readonly string[]): string {
  const values = texts.map(text => `coalesce('v' || ${text}, 'n')`)
  return `md5(concat_ws(chr(31), ${values.join(', ')}))`
}
