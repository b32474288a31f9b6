/**
 * Detects a file that changes between its analysis and its load: records the state of the files when the
 * analysis begins, and offers an SQL condition that fails the load if the state differs.
 */

import { createHash } from 'node:crypto'
import { fileList, type LocalReader, quoteLiteral, readInPieces } from '@svc/server/catalog'
import { internalName } from '@svc/server/language'
import { SvcError } from '../errors.ts'

const state =
  "md5(coalesce(string_agg(filename || '|' || size || '|' || epoch_us(last_modified), ',' ORDER BY filename), ''))"

const stateName = internalName('state')

export type FileGuard = Awaited<ReturnType<typeof guardFiles>>

export async function guardFiles(local: LocalReader, files: readonly string[]) {
  const query = `SELECT ${state} AS ${stateName} FROM read_blob(${fileList(files)})`
  const read = async () => String((await local.rows(query))[0]?.[stateName])
  const before = await read()
  const message = quoteLiteral(`the files of the source have changed since they were looked at: ${files[0]}`)
  return {
    condition: `(SELECT CASE WHEN ${state} = ${quoteLiteral(before)} THEN true ELSE error(${message} || left(count(*)::VARCHAR, 0)) END FROM read_blob(${fileList(files)}))`,
    /** Throws `source-unreadable` if the files have changed. */
    async check(): Promise<void> {
      if ((await read()) === before) return
      throw new SvcError(
        'source-unreadable',
        `the files of the source changed while they were read: ${files[0]}`,
        {
          hint: 'Run again when whatever writes them has finished.',
        },
      )
    },
  }
}

/** Returns the SHA-256 of the content; the file is streamed. */
export async function hashFile(
  path: string,
  options: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of readInPieces(path, options.signal)) {
    hash.update(chunk as Buffer)
    options.onBytes((chunk as Buffer).length)
  }
  return hash.digest('hex')
}
