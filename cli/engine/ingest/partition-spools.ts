/** Spools records by the folders of their files, so that a copy of the records keeps what the folders stand for. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type FoundRecord, partitionPath } from '@svc/server/language'
import type { JsonFiles } from './record-source.ts'
import { Spool } from './spool.ts'

/** @param keys the keys of folders that are read as columns; without them there is one spool. */
export function partitionSpools(root: string, keys: readonly string[]) {
  const ended: (JsonFiles & { readonly records: number })[] = []
  let repaired = 0
  let open: { readonly folder: string; readonly spool: Spool } | undefined
  const end = () => {
    if (open === undefined) return
    repaired += open.spool.repaired
    ended.push(open.spool.finish())
    open = undefined
  }
  const spoolIn = (folder: string): Spool => {
    if (open?.folder === folder) return open.spool
    end()
    const path = keys.length === 0 ? root : join(root, 'folders', String(ended.length), folder)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    open = { folder, spool: new Spool(path) }
    return open.spool
  }
  return {
    /** Writes a record of this file; records of one file follow each other. */
    write(file: string, record: FoundRecord): void {
      spoolIn(keys.length === 0 ? '' : partitionPath(file.replaceAll('\\', '/'))).write(record)
    },
    /** Flushes and closes. */
    finish(): JsonFiles & { readonly records: number; readonly repaired: number } {
      // Without a record there is one empty spool.
      if (ended.length === 0 && open === undefined) spoolIn(keys.map(key => `${key}=`).join('/'))
      end()
      return {
        files: ended.flatMap(({ files }) => files),
        format: 'newline_delimited',
        longestRecord: Math.max(...ended.map(({ longestRecord }) => longestRecord)),
        keys,
        records: ended.reduce((sum, { records }) => sum + records, 0),
        repaired,
      }
    },
    /** Closes the files after a failure, without flushing. */
    abandon: () => open?.spool.close(),
  }
}
